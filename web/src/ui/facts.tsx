import "./facts.css";
import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A line of a list of facts. */
export interface Fact {
  label: string;
  value: ReactNode;
}

/** Labels with their values, in two columns. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <Box component="dl" m={0} className="fact-list">
      {facts.map(({ label, value }) => (
        <Box key={label} className="fact-line">
          <Text component="dt" fz="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz="sm" style={{ overflowWrap: "anywhere" }}>
            {value}
          </Text>
        </Box>
      ))}
    </Box>
  );
}

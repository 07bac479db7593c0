import { SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** List of names and values, side by side when there is room. */
export function FactList({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} spacing="md" m={0}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" fz="xs" c="dimmed">
            {label}
          </Text>
          <Text
            component="dd"
            m={0}
            fz="sm"
            className="breaks"
            {...(typeof value === "string" ? { lineClamp: 4 } : {})}
          >
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

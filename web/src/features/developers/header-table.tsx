import { Stack, Text } from "@mantine/core";
import { Fragment } from "react";

/** Headers by name; nothing when none were kept. */
export function HeaderTable({ label, headers }: { label: string; headers: Record<string, string> | null }) {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text fz="xs" fw={550} c="dimmed">
        {label}
      </Text>
      <dl className="facts facts-wide header-list">
        {entries.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </Stack>
  );
}

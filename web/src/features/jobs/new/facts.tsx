import { Group, Paper, Text } from "@mantine/core";

/** A figure with its label. */
export interface Fact {
  label: string;
  value: string;
  color?: string;
  hint?: string;
}

/** Figures in a row. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <Group gap="sm" align="stretch" aria-live="polite">
      {facts.map(({ label, value, color, hint }) => (
        <Paper key={label} withBorder px="md" py="sm" miw={140} style={{ flex: "1 1 140px" }}>
          <Text fz="xl" fw={620} className="figures" {...(color ? { c: color } : {})}>
            {value}
          </Text>
          <Text fz="sm" c="dimmed">
            {label}
          </Text>
          {hint !== undefined && (
            <Text fz="xs" c="dimmed">
              {hint}
            </Text>
          )}
        </Paper>
      ))}
    </Group>
  );
}

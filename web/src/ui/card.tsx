import { Group, Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A box with a heading. */
export function Card({
  title,
  actions,
  children,
  padded = true,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  padded?: boolean;
}) {
  return (
    <Paper component="section" withBorder bg="var(--mantine-color-body)" style={{ overflow: "hidden" }}>
      {title !== undefined && (
        <Group justify="space-between" px="md" py={10} className="card-head">
          <Title order={2} fz="sm" fw={600}>
            {title}
          </Title>
          {actions}
        </Group>
      )}
      <div style={padded ? { padding: "var(--mantine-spacing-md)" } : {}}>{children}</div>
    </Paper>
  );
}

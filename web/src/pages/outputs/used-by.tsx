import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useAllRows } from "#web/api/all-rows.ts";
import type { Flow } from "#web/pages/flow/flow.ts";
import { Card } from "#web/ui/card.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { usersOf } from "./output.ts";

/** The flows that ask for an output. */
export function UsedBy({ outputId }: { outputId: string }) {
  const read = useAllRows<Flow>("/flows");
  return (
    <Card title="Used by">
      <Loaded read={read}>
        {(flows) => {
          const users = usersOf(outputId, flows);
          if (users.length === 0) {
            return (
              <Text fz="sm" c="dimmed">
                No published flow asks for it. Choose it in a flow, under “What it may do and find out”.
              </Text>
            );
          }
          return (
            <ul className="plain-list">
              {users.map(({ id, name, apiId }) => (
                <li key={id}>
                  <Anchor component={Link} href={`/flows/${id}`} fz="sm">
                    <bdi>{name}</bdi>
                  </Anchor>{" "}
                  <Text component="span" fz="xs" c="dimmed" ff="monospace">
                    {apiId}
                  </Text>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

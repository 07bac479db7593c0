import { Badge, Text } from "@mantine/core";
import { Card } from "#web/ui/card.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import type { Call } from "./call.ts";

/** What came with the call: the caller's own data, which goes back unchanged, and what the agent was told. */
export function ContextData({ call }: { call: Call }) {
  if (call.contextData === null && call.rowData === null) return null;
  return (
    <Card
      title="Data"
      actions={
        call.contextData !== null && (
          <Badge size="sm" radius="sm" variant="light" color="green" tt="none">
            returned unchanged
          </Badge>
        )
      }
    >
      {call.contextData !== null && (
        <>
          <Text fz="xs" c="dimmed" mb={4}>
            contextData, sent and returned
          </Text>
          <JsonView value={call.contextData} label="contextData" maxHeight={240} />
        </>
      )}
      {call.rowData !== null && (
        <>
          <Text fz="xs" c="dimmed" mb={4} mt="sm">
            rowData, the agent's variables
          </Text>
          <JsonView value={call.rowData} label="rowData" maxHeight={240} />
        </>
      )}
    </Card>
  );
}

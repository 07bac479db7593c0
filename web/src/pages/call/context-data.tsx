import { Badge, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { Card } from "#web/ui/card.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { useReturnedData } from "./use-returned-data.ts";

/** What came with the call: the caller's own data, beside whether it was given back as it came, and what the agent was told. */
export function ContextData({ call }: { call: CallRow }) {
  const isReturned = useReturnedData(call);
  if (call.contextData === null && call.rowData === null) return null;
  return (
    <Card
      title="Data"
      actions={
        call.contextData !== null && (
          <Badge size="sm" radius="sm" variant="light" color={isReturned === false ? "red" : "green"} tt="none">
            {isReturned === undefined ? "kept as sent" : isReturned ? "returned unchanged" : "returned otherwise"}
          </Badge>
        )
      }
    >
      {call.contextData !== null && (
        <>
          <Text fz="xs" c="dimmed" mb={4}>
            contextData, as it was sent
            {isReturned === undefined ? "; a webhook would bring it back" : " and came back by webhook"}
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

import { Badge, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { useReturnedData } from "./use-returned-data.ts";

/** Data of the call: the customer's contextData, compared with the copy in a webhook, and the agent's variables. */
export function ContextData({ call }: { call: CallRow }) {
  const isReturned = useReturnedData(call);
  if (call.contextData === null && call.rowData === null) return null;
  return (
    <Card
      title={t`Data`}
      actions={
        call.contextData !== null &&
        isReturned !== undefined && (
          <Badge size="sm" radius="sm" variant="light" color={isReturned ? "green" : "red"} tt="none">
            {isReturned ? t`returned as sent` : t`returned differently`}
          </Badge>
        )
      }
    >
      {call.contextData !== null && (
        <>
          <Text fz="xs" c="dimmed" mb={4}>
            {isReturned === undefined
              ? t`contextData, stored as text`
              : t`contextData, compared with the body of the session.ended webhook`}
          </Text>
          <JsonView value={call.contextData} label="contextData" maxHeight={240} />
        </>
      )}
      {call.rowData !== null && (
        <>
          <Text fz="xs" c="dimmed" mb={4} mt="sm">
            {t`rowData, the agent's variables`}
          </Text>
          <JsonView value={call.rowData} label="rowData" maxHeight={240} />
        </>
      )}
    </Card>
  );
}

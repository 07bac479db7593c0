import { Table, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Loaded } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { Time } from "#web/ui/time.tsx";

interface Delivery {
  id: string;
  eventType: string;
  status: string;
  url: string | null;
  attempts: number;
  lastResponseStatus: number | null;
  lastError: string | null;
  createdAt: string;
}

/** The webhook deliveries about this call. */
export function Deliveries({ rowId }: { rowId: string }) {
  const read = useRead<Page<Delivery>>("/webhook-deliveries", { rowId, size: 50 });
  return (
    <Loaded read={read}>
      {({ content }) =>
        content.length === 0 ? (
          <Text fz="sm" c="dimmed">
            {t`No webhook told of this call. A flow's session webhook, or one for all flows, would.`}
          </Text>
        ) : (
          <BoxedTable label={t`Webhook deliveries`}>
            <Table.Tbody>
              {content.map((delivery) => (
                <Table.Tr key={delivery.id}>
                  <Table.Td>{delivery.eventType}</Table.Td>
                  <Table.Td>
                    <StatusBadge status={delivery.status} />
                  </Table.Td>
                  <Table.Td>
                    {plural(
                      delivery.attempts,
                      "{0} · {n} attempt",
                      "{0} · {n} attempts",
                      delivery.lastResponseStatus ?? delivery.lastError ?? "–",
                    )}
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: "anywhere" }}>{delivery.url ?? "–"}</Table.Td>
                  <Table.Td>
                    <Time at={delivery.createdAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </BoxedTable>
        )
      }
    </Loaded>
  );
}

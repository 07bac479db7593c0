import { Group, Stack, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { formatDuration, formatMilliseconds, formatMoney, formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";

/** The columns of every list of calls. */
export const CALL_COLUMNS: Column<CallRow>[] = [
  { id: "customerNumber", header: "Contact", cell: (row) => <Contact row={row} />, value: (row) => row.customerNumber },
  { id: "status", header: "Status", cell: (row) => <StatusBadge status={row.status} />, value: (row) => row.status },
  {
    id: "outcome",
    header: "Outcome",
    cell: (row) => (row.outcome === null ? "–" : formatName(row.outcome)),
    value: (row) => row.outcome,
    isWide: true,
  },
  {
    id: "flow",
    header: "Flow",
    cell: (row) => (
      <Text component="span" fz="sm" truncate maw={170} display="block">
        {row.flowApiId ?? (row.inlineFlow ? "inline" : "–")}
      </Text>
    ),
    value: (row) => row.flowApiId,
    isWide: true,
  },
  {
    id: "startedAt",
    header: "Started",
    cell: (row) => <Time at={row.startedAt ?? row.createdAt} />,
    value: (row) => row.startedAt ?? row.createdAt,
    isWide: true,
  },
  {
    id: "durationSeconds",
    header: "Duration",
    cell: (row) => formatDuration(row.durationSeconds),
    value: (row) => row.durationSeconds,
    align: "right",
    isWide: true,
  },
  {
    id: "latency",
    header: "Latency p50",
    cell: (row) => formatMilliseconds(row.latency.p50Ms),
    value: (row) => row.latency.p50Ms,
    align: "right",
    isWide: true,
  },
  {
    id: "cost",
    header: "Cost",
    cell: (row) => formatMoney(row.cost.amount, row.cost.currency),
    value: (row) => Number(row.cost.amount),
    align: "right",
    isWide: true,
  },
  {
    id: "id",
    header: "Id",
    cell: (row) => (
      <Text ff="monospace" fz="xs" c="dimmed">
        {row.id.slice(-8)}
      </Text>
    ),
    value: (row) => row.id,
    isWide: "very",
  },
];

/** The columns of calls as CSV, with name and number separate; the list shows both in one column. */
export const CALL_EXPORT: Column<CallRow>[] = [
  { id: "contactName", header: "Name", cell: () => null, value: (row) => row.contactName },
  ...CALL_COLUMNS,
];

function Contact({ row }: { row: CallRow }) {
  return (
    <Group gap={8} wrap="nowrap">
      <span
        title={row.direction === "INBOUND" ? "They called" : "We called"}
        className={row.direction === "INBOUND" ? "way way-in" : "way"}
      >
        <Icon name={row.direction === "INBOUND" ? "incoming" : "outgoing"} size={13} />
      </span>
      <Stack gap={0} miw={0}>
        <Text component="bdi" fz="sm" truncate maw={{ base: 128, sm: 220 }}>
          {row.contactName ?? row.customerNumber}
        </Text>
        {row.contactName && (
          <Text component="span" fz="xs" c="dimmed">
            {row.customerNumber}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

import { Stack, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { stringifyExactly } from "#web/api/exact-json.ts";
import { formatDuration, formatMoney, formatName } from "#web/ui/format/format.ts";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";

/** The columns of a job's rows. */
export const ROW_COLUMNS: Column<CallRow>[] = [
  {
    id: "line",
    header: "Line",
    cell: (row) => (
      <Text component="span" fz="xs" c="dimmed" className="figures">
        {row.line ?? "–"}
      </Text>
    ),
    value: (row) => row.line,
    width: 60,
    isWide: true,
  },
  { id: "customerNumber", header: "Contact", cell: (row) => <Contact row={row} />, value: (row) => row.customerNumber },
  { id: "status", header: "Status", cell: (row) => <StatusBadge status={row.status} />, value: (row) => row.status },
  { id: "outcome", header: "Outcome", cell: (row) => <Outcome row={row} />, value: (row) => row.outcome, isWide: true },
  {
    id: "attempt",
    header: "Attempts",
    cell: (row) => `${row.attempt} of ${row.maxAttempts}`,
    value: (row) => row.attempt,
    align: "right",
    isWide: true,
  },
  {
    id: "nextAttemptAt",
    header: "Next or last dial",
    cell: (row) => <Time at={row.nextAttemptAt ?? row.startedAt} />,
    value: (row) => row.nextAttemptAt ?? row.startedAt,
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
    id: "cost",
    header: "Cost",
    cell: (row) => formatMoney(row.cost.amount, row.cost.currency),
    value: (row) => Number(row.cost.amount),
    align: "right",
    isWide: true,
  },
];

/** Further columns of the CSV of rows: the data sent with each row and the extracted fields. */
export const EXPORT_COLUMNS: Column<CallRow>[] = [
  plain("rowId", (row) => row.id),
  plain("line", (row) => row.line),
  plain("externalId", (row) => row.externalId),
  plain("customerNumber", (row) => row.customerNumber),
  plain("contactName", (row) => row.contactName),
  plain("contactEmail", (row) => row.contactEmail),
  plain("status", (row) => row.status),
  plain("outcome", (row) => row.outcome),
  plain("errorCode", (row) => row.error?.code ?? null),
  plain("attempts", (row) => row.attempt),
  plain("startedAt", (row) => row.startedAt),
  plain("endedAt", (row) => row.endedAt),
  plain("durationSeconds", (row) => row.durationSeconds),
  plain("cost", (row) => row.cost.amount),
  plain("currency", (row) => row.cost.currency),
  plain("extractedFields", (row) => JSON.stringify(row.extractedFields)),
  plain("rowData", (row) => (row.rowData === null ? null : JSON.stringify(row.rowData))),
  plain("contextData", (row) => (row.contextData === null ? null : (stringifyExactly(row.contextData) ?? null))),
  plain("transcript", (row) => row.transcriptText),
];

function plain(header: string, value: (row: CallRow) => string | number | null): Column<CallRow> {
  return { id: header, header, cell: value, value };
}

function Contact({ row }: { row: CallRow }) {
  return (
    <Stack gap={0} miw={0}>
      <Text component="bdi" fz="sm" truncate maw={220}>
        {row.contactName ?? row.customerNumber}
      </Text>
      {row.contactName !== null && (
        <Text component="span" fz="xs" c="dimmed">
          {row.customerNumber}
        </Text>
      )}
    </Stack>
  );
}

function Outcome({ row }: { row: CallRow }) {
  if (row.outcome === null) return "–";
  return row.error === null || row.error.code === row.outcome ? (
    formatName(row.outcome)
  ) : (
    <Text component="span" fz="sm" title={row.error.message}>
      {formatName(row.outcome)}
      <Text component="span" fz="xs" c="dimmed" display="block">
        {formatName(row.error.code)}
      </Text>
    </Text>
  );
}

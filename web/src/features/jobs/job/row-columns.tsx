import { Group, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { stringifyExactly } from "#web/api/exact-json.ts";
import { sayReason } from "#web/api/server-texts.ts";
import { CallContact } from "#web/domain/call/call-columns.tsx";
import { WithMarks } from "#web/domain/call/call-marks.tsx";
import { CallStatus } from "#web/domain/call/call-status.tsx";
import { stateOf } from "#web/domain/call/call.ts";
import { t } from "#web/i18n/t.ts";
import { formatDuration, formatMoney, formatName } from "#web/ui/format/format.ts";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";

/** When the row is dialled next, else when it ended, else when it was dialled first. */
function nextDialOrEnd({ nextAttemptAt, endedAt, startedAt }: CallRow): string | null {
  return nextAttemptAt ?? endedAt ?? startedAt;
}

/** The columns of a job's rows. */
export const ROW_COLUMNS: Column<CallRow>[] = [
  {
    id: "customerNumber",
    header: t`Contact`,
    cell: (row) => <CallContact row={row} />,
    value: (row) => row.customerNumber,
  },
  {
    id: "line",
    header: t`Line`,
    cell: (row) => (
      <Text component="span" fz="xs" c="dimmed" className="figures">
        {row.line ?? "–"}
      </Text>
    ),
    value: (row) => row.line,
    sortKey: "createdAt",
    width: 60,
    isWide: true,
  },
  {
    id: "outcome",
    header: t`Outcome`,
    cell: (row) => <Outcome row={row} />,
    value: (row) => row.outcome,
  },
  {
    id: "status",
    header: t`Status`,
    cell: (row) => <CallStatus call={row} />,
    value: (row) => row.status,
    isOptional: true,
  },
  {
    id: "attempt",
    header: t`Attempts`,
    cell: (row) => t`${row.attempt} of ${row.maxAttempts}`,
    value: (row) => row.attempt,
    align: "right",
    isWide: true,
  },
  {
    id: "nextAttemptAt",
    header: t`Next dial or end`,
    cell: (row) => <Time at={nextDialOrEnd(row)} />,
    value: nextDialOrEnd,
    isWide: true,
  },
  {
    id: "durationSeconds",
    header: t`Duration`,
    cell: (row) => formatDuration(row.durationSeconds),
    value: (row) => row.durationSeconds,
    sortKey: "durationSeconds",
    align: "right",
    isWide: true,
  },
  {
    id: "cost",
    header: t`Cost`,
    cell: (row) => formatMoney(row.cost.amount, row.cost.currency),
    value: (row) => Number(row.cost.amount),
    sortKey: "cost",
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

/** The outcome, or the state until there is one; why, where the outcome alone does not say it. */
function Outcome({ row }: { row: CallRow }) {
  const badge = (
    <WithMarks call={row}>
      <CallStatus call={row} status={stateOf(row)} />
    </WithMarks>
  );
  if (row.error === null || row.outcome === null || row.error.code === row.outcome) return badge;
  return (
    <Group gap={8} wrap="nowrap" title={sayReason(row.error)}>
      {badge}
      <Text component="span" fz="xs" c="dimmed" truncate maw={160} visibleFrom="sm">
        {formatName(row.error.code)}
      </Text>
    </Group>
  );
}

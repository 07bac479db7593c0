import { Group, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { formatDuration, formatMilliseconds, formatMoney, formatName, formatTimeFully } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Phone } from "#web/ui/phone.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { WithMarks } from "./call-marks.tsx";
import { CallStatus } from "./call-status.tsx";
import { stateOf } from "./call.ts";

/** Columns that are there to be chosen. */
const MORE_COLUMNS: Column<CallRow>[] = [
  optional(
    "endReason",
    t`Ended by`,
    (row) => row.endReason,
    (row) => (row.endReason ? formatName(row.endReason) : "–"),
  ),
  optional(
    "attempt",
    t`Attempts`,
    (row) => row.attempt,
    (row) => t`${row.attempt} of ${row.maxAttempts}`,
  ),
  optional(
    "fromPhoneNumber",
    t`Our number`,
    (row) => row.fromPhoneNumber,
    (row) => <Phone number={row.fromPhoneNumber} />,
  ),
  optional(
    "contactEmail",
    t`E-mail`,
    (row) => row.contactEmail,
    (row) => <Cut text={row.contactEmail ?? "–"} />,
  ),
  optional(
    "externalId",
    t`External ID`,
    (row) => row.externalId,
    (row) => <Cut text={row.externalId ?? "–"} />,
  ),
  optional(
    "id",
    "ID",
    (row) => row.id,
    (row) => (
      <Text ff="monospace" fz="xs" c="dimmed">
        {row.id.slice(-8)}
      </Text>
    ),
  ),
];

function optional(
  id: string,
  header: string,
  value: (row: CallRow) => string | number | null,
  cell: Column<CallRow>["cell"],
): Column<CallRow> {
  return { id, header, cell, value, isOptional: true };
}

/** The columns of every list of calls. */
export const CALL_COLUMNS: Column<CallRow>[] = [
  {
    id: "customerNumber",
    header: t`Contact`,
    cell: (row) => <CallContact row={row} withDirection />,
    value: (row) => row.customerNumber,
  },
  {
    id: "outcome",
    header: t`Outcome`,
    cell: (row) => (
      <WithMarks call={row}>
        <CallStatus call={row} status={stateOf(row)} />
      </WithMarks>
    ),
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
    id: "flow",
    header: t`Flow`,
    cell: (row) => <FlowOf row={row} />,
    value: (row) => row.flowApiId,
    isWide: "very",
  },
  {
    id: "startedAt",
    header: t`Started`,
    title: t`Sorted by when the call was made, which may be long before it was dialled`,
    cell: (row) => (row.startedAt === null ? <NotDialled row={row} /> : <Time at={row.startedAt} />),
    value: (row) => row.startedAt,
    sortKey: "createdAt",
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
    id: "latency",
    header: t`Latency p50`,
    cell: (row) => formatMilliseconds(row.latency.p50Ms),
    value: (row) => row.latency.p50Ms,
    sortKey: "latency",
    align: "right",
    isHiddenEmpty: true,
    isWide: "very",
  },
  {
    id: "cost",
    header: t`Cost`,
    cell: (row) => formatMoney(row.cost.amount, row.cost.currency),
    value: (row) => Number(row.cost.amount),
    sortKey: "cost",
    align: "right",
    isWide: "very",
  },
  ...MORE_COLUMNS,
];

/** The columns of calls as CSV, with name and number separate; the list shows both in one column. */
export const CALL_EXPORT: Column<CallRow>[] = [
  { id: "contactName", header: t`Name`, cell: () => null, value: (row) => row.contactName },
  ...CALL_COLUMNS,
];

/** Name and number of a call's contact in one line, on a phone in two. */
export function CallContact({ row, withDirection = false }: { row: CallRow; withDirection?: boolean }) {
  const isInbound = row.direction === "INBOUND";
  return (
    <Group gap={8} wrap="nowrap">
      {withDirection && (
        <span title={isInbound ? t`They called` : t`We called`} className={isInbound ? "way way-in" : "way"}>
          <Icon name={isInbound ? "incoming" : "outgoing"} size={13} />
        </span>
      )}
      <span className="contact-cell">
        {row.contactName !== null && (
          <Text component={Words} fz="sm" truncate maw={{ base: 128, sm: 180 }}>
            {row.contactName}
          </Text>
        )}
        <Text component="span" fz={row.contactName === null ? "sm" : "xs"} c={row.contactName === null ? "" : "dimmed"}>
          <Phone number={row.customerNumber} />
        </Text>
      </span>
    </Group>
  );
}

function FlowOf({ row: { flowApiId, inlineFlow } }: { row: CallRow }) {
  const nameOf = useFlowNames();
  return <Cut text={flowApiId === null ? (inlineFlow ? t`inline` : "–") : nameOf(flowApiId)} />;
}

/** Stands for the start of a call that was not dialled; the list is in the order of when calls were made. */
function NotDialled({ row: { createdAt, endedAt } }: { row: CallRow }) {
  return (
    <Text
      component="span"
      fz="sm"
      c="dimmed"
      style={{ whiteSpace: "normal" }}
      title={t`Made ${formatTimeFully(createdAt)}`}
    >
      {endedAt === null ? t`not yet dialled` : t`never dialled`}
    </Text>
  );
}

function Cut({ text }: { text: string }) {
  return (
    <Text component={Words} fz="sm" truncate maw={170} display="block">
      {text}
    </Text>
  );
}

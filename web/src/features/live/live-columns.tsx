import { Group, Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { useClock } from "#web/ui/clock.ts";
import { formatDuration } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { type LiveRow, secondsOf } from "./live-calls.ts";

/** The columns of live calls. */
export const LIVE_COLUMNS: Column<LiveRow>[] = [
  { id: "contact", header: t`Contact`, cell: (row) => <Contact row={row} />, value: (row) => row.customerNumber },
  { id: "status", header: t`Status`, cell: (row) => <StatusBadge status={row.status} />, value: (row) => row.status },
  {
    id: "duration",
    header: t`Duration`,
    cell: (row) => <Duration row={row} />,
    value: (row) => row.answeredAt ?? row.startedAt,
    align: "right",
    isWide: true,
  },
  {
    id: "fromPhoneNumber",
    header: t`Our number`,
    cell: (row) => row.fromPhoneNumber,
    value: (row) => row.fromPhoneNumber,
    isWide: true,
  },
  {
    id: "attempt",
    header: t`Attempt`,
    cell: (row) => (row.direction === "INBOUND" ? "–" : row.attempt),
    value: (row) => row.attempt,
    align: "right",
    isWide: true,
  },
  {
    id: "kind",
    header: t`Part of`,
    cell: (row) => (row.jobId === null ? t`single call` : t`call job`),
    value: (row) => row.jobId,
    isWide: true,
  },
];

function Duration({ row }: { row: LiveRow }) {
  const nowMs = useClock(true);
  return (
    <Text component="span" fz="sm" ff="monospace" className="stat">
      {formatDuration(secondsOf(row, nowMs))}
    </Text>
  );
}

function Contact({ row }: { row: LiveRow }) {
  const isInbound = row.direction === "INBOUND";
  return (
    <Group gap={8} wrap="nowrap">
      <span title={isInbound ? t`They called` : t`We called`} className={isInbound ? "way way-in" : "way"}>
        <Icon name={isInbound ? "incoming" : "outgoing"} size={13} />
      </span>
      <Stack gap={0} miw={0}>
        <Text component="span" fz="sm" fw={550} truncate maw={{ base: 130, sm: 320 }}>
          <Phone number={row.contactName ?? row.customerNumber} />
        </Text>
        {row.contactName !== null && (
          <Text component="span" fz="xs" c="dimmed" visibleFrom="sm">
            <Phone number={row.customerNumber} />
          </Text>
        )}
        <Text component="span" hiddenFrom="sm" c="dimmed">
          <Duration row={row} />
        </Text>
      </Stack>
    </Group>
  );
}

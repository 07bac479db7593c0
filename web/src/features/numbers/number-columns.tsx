import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import type { PhoneNumber } from "@parley/sdk";
import { formatQueued, providerLabel, troubleOf } from "#web/domain/number/number.ts";
import { t } from "#web/i18n/t.ts";
import { formatShare } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";

/** The columns of the list of numbers. */
export const NUMBER_COLUMNS: Column<PhoneNumber>[] = [
  {
    id: "phoneNumber",
    header: t`Number`,
    cell: (number) => <NumberName number={number} />,
    value: ({ phoneNumber }) => phoneNumber,
  },
  {
    id: "label",
    header: t`Label`,
    cell: ({ label }) => <span dir="auto">{label ?? "–"}</span>,
    value: ({ label }) => label,
    isWide: true,
  },
  {
    id: "status",
    header: t`Status`,
    cell: (number) => <Status number={number} />,
    value: ({ status }) => status,
  },
  {
    id: "provider",
    header: t`Provider`,
    cell: ({ provider, providerInfo }) =>
      providerInfo.simulated && provider !== "SANDBOX"
        ? t`${providerLabel(provider)}, simulated`
        : providerLabel(provider),
    value: ({ provider }) => provider,
    isWide: true,
  },
  {
    id: "calls",
    header: t`Calls now`,
    cell: (number) => <Gauge number={number} />,
    value: ({ currentActiveCalls }) => currentActiveCalls,
    isWide: true,
  },
  {
    id: "queued",
    header: t`Queued`,
    cell: formatQueued,
    value: ({ queuedCalls }) => queuedCalls,
    align: "right",
    isWide: true,
  },
  {
    id: "pace",
    header: t`Pace`,
    cell: ({ callsPerSecond }) => (callsPerSecond === null ? "–" : `${callsPerSecond}/s`),
    value: ({ callsPerSecond }) => callsPerSecond,
    align: "right",
    isHiddenEmpty: true,
    isWide: "very",
  },
  {
    id: "answerRate",
    header: t`Person, 7 days`,
    title: t`Share of the dials of the last 7 days that a person answered, as in Analytics`,
    cell: ({ answerRate7d }) => formatShare(answerRate7d),
    value: ({ answerRate7d }) => answerRate7d,
    align: "right",
    isWide: true,
  },
  {
    id: "machineRate",
    header: t`Machine, 7 days`,
    title: t`Share of the dials of the last 7 days that a machine answered, as in Analytics`,
    cell: ({ machineRate7d }) => formatShare(machineRate7d),
    value: ({ machineRate7d }) => machineRate7d,
    align: "right",
    isWide: true,
  },
];

/** A number; on a phone, who answered its dials is below it. */
function NumberName({ number: { phoneNumber, isDefault, ...rates } }: { number: PhoneNumber }) {
  return (
    <Group gap={6} component="span">
      <Text component="span" fz="sm" fw={550} style={{ whiteSpace: "nowrap" }}>
        <Phone number={phoneNumber} />
      </Text>
      {isDefault && (
        <Badge size="xs" variant="light" style={{ flexShrink: 0 }}>
          {t`default`}
        </Badge>
      )}
      {rates.answerRate7d !== null && (
        <Text component="span" fz="xs" c="dimmed" hiddenFrom="sm" w="100%">
          {sayRates(rates)}
        </Text>
      )}
    </Group>
  );
}

/** Says who answered the dials of a number: persons and machines apart. */
export function sayRates(rates: Pick<PhoneNumber, "answerRate7d" | "machineRate7d">): string {
  return t`Person ${formatShare(rates.answerRate7d)}, machine ${formatShare(rates.machineRate7d)}`;
}

function Status({ number }: { number: PhoneNumber }) {
  const trouble = troubleOf(number);
  return (
    <Stack gap={0} align="flex-start">
      <StatusBadge status={number.status} />
      {trouble && (
        <Text component="span" fz="xs" c="dimmed" lineClamp={1} maw={260} title={trouble} visibleFrom="sm">
          {trouble}
        </Text>
      )}
    </Stack>
  );
}

/** Gauge of a number's live calls against its maximum. */
export function Gauge({ number: { currentActiveCalls, maxConcurrentCalls } }: { number: PhoneNumber }) {
  const share = Math.min(100, (currentActiveCalls / maxConcurrentCalls) * 100);
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <Progress
        visibleFrom="sm"
        value={share}
        w={32}
        size={6}
        color={share >= 100 ? "orange" : "parley"}
        aria-label={t`${currentActiveCalls} of ${maxConcurrentCalls} calls`}
      />
      <Text component="span" fz="sm" style={{ whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" }}>
        {currentActiveCalls}/{maxConcurrentCalls}
      </Text>
    </Group>
  );
}

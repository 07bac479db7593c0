import { Group, SegmentedControl, Table, Text } from "@mantine/core";
import { useState } from "react";
import { LOCALE } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName, formatNumber, formatShare } from "#web/ui/format/format.ts";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { markOf } from "#web/ui/statuses.ts";
import { countUndialled, type HourBar, listHours, listOutcomes, type Overview } from "./overview.ts";

const HEIGHT = 120;
const STEP = 26;

/** Calls of the last day by hour and by outcome, as a chart and as a table. */
export function OutcomeChart({ overview }: { overview: Overview | undefined }) {
  const [view, setView] = useState("chart");
  return (
    <Card
      title={t`Calls ended, last 24 hours`}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t`Show as`}
          value={view}
          onChange={setView}
          data={[
            { value: "chart", label: t`Chart` },
            { value: "table", label: t`Table` },
          ]}
        />
      }
    >
      {overview === undefined ? (
        <LoadingBars count={4} />
      ) : (
        <ChartBody overview={overview} isChart={view === "chart"} />
      )}
    </Card>
  );
}

function ChartBody({ overview, isChart }: { overview: Overview; isChart: boolean }) {
  const hours = listHours(overview);
  if (overview.calls.total === 0) {
    return (
      <Text fz="sm" c="dimmed" py="lg">
        {t`No call in the last 24 hours. Outcomes appear here as calls end.`}
      </Text>
    );
  }
  return (
    <>
      {isChart ? <HourChart hours={hours} /> : <HourTable hours={hours} />}
      <Outcomes overview={overview} />
      <Text fz="xs" c="dimmed" mt="xs">
        {t`${formatNumber(overview.calls.total)} calls that ended since ${formatHour(new Date(overview.calls.since))}, at the hour of their last dial, as in Analytics.`}
      </Text>
    </>
  );
}

function HourTable({ hours }: { hours: HourBar[] }) {
  return (
    <Table className="data-table" verticalSpacing={2} aria-label={t`Calls by hour`} mb="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Hour`}</Table.Th>
          <Table.Th ta="right">{t`Person`}</Table.Th>
          <Table.Th ta="right">{t`Machine`}</Table.Th>
          <Table.Th ta="right">{t`Other`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {hours
          .filter((bar) => totalOf(bar) > 0)
          .map(({ at, reached, machine, other }) => (
            <Table.Tr key={at.toISOString()}>
              <Table.Td>{formatHour(at)}</Table.Td>
              <Table.Td ta="right">{formatNumber(reached)}</Table.Td>
              <Table.Td ta="right">{formatNumber(machine)}</Table.Td>
              <Table.Td ta="right">{formatNumber(other)}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

function totalOf({ reached, machine, other }: HourBar): number {
  return reached + machine + other;
}

function formatHour(at: Date): string {
  return at.toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" });
}

function HourChart({ hours }: { hours: HourBar[] }) {
  const most = Math.max(1, ...hours.map(totalOf));
  const label = hours
    .filter((bar) => totalOf(bar) > 0)
    .map(
      ({ at, reached, machine, other }) =>
        t`${formatHour(at)}: ${reached} reached a person, ${machine} a machine, ${other} other`,
    )
    .join("; ");
  return (
    <svg
      viewBox={`0 0 ${24 * STEP} ${HEIGHT + 20}`}
      className="hours"
      role="img"
      aria-label={t`Calls by hour. ${label}`}
    >
      {hours.map(({ at, tones }, index) => {
        const parts = tones.map(({ tone, count }) => ({ tone, height: (HEIGHT * count) / most }));
        let top = HEIGHT;
        return (
          <g key={at.toISOString()} transform={`translate(${index * STEP + 4} 0)`}>
            <rect className="hour-slot" width={18} height={HEIGHT} rx={4} />
            {parts.map(({ tone, height }) => (
              <rect key={tone} fill={markOf(tone)} y={(top -= height)} width={18} height={height} rx={3} />
            ))}
            {index % 4 === 1 && (
              <text x={9} y={HEIGHT + 15} textAnchor="middle">
                {formatHour(at)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function Outcomes({ overview }: { overview: Overview }) {
  const outcomes = listOutcomes(overview);
  const { total } = overview.calls;
  const undialled = countUndialled(overview);
  return (
    <Table
      className="data-table"
      verticalSpacing={3}
      withRowBorders={false}
      aria-label={t`Outcomes of the last 24 hours`}
    >
      <Table.Tbody>
        {outcomes.map(({ name, tone, count }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Group gap={8} wrap="nowrap">
                <span className="dot" style={{ color: markOf(tone) }} />
                {formatName(name)}
              </Group>
            </Table.Td>
            <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            <Table.Td ta="right" w={70} c="dimmed">
              {formatShare(count / total)}
            </Table.Td>
          </Table.Tr>
        ))}
        {undialled > 0 && (
          <Table.Tr>
            <Table.Td c="dimmed">
              <Group gap={8} wrap="nowrap">
                <span className="dot" style={{ color: markOf("neutral") }} />
                {t`Never dialled`}
              </Group>
            </Table.Td>
            <Table.Td ta="right">{formatNumber(undialled)}</Table.Td>
            <Table.Td ta="right" c="dimmed">
              {formatShare(undialled / total)}
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

import { Group, SegmentedControl, Table, Text } from "@mantine/core";
import { useState } from "react";
import { formatName, formatNumber } from "#web/format/format.ts";
import { Card } from "#web/ui/card.tsx";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { TONE_COLOR } from "#web/ui/statuses.ts";
import type { HourBar, Today } from "./today.ts";

const HEIGHT = 120;
const STEP = 26;

/** Today by hour and by outcome, as a picture or as a table. */
export function OutcomeChart({ today }: { today: Today | undefined }) {
  const [view, setView] = useState("chart");
  const total = today?.outcomes.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <Card
      title="Outcomes today"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={view}
          onChange={setView}
          data={[
            { value: "chart", label: "Chart" },
            { value: "table", label: "Table" },
          ]}
        />
      }
    >
      {today === undefined && <LoadingBars count={4} />}
      {today && total === 0 && (
        <Text fz="sm" c="dimmed" py="lg">
          No call has ended today. Outcomes appear here as calls end.
        </Text>
      )}
      {today && total > 0 && (view === "chart" ? <HourChart hours={today.hours} /> : null)}
      {today && total > 0 && <Outcomes today={today} total={total} />}
      {today && today.sampled < today.total && (
        <Text fz="xs" c="dimmed" mt="xs">
          Of the newest {formatNumber(today.sampled)} of {formatNumber(today.total)} calls.
        </Text>
      )}
    </Card>
  );
}

function HourChart({ hours }: { hours: HourBar[] }) {
  const most = Math.max(1, ...hours.map(({ good, other }) => good + other));
  const label = hours
    .filter(({ good, other }) => good + other > 0)
    .map(({ hour, good, other }) => `${hour}:00: ${good} completed, ${other} other`)
    .join("; ");
  return (
    <svg
      viewBox={`0 0 ${24 * STEP} ${HEIGHT + 20}`}
      className="hours"
      role="img"
      aria-label={`Calls by hour. ${label}`}
    >
      {hours.map(({ hour, good, other }) => {
        const [goodHeight, otherHeight] = [(HEIGHT * good) / most, (HEIGHT * other) / most];
        return (
          <g key={hour} transform={`translate(${hour * STEP + 4} 0)`}>
            <rect className="hour-slot" width={18} height={HEIGHT} rx={4} />
            <rect className="hour-good" y={HEIGHT - goodHeight} width={18} height={goodHeight} rx={3} />
            <rect className="hour-other" y={HEIGHT - goodHeight - otherHeight} width={18} height={otherHeight} rx={3} />
            {hour % 4 === 0 && (
              <text x={9} y={HEIGHT + 15} textAnchor="middle">
                {hour}:00
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function Outcomes({ today, total }: { today: Today; total: number }) {
  return (
    <Table className="data-table" verticalSpacing={3} withRowBorders={false} aria-label="Outcomes of today's calls">
      <Table.Tbody>
        {today.outcomes.map(({ name, tone, count }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Group gap={8} wrap="nowrap">
                <span className="dot" style={{ color: `var(--mantine-color-${TONE_COLOR[tone]}-6)` }} />
                {formatName(name)}
              </Group>
            </Table.Td>
            <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            <Table.Td ta="right" w={70} c="dimmed">
              {Math.round((100 * count) / total)} %
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

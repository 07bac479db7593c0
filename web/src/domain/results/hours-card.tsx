import { Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import type { Drill } from "./drill.ts";

type Cell = Results["hours"][number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const SHORT_DAYS = [t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`, t`Sun`];
const DAYS = [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];
/** Strongest tint of a cell, at which its text is still readable. */
const MOST_TINT = 50;

/** Share of dials that a person answered, by weekday and hour, as a table of tinted cells. */
export function HoursCard(props: { hours: Cell[]; timeZone: string; toCalls: (drill: Drill) => string }) {
  const { hours, timeZone, toCalls } = props;
  const cells = new Map(hours.map((cell) => [`${cell.weekday}.${cell.hour}`, cell]));
  const most = Math.max(0.01, ...hours.map(({ answerRate }) => answerRate ?? 0));
  return (
    <Card title={t`When people answer (${timeZone})`}>
      {hours.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`No dial in this time.`}
        </Text>
      ) : (
        <>
          <div className="heat-box" tabIndex={0} role="region" aria-label={t`Answers by weekday and hour`}>
            <table className="heat" aria-label={t`Percent of dials that a person answered`}>
              <thead>
                <tr>
                  <th scope="col">{t`Day`}</th>
                  {HOURS.map((hour) => (
                    <th key={hour} scope="col">
                      {hour}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {DAYS.map((day, index) => (
                  <tr key={day}>
                    <th scope="row">
                      <abbr title={day}>{SHORT_DAYS[index]}</abbr>
                    </th>
                    {HOURS.map((hour) => (
                      <HeatCell key={hour} cell={cells.get(`${index + 1}.${hour}`)} most={most} toCalls={toCalls} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Text fz="xs" c="dimmed" mt="xs">
            {t`Percent of the dials of each hour that a person answered, retries as well. Empty: no dial.`}
          </Text>
        </>
      )}
    </Card>
  );
}

function HeatCell(props: { cell: Cell | undefined; most: number; toCalls: (drill: Drill) => string }) {
  const { cell, most, toCalls } = props;
  if (!cell) return <td aria-label={t`No dial`} />;
  const { weekday, hour } = cell;
  const rate = cell.answerRate ?? 0;
  const title = t`${formatNumber(cell.dials)} dials: ${formatNumber(cell.answeredByPerson)} answered by a person, ${formatNumber(cell.answeredByMachine)} by a machine`;
  return (
    <td
      title={title}
      style={{ "--tint": `${Math.round((rate / most) * MOST_TINT)}%` } as React.CSSProperties}
      data-dialled=""
    >
      <Link href={toCalls({ weekday, hour })}>{Math.round(rate * 100)}</Link>
    </td>
  );
}

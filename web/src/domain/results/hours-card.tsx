import { Text, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { CSSProperties } from "react";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber, formatShare, formatShortNumber } from "#web/ui/format/format.ts";
import { ScrollBox } from "#web/ui/table/scroll-box.tsx";
import { BREAKPOINTS } from "#web/ui/theme/breakpoints.ts";
import type { Drill } from "./drill.ts";
import { FEW_DIALS, hasFewDials, type HeatSlot, hoursWithDials, tintOf, tintScaleOf } from "./heat.ts";

const DAYS = [
  { short: t`Mon`, long: t`Monday` },
  { short: t`Tue`, long: t`Tuesday` },
  { short: t`Wed`, long: t`Wednesday` },
  { short: t`Thu`, long: t`Thursday` },
  { short: t`Fri`, long: t`Friday` },
  { short: t`Sat`, long: t`Saturday` },
  { short: t`Sun`, long: t`Sunday` },
];

interface HeatProps {
  hours: HeatSlot[];
  /** Share that gets the strongest tint. */
  most: number;
  toCalls: (drill: Drill) => string;
}

/** Share of dials that a person answered, by weekday and hour, as a table of tinted cells with the dials below. */
export function HoursCard({ timeZone, ...rest }: Omit<HeatProps, "most"> & { timeZone: string }) {
  const heat = { ...rest, most: tintScaleOf(rest.hours) };
  // Hours stand side by side where there is room; elsewhere the seven days do.
  const isWide = useMediaQuery(`(min-width: ${BREAKPOINTS.lg}em)`, window.innerWidth >= BREAKPOINTS.lg * 16) ?? true;
  return (
    <Card title={t`When people answer (${timeZone})`}>
      {heat.hours.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`No dial in this time.`}
        </Text>
      ) : (
        <>
          <ScrollBox label={t`Answers by weekday and hour`}>
            {isWide ? <HeatByDay {...heat} /> : <HeatByHour {...heat} />}
          </ScrollBox>
          <Text fz="xs" c="dimmed" mt="xs">
            {t`Percent of the dials of each hour that a person answered, retries as well; below it the number of dials. Striped: fewer than ${FEW_DIALS} dials, which say little. Empty: no dial.`}
          </Text>
        </>
      )}
    </Card>
  );
}

/** One line for each weekday. */
function HeatByDay(heat: HeatProps) {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  return (
    <table className="heat heat-wide" aria-label={t`Percent of dials that a person answered`}>
      <thead>
        <tr>
          <th scope="col">{t`Day`}</th>
          {hours.map((hour) => (
            <th key={hour} scope="col">
              {hour}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {DAYS.map((day, index) => (
          <tr key={day.long}>
            <th scope="row">
              <abbr title={day.long}>{day.short}</abbr>
            </th>
            {hours.map((hour) => (
              <HeatCell key={hour} weekday={index + 1} hour={hour} {...heat} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One line for each hour, from the first with a dial to the last. */
function HeatByHour(heat: HeatProps) {
  return (
    <table className="heat" aria-label={t`Percent of dials that a person answered`}>
      <thead>
        <tr>
          <th scope="col">{t`Hour`}</th>
          {DAYS.map((day) => (
            <th key={day.long} scope="col">
              <abbr title={day.long}>{day.short}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {hoursWithDials(heat.hours).map((hour) => (
          <tr key={hour}>
            <th scope="row">{hour}</th>
            {DAYS.map((day, index) => (
              <HeatCell key={day.long} weekday={index + 1} hour={hour} {...heat} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HeatCell({ hours, most, toCalls, weekday, hour }: HeatProps & { weekday: number; hour: number }) {
  const slot = hours.find((one) => one.weekday === weekday && one.hour === hour);
  if (!slot) return <td aria-label={t`No dial`} />;
  const rate = slot.answerRate ?? 0;
  const title = t`${formatNumber(slot.dials)} dials: ${formatNumber(slot.answeredByPerson)} answered by a person, ${formatNumber(slot.answeredByMachine)} by a machine`;
  const share = t`${formatShare(rate)} of ${formatNumber(slot.dials)} dials`;
  return (
    <td
      title={title}
      aria-label={share}
      style={{ "--tint": `${tintOf(slot, most)}%` } as CSSProperties}
      data-dialled=""
      data-few={hasFewDials(slot) || undefined}
      data-nobody={(rate === 0 && !hasFewDials(slot)) || undefined}
    >
      <Link href={toCalls({ weekday, hour })}>
        <span aria-hidden="true">
          {Math.round(rate * 100)}
          <small>{formatShortNumber(slot.dials)}</small>
        </span>
        <VisuallyHidden>{share}</VisuallyHidden>
      </Link>
    </td>
  );
}

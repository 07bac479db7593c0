import type { Forecast } from "./forecast.ts";

const BAR_CELLS = 30;
const MOST_HOURS_SHOWN = 24;

/** Formats a forecast for a terminal. */
export function renderForecast(forecast: Forecast): string {
  const { rows, skipped, durationSeconds: duration, cost, attempts, talkSeconds, busiestNumber } = forecast;
  const facts: [string, string][] = [
    ["rows", skipped.count > 0 ? `${rows}, and ${skipped.count} that are never dialled` : String(rows)],
    ["takes", `${toTime(duration.p50)}  (80 % of runs: ${toTime(duration.p10)} to ${toTime(duration.p90)})`],
    ["starts", toMinute(forecast.startsAt)],
    ["ends", forecast.endsAt === null ? "never" : toMinute(forecast.endsAt)],
    ["attempts", String(attempts)],
    ["talk", toTime(talkSeconds)],
    ["cost", `${cost.p50} ${cost.currency}  (${cost.p10} to ${cost.p90})`],
    ...(busiestNumber
      ? [
          ["busiest", `${busiestNumber.phoneNumber}, busy ${percent(busiestNumber.busyShare)} of the time`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    ...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    "",
    ...renderOutcomes(forecast),
    ...renderHours(forecast),
    "",
    ...skipped.reasons.map(({ code, count }) => `never dialled: ${count} ${code}`),
    ...forecast.assumptions.map((text) => `- ${text}`),
  ].join("\n");
}

function renderOutcomes({ outcomes }: Forecast): string[] {
  const names = outcomes.map(({ status, outcome }) => `${status} ${outcome}`);
  const width = Math.max(0, ...names.map((name) => name.length));
  return outcomes.map(({ count, share }, i) => {
    const shown = `${String(count).padStart(8)}  ${percent(share).padStart(6)}`;
    return `${(names[i] ?? "").padEnd(width)}${shown}  ${"█".repeat(Math.round(share * BAR_CELLS))}`.trimEnd();
  });
}

function renderHours({ perHour }: Forecast): string[] {
  if (perHour.length < 2) return [];
  const most = Math.max(1, ...perHour.map(({ attempts }) => attempts));
  const shown = perHour.slice(0, MOST_HOURS_SHOWN);
  const lines = shown.map(({ startsAt, attempts }) => {
    const bar = "▪".repeat(Math.round((attempts / most) * BAR_CELLS));
    return `${toMinute(startsAt)}${String(attempts).padStart(8)}  ${bar}`.trimEnd();
  });
  const more = perHour.length - shown.length;
  return ["", "attempts by the hour", ...lines, ...(more > 0 ? [`… and ${more} more hours`] : [])];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function toMinute(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}

/** Formats a duration by its two largest units of days, hours, minutes and seconds. */
function toTime(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [Math.round(seconds) % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

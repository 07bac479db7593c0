import type { Forecast, RehearseJob } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import type { ContactRow } from "./contacts.ts";
import { type NewJobForm, toSettings } from "./new-job.ts";

const MOST_ZONES = 50;
/** Conversations to simulate: enough for an estimate, and quick. */
const CONVERSATIONS = 20;

/** Body of a rehearsal: the job's settings, the number of people, and the time zones of the list. */
export function toRehearsal(form: NewJobForm, rows: ContactRow[], people: number): RehearseJob {
  const zones = new Map<string, number>();
  for (const { timeZone } of rows) if (timeZone !== undefined) zones.set(timeZone, (zones.get(timeZone) ?? 0) + 1);
  const most = [...zones].toSorted(([, a], [, b]) => b - a).slice(0, MOST_ZONES);
  const timeZones = most.map(([timeZone, share]) => ({ timeZone, share }));
  const { name: _name, completionWebhook: _webhook, ...settings } = toSettings(form);
  const job = { ...settings, rowCount: people, ...(timeZones.length > 0 ? { timeZones } : {}) };
  return { job, sample: CONVERSATIONS };
}

/** Text such as `40 to 55 min` or `2 h`. */
export function formatRange(from: number, until: number): string {
  const [seconds, unit] =
    until < 120 ? ([1, "s"] as const) : until < 7_200 ? ([60, "min"] as const) : ([3_600, "h"] as const);
  const [low, high] = [from, until].map((value) => {
    const amount = value / seconds;
    return amount >= 10 || unit !== "h" ? Math.round(amount) : Math.round(amount * 10) / 10;
  });
  return low === high ? `${high} ${unit}` : t`${low ?? ""} to ${high ?? ""} ${unit}`;
}

/** Number of people per outcome, whatever the status of their row. */
export function sumOutcomes(outcomes: Forecast["outcomes"]): { outcome: string; count: number }[] {
  const sums = new Map<string, number>();
  for (const { outcome, count } of outcomes) sums.set(outcome, (sums.get(outcome) ?? 0) + count);
  return [...sums].filter(([, count]) => count > 0).map(([outcome, count]) => ({ outcome, count }));
}

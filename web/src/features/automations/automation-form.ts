import type { Automation } from "./automation.ts";

/** An automation as its form holds it. */
export type AutomationForm = {
  name: string;
  description: string;
  kind: Automation["kind"];
  enabled: boolean;
  callJobId: string | null;
  time: string;
  days: string[];
  timeZone: string;
  format: "CSV" | "JSON";
  status: string[];
  outcome: string[];
  /** Days of the viewer's calendar; empty: open. */
  from: string;
  until: string;
};

/** Initial values of the form; a new schedule is in the zone of the workspace. */
export function toForm(automation: Automation | undefined, timeZone: string): AutomationForm {
  const { schedule, export: settings } = automation ?? {};
  return {
    name: automation?.name ?? "",
    description: automation?.description ?? "",
    kind: automation?.kind ?? "CALL_JOB_REPORT",
    enabled: automation?.enabled ?? true,
    callJobId: automation?.callJobId ?? null,
    time: schedule?.time ?? "08:00",
    days: schedule?.days ?? [],
    timeZone: schedule?.timeZone ?? timeZone,
    format: settings?.format ?? "CSV",
    status: settings?.status ?? [],
    outcome: settings?.outcome ?? [],
    from: toDay(settings?.createdAfter ?? null, 0),
    until: toDay(settings?.createdBefore ?? null, -1),
  };
}

/**
 * The form as the API takes it, with only the fields of its kind. A time within a day, or midnight of another time zone,
 * stays as it is stored while its day does.
 */
export function toInput(form: AutomationForm, stored: Automation | null): Record<string, unknown> {
  const { createdAfter = null, createdBefore = null } = stored?.export ?? {};
  const { name, description, kind, enabled, callJobId, time, days, timeZone, format, status, outcome } = form;
  return {
    name: name.trim(),
    description: description.trim() === "" ? null : description.trim(),
    kind,
    enabled,
    ...(kind === "DAILY_DIGEST" ? { schedule: { time, days, timeZone } } : { callJobId }),
    ...(kind === "EXPORT"
      ? {
          export: {
            format,
            status,
            outcome,
            createdAfter: form.from === toDay(createdAfter, 0) ? createdAfter : toInstant(form.from, 0),
            createdBefore: form.until === toDay(createdBefore, -1) ? createdBefore : toInstant(form.until, 1),
          },
        }
      : {}),
  };
}

/** Midnight of a day in the viewer's time zone, plus some days; the last day counts in full. */
function toInstant(day: string, plusDays: number): string | null {
  const at = new Date(`${day}T00:00`);
  if (Number.isNaN(at.getTime())) return null;
  at.setDate(at.getDate() + plusDays);
  return at.toISOString();
}

function toDay(instant: string | null, plusDays: number): string {
  if (instant === null) return "";
  const at = new Date(instant);
  at.setDate(at.getDate() + plusDays);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

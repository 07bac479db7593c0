import type { CallingWindowInput, CallJob, RetryConfig } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { formatWait } from "./wait.ts";

export const WEEKDAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** Outcomes after which a person may be dialled again. */
export const RETRYABLE: NonNullable<RetryConfig["retryOn"]> = [
  "BUSY",
  "NO_ANSWER",
  "VOICEMAIL",
  "UNREACHABLE",
  "CARRIER_FAILURE",
];

/** The hours of a calling window as a form holds them. */
export interface WindowForm {
  isOn: boolean;
  mode: "RECIPIENT" | "FIXED";
  timeZone: string;
  spans: { days: Weekday[]; start: string; end: string }[];
  excludeDates: string[];
}

/** The settings of a job that can still change once it runs, as a form holds them. */
export interface SettingsForm {
  maxConcurrency: number | "";
  maxAttempts: number;
  retryOn: NonNullable<RetryConfig["retryOn"]>;
  /** Such as `30 min, 1 h`. */
  waits: string;
  window: WindowForm;
}

export const NEW_SETTINGS: SettingsForm = {
  maxConcurrency: "",
  maxAttempts: 3,
  retryOn: ["BUSY", "NO_ANSWER"],
  waits: "30 min, 1 h, 2 h",
  window: {
    isOn: false,
    mode: "RECIPIENT",
    timeZone: "UTC",
    spans: [{ days: ["MON", "TUE", "WED", "THU", "FRI"], start: "09:00", end: "18:00" }],
    excludeDates: [],
  },
};

/** A job's settings as the form shows them; hours that name no zone would be in that of the workspace. */
export function toForm(job: CallJob, ownZone = "UTC"): SettingsForm {
  const { maxAttempts, retryOn, delaysSeconds } = job.retryConfig;
  const rules = job.callingWindow;
  return {
    maxConcurrency: job.maxConcurrency ?? "",
    maxAttempts,
    retryOn,
    waits: delaysSeconds.map(formatWait).join(", "),
    window: rules
      ? {
          isOn: true,
          mode: rules.timeZoneMode ?? "RECIPIENT",
          timeZone: rules.timeZone ?? ownZone,
          spans: rules.windows,
          excludeDates: rules.excludeDates ?? [],
        }
      : { ...NEW_SETTINGS.window, timeZone: ownZone },
  };
}

const SECONDS: Record<string, number> = { s: 1, sec: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

/** Reads `30 min, 1 h`; null when a part of it cannot be read. Bare numbers are minutes. */
export function parseWaits(text: string): number[] | null {
  const parts = text.split(/[,;]/).map((part) => part.trim().toLowerCase());
  const waits = parts
    .filter((part) => part !== "")
    .map((part) => {
      const [, amount, unit = ""] = /^(\d{1,7})\s*([a-z]*)$/.exec(part) ?? [];
      const seconds = SECONDS[unit === "" ? "min" : unit];
      return amount === undefined || seconds === undefined ? Number.NaN : Number(amount) * seconds;
    });
  return waits.length === 0 || waits.some((wait) => Number.isNaN(wait)) ? null : waits;
}

/** Returns the faults of the settings by field. */
export function findFaults(form: SettingsForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (form.maxAttempts > 1 && form.retryOn.length > 0 && parseWaits(form.waits) === null) {
    faults.waits = t`Write waits such as 30 min, 1 h, 2 d.`;
  }
  if (form.window.isOn) {
    form.window.spans.forEach(({ days, start, end }, index) => {
      if (days.length === 0) faults[`window.spans.${index}`] = t`Choose at least one day.`;
      else if (start >= end) faults[`window.spans.${index}`] = t`The end must be after the start.`;
    });
  }
  return faults;
}

/** The settings as the API takes them; null clears. */
export function toRetryConfig({ maxAttempts, retryOn, waits }: SettingsForm): RetryConfig {
  const delaysSeconds = parseWaits(waits);
  return { maxAttempts, retryOn, ...(delaysSeconds ? { delaysSeconds } : {}) };
}

/** The calling window as the API takes it; null: the workspace's. */
export function toCallingWindow({ isOn, mode, timeZone, spans, excludeDates }: WindowForm): CallingWindowInput | null {
  if (!isOn) return null;
  const windows = spans.map(({ days, start, end }) => ({ days, start, end: end === "23:59" ? "24:00" : end }));
  return { timeZoneMode: mode, ...(mode === "FIXED" ? { timeZone } : {}), windows, excludeDates };
}

import { parseWaits, type SettingsForm, type WindowForm } from "#web/domain/job/job-settings.ts";
import { formatWait } from "#web/domain/job/wait.ts";
import { inSentence, t } from "#web/i18n/t.ts";
import { formatName } from "#web/ui/format/format.ts";

/** Retry rules as text: `Up to 3, after busy, no answer; waits 30 min, 1 h`. */
export function describeRetries({ maxAttempts, retryOn, waits }: SettingsForm): string {
  if (maxAttempts <= 1 || retryOn.length === 0) return t`One each`;
  // A job may hold more waits than it has attempts to wait for.
  const used =
    parseWaits(waits)
      ?.slice(0, maxAttempts - 1)
      .map(formatWait)
      .join(", ") ?? waits;
  return t`Up to ${maxAttempts}, after ${retryOn.map((name) => inSentence(formatName(name))).join(", ")}; waits ${used}`;
}

/** Calling window as text: `Mon Tue 09:00–18:00, by each person's clock`. */
export function describeWindow({ isOn, spans, mode, timeZone, excludeDates }: WindowForm): string {
  if (!isOn) return t`The workspace's`;
  const hours = spans.map(({ days, start, end }) => `${days.map(formatName).join(" ")} ${start}–${end}`).join("; ");
  const but = excludeDates.length > 0 ? t`, not on ${excludeDates.join(", ")}` : "";
  return `${hours}, ${mode === "FIXED" ? timeZone : t`by each person's clock`}${but}`;
}

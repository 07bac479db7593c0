import type { FirstCall } from "@parley/sdk";
import { describeFlow, describeHours } from "#web/domain/call/first-call.ts";
import { describeRetries, describeWindow } from "#web/features/jobs/describe-settings.ts";
import { FactList } from "#web/features/jobs/fact-list.tsx";
import { LOCALE } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { usePhoneGroups } from "#web/ui/format/phone.ts";
import type { NewJobForm } from "./new-job.ts";

/** Summary of the settings in words; the first call shows what the defaults are. */
export function Recap({ form, first }: { form: NewJobForm; first: FirstCall | null }) {
  const groupsOf = usePhoneGroups();
  const sayNumber = (number: string) => groupsOf(number).join(" ");
  const usual = byDefault(true, first && sayNumber(first.fromPhoneNumber));
  const facts: [string, string][] = [
    [t`Name`, form.name.trim() || t`Automatic name`],
    [t`Flow`, byDefault(form.flowId === null, first && describeFlow(first)) ?? "…"],
    [t`Call from`, form.numbers.map(sayNumber).join(", ") || (usual ?? t`The workspace's default`)],
    [t`Calls at once`, form.maxConcurrency === "" ? t`As many as the numbers allow` : String(form.maxConcurrency)],
    [t`Attempts`, describeRetries(form)],
    [t`Hours`, form.window.isOn || !first ? describeWindow(form.window) : describeHours(first.callingWindow)],
    [t`Starts`, form.startsLater ? new Date(form.startAt).toLocaleString(LOCALE) : t`At once`],
    [t`Webhook`, form.webhook.url.trim() || t`None`],
  ];
  return (
    <Card title={t`Settings`}>
      <FactList facts={facts} />
    </Card>
  );
}

function byDefault(isDefault: boolean, name: string | null | undefined): string | null {
  return name ? `${name}${isDefault ? t` (the default)` : ""}` : null;
}

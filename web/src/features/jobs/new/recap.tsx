import type { FirstCall } from "@parley/sdk";
import { describeFlow, describeHours } from "#web/domain/call/first-call.ts";
import { describeRetries, describeWindow } from "#web/features/jobs/describe-settings.ts";
import { FactList } from "#web/features/jobs/fact-list.tsx";
import { Card } from "#web/ui/card.tsx";
import type { NewJobForm } from "./new-job.ts";

/** Summary of the settings in words; the first call shows what the defaults are. */
export function Recap({ form, first }: { form: NewJobForm; first: FirstCall | null }) {
  const facts: [string, string][] = [
    ["Name", form.name.trim() || "Automatic name"],
    ["Flow", byDefault(form.flowId === null, first && describeFlow(first)) ?? "…"],
    ["Call from", form.numbers.join(", ") || (byDefault(true, first?.fromPhoneNumber) ?? "The workspace's default")],
    ["Calls at once", form.maxConcurrency === "" ? "As many as the numbers allow" : String(form.maxConcurrency)],
    ["Attempts", describeRetries(form)],
    ["Hours", form.window.isOn || !first ? describeWindow(form.window) : describeHours(first.callingWindow)],
    ["Starts", form.startsLater ? new Date(form.startAt).toLocaleString() : "At once"],
    ["Webhook", form.webhook.url.trim() || "None"],
  ];
  return (
    <Card title="Settings">
      <FactList facts={facts} />
    </Card>
  );
}

function byDefault(isDefault: boolean, name: string | null | undefined): string | null {
  return name ? `${name}${isDefault ? " (the default)" : ""}` : null;
}

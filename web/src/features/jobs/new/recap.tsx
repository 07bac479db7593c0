import { describeRetries, describeWindow } from "#web/features/jobs/describe-settings.ts";
import { FactList } from "#web/features/jobs/fact-list.tsx";
import { Card } from "#web/ui/card.tsx";
import type { NewJobForm } from "./new-job.ts";

/** Summary of the settings in words. */
export function Recap({ form, flowName }: { form: NewJobForm; flowName: string | undefined }) {
  const facts: [string, string][] = [
    ["Name", form.name.trim() || "Automatic name"],
    ["Flow", form.flowId === null ? "The workspace's default" : (flowName ?? "…")],
    ["Call from", form.numbers.length === 0 ? "The workspace's default" : form.numbers.join(", ")],
    ["Calls at once", form.maxConcurrency === "" ? "As many as the numbers allow" : String(form.maxConcurrency)],
    ["Attempts", describeRetries(form)],
    ["Hours", describeWindow(form.window)],
    ["Starts", form.startsLater ? new Date(form.startAt).toLocaleString() : "At once"],
    ["Webhook", form.webhook.url.trim() || "None"],
  ];
  return (
    <Card title="Settings">
      <FactList facts={facts} />
    </Card>
  );
}

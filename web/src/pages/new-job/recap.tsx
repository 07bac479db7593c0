import { SimpleGrid, Text } from "@mantine/core";
import { formatName } from "#web/format/format.ts";
import { Card } from "#web/ui/card.tsx";
import type { NewJobForm } from "./new-job.ts";

/** The settings once more, in words. */
export function Recap({ form, flowName }: { form: NewJobForm; flowName: string | undefined }) {
  const facts: [string, string][] = [
    ["Name", form.name.trim() || "Named by its time"],
    ["Flow", form.flowId === null ? "The workspace's default" : (flowName ?? "…")],
    ["Call from", form.numbers.length === 0 ? "The workspace's default" : form.numbers.join(", ")],
    ["Calls at once", form.maxConcurrency === "" ? "As many as the numbers allow" : String(form.maxConcurrency)],
    ["Attempts", describeRetries(form)],
    ["Hours", describeWindow(form)],
    ["Starts", form.startsLater ? new Date(form.startAt).toLocaleString() : "At once"],
    ["Webhook", form.webhook.url.trim() || "None"],
  ];
  return (
    <Card title="Settings">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} spacing="md" m={0}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" fz="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fz="sm" className="breaks" lineClamp={3}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}

function describeRetries({ maxAttempts, retryOn, waits }: NewJobForm): string {
  if (maxAttempts <= 1 || retryOn.length === 0) return "One each";
  return `Up to ${maxAttempts}, after ${retryOn.map((name) => formatName(name).toLowerCase()).join(", ")}; waits ${waits}`;
}

function describeWindow({ window }: NewJobForm): string {
  if (!window.isOn) return "The workspace's";
  const spans = window.spans.map(({ days, start, end }) => `${days.map(formatName).join(" ")} ${start}–${end}`);
  return `${spans.join("; ")}, ${window.mode === "FIXED" ? window.timeZone : "by each person's clock"}`;
}

import { Group, Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { Card } from "#web/ui/card.tsx";
import { formatDuration, formatMoney, formatShare } from "#web/ui/format/format.ts";
import { type BarRow, BarTable } from "./bar-table.tsx";
import type { Drill } from "./drill.ts";

/** Steps of calls from the dial to the goal, and what a success cost. */
export function FunnelCard({ results, toCalls }: { results: Results; toCalls: (drill: Drill) => string }) {
  const { funnel } = results;
  const step = (name: string, rest: Omit<BarRow, "name" | "href">): BarRow => ({
    ...rest,
    name,
    href: rest.count > 0 ? toCalls({ step: name }) : undefined,
  });
  const rows: BarRow[] = [
    step("CALLS", { label: "Over", count: funnel.calls }),
    step("DIALLED", { label: "Dialled or came in", count: funnel.dialled }),
    step("ANSWERED_BY_MACHINE", { label: "A machine answered", count: funnel.answeredByMachine, tone: "machine" }),
    step("ANSWERED_BY_PERSON", { label: "A person answered", count: funnel.answeredByPerson, tone: "good" }),
    step("TALKED", { label: "They spoke", count: funnel.talked, tone: "good" }),
    step("SUCCEEDED", { label: successOf(results), count: funnel.succeeded, tone: "good" }),
  ];
  return (
    <Card title="From dial to success">
      {funnel.calls === 0 ? (
        <Text fz="sm" c="dimmed">
          No call ended in this time. Choose other days, or other filters.
        </Text>
      ) : (
        <Stack gap="sm">
          <BarTable title="Steps of the calls" of="Step" rows={rows} whole={funnel.calls} />
          <Figures results={results} />
        </Stack>
      )}
    </Card>
  );
}

function successOf({ goal, successConditions, versions }: Results): string {
  if (goal !== null) return `Succeeded: ${goal.field} is ${goal.value}`;
  const [first] = successConditions;
  const flows = new Set(versions.map(({ flowApiId }) => flowApiId));
  if (!first) return "Succeeded";
  return flows.size === 1 ? `Succeeded: ${first.words}` : "Succeeded, by what each flow says";
}

function Figures({ results: { funnel, currency } }: { results: Results }) {
  const { successRate: rate, costPerSuccess } = funnel;
  const spent = Number(funnel.cost) + Number(funnel.simulatedCost);
  const isSimulated = Number(funnel.simulatedCost) > 0;
  return (
    <Group gap="xl">
      <Figure name="Success of answered calls" value={formatShare(rate?.value ?? null)}>
        {rate && `${formatShare(rate.low)} to ${formatShare(rate.high)} (95 %)`}
      </Figure>
      <Figure name="Cost of a success" value={costPerSuccess === null ? "–" : formatMoney(costPerSuccess, currency)}>
        {isSimulated ? "simulated" : ""}
      </Figure>
      <Figure name="Cost of all calls" value={formatMoney(spent, currency)}>
        {formatDuration(funnel.talkSeconds)} on the line
      </Figure>
    </Group>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children: React.ReactNode }) {
  return (
    <div>
      <Text fz="xs" c="dimmed">
        {name}
      </Text>
      <Text fz="lg" fw={600} className="stat">
        {value}
      </Text>
      <Text fz="xs" c="dimmed">
        {children}
      </Text>
    </div>
  );
}

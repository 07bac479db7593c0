import { Group, Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { Card } from "#web/ui/card.tsx";
import { formatDuration, formatMoney, formatShare } from "#web/ui/format/format.ts";
import { type BarRow, BarTable } from "./bar-table.tsx";

const PERSON = ["ANSWERED", "TRANSFERRED", "OPTED_OUT", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR"];
const MACHINE = ["VOICEMAIL", "CALL_SCREENED", "IVR", "FAX"];

/** Steps of calls from the dial to the goal, and what a success cost. */
export function FunnelCard({ results, toCalls }: { results: Results; toCalls: (outcomes: string[]) => string }) {
  const { funnel } = results;
  const rows: BarRow[] = [
    { name: "calls", label: "Over", count: funnel.calls },
    { name: "dialled", label: "Dialled or came in", count: funnel.dialled },
    {
      name: "machine",
      label: "A machine answered",
      count: funnel.answeredByMachine,
      href: toCalls(MACHINE),
      tone: "machine",
    },
    { name: "person", label: "A person answered", count: funnel.answeredByPerson, href: toCalls(PERSON), tone: "good" },
    { name: "talked", label: "They spoke", count: funnel.talked, tone: "good" },
    { name: "succeeded", label: successOf(results), count: funnel.succeeded, tone: "good" },
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

function successOf({ goal }: Results): string {
  return goal === null ? "Succeeded" : `Succeeded: ${goal.field} is ${goal.value}`;
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

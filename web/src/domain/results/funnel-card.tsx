import { Group, Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { plural, t } from "#web/i18n/t.ts";
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
    step("CALLS", { label: t`Over`, count: funnel.calls }),
    step("DIALLED", { label: t`Dialled or came in`, count: funnel.dialled }),
    step("ANSWERED_BY_MACHINE", { label: t`A machine answered`, count: funnel.answeredByMachine, tone: "machine" }),
    step("ANSWERED_BY_PERSON", { label: t`A person answered`, count: funnel.answeredByPerson, tone: "good" }),
    step("TALKED", { label: t`They spoke`, count: funnel.talked, tone: "good" }),
    step("SUCCEEDED", { label: successOf(results), count: funnel.succeeded, tone: "good" }),
  ];
  return (
    <Card title={t`From dial to success`}>
      {funnel.calls === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`No call ended in this time. Choose other days, or other filters.`}
        </Text>
      ) : (
        <Stack gap="sm">
          <BarTable title={t`Steps of the calls`} of={t`Step`} rows={rows} whole={funnel.calls} />
          <Figures results={results} />
        </Stack>
      )}
    </Card>
  );
}

function successOf({ goal, successConditions, versions }: Results): string {
  if (goal !== null) return t`Succeeded: ${goal.field} is ${goal.value}`;
  const [first] = successConditions;
  const flows = new Set(versions.map(({ flowApiId }) => flowApiId));
  if (!first) return t`Succeeded`;
  return plural(flows.size, "Succeeded: {0}", "Succeeded, by what each flow says", first.words);
}

function Figures({ results: { funnel, currency } }: { results: Results }) {
  const { successRate: rate, costPerSuccess } = funnel;
  const spent = Number(funnel.cost) + Number(funnel.simulatedCost);
  const isSimulated = Number(funnel.simulatedCost) > 0;
  return (
    <Group gap="xl">
      <Figure name={t`Success of answered calls`} value={formatShare(rate?.value ?? null)}>
        {rate && t`${formatShare(rate.low)} to ${formatShare(rate.high)} (95 %)`}
      </Figure>
      <Figure name={t`Cost of a success`} value={costPerSuccess === null ? "–" : formatMoney(costPerSuccess, currency)}>
        {isSimulated ? t`simulated` : ""}
      </Figure>
      <Figure name={t`Cost of all calls`} value={formatMoney(spent, currency)}>
        {t`${formatDuration(funnel.talkSeconds)} on the line`}
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

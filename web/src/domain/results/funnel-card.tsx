import { Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useFieldTitles } from "#web/domain/output/use-field-titles.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatMoney, formatNumber, formatShare, formatSpan } from "#web/ui/format/format.ts";
import { type BarRow, BarTable } from "./bar-table.tsx";
import { CallsLink } from "./calls-link.tsx";
import { CriterionNote } from "./criterion-note.tsx";
import { hasNoCriterion } from "./criterion.ts";
import type { Drill } from "./drill.ts";
import { sayGoal } from "./goal.ts";
import { sumDials } from "./sums.ts";

/** Steps of calls from the dial to the goal, and what a success cost. */
export function FunnelCard(props: { results: Results; isOfJob: boolean; toCalls: (drill: Drill) => string }) {
  const { results, isOfJob, toCalls } = props;
  const { funnel } = results;
  const titleOf = useFieldTitles();
  const step = (name: string, rest: Omit<BarRow, "name" | "href">): BarRow => ({
    ...rest,
    name,
    href: rest.count > 0 ? toCalls({ step: name }) : undefined,
  });
  const rows: BarRow[] = [
    step("CALLS", { label: t`Ended`, count: funnel.calls }),
    step("DIALLED", { label: isOfJob ? t`Dialled` : t`Dialled or came in`, count: funnel.dialled }),
    step("ANSWERED_BY_MACHINE", { label: t`A machine answered`, count: funnel.answeredByMachine, tone: "machine" }),
    step("ANSWERED_BY_PERSON", { label: t`A person answered`, count: funnel.answeredByPerson, tone: "good" }),
    step("TALKED", { label: t`The person spoke`, count: funnel.talked, tone: "good" }),
    step("SUCCEEDED", { label: successOf(results, titleOf), count: funnel.succeeded, tone: "good" }),
  ];
  return (
    <Card title={t`From dial to success`}>
      {funnel.calls === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`No calls ended in this period. Choose other days or filters.`}
        </Text>
      ) : (
        <div className="funnel">
          <BarTable title={t`Steps of the calls`} of={t`Step`} rows={rows} whole={funnel.calls} />
          <Figures results={results} isOfJob={isOfJob} toCalls={toCalls} />
          <CriterionNote results={results} />
        </div>
      )}
    </Card>
  );
}

function successOf({ goal, successConditions, versions }: Results, titleOf: (field: string) => string): string {
  if (goal !== null) return t`Succeeded: ${sayGoal(goal, titleOf)}`;
  const [first] = successConditions;
  const flows = new Set(versions.map(({ flowApiId }) => flowApiId));
  if (!first) return t`Completed, outputs valid, tools worked`;
  return plural(flows.size, "Succeeded: {0}", "Succeeded, by what each flow says", first.words);
}

function Figures({ results, isOfJob, toCalls }: Parameters<typeof FunnelCard>[0]) {
  const { funnel, currency } = results;
  const dials = sumDials(results);
  const isUndefined = hasNoCriterion(results);
  const [worst] = results.tools;
  const { successRate: rate, costPerSuccess } = funnel;
  const spent = Number(funnel.cost) + Number(funnel.simulatedCost);
  const isSimulated = Number(funnel.simulatedCost) > 0;
  return (
    <div className="funnel-figures">
      <Figure
        name={isUndefined ? t`Completed, of answered calls` : t`Success of answered calls`}
        value={formatShare(rate?.value ?? null)}
      >
        {rate && t`likely ${formatShare(rate.low)} to ${formatShare(rate.high)}`}
      </Figure>
      {worst && worst.failed > 0 && (
        <Figure name={t`Failed most: ${worst.tool}`} value={formatShare(worst.failed / worst.calls)}>
          <CallsLink href={toCalls({ tool: worst.tool })}>
            {t`Failed in ${formatNumber(worst.failed)} of ${formatNumber(worst.calls)} calls: show them`}
          </CallsLink>
        </Figure>
      )}
      <Figure
        name={isUndefined ? t`Cost of a completed call` : t`Cost of a success`}
        value={costPerSuccess === null ? "–" : formatMoney(costPerSuccess, currency)}
      >
        {isSimulated ? t`simulated` : ""}
      </Figure>
      <Figure name={t`Cost of all calls`} value={formatMoney(spent, currency)}>
        {t`${formatSpan(funnel.talkSeconds)} on the line`}
      </Figure>
      {dials > 0 && (
        <Figure name={t`Dials, including retries`} value={formatNumber(dials)}>
          {/* Beside calls that came in, a mean for each dialled call cannot be told. */}
          {isOfJob &&
            funnel.dialled > 0 &&
            t`${formatNumber(Math.round((dials / funnel.dialled) * 10) / 10)} per dialled call`}
        </Figure>
      )}
      {results.askedForHuman > 0 && (
        <Figure name={t`Asked for a human, in vain`} value={formatNumber(results.askedForHuman)}>
          <CallsLink
            href={toCalls({ step: "ASKED_FOR_HUMAN" })}
          >{t`No transfer target took them: show the calls`}</CallsLink>
        </Figure>
      )}
    </div>
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

import { Alert, Anchor, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { formatTook, isRunning, type Report, type Simulation, WATCH_MS } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import "#web/domain/flow/flow.css";
import { Card } from "#web/ui/card.tsx";
import { formatMoney, formatNumber } from "#web/ui/format/format.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { ComparisonCard } from "./comparison-card.tsx";
import { CoverageCard } from "./coverage-card.tsx";
import { RunActions } from "./run-actions.tsx";
import { ScenarioList } from "./scenario-list.tsx";

/** Page of a run: its progress, then the result of each scenario and the differences from the previous run. */
export function SimulationPage() {
  const { simulationId = "" } = useParams();
  const [isOver, setOver] = useState(false);
  const options = isOver ? {} : { refreshMs: WATCH_MS };
  const read = useRead<Simulation>(`/simulations/${simulationId}`, undefined, options);
  const run = read.data?.id === simulationId ? read.data : undefined;
  if (run && isOver === isRunning(run)) setOver(!isRunning(run));
  const back = { href: "/simulations", label: t`Simulations` };
  if (!run) {
    return (
      <Page title={t`Simulation`} back={back}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  return (
    <Page
      title={run.suite}
      badge={<StatusBadge status={run.state} />}
      lead={<RunLead run={run} />}
      back={back}
      actions={<RunActions run={run} />}
    >
      <Stack>
        {run.error && (
          <Alert color="red" variant="light" title={t`The run could not be finished`}>
            {run.error.message}
          </Alert>
        )}
        {isRunning(run) && <RunProgress run={run} />}
        {run.report && <Figures report={run.report} />}
        {run.report?.warnings.map((warning) => (
          <Alert key={warning} color="orange" variant="light">
            {warning}
          </Alert>
        ))}
        {run.comparison && <ComparisonCard comparison={run.comparison} comparedWith={run.comparedWith} />}
        {run.report?.edgeCoverage && <CoverageCard flow={run.flow} coverage={run.report.edgeCoverage} />}
        {run.report && <ScenarioList report={run.report} comparison={run.comparison} />}
      </Stack>
    </Page>
  );
}

function RunLead({ run }: { run: Simulation }) {
  const { flow, createdAt } = run;
  const version = flow.version === null ? t`as it was sent along` : t`version ${flow.version}`;
  return (
    <>
      {flow.id === null ? (
        <Words>{flow.name}</Words>
      ) : (
        <Anchor component={Link} href={`/flows/${flow.id}`} inherit>
          <Words>{flow.name}</Words>
        </Anchor>
      )}
      , {version} · <Time at={createdAt} />
    </>
  );
}

function RunProgress({ run }: { run: Simulation }) {
  const { done, total, failed } = run.progress;
  const share = 100 / Math.max(1, total);
  return (
    <Card title={t`Under way`}>
      <Progress.Root size="lg" aria-label={t`${done} of ${total} conversations`}>
        <Progress.Section value={(done - failed) * share} color="green" aria-label={t`passed`} />
        <Progress.Section value={failed * share} color="red" aria-label={t`failed`} />
      </Progress.Root>
      <Text fz="sm" c="dimmed" mt="xs">
        {run.state === "QUEUED"
          ? t`Waits for its turn.`
          : t`${formatNumber(done)} of ${formatNumber(total)} conversations, ${formatNumber(failed)} failed.`}
      </Text>
    </Card>
  );
}

function Figures({ report }: { report: Report }) {
  const figures = [
    { label: t`Conversations`, value: formatNumber(report.conversations) },
    { label: t`Passed`, value: formatNumber(report.passedConversations) },
    { label: t`Failed`, value: formatNumber(report.conversations - report.passedConversations) },
    { label: t`Took`, value: formatTook(report.durationMs) },
    { label: t`Would cost`, value: formatMoney(report.cost, report.currency) },
    { label: t`Spoke through`, value: report.model === "SCRIPTED" ? t`Scripted model` : report.model },
    ...(report.mode === "AUDIO" ? [{ label: t`Mode`, value: t`Audio` }] : []),
  ];
  return (
    <Group gap="xl" className="figures">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <Text fz="xs" c="dimmed">
            {label}
          </Text>
          <Text fz="md" fw={600} className="stat">
            {value}
          </Text>
        </div>
      ))}
    </Group>
  );
}

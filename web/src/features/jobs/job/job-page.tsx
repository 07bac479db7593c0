import { Alert, Anchor, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useRef } from "react";
import { Link, useParams, useSearchParams } from "wouter";
import { keyOf } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { useUrlTab } from "#web/ui/filters/use-url-tab.ts";
import { formatNumber, formatShortNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { LoadingBars, NotLoaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { ApiTab } from "./api-tab.tsx";
import { JobActions } from "./job-actions.tsx";
import { NumbersCard } from "./numbers-card.tsx";
import { OutcomesCard } from "./outcomes-card.tsx";
import { PlanTab } from "./plan-tab.tsx";
import { isPrepared, PreparedNote } from "./prepared-note.tsx";
import { ProgressCard, type RowFilter } from "./progress-card.tsx";
import { RejectedLines } from "./rejected-lines.tsx";
import { RetriesCard } from "./retries-card.tsx";
import { RowsCard } from "./rows-card.tsx";
import { refreshOf, useJob, useJobSummary } from "./use-job.ts";

const ResultsView = lazy(async () => ({
  default: (await import("#web/domain/results/results-view.tsx")).ResultsView,
}));

const BACK = { href: "/jobs", label: t`Call jobs` };

/** Page of a call job: its progress, its outcomes, and all rows. */
export function JobPage() {
  const { jobId = "" } = useParams();
  const read = useJob(jobId);
  const job = read.data?.id === jobId ? read.data : undefined;
  if (!job) {
    return (
      <Page title={t`Call job`} back={BACK}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  return (
    <Page
      title={job.name}
      back={BACK}
      badge={<StatusBadge status={job.status} {...(isPrepared(job) ? { label: t`Ready to start` } : {})} />}
      lead={<Lead job={job} />}
      actions={<JobActions job={job} />}
    >
      <JobBody job={job} />
    </Page>
  );
}

function Lead({ job }: { job: CallJob }) {
  const nameOf = useFlowNames();
  return (
    <>
      <Time at={job.createdAt} />
      {" · "}
      {job.flowId ? (
        <Anchor component={Link} href={`/flows/${job.flowId}`} fz="sm" underline="always">
          {job.flowApiId ? nameOf(job.flowApiId) : t`flow`}
        </Anchor>
      ) : (
        t`inline flow`
      )}
      {" · "}
      <Numbers numbers={job.fromPhoneNumbers ?? []} />
      {(job.run ?? 1) > 1 && t` · run ${job.run}`}
    </>
  );
}

/** The first of the job's numbers, and how many others there are; its plan lists them all. */
function Numbers({ numbers: [first, ...others] }: { numbers: string[] }) {
  if (first === undefined) return t`${formatNumber(0)} numbers`;
  const phone = <Phone number={first} />;
  return others.length === 0 ? phone : rich`${phone} and ${formatNumber(others.length)} more`;
}

function JobBody({ job }: { job: CallJob }) {
  const summary = useJobSummary(job).data;
  useFreshRows(job);
  const [, setParams] = useSearchParams();
  const [tab, setTab] = useUrlTab("rows");
  const show = useCallback(
    ({ status = [], outcome = [] }: RowFilter) => {
      setParams((before) => {
        const after = new URLSearchParams(before);
        for (const key of ["status", "outcome", "page", "tab"]) after.delete(key);
        for (const value of status) after.append("status", value);
        for (const value of outcome) after.append("outcome", value);
        return after;
      });
    },
    [setParams],
  );
  return (
    <Stack>
      <Notes job={job} />
      <ProgressCard job={job} summary={summary} show={show} />
      {tab !== "results" && (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <OutcomesCard summary={summary} show={(outcome) => show({ outcome: [outcome] })} />
          <RetriesCard job={job} summary={summary} />
          <NumbersCard summary={summary} />
        </SimpleGrid>
      )}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="rows">{t`Rows`}</Tabs.Tab>
          <Tabs.Tab value="results">{t`Results`}</Tabs.Tab>
          <Tabs.Tab value="rejected">{t`Rejected lines (${formatShortNumber(job.rejectedRows ?? 0)})`}</Tabs.Tab>
          <Tabs.Tab value="plan">{t`Plan`}</Tabs.Tab>
          <Tabs.Tab value="api">{"API"}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rows">
          <RowsCard jobId={job.id} name={job.name} refreshMs={refreshOf(job)} />
        </Tabs.Panel>
        <Tabs.Panel value="results">
          <Suspense fallback={<LoadingBars />}>
            <ResultsView jobId={job.id} refreshMs={refreshOf(job)} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="rejected">
          <RejectedLines jobId={job.id} total={job.rejectedRows ?? 0} />
        </Tabs.Panel>
        <Tabs.Panel value="plan">
          <PlanTab job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="api">
          <ApiTab job={job} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Fetches rows and counts again when the job changes its state, such as after its file was read. */
function useFreshRows({ id, status }: CallJob): void {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    void client.invalidateQueries({ queryKey: keyOf(workspaceId, `/call-jobs/${id}`) });
  }, [client, workspaceId, id, status]);
}

const PAUSES: Record<string, string> = {
  USER: t`Somebody paused it. Calls on the line go on; nobody else is dialled until it is resumed.`,
};

function Notes({ job }: { job: CallJob }) {
  if (isPrepared(job)) return <PreparedNote job={job} />;
  if (job.status === "PAUSED") {
    return (
      <Alert color="yellow" variant="light" icon={<Icon name="pause" />} title={t`This job is paused`}>
        <Text fz="sm">{PAUSES[job.pauseReason ?? ""] ?? t`Reason: ${job.pauseReason ?? t`unknown`}.`}</Text>
      </Alert>
    );
  }
  if (job.status === "FAILED") {
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t`No line of the file could be called`}>
        <Text fz="sm">{t`See the lines that were not taken for the reasons.`}</Text>
      </Alert>
    );
  }
  if (job.status === "IMPORTING") {
    return (
      <Alert variant="light" icon={<Icon name="upload" />} title={t`The file is being read`}>
        <Text fz="sm">{t`Dialling starts by itself when all lines are stored.`}</Text>
      </Alert>
    );
  }
  return null;
}

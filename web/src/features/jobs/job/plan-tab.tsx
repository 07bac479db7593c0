import { Button, Group, Stack, Text } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { Fragment } from "react";
import { useWrite } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { toForm } from "#web/domain/job/job-settings.ts";
import { describeRetries, describeWindow } from "#web/features/jobs/describe-settings.ts";
import { FactList } from "#web/features/jobs/fact-list.tsx";
import { Facts } from "#web/features/jobs/new/facts.tsx";
import { ForecastCard } from "#web/features/jobs/new/forecast-card.tsx";
import { countTooOften, type Preflight } from "#web/features/jobs/new/new-job.ts";
import { SkipReasons } from "#web/features/jobs/new/skip-reasons.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { Time } from "#web/ui/time.tsx";

/** The job's settings; while people wait, also the current skip reasons and the forecast. */
export function PlanTab({ job }: { job: CallJob }) {
  const canWrite = useMay("CALL_JOBS_WRITE");
  const isWaiting = job.completedAt === null && job.status !== "IMPORTING" && (job.pendingRows ?? 0) > 0;
  return (
    <Stack>
      <SettingsCard job={job} />
      {isWaiting && <SkipCard jobId={job.id} />}
      {isWaiting && canWrite && <ForecastCard body={() => ({ jobId: job.id })} />}
    </Stack>
  );
}

function SettingsCard({ job }: { job: CallJob }) {
  const form = toForm(job);
  const webhook = job.completionWebhook;
  return (
    <Card title={t`Settings`}>
      <FactList
        facts={[
          [t`Call from`, <Numbers key="numbers" numbers={job.fromPhoneNumbers ?? []} />],
          [
            t`Calls at once`,
            form.maxConcurrency === "" ? t`As many as the numbers allow` : formatNumber(form.maxConcurrency),
          ],
          [t`Attempts`, describeRetries(form)],
          [t`Hours`, describeWindow(form.window)],
          [t`Starts`, job.startAt ? <Time key="start" at={job.startAt} /> : t`At once`],
          [t`Webhook`, webhook ? webhook.url : t`None`],
        ]}
      />
    </Card>
  );
}

/** All numbers of the job, which break between each other and not in themselves. */
function Numbers({ numbers }: { numbers: string[] }) {
  return numbers.map((number, index) => (
    <Fragment key={number}>
      {index > 0 && ", "}
      <Phone number={number} />
    </Fragment>
  ));
}

function SkipCard({ jobId }: { jobId: string }) {
  const check = useWrite<Preflight>({
    failed: t`The rows were not checked`,
    method: "POST",
    path: `/call-jobs/${jobId}/preflight`,
  });
  const button = (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name="check" size={14} />}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      {check.data ? t`Check again` : t`Check`}
    </Button>
  );
  return (
    <Card title={t`Who would be skipped now`} actions={button}>
      {check.error && <FaultNote error={check.error} retry={() => check.mutate()} />}
      {check.data ? (
        <Stack>
          <Facts
            facts={[
              { label: t`Will be called`, value: formatNumber(check.data.callableRows), color: "green" },
              { label: t`Wait for their hours first`, value: formatNumber(check.data.waitingForWindowRows) },
              { label: t`Wait, called often enough`, value: formatNumber(countTooOften(check.data)) },
              { label: t`Will be skipped`, value: formatNumber(check.data.skippedRows) },
            ]}
          />
          <SkipReasons reasons={check.data.reasons} />
          <SkipReasons reasons={check.data.waits.filter(({ code }) => code !== "CALLING_WINDOW")} />
        </Stack>
      ) : (
        <Group>
          <Text fz="sm" c="dimmed">
            {t`The do-not-call list, the countries and the hours may have changed since the job was made. Nothing is written.`}
          </Text>
        </Group>
      )}
    </Card>
  );
}

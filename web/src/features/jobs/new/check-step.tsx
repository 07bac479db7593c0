import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { ApiError } from "#web/api/api-error.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { FirstCallCard } from "#web/domain/call/first-call-card.tsx";
import { describeEstimate, type Estimate } from "#web/domain/call/use-estimate.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { FaultNote } from "#web/ui/load-state.tsx";
import type { Contacts } from "./contacts.ts";
import { type Fact, Facts } from "./facts.tsx";
import { ForecastCard } from "./forecast-card.tsx";
import { toRehearsal } from "./forecast.ts";
import { JobHints } from "./job-hints.tsx";
import { LineFaults } from "./line-faults.tsx";
import { countTooOften, type NewJobForm, type Preflight } from "./new-job.ts";
import { Recap } from "./recap.tsx";
import { SkipReasons } from "./skip-reasons.tsx";
import type { JobCheck } from "./use-job-check.ts";
import { JUDGED_ROWS } from "./use-preflight.ts";

/** Step that shows the people to be called, those skipped with reasons, and the estimated cost; nothing is sent yet. */
export function CheckStep(props: { form: NewJobForm; contacts: Contacts; check: JobCheck; back: () => void }) {
  const { form, contacts, check, back } = props;
  const { read, people, estimate } = check;
  return (
    <Stack>
      {read.error && (
        <FaultNote error={read.error} retry={() => void read.refetch()}>
          {isRefused(read.error) && <Button size="compact-sm" onClick={back}>{t`Back to the settings`}</Button>}
        </FaultNote>
      )}
      {read.isFetching && (
        <Group gap="xs" role="status">
          <Loader size="xs" role="status" aria-label={t`Checking`} />
          <Text fz="sm">{t`Asking who may be called…`}</Text>
        </Group>
      )}
      {read.data && <Verdict found={read.data} contacts={contacts} estimate={estimate} />}
      {read.data?.firstCall && <JobHints first={read.data.firstCall} />}
      {read.data?.firstCall && <FirstCallCard call={read.data.firstCall} />}
      {read.data && read.data.callableRows > 0 && (
        <ForecastCard body={() => toRehearsal(form, contacts.rows, people)} />
      )}
      <Recap form={form} first={read.data?.firstCall ?? null} />
    </Stack>
  );
}

/** True when the server refuses the job as it is, so that the same request would fail again. */
function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

function Verdict(props: { found: Preflight; contacts: Contacts; estimate: Estimate | null }) {
  const { found, contacts, estimate } = props;
  const { mode } = useWorkspace();
  const unjudged = contacts.rows.length - Math.min(contacts.rows.length, JUDGED_ROWS);
  const called = unjudged > 0 ? t`Will be called, of the first ${formatNumber(JUDGED_ROWS)}` : t`Will be called`;
  const facts: Fact[] = [{ label: called, value: formatNumber(found.callableRows), color: "green" }];
  if (found.waitingForWindowRows > 0)
    facts.push({ label: t`Wait for their hours first`, value: formatNumber(found.waitingForWindowRows) });
  const tooOften = countTooOften(found);
  if (tooOften > 0) facts.push({ label: t`Wait, called often enough`, value: formatNumber(tooOften) });
  facts.push({
    label: t`Will be skipped`,
    value: formatNumber(found.skippedRows),
    ...(found.skippedRows > 0 ? { color: "orange" } : {}),
  });
  if (found.rejectedRows > 0)
    facts.push({ label: t`Will not be taken`, value: formatNumber(found.rejectedRows), color: "red" });
  if (contacts.leftOut > 0)
    facts.push({ label: t`Lines left out`, value: formatNumber(contacts.leftOut), color: "orange" });
  if (estimate) facts.push(describeEstimate(estimate));
  return (
    <Stack>
      <Facts facts={facts} />
      {mode === "SANDBOX" && (
        <Text fz="sm" c="dimmed">
          {t`This is a sandbox: the people are simulated, no phone rings and nothing is billed.`}
        </Text>
      )}
      {unjudged > 0 && (
        <Text fz="sm" c="dimmed">
          {t`The first ${formatNumber(JUDGED_ROWS)} people were checked here. The other ${formatNumber(unjudged)}, like everybody, are checked right before their call.`}
        </Text>
      )}
      {found.callableRows === 0 && (
        <Alert color="red" variant="light" title={t`Nobody on this list would be called`}>
          {t`The reasons are below. A job of them would end at once.`}
        </Alert>
      )}
      {found.waits.length > 0 && (
        <Card title={t`Called later, and why`} padded={false}>
          <SkipReasons reasons={found.waits} />
        </Card>
      )}
      {found.reasons.length > 0 && (
        <Card title={t`Skipped, and why`} padded={false}>
          <SkipReasons reasons={found.reasons} />
        </Card>
      )}
      <LineFaults
        title={t`Lines that will not be taken`}
        faults={found.rowErrors}
        more={found.rejectedRows - found.rowErrors.length}
      />
    </Stack>
  );
}

import { Button, Group, Stack, Stepper } from "@mantine/core";
import type { FirstCall } from "@parley/sdk";
import { type ReactNode, startTransition, useState } from "react";
import { faultsByField } from "#web/api/api-error.ts";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { forgetChosenPeople, type HeldPeople, useChosenPeople } from "#web/domain/contact/use-chosen-people.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { forgetUnsaved, useKeptState, useLeaveWarning } from "#web/ui/form/unsaved.ts";
import { formatMoney, formatNumber } from "#web/ui/format/format.ts";
import { Page } from "#web/ui/page.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { CheckStep } from "./check-step.tsx";
import { ContactsStep } from "./contacts-step.tsx";
import { CreatedDialog } from "./created-dialog.tsx";
import { chooseOnly } from "./job-defaults.ts";
import { JobSnippets } from "./job-snippets.tsx";
import { type CreatedJob, findJobFaults, NEW_JOB, type NewJobForm } from "./new-job.ts";
import { SettingsStep } from "./settings-step.tsx";
import { useContacts } from "./use-contacts.ts";
import { useCreateJob } from "./use-create-job.ts";
import { type JobCheck, useJobCheck } from "./use-job-check.ts";
import { useJobDefaults } from "./use-job-defaults.ts";

const BACK = { href: "/jobs", label: t`Call jobs` };

/** Creates a call job in three steps: people, settings, and a check before anybody is called. */
export function NewJobPage() {
  const canWrite = useMay("CALL_JOBS_WRITE");
  const held = useChosenPeople();
  return (
    <Page title={t`New call job`} back={BACK}>
      {canWrite ? (
        <Wizard key={held?.chosenAt} held={held} />
      ) : (
        <EmptyState icon="list" title={t`Your role does not start jobs`}>
          {t`An operator, builder or owner of this workspace can.`}
        </EmptyState>
      )}
    </Page>
  );
}

/** The wizard. `held`: people that were chosen elsewhere. All that is typed is there again after it was left. */
function Wizard({ held }: { held: HeldPeople | null }) {
  const [step, setStep] = useState(0);
  const keptAs = `new-job:${useWorkspace().id}:${held?.chosenAt ?? ""}`;
  const chosen = held?.chosenPeople ?? null;
  const { form, change, defaults } = useNewJob(keptAs, chosen?.flowId ?? null);
  const [own, setOwn] = useState<Record<string, string>>({});
  const list = useContacts(keptAs, chosen);
  const creation = useCreateJob(keptAs, form, list.contacts);
  const check = useJobCheck(form, step === 2 ? list.contacts : null);
  const { start, isShowing } = useStart(keptAs, form, check, creation.create);
  useLeaveWarning(list.file !== null && !isShowing);
  const variables = list.rules.columns.flatMap(({ target, variable }) => (target === "VARIABLE" ? [variable] : []));
  const go = (next: number) => {
    const faults = next === 2 ? findJobFaults(form, defaults) : {};
    setOwn(faults);
    // A transition, because dozens of fields are drawn.
    startTransition(() => setStep(Object.keys(faults).length > 0 ? 1 : next));
    window.scrollTo({ top: 0 });
  };
  const mend = () => {
    go(1);
    setOwn(faultsByField(check.read.error));
  };
  const canGo = (list.contacts?.rows.length ?? 0) > 0 && list.fault === null;
  return (
    <Stack maw={1080}>
      <StepHead step={step} go={go} />
      {step === 0 && <ContactsStep list={list} />}
      {step === 1 && (
        <SettingsStep
          form={form}
          change={(part) => {
            change(part);
            setOwn({});
          }}
          faults={{ ...creation.faults, ...own }}
          variables={variables}
          defaults={defaults}
        />
      )}
      {step === 2 && list.contacts && list.file && (
        <>
          <CheckStep form={form} contacts={list.contacts} check={check} back={mend} />
          <JobSnippets form={form} contacts={list.contacts} fileName={list.file.name} />
        </>
      )}
      <FormFault fault={creation.fault} />
      {list.file && (
        <StepButtons step={step} go={go} canGo={canGo}>
          <StartButton form={form} check={check} isSending={creation.isSending} start={start} />
        </StepButtons>
      )}
    </Stack>
  );
}

/** Buttons to the step before and to the one after; `children`: the button of the last step. */
function StepButtons(props: { step: number; go: (next: number) => void; canGo: boolean; children: ReactNode }) {
  const { step, go, canGo, children } = props;
  return (
    <Group justify="space-between">
      <Button variant="default" disabled={step === 0} onClick={() => go(step - 1)}>
        {t`Back`}
      </Button>
      {step < 2 ? (
        <Button disabled={!canGo} onClick={() => go(step + 1)}>
          {t`Continue`}
        </Button>
      ) : (
        children
      )}
    </Group>
  );
}

/** The form of a job of this flow, with hours in the zone of the workspace, and its only flow and number chosen. */
function useNewJob(keptAs: string, flowId: string | null) {
  const { timeZone } = useWorkspace();
  const defaults = useJobDefaults();
  const [given, setGiven] = useKeptState<NewJobForm>(keptAs, () => ({
    ...NEW_JOB,
    flowId,
    window: { ...NEW_JOB.window, timeZone },
  }));
  const change = (part: Partial<NewJobForm>) => setGiven((before) => ({ ...before, ...part }));
  return { form: chooseOnly(given, defaults), change, defaults };
}

/** Enabled when the check is complete and at least one person would be called. */
function StartButton(props: { form: NewJobForm; check: JobCheck; isSending: boolean; start: () => Promise<void> }) {
  const { form, check, isSending, start } = props;
  return (
    <Button
      loading={isSending}
      disabled={(check.read.data?.callableRows ?? 0) === 0 || check.read.isFetching}
      onClick={() => void start()}
    >
      {form.startsLater ? t`Schedule job` : t`Start calling`}
    </Button>
  );
}

function StepHead({ step, go }: { step: number; go: (step: number) => void }) {
  return (
    <Stepper active={step} onStepClick={go} size="sm" wrap={false} allowNextStepsSelect={false} className="steps">
      <Stepper.Step label={t`People`} description={<span className="wide-only">{t`A list of numbers`}</span>} />
      <Stepper.Step label={t`Settings`} description={<span className="wide-only">{t`Flow, numbers, hours`}</span>} />
      <Stepper.Step label={t`Check`} description={<span className="wide-only">{t`Who is called, who is not`}</span>} />
    </Stepper>
  );
}

/** Starts the job; in a LIVE workspace only after confirmation of the number of people. */
function useStart(
  keptAs: string,
  form: NewJobForm,
  { read, people, estimate }: JobCheck,
  create: () => Promise<CreatedJob | null>,
): { start: () => Promise<void>; isShowing: boolean } {
  // True while the dialog about the created job is shown.
  const [isShowing, setShowing] = useState(false);
  const keepDialog = useKeptDialog();
  const ask = useConfirm();
  const { mode } = useWorkspace();
  const openMade = useOpenMade();
  const cost = estimate ? t`: about ${formatMoney(estimate.amount, estimate.currency)}, going by the last calls` : "";
  const start = async () => {
    const isAgreed =
      mode === "SANDBOX" ||
      (await ask({
        title: t`Call ${formatNumber(people)} people?`,
        body: t`Real phones ring, and the calls are billed${cost}. ${quoteOpening(read.data?.firstCall ?? null)}You can pause or cancel the job at any time.`,
        action: form.startsLater ? t`Schedule job` : t`Start calling`,
      }));
    if (!isAgreed) return;
    const job = await create();
    if (!job) return;
    forgetChosenPeople();
    forgetUnsaved(keptAs);
    if (job.rowErrors.length > 0 || job.completionWebhook?.signingSecret) {
      setShowing(true);
      return keepDialog((close) => <CreatedDialog job={job} close={close} />);
    }
    openMade({
      path: `/jobs/${job.id}`,
      done: form.startsLater ? t`The job is scheduled.` : t`The job is under way.`,
    });
  };
  return { start, isShowing };
}

/** Sentence with the first words of the first call; empty where the model opens. */
function quoteOpening(call: FirstCall | null): string {
  const text = call?.openings[0]?.text;
  return text ? t`The first person hears: “${text.slice(0, 300)}”. ` : "";
}

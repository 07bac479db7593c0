import { Button, Divider, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { useState } from "react";
import { explainError, faultsByField, isStaleSave } from "#web/api/api-error.ts";
import { markReported } from "#web/api/fault-notes.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { findFaults, type SettingsForm, toCallingWindow, toForm, toRetryConfig } from "#web/domain/job/job-settings.ts";
import { SigningSecretDialog } from "#web/domain/webhook/signing-secret-dialog.tsx";
import { ConcurrencyField, RetryFields } from "#web/features/jobs/settings-fields.tsx";
import { WebhookFields } from "#web/features/jobs/webhook-fields.tsx";
import { findWebhookFaults, toWebhook, toWebhookForm, type WebhookForm } from "#web/features/jobs/webhook-form.ts";
import { WindowFields } from "#web/features/jobs/window-fields.tsx";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { mergeFields, pickFields } from "#web/ui/form/merge-fields.ts";
import { StaleDialog } from "#web/ui/form/stale-dialog.tsx";
import { useDialogState } from "#web/ui/form/unsaved.ts";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";

type Values = SettingsForm & { name: string; webhook: WebhookForm };

function valuesOf(job: CallJob, ownZone: string): Values {
  return { name: job.name, webhook: toWebhookForm(job), ...toForm(job, ownZone) };
}

/** Returns only the changed settings, so that two people who change different ones do not overwrite each other. */
function toPatch(from: Values, to: Values): Record<string, unknown> {
  const isOther = (...names: (keyof Values)[]) =>
    names.some((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
  return {
    ...(isOther("name") ? { name: to.name } : {}),
    ...(isOther("maxConcurrency") ? { maxConcurrency: to.maxConcurrency === "" ? null : to.maxConcurrency } : {}),
    ...(isOther("maxAttempts", "retryOn", "waits") ? { retryConfig: toRetryConfig(to) } : {}),
    ...(isOther("webhook") ? { completionWebhook: toWebhook(to.webhook) } : {}),
    ...(isOther("window") ? { callingWindow: toCallingWindow(to.window) } : {}),
  };
}

/** Changes the settings of a job, also while it runs. */
export function SettingsDialog({ job, close }: { job: CallJob; close: () => void }) {
  const { timeZone } = useWorkspace();
  const [{ base, values }, setEdited, settle] = useDialogState(`settings:${job.id}`, () => ({
    base: job,
    values: valuesOf(job, timeZone),
  }));
  const from = valuesOf(base, timeZone);
  const { faults, fault, stale, isSaving, save, clearStale } = useSettingsSave(job.id, settle, close);
  const change = (part: Partial<Values>) =>
    setEdited((before) => ({ ...before, values: { ...before.values, ...part } }));
  const hasChanges = Object.keys(toPatch(from, values)).length > 0;
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>{t`Change settings`}</Text>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(values, base);
        }}
      >
        <Stack>
          <Text fz="sm" c="dimmed">
            {t`Changes hold for every attempt that begins from now on. Calls on the line go on.`}
          </Text>
          <FormFault fault={fault} />
          {stale && (
            <StaleDialog
              mine={values}
              stored={valuesOf(stale, timeZone)}
              close={clearStale}
              overwrite={() => void save(values, stale)}
              keepBoth={(theirs) => {
                const merged = mergeFields(from, values, theirs);
                setEdited({ base, values: merged });
                void save(merged, stale);
              }}
              takeTheirs={(theirs) => setEdited({ base: stale, values: theirs })}
            />
          )}
          <Fields
            values={values}
            change={change}
            faults={faults}
            keepsSecret={keepsSecret(from, values)}
            withDialling={job.actions.includes("changeDialling")}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t`Close`}
            </Button>
            <Button type="submit" disabled={!hasChanges} loading={isSaving}>
              {t`Save`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Fields(props: {
  values: Values;
  change: (part: Partial<Values>) => void;
  faults: Record<string, string>;
  keepsSecret: boolean;
  /** False while only the name and the webhook can change. */
  withDialling: boolean;
}) {
  const { values, change, faults } = props;
  return (
    <>
      <TextInput
        label={t`Name`}
        required
        maxLength={200}
        value={values.name}
        error={faults.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {props.withDialling && (
        <>
          <ConcurrencyField value={values} change={change} faults={faults} />
          <RetryFields value={values} change={change} faults={faults} />
          <WindowFields value={values.window} change={(window) => change({ window })} faults={faults} />
        </>
      )}
      <Divider label={t`Webhook at the end`} labelPosition="left" />
      <WebhookFields
        value={values.webhook}
        change={(webhook) => change({ webhook })}
        faults={faults}
        keepsSecret={props.keepsSecret}
      />
    </>
  );
}

/** True when the stored secret stays: same origin and same authentication. */
function keepsSecret({ webhook: from }: Values, { webhook: to }: Values): boolean {
  return from.url !== "" && from.authMode === to.authMode && originOf(from.url) === originOf(to.url);
}

function originOf(url: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(url.trim())?.[0].toLowerCase() ?? "";
}

/**
 * Saves the settings. Only those sent are checked against the stored ones, so a concurrent change of others is no
 * conflict.
 */
function useSettingsSave(jobId: string, settle: () => void, close: () => void) {
  const { id: workspaceId, timeZone } = useWorkspace();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [fault, setFault] = useState<string | null>(null);
  const [stale, setStale] = useState<CallJob | null>(null);
  const keepDialog = useKeptDialog();
  const path = `/call-jobs/${jobId}`;
  const patch = useWrite<CallJob, Record<string, unknown>>({
    failed: t`The settings of the job were not saved`,
    method: "PATCH",
    path,
    refreshes: ["/call-jobs"],
  });
  const notify = useFaultNotice();
  const showFaults = (error: unknown) =>
    notify(error, () => {
      setFaults(faultsByField(error));
      setFault(explainError(error));
    });
  const showStored = async (error: unknown) => {
    markReported(error);
    const stored = await send<CallJob>("GET", inWorkspace(workspaceId, path));
    notify(error, () => setStale(stored));
  };
  const save = async (values: Values, base: CallJob) => {
    const from = valuesOf(base, timeZone);
    const found = { ...findFaults(values), ...findWebhookFaults(values.webhook, keepsSecret(from, values)) };
    setFaults(found);
    setFault(null);
    setStale(null);
    if (Object.keys(found).length > 0) return;
    try {
      const sent = toPatch(from, values);
      const changed = await patch.mutateAsync({ ...sent, before: pickFields(base, Object.keys(sent)) });
      settle();
      showDone(t`The settings are saved.`);
      const signingSecret = changed.completionWebhook?.signingSecret ?? null;
      if (signingSecret !== null) {
        keepDialog((shut) => <SigningSecretDialog secret={signingSecret} title={t`The webhook is set`} close={shut} />);
      }
      close();
    } catch (error) {
      if (isStaleSave(error)) await showStored(error).catch(showFaults);
      else showFaults(error);
    }
  };
  return { faults, fault, stale, isSaving: patch.isPending, save, clearStale: () => setStale(null) };
}

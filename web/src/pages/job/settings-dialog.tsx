import { Button, Divider, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { useState } from "react";
import { explainError, faultsByField } from "#web/api/api-error.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { findFaults, type SettingsForm, toCallingWindow, toForm, toRetryConfig } from "#web/pages/jobs/job-settings.ts";
import { ConcurrencyField, RetryFields } from "#web/pages/jobs/settings-fields.tsx";
import { SigningSecret } from "#web/pages/jobs/signing-secret.tsx";
import { StaleNote } from "#web/pages/jobs/stale-note.tsx";
import { WebhookFields } from "#web/pages/jobs/webhook-fields.tsx";
import { findWebhookFaults, toWebhook, toWebhookForm, type WebhookForm } from "#web/pages/jobs/webhook-form.ts";
import { WindowFields } from "#web/pages/jobs/window-fields.tsx";

type Values = SettingsForm & { name: string; webhook: WebhookForm };

function valuesOf(job: CallJob): Values {
  return { name: job.name, webhook: toWebhookForm(job), ...toForm(job) };
}

/** Only what was changed is sent, so that two people who change different things do not undo each other. */
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

/** Changes a job while it runs. */
export function SettingsDialog({ job, close }: { job: CallJob; close: () => void }) {
  const [from, setFrom] = useState(() => valuesOf(job));
  const [values, setValues] = useState(from);
  const { faults, fault, stale, secret, isSaving, save, clearStale } = useSettingsSave(job.id, from, close);
  const change = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }));
  const hasChanges = Object.keys(toPatch(from, values)).length > 0;
  if (secret !== null) return <SecretDialog secret={secret} close={close} />;
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>Change settings</Text>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(values, false);
        }}
      >
        <Stack>
          <Text fz="sm" c="dimmed">
            Changes hold for every attempt that begins from now on. Calls on the line go on.
          </Text>
          <FormFault fault={fault} />
          {stale && (
            <StaleNote
              overwrite={() => void save(values, true)}
              takeTheirs={() => {
                setFrom(stale);
                setValues(stale);
                clearStale();
              }}
            />
          )}
          <Fields values={values} change={change} faults={faults} keepsSecret={keepsSecret(from, values)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button type="submit" disabled={!hasChanges} loading={isSaving}>
              Save
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
}) {
  const { values, change, faults } = props;
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={200}
        value={values.name}
        error={faults.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <ConcurrencyField value={values} change={change} faults={faults} />
      <RetryFields value={values} change={change} faults={faults} />
      <WindowFields value={values.window} change={(window) => change({ window })} faults={faults} />
      <Divider label="Webhook at the end" labelPosition="left" />
      <WebhookFields
        value={values.webhook}
        change={(webhook) => change({ webhook })}
        faults={faults}
        keepsSecret={props.keepsSecret}
      />
    </>
  );
}

function SecretDialog({ secret, close }: { secret: string; close: () => void }) {
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>The webhook is set</Text>}>
      <Stack>
        <SigningSecret secret={secret} />
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A stored secret stays only where it went before, in the same way. */
function keepsSecret({ webhook: from }: Values, { webhook: to }: Values): boolean {
  return from.url !== "" && from.authMode === to.authMode && originOf(from.url) === originOf(to.url);
}

function originOf(url: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(url.trim())?.[0].toLowerCase() ?? "";
}

function useSettingsSave(jobId: string, from: Values, close: () => void) {
  const { id: workspaceId } = useWorkspace();
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [fault, setFault] = useState<string | null>(null);
  const [stale, setStale] = useState<Values | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const path = `/call-jobs/${jobId}`;
  const patch = useWrite<CallJob, Record<string, unknown>>({ method: "PATCH", path, refreshes: ["/call-jobs"] });
  const save = async (values: Values, isForced: boolean) => {
    const found = { ...findFaults(values), ...findWebhookFaults(values.webhook, keepsSecret(from, values)) };
    setFaults(found);
    setFault(null);
    setStale(null);
    if (Object.keys(found).length > 0) return;
    try {
      const stored = valuesOf(await send<CallJob>("GET", inWorkspace(workspaceId, path)));
      if (!isForced && JSON.stringify(stored) !== JSON.stringify(from)) return setStale(stored);
      const changed = await patch.mutateAsync(toPatch(isForced ? stored : from, values));
      showDone("The settings are saved.");
      const signingSecret = changed.completionWebhook?.signingSecret ?? null;
      if (signingSecret === null) close();
      else setSecret(signingSecret);
    } catch (error) {
      setFaults(faultsByField(error));
      setFault(explainError(error));
    }
  };
  return { faults, fault, stale, secret, isSaving: patch.isPending, save, clearStale: () => setStale(null) };
}

import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CallJob } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { useWrite } from "#web/api/queries.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { isPrepared } from "./prepared-note.tsx";

const SettingsDialog = lazy(async () => ({ default: (await import("./settings-dialog.tsx")).SettingsDialog }));
const AddRowsDialog = lazy(async () => ({ default: (await import("./add-rows-dialog.tsx")).AddRowsDialog }));
const RetryDialog = lazy(async () => ({ default: (await import("./retry-dialog.tsx")).RetryDialog }));

/** Actions for the job, as its state permits them. */
export function JobActions({ job }: { job: CallJob }) {
  const canWrite = useMay("CALL_JOBS_WRITE");
  const [isSettings, settings] = useDisclosure(false);
  const [isAdding, adding] = useDisclosure(false);
  const [isRetrying, retrying] = useDisclosure(false);
  const cancel = useCancel(job);
  if (!canWrite) return null;
  const { actions } = job;
  return (
    <>
      <PauseButton job={job} />
      {actions.includes("retryFailed") && job.errorRows > 0 && (
        <Button variant="default" leftSection={<Icon name="refresh" />} onClick={retrying.open}>
          {t`Retry failed`}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More actions`}>
            <Icon name="more" strokeWidth={3} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="plus" />} disabled={!actions.includes("addRows")} onClick={adding.open}>
            {t`Add rows`}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="edit" />} disabled={!actions.includes("change")} onClick={settings.open}>
            {t`Change settings`}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<Icon name="stop" />}
            disabled={!actions.includes("cancel")}
            onClick={() => void cancel()}
          >
            {t`Cancel job`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {isSettings && <SettingsDialog job={job} close={settings.close} />}
        {isAdding && <AddRowsDialog job={job} close={adding.close} />}
        {isRetrying && <RetryDialog job={job} close={retrying.close} />}
      </Suspense>
    </>
  );
}

function PauseButton({ job }: { job: CallJob }) {
  const refreshes = ["/call-jobs"];
  const pause = useWrite<CallJob>({
    failed: t`${job.name} was not paused`,
    method: "POST",
    path: `/call-jobs/${job.id}/pause`,
    refreshes,
  });
  const resume = useWrite<CallJob>({
    failed: t`${job.name} was not resumed`,
    method: "POST",
    path: `/call-jobs/${job.id}/resume`,
    refreshes,
  });
  const isBusy = pause.isPending || resume.isPending;
  if (job.actions.includes("resume")) {
    const run = () =>
      notifyResult(resume.mutateAsync(), isPrepared(job) ? t`The job is under way.` : t`The job goes on.`);
    return (
      <Button leftSection={<Icon name="play" />} loading={isBusy} onClick={run}>
        {isPrepared(job) ? t`Start calling` : t`Resume`}
      </Button>
    );
  }
  if (!job.actions.includes("pause")) return null;
  const run = () => notifyResult(pause.mutateAsync(), t`Paused. Calls on the line go on; resume it at any time.`);
  return (
    <Button variant="default" leftSection={<Icon name="pause" />} loading={isBusy} onClick={run}>
      {t`Pause`}
    </Button>
  );
}

function useCancel(job: CallJob): () => Promise<void> {
  const ask = useConfirm();
  const cancel = useWrite<CallJob>({
    failed: t`${job.name} was not cancelled`,
    method: "POST",
    path: `/call-jobs/${job.id}/cancel`,
    refreshes: ["/call-jobs"],
  });
  return async () => {
    const live = job.inProgressRows ?? 0;
    const waiting = formatNumber(Math.max(0, job.totalRows - job.processedRows - live));
    const yes = await ask({
      title: t`Cancel “${job.name.slice(0, 60)}”?`,
      body: t`${waiting} rows that wait are never dialled. Calls on the line go on to their end. This cannot be taken back.`,
      action: t`Cancel job`,
      isDangerous: true,
    });
    if (!yes) return;
    notifyResult(cancel.mutateAsync(), t`The job is cancelled.`);
  };
}

import type { CallJob } from "@parley/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";

const STEPS = ["pause", "resume", "retry-failed", "cancel"] as const;

/** Actions for several jobs at once. */
export function useJobActions(): BulkAction<CallJob>[] {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const ask = useConfirm();
  const act = (step: (typeof STEPS)[number]) => async (job: CallJob) => {
    const changed = await send<CallJob>("POST", inWorkspace(workspaceId, `/call-jobs/${job.id}/${step}`));
    void client.invalidateQueries({ queryKey: keyOf(workspaceId, "/call-jobs") });
    return changed;
  };
  return [
    { label: t`Pause`, icon: "pause", only: ({ actions }) => actions.includes("pause"), each: act("pause") },
    { label: t`Resume`, icon: "play", only: ({ actions }) => actions.includes("resume"), each: act("resume") },
    {
      label: t`Retry failed`,
      icon: "refresh",
      only: ({ actions, errorRows }) => actions.includes("retryFailed") && errorRows > 0,
      each: act("retry-failed"),
      confirm: (jobs) =>
        ask({
          title: plural(
            jobs.length,
            "Dial the failed rows of this job again?",
            "Dial the failed rows of {n} jobs again?",
          ),
          body: t`They go back into the queue with fresh attempts. Nobody who was on the line, opted out or was blocked is dialled again.`,
          action: t`Dial again`,
        }),
    },
    {
      label: t`Cancel`,
      icon: "stop",
      isDangerous: true,
      only: ({ actions }) => actions.includes("cancel"),
      each: act("cancel"),
      confirm: (jobs) =>
        ask({
          title: plural(jobs.length, "Cancel this job?", "Cancel {n} jobs?"),
          body: t`Rows that wait are never dialled. Calls on the line go on to their end. This cannot be taken back.`,
          action: t`Cancel jobs`,
          isDangerous: true,
        }),
    },
  ];
}

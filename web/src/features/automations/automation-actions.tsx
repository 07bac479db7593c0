import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault, notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useIsHere } from "#web/ui/use-is-here.ts";
import type { Automation, AutomationRun } from "./automation.ts";

const AutomationDrawer = lazy(async () => ({
  default: (await import("./automation-drawer.tsx")).AutomationDrawer,
}));
const RunDialog = lazy(async () => ({ default: (await import("./run-dialog.tsx")).RunDialog }));

/** Actions of an automation. */
export function AutomationActions({ automation }: { automation: Automation }) {
  const canWrite = useMay("CALL_JOBS_WRITE");
  const [isChanging, changing] = useDisclosure(false);
  const [isAsking, asking] = useDisclosure(false);
  const run = useWrite<AutomationRun>({
    failed: t`${automation.name} was not run`,
    method: "POST",
    path: `/automations/${automation.id}/run`,
    refreshes: ["/automations"],
  });
  const remove = useRemove(automation);
  if (!canWrite) return null;
  const needsJob = automation.kind === "CALL_JOB_REPORT" && automation.callJobId === null;
  const runNow = () => notifyResult(run.mutateAsync(), t`It runs. Its files appear here.`);
  return (
    <>
      <Button leftSection={<Icon name="play" />} loading={run.isPending} onClick={needsJob ? asking.open : runNow}>
        {t`Run now`}
      </Button>
      <Button variant="default" leftSection={<Icon name="edit" />} onClick={changing.open}>
        {t`Change`}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More actions`}>
            <Icon name="more" strokeWidth={3} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => void remove()}>
            {t`Delete report`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {isChanging && <AutomationDrawer automation={automation} close={changing.close} />}
        {isAsking && <RunDialog automation={automation} close={asking.close} />}
      </Suspense>
    </>
  );
}

function useRemove(automation: Automation): () => Promise<void> {
  const ask = useConfirm();
  const [, navigate] = useLocation();
  const isHere = useIsHere();
  const remove = useWrite({
    failed: t`${automation.name} was not deleted`,
    method: "DELETE",
    path: `/automations/${automation.id}`,
  });
  return async () => {
    const yes = await ask({
      title: t`Delete “${automation.name.slice(0, 60)}”?`,
      body: t`Its runs and every file that it made are deleted, too. This cannot be taken back.`,
      action: t`Delete report`,
      isDangerous: true,
    });
    if (!yes) return;
    const go = () => {
      showDone(t`Deleted.`);
      if (isHere()) navigate("/automations");
    };
    await remove.mutateAsync().then(go, showFault);
  };
}

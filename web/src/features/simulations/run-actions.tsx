import { ActionIcon, Button, Menu } from "@mantine/core";
import type { SimulationSource } from "@parley/sdk";
import { useLocation } from "wouter";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { isRunning, type Simulation } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { saveFile } from "#web/ui/table/csv.ts";
import { useOpenMade } from "#web/ui/use-open-made.ts";

/** Actions of a run: cancel, edit, repeat, and save the report. */
export function RunActions({ run }: { run: Simulation }) {
  const mayRun = useMay("FLOWS_WRITE");
  const [, navigate] = useLocation();
  const openMade = useOpenMade();
  const { id: workspaceId } = useWorkspace();
  const start = useWrite<Simulation, object>({
    failed: t`The simulation was not run`,
    method: "POST",
    path: "/simulations",
    refreshes: ["/simulations"],
  });
  const cancel = useWrite<unknown, void>({
    failed: t`The simulation was not cancelled`,
    method: "POST",
    path: `/simulations/${run.id}/cancel`,
    body: () => ({}),
    refreshes: ["/simulations"],
  });
  const path = `/simulations/${run.id}`;
  const isSuite = run.kind === "SUITE";
  const again = async () => {
    const source = await send<SimulationSource>("GET", inWorkspace(workspaceId, `${path}/source`));
    const made = await start.mutateAsync(
      Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null)),
    );
    openMade({ path: `/simulations/${made.id}`, done: t`It runs again, against the flow as it is now.` });
  };
  const attempt = (work: Promise<unknown>) => void work.catch(showFault);
  if (isRunning(run)) {
    return (
      mayRun && (
        <Button variant="default" loading={cancel.isPending} onClick={() => attempt(cancel.mutateAsync())}>
          {t`Cancel the run`}
        </Button>
      )
    );
  }
  return (
    <>
      <DownloadMenu run={run} />
      {mayRun && isSuite && (
        <>
          <Button variant="default" onClick={() => navigate(`/simulations/new?from=${run.id}`)}>
            {t`Edit and run`}
          </Button>
          <Button leftSection={<Icon name="refresh" />} loading={start.isPending} onClick={() => attempt(again())}>
            {t`Run again`}
          </Button>
        </>
      )}
    </>
  );
}

function DownloadMenu({ run }: { run: Simulation }) {
  const { id: workspaceId } = useWorkspace();
  const path = inWorkspace(workspaceId, `/simulations/${run.id}/junit`);
  const saveJson = () =>
    saveFile(`simulation-${run.id.slice(-6)}.json`, `${JSON.stringify(run, null, 2)}\n`, "application/json");
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t`Save the report`}>
          <Icon name="download" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={saveJson}>{t`Report as JSON`}</Menu.Item>
        {run.report && (
          <Menu.Item component="a" href={path} download={`simulation-${run.id.slice(-6)}.xml`}>
            {t`JUnit XML`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

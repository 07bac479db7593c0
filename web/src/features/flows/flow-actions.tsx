import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault, showUndo } from "#web/api/undo.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { type Flow, type FlowEditing, pickFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { saveFile } from "#web/ui/table/csv.ts";
import { useOpenMade } from "#web/ui/use-open-made.ts";

const PublishDialog = lazy(async () => ({ default: (await import("./publish-dialog.tsx")).PublishDialog }));

interface ActionsProps {
  editing: FlowEditing;
  isDefault: boolean;
}

/** Actions for the whole flow. */
export function FlowActions({ editing, isDefault, isDirty }: ActionsProps & { isDirty: boolean }) {
  const [isPublishing, publishing] = useDisclosure(false);
  const mayWrite = useMay("FLOWS_WRITE");
  const canPublish = editing.differs && !isDirty;
  return (
    <>
      <FlowMenu editing={editing} isDefault={isDefault} />
      {mayWrite && (
        <Tooltip label={whyNot(editing, isDirty)} disabled={canPublish}>
          <Button disabled={!canPublish} onClick={publishing.open} leftSection={<Icon name="upload" />}>
            {t`Publish`}
          </Button>
        </Tooltip>
      )}
      <Suspense fallback={null}>
        {isPublishing && editing.draft && <PublishDialog {...editing} draft={editing.draft} close={publishing.close} />}
      </Suspense>
    </>
  );
}

/** Says why nothing can be published. */
function whyNot({ draft }: FlowEditing, isDirty: boolean): string {
  if (isDirty) return t`Save the draft first.`;
  return draft ? t`The draft says the same as what is published.` : t`There is no draft.`;
}

function FlowMenu({ editing, isDefault }: ActionsProps) {
  const mayWrite = useMay("FLOWS_WRITE");
  const isOwner = useMay("WORKSPACE_ADMIN");
  const actions = useFlowActions(editing);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t`More actions`}>
          <Icon name="more" strokeWidth={2.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isOwner && (
          <Menu.Item leftSection={<Icon name="star" />} onClick={() => actions.setDefault(isDefault)}>
            {isDefault ? t`No longer the default flow` : t`Make it the default flow`}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="download" />} onClick={actions.exportFile}>
          {t`Export as a file`}
        </Menu.Item>
        {mayWrite && (
          <>
            <Menu.Item leftSection={<Icon name="copy" />} onClick={actions.duplicate}>
              {t`Duplicate`}
            </Menu.Item>
            <Menu.Divider />
            {editing.draft && (
              <Menu.Item leftSection={<Icon name="close" />} onClick={actions.dropDraft}>
                {t`Discard the draft`}
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={actions.remove}>
              {t`Delete`}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function useFlowWrites(flow: Flow) {
  const setDefault = useWrite<unknown, { defaultFlowId: string | null }>({
    failed: t`The default flow was not changed`,
    method: "PATCH",
    path: "",
    refreshes: [""],
  });
  const create = useWrite<Flow, object>({
    failed: t`The flow was not duplicated`,
    method: "POST",
    path: "/flows",
    refreshes: ["/flows"],
  });
  const remove = useWrite<void, string>({
    failed: (path) =>
      path.endsWith("/draft") ? t`The draft was not discarded` : t`${flow.name ?? flow.apiId} was not deleted`,
    method: "DELETE",
    path: (path) => path,
    refreshes: ["/flows"],
  });
  return { setDefault, create, remove };
}

function useFlowActions({ flow, draft }: FlowEditing) {
  const ask = useConfirm();
  const [, navigate] = useLocation();
  const openMade = useOpenMade();
  const { id: workspaceId } = useWorkspace();
  const { setDefault, create, remove } = useFlowWrites(flow);
  const telling = (act: () => Promise<unknown>) => (): void => void act().catch(showFault);
  return {
    setDefault: (isDefault: boolean) =>
      telling(async () => {
        const { defaultFlowId: before } = await send<{ defaultFlowId: string | null }>(
          "GET",
          inWorkspace(workspaceId, ""),
        );
        await setDefault.mutateAsync({ defaultFlowId: isDefault ? null : flow.id });
        const done = isDefault
          ? t`Calls must name a flow now.`
          : t`Calls that name no flow take ${flow.name ?? flow.apiId}.`;
        showUndo(done, () => setDefault.mutateAsync({ defaultFlowId: before }));
      })(),
    exportFile: telling(async () => {
      const document = await send<unknown>("GET", inWorkspace(workspaceId, `/flows/${flow.id}/export`));
      saveFile(`${flow.apiId}.flow.json`, `${JSON.stringify(document, null, 2)}\n`, "application/json");
      showDone(t`Exported. Values of headers that carry credentials are left out.`);
    }),
    duplicate: telling(async () => {
      const made = await create.mutateAsync({ ...pickFields(draft ?? flow), name: t`${flow.name ?? t`Flow`} (copy)` });
      openMade({ path: `/flows/${made.id}`, done: t`${made.name ?? ""} is there.` });
    }),
    dropDraft: telling(async () => {
      const body = t`What was prepared since the last publication is thrown away. Calls are not touched by it.`;
      if (!(await ask({ title: t`Discard the draft?`, body, action: t`Discard`, isDangerous: true }))) return;
      await remove.mutateAsync(`/flows/${flow.id}/draft`);
      showDone(t`The draft is gone.`);
    }),
    remove: telling(async () => {
      const body = t`Its versions and its draft go with it. Calls that have ended keep what they were.`;
      const title = t`Delete ${flow.name ?? flow.apiId}?`;
      if (!(await ask({ title, body, action: t`Delete flow`, isDangerous: true }))) return;
      navigate("/flows");
      await remove.mutateAsync(`/flows/${flow.id}`);
      showDone(t`${flow.name ?? flow.apiId} is deleted.`);
    }),
  };
}

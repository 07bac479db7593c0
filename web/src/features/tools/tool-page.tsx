import { Badge, Button, Grid, Group, Stack, Tabs } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useParams, useSearchParams } from "wouter";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf, useRead, useWrite } from "#web/api/queries.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { FlowUsersCard } from "#web/domain/flow/flow-users-card.tsx";
import { t } from "#web/i18n/t.ts";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { checkJsonObject, checkJsonText } from "#web/ui/form/json-text.ts";
import { usePrecondition } from "#web/ui/form/use-precondition.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { SystemToolView } from "./system-tool-view.tsx";
import { ToolFields } from "./tool-fields.tsx";
import { ToolRunCard } from "./tool-run-card.tsx";
import { toBody, toValues, type ToolValues } from "./tool-values.ts";
import { mayCall, type Tool, TOOLS_PATH, typeLabel } from "./tool.ts";
import { useToolRemoval } from "./tools-page.tsx";

/** Page of a tool: its editor, with a test run beside it. */
export function ToolPage() {
  const { toolId } = useParams<{ toolId: string }>();
  return toolId === "new" ? <NewTool /> : <StoredTool key={toolId} toolId={toolId} />;
}

function NewTool() {
  const [params] = useSearchParams();
  const from = params.get("from");
  const read = useRead<Tool>(`${TOOLS_PATH}/${from ?? ""}`, undefined, { enabled: from !== null });
  if (from === null) return <ToolEditor tool={null} template={null} />;
  return <Loaded read={read}>{(tool) => <ToolEditor tool={null} template={tool} />}</Loaded>;
}

function StoredTool({ toolId }: { toolId: string }) {
  const read = useRead<Tool>(`${TOOLS_PATH}/${toolId}`);
  return (
    <Loaded read={read}>
      {(tool) => (tool.isSystem ? <SystemToolView tool={tool} /> : <ToolEditor tool={tool} template={null} />)}
    </Loaded>
  );
}

function ToolEditor({ tool, template }: { tool: Tool | null; template: Tool | null }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("TOOLS_WRITE");
  const remove = useToolRemoval(() => navigate("/tools"));
  const editor = useToolForm(tool, template);
  const title = tool?.name ?? t`New tool`;
  return (
    <Page
      title={title}
      back={{ href: "/tools", label: t`Tools` }}
      badge={tool && <ToolBadges tool={tool} />}
      actions={
        tool &&
        mayWrite && (
          <Group gap="xs">
            <Button variant="default" onClick={() => navigate(`/tools/new?from=${tool.id}`)}>
              {t`Duplicate`}
            </Button>
            <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => remove(tool)}>
              {t`Delete`}
            </Button>
          </Group>
        )
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: tool ? 7 : 8 }}>
          <FormPage {...editor} isNew={tool === null} canSave={mayWrite} saveLabel={tool ? t`Save` : t`Create tool`}>
            <ToolFields form={editor.form} isReadOnly={!mayWrite} />
          </FormPage>
        </Grid.Col>
        {tool && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <ToolSide tool={tool} isDirty={editor.form.isDirty()} mayRun={mayWrite} />
              <FlowUsersCard
                names={mayCall(tool.id)}
                none={t`No flow may call it. Choose it in a flow, under “Capabilities”.`}
              />
            </Stack>
          </Grid.Col>
        )}
      </Grid>
    </Page>
  );
}

function ToolSide({ tool, isDirty, mayRun }: { tool: Tool; isDirty: boolean; mayRun: boolean }) {
  return (
    <Tabs defaultValue={mayRun ? "run" : "json"} keepMounted={false}>
      <Tabs.List mb="md">
        {mayRun && <Tabs.Tab value="run">{t`Run once`}</Tabs.Tab>}
        <Tabs.Tab value="json">{"JSON"}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="run">
        <ToolRunCard tool={tool} isDirty={isDirty} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <JsonView value={tool} label={t`Tool as JSON`} maxHeight={640} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ToolBadges({ tool }: { tool: Tool }) {
  return (
    <Group gap={6}>
      <Badge variant="default" tt="none" radius="sm">
        {typeLabel(tool.toolType)}
      </Badge>
      <Badge variant="default" tt="none" radius="sm">
        {t`Version ${tool.version}`}
      </Badge>
    </Group>
  );
}

/** Returns the form, its save (only on top of the version that was read), and the read of the stored tool. */
function useToolForm(tool: Tool | null, template: Tool | null) {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const openMade = useOpenMade();
  const initialValues = () =>
    template ? { ...toValues(template), name: `${template.name.slice(0, 59)}_copy` } : toValues(tool);
  const form = useForm<ToolValues>({
    initialValues: initialValues(),
    validate: {
      apiHeaders: checkJsonObject,
      apiBody: checkJsonObject,
      executionPlan: checkJsonText,
      mockConfig: { result: checkJsonText },
    },
  });
  const base = usePrecondition(form, {
    key: `tool ${tool?.id ?? `+${template?.id ?? ""}`}`,
    version: tool && String(tool.version),
    toValues: initialValues,
  });
  const keep = (stored: Tool) => client.setQueryData(keyOf(workspaceId, `${TOOLS_PATH}/${stored.id}`), stored);
  const write = useWrite<Tool, { body: object; isForced: boolean }>({
    failed: t`The tool was not saved`,
    method: tool ? "PUT" : "POST",
    path: tool ? `${TOOLS_PATH}/${tool.id}` : TOOLS_PATH,
    body: ({ body }) => body,
    headers: ({ isForced }): Record<string, string> =>
      tool ? { "if-match": isForced ? "*" : `"${base.version() ?? ""}"` } : {},
  });
  const save = async (values: ToolValues, isForced: boolean) => {
    const saved = await write.mutateAsync({ body: toBody(values, tool ?? template), isForced });
    base.note(String(saved.version));
    keep(saved);
    await client.invalidateQueries({ queryKey: keyOf(workspaceId, TOOLS_PATH), exact: true });
    if (tool) return;
    form.resetDirty(values);
    openMade({ path: `/tools/${saved.id}`, done: t`${saved.name} is there.`, replace: true });
  };
  const reload = async () => {
    const stored = await send<Tool>("GET", inWorkspace(workspaceId, `${TOOLS_PATH}/${tool?.id ?? ""}`));
    keep(stored);
    return toValues(stored);
  };
  return { form, save, reload };
}

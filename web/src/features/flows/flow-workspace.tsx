import { Drawer, Grid, Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { useMay } from "#web/api/workspace.tsx";
import type { FlowEditing } from "#web/domain/flow/flow.ts";
import type { StageRun } from "#web/domain/stage/stage-run.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useUrlTab } from "#web/ui/filters/use-url-tab.ts";
import { ScrollStrip } from "#web/ui/scroll-strip.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { BREAKPOINTS } from "#web/ui/theme/breakpoints.ts";
import { FlowForm, FlowSections } from "./flow-form.tsx";
import { FlowWebhooks } from "./flow-webhooks.tsx";
import type { FlowFormType } from "./sections/flow-values.ts";
import { toFields } from "./sections/flow-values.ts";
import { Shares } from "./shares.tsx";
import { FunnelTab } from "./stages/funnel/funnel-tab.tsx";
import { StagePanel } from "./stages/stage-panel.tsx";
import { StageTab } from "./stages/stage-tab.tsx";
import { type FlowParts, useFlowParts } from "./stages/use-flow-parts.ts";
import { type StageEditor, useStageEditor } from "./stages/use-stage-editor.ts";
import { SuccessTab } from "./success-tab.tsx";
import { Tester } from "./tester.tsx";
import { useChatTest } from "./use-chat-test.ts";
import { Versions } from "./versions.tsx";

interface FlowWorkspaceProps {
  form: FlowFormType;
  editing: FlowEditing;
  reload: () => Promise<FlowEditing>;
}

/** The tabs of a flow and the tester, which is beside them when there is room, else a tab of its own. */
export function FlowWorkspace(props: FlowWorkspaceProps) {
  const { form, editing } = props;
  const [tab, open] = useUrlTab("edit");
  const isWide = useMediaQuery(`(min-width: ${BREAKPOINTS.lg}em)`, window.innerWidth >= BREAKPOINTS.lg * 16) ?? true;
  const chat = useChatTest();
  const editor = useStageEditor(form);
  const parts = useFlowParts(form, editing.flow.id);
  const [run, showRun] = useState<StageRun | null>(null);
  const isStageShown = tab === "stages" && editor.chosen !== null;
  const panel = isStageShown ? <StagePanel editor={editor} parts={parts} /> : null;
  // The tester keeps its place in the tree, so that a test survives a change of tab or a rotation of the phone.
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7.4 }}>
        <FlowTabs {...{ ...props, isWide, tab, open, editor, parts, run }} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4.6 }} display={isWide || tab === "test" ? "block" : "none"}>
        {isWide && panel && <div className="rail stage-panel">{panel}</div>}
        <div className="rail" hidden={isWide && isStageShown}>
          <Tester
            flow={editing.flow}
            fields={toFields(form.getValues(), editing.draft ?? editing.flow)}
            chat={chat}
            showRun={showRun}
          />
        </div>
      </Grid.Col>
      {!isWide && (
        <Drawer.Root opened={isStageShown} onClose={() => editor.choose(null)} position="right">
          <Drawer.Overlay />
          <Drawer.Content aria-label={t`Stage`}>{panel}</Drawer.Content>
        </Drawer.Root>
      )}
    </Grid>
  );
}

interface FlowTabsProps extends FlowWorkspaceProps {
  isWide: boolean;
  tab: string;
  open: (tab: string | null) => void;
  editor: StageEditor;
  parts: FlowParts;
  run: StageRun | null;
}

function FlowTabs({ form, editing, reload, isWide, tab, open, editor, parts, run }: FlowTabsProps) {
  const isReadOnly = !useMay("FLOWS_WRITE");
  return (
    <Tabs value={isWide && tab === "test" ? "edit" : tab} onChange={open} keepMounted={false}>
      <ScrollStrip chosen={tab}>
        <Tabs.List mb="md">
          <Tabs.Tab value="edit">{t`Edit`}</Tabs.Tab>
          <Tabs.Tab value="stages">{t`Stages`}</Tabs.Tab>
          {editor.stages.length > 0 && <Tabs.Tab value="funnel">{t`Funnel`}</Tabs.Tab>}
          {!isWide && <Tabs.Tab value="test">{t`Test`}</Tabs.Tab>}
          <Tabs.Tab value="versions">{t`Versions`}</Tabs.Tab>
          <Tabs.Tab value="shares">{t`Shares`}</Tabs.Tab>
          <Tabs.Tab value="success">{t`Success`}</Tabs.Tab>
          <Tabs.Tab value="webhooks">{t`Webhooks`}</Tabs.Tab>
          <Tabs.Tab value="code">{t`Code`}</Tabs.Tab>
        </Tabs.List>
      </ScrollStrip>
      <Tabs.Panel value="edit">
        <FlowForm form={form} editing={editing} reload={reload}>
          <FlowSections form={form} />
        </FlowForm>
      </Tabs.Panel>
      <Tabs.Panel value="stages">
        <FlowForm form={form} editing={editing} reload={reload}>
          <StageTab editor={editor} parts={parts} isReadOnly={isReadOnly} run={run} />
        </FlowForm>
      </Tabs.Panel>
      <Tabs.Panel value="funnel">
        <FunnelTab flow={editing.flow} nameOf={parts.nameOf} />
      </Tabs.Panel>
      <Tabs.Panel value="test">{null}</Tabs.Panel>
      <Tabs.Panel value="versions">
        <Versions editing={editing} />
      </Tabs.Panel>
      <Tabs.Panel value="shares">
        <Shares editing={editing} />
      </Tabs.Panel>
      <Tabs.Panel value="success">
        <SuccessTab flow={editing.flow} parts={parts} />
      </Tabs.Panel>
      <Tabs.Panel value="webhooks">
        <FlowWebhooks flowId={editing.flow.id} />
      </Tabs.Panel>
      <Tabs.Panel value="code">
        <FlowCode apiId={editing.flow.apiId} />
      </Tabs.Panel>
    </Tabs>
  );
}

function FlowCode({ apiId }: { apiId: string }) {
  const body = { customerNumber: "+12025550100", flowApiId: apiId };
  return (
    <Card title={t`Place a call with this flow`}>
      <SnippetTabs
        call={{
          method: "POST",
          path: "/outbound/calls",
          body,
          command: `call +12025550100 --flow ${apiId} --watch`,
          sdk: `client.calls.create(${JSON.stringify(body)})`,
        }}
      />
    </Card>
  );
}

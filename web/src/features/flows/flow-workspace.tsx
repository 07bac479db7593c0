import { Grid, Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useSearchParams } from "wouter";
import type { FlowEditing } from "#web/domain/flow/flow.ts";
import { Card } from "#web/ui/card.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { BREAKPOINTS } from "#web/ui/theme/breakpoints.ts";
import { FlowForm } from "./flow-form.tsx";
import { FlowWebhooks } from "./flow-webhooks.tsx";
import type { FlowFormType } from "./sections/flow-values.ts";
import { toFields } from "./sections/flow-values.ts";
import { Shares } from "./shares.tsx";
import { Tester } from "./tester.tsx";
import { useChatTest } from "./use-chat-test.ts";
import { Versions } from "./versions.tsx";

interface FlowWorkspaceProps {
  form: FlowFormType;
  editing: FlowEditing;
  reload: () => Promise<FlowEditing>;
}

/** The tabs of a flow and the tester, which is beside them when there is room, else a tab of its own. */
export function FlowWorkspace({ form, editing, reload }: FlowWorkspaceProps) {
  const [params, setParams] = useSearchParams();
  const isWide = useMediaQuery(`(min-width: ${BREAKPOINTS.lg}em)`, window.innerWidth >= BREAKPOINTS.lg * 16) ?? true;
  const source = editing.draft ?? editing.flow;
  const tab = params.get("tab") ?? "edit";
  const open = (next: string | null) =>
    setParams(next === null || next === "edit" ? {} : { tab: next }, { replace: true });
  const chat = useChatTest();
  const tester = <Tester flow={editing.flow} fields={toFields(form.getValues(), source)} chat={chat} />;
  const tabs = (
    <Tabs value={isWide && tab === "test" ? "edit" : tab} onChange={open} keepMounted={false}>
      <Tabs.List mb="md" className="tabs-scroll">
        <Tabs.Tab value="edit">Edit</Tabs.Tab>
        {!isWide && <Tabs.Tab value="test">Test</Tabs.Tab>}
        <Tabs.Tab value="versions">Versions</Tabs.Tab>
        <Tabs.Tab value="shares">Shares</Tabs.Tab>
        <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
        <Tabs.Tab value="code">Code</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="edit">
        <FlowForm form={form} editing={editing} reload={reload} />
      </Tabs.Panel>
      <Tabs.Panel value="test">{null}</Tabs.Panel>
      <Tabs.Panel value="versions">
        <Versions editing={editing} />
      </Tabs.Panel>
      <Tabs.Panel value="shares">
        <Shares editing={editing} />
      </Tabs.Panel>
      <Tabs.Panel value="webhooks">
        <FlowWebhooks flowId={editing.flow.id} />
      </Tabs.Panel>
      <Tabs.Panel value="code">
        <FlowCode apiId={editing.flow.apiId} />
      </Tabs.Panel>
    </Tabs>
  );
  // The tester keeps its place in the tree, so that a test survives a change of tab or a rotation of the phone.
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7.4 }}>{tabs}</Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4.6 }} display={isWide || tab === "test" ? "block" : "none"}>
        <div className="rail">{tester}</div>
      </Grid.Col>
    </Grid>
  );
}

function FlowCode({ apiId }: { apiId: string }) {
  const body = { customerNumber: "+12025550100", flowApiId: apiId };
  return (
    <Card title="Place a call with this flow">
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

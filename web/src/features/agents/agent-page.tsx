import { Anchor, Button, Grid } from "@mantine/core";
import type { Flow } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { nameOfFlow } from "#web/domain/flow/flow-name.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { useRemoval } from "#web/ui/use-removal.ts";
import { type Agent, AGENTS_PATH } from "./agent.ts";
import { ItemList } from "./item-list.tsx";
import { SearchCard } from "./search-card.tsx";

const AgentDialog = lazy(async () => ({ default: (await import("./agent-dialog.tsx")).AgentDialog }));

/** Page of an agent with its knowledge base and a test search. */
export function AgentPage() {
  const { agentId } = useParams<{ agentId: string }>();
  const read = useRead<Agent>(`${AGENTS_PATH}/${agentId}`);
  return <Loaded read={read}>{(agent) => <AgentView agent={agent} />}</Loaded>;
}

function AgentView({ agent }: { agent: Agent }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("AGENTS_WRITE");
  const [isEditing, setEditing] = useState(false);
  const remove = useRemoval<Agent>({
    path: ({ id }) => `${AGENTS_PATH}/${id}`,
    name: ({ name }) => name,
    warning: t`All documents, texts and pages in it are deleted for good.`,
    refreshes: [AGENTS_PATH],
    after: () => navigate("/agents"),
  });
  return (
    <Page
      title={agent.name}
      back={{ href: "/agents", label: t`Knowledge` }}
      lead={<AgentLead agent={agent} />}
      actions={
        mayWrite && (
          <>
            <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setEditing(true)}>
              {t`Edit`}
            </Button>
            <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => void remove(agent)}>
              {t`Delete`}
            </Button>
          </>
        )
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <ItemList agentId={agent.id} mayWrite={mayWrite} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <SearchCard agentId={agent.id} />
        </Grid.Col>
      </Grid>
      <Suspense fallback={null}>{isEditing && <AgentDialog agent={agent} close={() => setEditing(false)} />}</Suspense>
    </Page>
  );
}

function AgentLead({ agent: { description, flowId } }: { agent: Agent }) {
  const flow = useRead<Flow>(`/flows/${flowId ?? ""}`, undefined, { enabled: flowId !== null });
  return (
    <>
      {description && <div>{description}</div>}
      {flowId === null ? (
        t`No flow uses it: nothing looks things up here yet. Edit it to choose one.`
      ) : (
        <>
          {rich`Used by the flow ${(
            <Anchor component={Link} href={`/flows/${flowId}`} fz="sm">
              {flow.data ? nameOfFlow(flow.data) : t`a flow`}
            </Anchor>
          )}`}
        </>
      )}
    </>
  );
}

import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { type Agent, AGENTS_PATH } from "./agent.ts";

const AgentDialog = lazy(async () => ({ default: (await import("./agent-dialog.tsx")).AgentDialog }));
const ROWS_A_PAGE = 50;

/** List of the agents. */
export function AgentsPage() {
  const filters = useUrlFilters([]);
  const read = useRead<ListPage<Agent>>(AGENTS_PATH, { page: filters.page, size: ROWS_A_PAGE });
  const names = new Map(useFlowChoices().map(({ value, label }) => [value, label]));
  const columns = agentColumns((id) => names.get(id) ?? id);
  const mayWrite = useMay("AGENTS_WRITE");
  const [isCreating, dialog] = useDisclosure(false);
  useShortcutKeys(mayWrite ? [{ keys: "n", label: "Create an agent", group: "Knowledge", run: dialog.open }] : []);
  const bulk = useAgentBulk();
  const create = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>
      Create agent
    </Button>
  );
  return (
    <Page title="Knowledge" lead="Agents, the flow each follows, and what each can look up." actions={create}>
      <Group justify="flex-end" mb="sm">
        <ExportButton path={AGENTS_PATH} query={{}} columns={columns} fileName="agents.csv" />
      </Group>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label="Agents"
        rows={read.data?.content}
        columns={columns}
        href={({ id }) => `/agents/${id}`}
        bulkActions={mayWrite ? bulk : []}
        pages={filters}
        empty={
          <EmptyState icon="book" title="No agents yet" action={create} docs="/docs/guides/knowledge-base">
            An agent owns a knowledge base: documents, texts and web pages that it looks things up in while it talks.
          </EmptyState>
        }
      />
      <Suspense fallback={null}>{isCreating && <AgentDialog agent={null} close={dialog.close} />}</Suspense>
    </Page>
  );
}

function useAgentBulk(): BulkAction<Agent>[] {
  return [
    useBulkDelete<Agent>({
      list: AGENTS_PATH,
      one: "agent",
      many: "agents",
      body: "Their knowledge is deleted with them. This cannot be taken back.",
    }),
  ];
}

function agentColumns(flowName: (id: string) => string): Column<Agent>[] {
  return [
    { id: "name", header: "Name", cell: ({ name }) => <b dir="auto">{name}</b>, value: ({ name }) => name },
    {
      id: "flow",
      header: "Follows",
      cell: ({ flowId }) => (flowId === null ? "–" : flowName(flowId)),
      value: ({ flowId }) => (flowId === null ? null : flowName(flowId)),
    },
    {
      id: "description",
      header: "Description",
      cell: ({ description }) => description ?? "–",
      value: ({ description }) => description,
      isWide: true,
    },
    {
      id: "updatedAt",
      header: "Changed",
      cell: ({ updatedAt }) => <Time at={updatedAt} ago />,
      value: ({ updatedAt }) => updatedAt,
      isWide: true,
    },
  ];
}

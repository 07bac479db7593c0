import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { plural, t } from "#web/i18n/t.ts";
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
import { Words } from "#web/ui/words.tsx";
import { type Agent, AGENTS_PATH } from "./agent.ts";

const AgentDialog = lazy(async () => ({ default: (await import("./agent-dialog.tsx")).AgentDialog }));
const ROWS_A_PAGE = 50;

/** List of the knowledge bases, one for each agent of the API. */
export function AgentsPage() {
  const filters = useUrlFilters([]);
  const read = useRead<ListPage<Agent>>(AGENTS_PATH, { page: filters.page, size: ROWS_A_PAGE });
  const names = new Map(useFlowChoices().map(({ value, label }) => [value, label]));
  const columns = agentColumns((id) => names.get(id) ?? id);
  const mayWrite = useMay("AGENTS_WRITE");
  const [isCreating, dialog] = useDisclosure(false);
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`New knowledge base`, group: t`Knowledge`, run: dialog.open }] : []);
  const bulk = useAgentBulk();
  const create = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>
      {t`New knowledge base`}
    </Button>
  );
  return (
    <Page
      title={t`Knowledge`}
      lead={t`Documents, texts and web pages that your agents look things up in while they talk.`}
      actions={create}
    >
      <Group justify="flex-end" mb="sm">
        <ExportButton path={AGENTS_PATH} query={{}} columns={columns} fileName="knowledge-bases.csv" />
      </Group>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Knowledge bases`}
        rows={read.data?.content}
        columns={columns}
        href={({ id }) => `/agents/${id}`}
        bulkActions={mayWrite ? bulk : []}
        pages={filters}
        empty={
          <EmptyState icon="book" title={t`No knowledge yet`} action={create} docs="/docs/guides/knowledge-base">
            {t`A knowledge base holds documents, texts and web pages. The flow that uses it looks things up there while it talks.`}
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
      counted: (count) => plural(count, "{n} knowledge base", "{n} knowledge bases"),
      body: t`All documents, texts and pages in them are deleted. This cannot be taken back.`,
    }),
  ];
}

function agentColumns(flowName: (id: string) => string): Column<Agent>[] {
  return [
    { id: "name", header: t`Name`, cell: ({ name }) => <Words>{name}</Words>, value: ({ name }) => name },
    {
      id: "flow",
      header: t`Used by the flow`,
      cell: ({ flowId }) => (flowId === null ? "–" : flowName(flowId)),
      value: ({ flowId }) => (flowId === null ? null : flowName(flowId)),
    },
    {
      id: "description",
      header: t`Description`,
      cell: ({ description }) => description ?? "–",
      value: ({ description }) => description,
      isWide: true,
    },
    {
      id: "updatedAt",
      header: t`Changed`,
      cell: ({ updatedAt }) => <Time at={updatedAt} ago />,
      value: ({ updatedAt }) => updatedAt,
      isWide: true,
    },
  ];
}

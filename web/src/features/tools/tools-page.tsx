import { Button, Group, Paper } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense } from "react";
import { useLocation } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { flowUsers } from "#web/domain/flow/flow-users.ts";
import { useFlowLibrary } from "#web/domain/flow/use-flow-library.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import { toolColumns } from "./tool-columns.tsx";
import { mayCall, type Tool, TOOL_TYPES, TOOLS_PATH } from "./tool.ts";

const EchoDrawer = lazy(async () => ({ default: (await import("./echo-drawer.tsx")).EchoDrawer }));

const FILTERS = [
  { name: "q", label: t`Name or description`, kind: "text" as const },
  {
    name: "type",
    label: t`Type`,
    kind: "many" as const,
    options: [...TOOL_TYPES.map(({ value, label }) => ({ value, label })), { value: "SYSTEM", label: t`Built in` }],
  },
];

/** List of the agents' tools: requests, code, MCP tools, transfers, and the built-in ones. */
export function ToolsPage() {
  const [, navigate] = useLocation();
  const read = useRead<Tool[]>(TOOLS_PATH);
  const { flows, changes } = useFlowLibrary();
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const mayWrite = useMay("TOOLS_WRITE");
  const mayDial = useMay("CALL_JOBS_WRITE");
  const mayEcho = mayWrite || mayDial;
  const [isEchoing, echo] = useDisclosure(false);
  const remove = useToolRemoval();
  const bulk = useToolBulk();
  const create = () => navigate("/tools/new");
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Create a tool`, group: t`Tools`, run: create }] : []);
  const columns = toolColumns(
    mayWrite ? { remove, copy: (tool) => navigate(`/tools/new?from=${tool.id}`) } : null,
    (id) => flowUsers(flows, changes, mayCall(id)),
  );
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={create}>
      {t`Create tool`}
    </Button>
  );
  const isFiltered = Object.keys(filters.values).length > 0;
  const shown = read.data?.filter((tool) => fits(tool, filters.values)).toSorted(byOwn);
  return (
    <Page
      title={t`Tools`}
      lead={t`What an agent can do while it talks: ask your systems, compute, hand the call over.`}
      actions={
        <Group gap="xs">
          {mayEcho && (
            <Button variant="default" leftSection={<Icon name="refresh" />} onClick={echo.open}>
              {t`Echo endpoints`}
            </Button>
          )}
          {button}
        </Group>
      }
    >
      <FilterBar screen="tools" filters={FILTERS} {...filters}>
        <SaveRowsButton rows={shown} columns={columns} fileName="tools.csv" />
      </FilterBar>
      <ReadFault read={read} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Tools`}
          rows={shown}
          columns={columns}
          href={(tool) => `/tools/${tool.id}`}
          bulkActions={mayWrite ? bulk : []}
          empty={<NoTools isFiltered={isFiltered} action={button} clear={() => filters.setAll({})} />}
        />
      </Paper>
      <Suspense fallback={null}>{isEchoing && <EchoDrawer close={echo.close} />}</Suspense>
    </Page>
  );
}

function NoTools({ isFiltered, action, clear }: { isFiltered: boolean; action: ReactNode; clear: () => void }) {
  if (isFiltered) return <NoMatch title={t`No tool fits these filters`} clear={clear} />;
  return (
    <EmptyState icon="tool" title={t`No tools yet`} action={action} docs="/docs">
      {t`Give an agent a way to look up an order or book a table.`}
    </EmptyState>
  );
}

/** Deletes a tool; the deletion can be undone for six seconds. */
export function useToolRemoval(after?: () => void): (tool: Tool) => void {
  return useUndoableRemoval<Tool>({
    list: TOOLS_PATH,
    message: ({ name }) => t`${name} is deleted. Flows that name it go on without it.`,
    failed: ({ name }) => t`${name} was not deleted`,
    ...(after ? { after } : {}),
  });
}

function useToolBulk(): BulkAction<Tool>[] {
  return [
    useBulkDelete<Tool>({
      list: TOOLS_PATH,
      only: ({ isSystem }) => !isSystem,
      counted: (count) => plural(count, "{n} tool", "{n} tools"),
      body: t`Flows that name them go on without them. This cannot be taken back.`,
    }),
  ];
}

function fits({ name, description, toolType }: Tool, { q = [], type = [] }: Record<string, string[]>): boolean {
  const words = (q[0] ?? "").toLowerCase();
  const isFound = words === "" || `${name} ${description}`.toLowerCase().includes(words);
  return isFound && (type.length === 0 || type.includes(toolType));
}

/** Sorts the workspace's own tools before the built-in ones. */
function byOwn(a: Tool, b: Tool): number {
  return Number(a.isSystem) - Number(b.isSystem) || a.name.localeCompare(b.name);
}

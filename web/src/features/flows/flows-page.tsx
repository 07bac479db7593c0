import { Button, Paper } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useMemo } from "react";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import type { Flow, FlowChange } from "#web/domain/flow/flow.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { type FilterValues, useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { flowColumns, type ListedFlow } from "./flow-columns.tsx";
import "#web/domain/flow/flow.css";

const NewFlowDialog = lazy(async () => ({ default: (await import("./new-flow-dialog.tsx")).NewFlowDialog }));
const FILTERS: Filter[] = [
  { name: "name", label: t`Name or API id`, kind: "text" },
  { name: "state", label: t`State`, kind: "select", options: [{ value: "DRAFT", label: t`With a draft` }], width: 130 },
];

/** List of the flows. */
export function FlowsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const read = useAllRows<Flow>("/flows");
  const changes = useAllRows<FlowChange>("/flows/changes");
  const workspace = useRead<{ defaultFlowId: string | null }>("");
  const [isMaking, making] = useDisclosure(false);
  const mayWrite = useMay("FLOWS_WRITE");
  const actions = useFlowActions();
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`New flow`, group: t`Flows`, run: making.open }] : []);
  const columns = flowColumns(workspace.data?.defaultFlowId ?? null);
  const isFiltered = Object.keys(filters.values).length > 0;
  const rows = useMemo(
    () => listFlows(read.data, changes.data ?? [], filters.values),
    [read.data, changes.data, filters.values],
  );
  const newButton = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={making.open}>
      {t`New flow`}
    </Button>
  );
  return (
    <Page title={t`Flows`} lead={t`What agents say, ask and may do.`} actions={newButton}>
      <FilterBar screen="flows" filters={FILTERS} {...filters}>
        <SaveRowsButton rows={rows} columns={columns} fileName="flows.csv" />
      </FilterBar>
      <ReadFault read={read} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Flows`}
          rows={read.error ? [] : rows}
          columns={columns}
          href={(flow) => `/flows/${flow.id}`}
          bulkActions={mayWrite ? actions : []}
          empty={
            !isFiltered ? (
              <EmptyState icon="flow" title={t`No flows yet`} action={newButton} docs="/docs#tag/flows">
                {t`A flow holds the prompt, the voice, the tools and the fields to collect. Three templates are a start.`}
              </EmptyState>
            ) : (
              <NoMatch title={t`No flow fits these filters`} clear={() => filters.setAll({})} />
            )
          }
        />
      </Paper>
      <Suspense fallback={null}>{isMaking && <NewFlowDialog close={making.close} />}</Suspense>
    </Page>
  );
}

/** The flows that match the filters, each with its last change. */
function listFlows(flows: Flow[] | undefined, changes: FlowChange[], values: FilterValues): ListedFlow[] | undefined {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const wanted = values.name?.[0]?.toLowerCase() ?? "";
  return flows
    ?.map((flow) => ({ ...flow, change: byId.get(flow.id) }))
    .filter(({ name, apiId }) => `${name} ${apiId}`.toLowerCase().includes(wanted))
    .filter(({ change }) => values.state?.[0] !== "DRAFT" || change?.differs === true);
}

function useFlowActions(): BulkAction<ListedFlow>[] {
  return [
    useBulkDelete<ListedFlow>({
      list: "/flows",
      counted: (count) => plural(count, "{n} flow", "{n} flows"),
      nameOfRow: ({ name, apiId }) => name ?? apiId,
      body: t`Their versions and drafts go with them. Calls that have ended keep what they were.`,
    }),
  ];
}

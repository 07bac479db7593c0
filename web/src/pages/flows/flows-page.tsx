import { Button, Paper } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { FilterBar } from "#web/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/filters/url-state.ts";
import { useShortcutKeys } from "#web/keyboard/shortcuts.tsx";
import type { Flow } from "#web/pages/flow/flow.ts";
import type { BulkAction } from "#web/table/bulk-bar.tsx";
import { DataTable } from "#web/table/data-table.tsx";
import { ExportButton } from "#web/table/export-button.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { flowColumns } from "./flow-columns.tsx";
import "#web/pages/flow/flow.css";

const NewFlowDialog = lazy(async () => ({ default: (await import("./new-flow-dialog.tsx")).NewFlowDialog }));
const FILTERS = [{ name: "name", label: "Name or API id", kind: "text" as const }];

/** The library of flows. */
export function FlowsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const read = useAllRows<Flow>("/flows");
  const workspace = useRead<{ defaultFlowId: string | null }>("");
  const [isMaking, making] = useDisclosure(false);
  const mayWrite = useMay("FLOWS_WRITE");
  const actions = useFlowActions();
  useShortcutKeys(mayWrite ? [{ keys: "n", label: "New flow", group: "Flows", run: making.open }] : []);
  const columns = flowColumns(workspace.data?.defaultFlowId ?? null);
  const wanted = filters.values.name?.[0]?.toLowerCase() ?? "";
  const rows = read.data?.filter(({ name, apiId }) => `${name} ${apiId}`.toLowerCase().includes(wanted));
  const newButton = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={making.open}>
      New flow
    </Button>
  );
  return (
    <Page title="Flows" lead="What agents say, ask and may do." actions={newButton}>
      <FilterBar screen="flows" filters={FILTERS} {...filters}>
        <ExportButton path="/flows" query={{}} columns={columns} fileName="flows.csv" />
      </FilterBar>
      {read.error && <FaultNote error={read.error} retry={() => void read.refetch()} />}
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label="Flows"
          rows={read.error ? [] : rows}
          columns={columns}
          href={(flow) => `/flows/${flow.id}`}
          bulkActions={mayWrite ? actions : []}
          empty={
            wanted === "" ? (
              <EmptyState icon="flow" title="No flows yet" action={newButton} docs="/docs#tag/flows">
                A flow holds the prompt, the voice, the tools and what is to be found out. Three templates are a start.
              </EmptyState>
            ) : (
              <EmptyState icon="filter" title="No flow is called that">
                Search for another part of its name or API id.
              </EmptyState>
            )
          }
        />
      </Paper>
      <Suspense fallback={null}>{isMaking && <NewFlowDialog close={making.close} />}</Suspense>
    </Page>
  );
}

function useFlowActions(): BulkAction<Flow>[] {
  const ask = useConfirm();
  const remove = useWrite<void, string>({ method: "DELETE", path: (id) => `/flows/${id}`, refreshes: ["/flows"] });
  return [
    {
      label: "Delete",
      icon: "trash",
      isDangerous: true,
      confirm: (flows) =>
        ask({
          title: flows.length === 1 ? `Delete ${flows[0]?.name}?` : `Delete ${flows.length} flows?`,
          body: "Their versions and drafts go with them. Calls that have ended keep what they were.",
          action: "Delete",
          isDangerous: true,
        }),
      each: ({ id }) => remove.mutateAsync(id),
    },
  ];
}

import { Button, Paper } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { FilterBar } from "#web/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/filters/url-state.ts";
import { formatNumber } from "#web/format/format.ts";
import { useShortcutKeys } from "#web/keyboard/shortcuts.tsx";
import type { Flow } from "#web/pages/flow/flow.ts";
import type { BulkAction } from "#web/table/bulk-bar.tsx";
import type { Column } from "#web/table/columns.ts";
import { saveFile, toCsv } from "#web/table/csv.ts";
import { DataTable } from "#web/table/data-table.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { Time } from "#web/ui/time.tsx";
import { fieldsOf, type Output, OUTPUTS_PATH, usersOf } from "./output.ts";

const FILTERS = [{ name: "name", label: "Name", kind: "text" as const }];

/** What agents find out: schemas that conversations fill. */
export function OutputsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const read = useRead<Output[]>(OUTPUTS_PATH);
  const flows = useAllRows<Flow>("/flows");
  const mayWrite = useMay("STRUCTURED_OUTPUTS_WRITE");
  const [, navigate] = useLocation();
  const actions = useOutputActions();
  const make = () => navigate("/outputs/new");
  useShortcutKeys(
    mayWrite ? [{ keys: "n", label: "New structured output", group: "Structured outputs", run: make }] : [],
  );
  const columns = outputColumns(flows.data ?? []);
  const wanted = filters.values.name?.[0]?.toLowerCase() ?? "";
  const rows = read.data?.filter(({ name }) => name.toLowerCase().includes(wanted));
  const newButton = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={make}>
      New output
    </Button>
  );
  return (
    <Page title="Structured outputs" lead="What agents find out, as fields that fit a schema." actions={newButton}>
      <FilterBar screen="outputs" filters={FILTERS} {...filters}>
        <Button
          size="xs"
          variant="default"
          disabled={!rows?.length}
          leftSection={<Icon name="download" size={14} />}
          onClick={() => saveFile("structured-outputs.csv", toCsv(rows ?? [], columns))}
        >
          Export CSV
        </Button>
      </FilterBar>
      {read.error && <FaultNote error={read.error} retry={() => void read.refetch()} />}
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label="Structured outputs"
          rows={read.error ? [] : rows}
          columns={columns}
          href={({ id }) => `/outputs/${id}`}
          bulkActions={mayWrite ? actions : []}
          empty={<NoOutputs isFiltered={wanted !== ""} action={newButton} />}
        />
      </Paper>
    </Page>
  );
}

function NoOutputs({ isFiltered, action }: { isFiltered: boolean; action: ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState icon="filter" title="No output is called that">
        Search for another part of its name.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="output" title="No structured outputs yet" action={action} docs="/docs#tag/structured-outputs">
      Say which facts matter, such as a rating or a day. The agent asks for them, and every call shows what it found.
    </EmptyState>
  );
}

function outputColumns(flows: Flow[]): Column<Output>[] {
  return [
    { id: "name", header: "Name", cell: ({ name }) => <bdi>{name}</bdi>, value: ({ name }) => name },
    {
      id: "fields",
      header: "Fields",
      cell: ({ schema }) => <FieldNames names={fieldsOf(schema).map(({ name }) => name)} />,
      value: ({ schema }) => fieldsOf(schema).length,
      isWide: true,
    },
    {
      id: "used",
      header: "Used by",
      cell: ({ id }) => countFlows(usersOf(id, flows).length),
      value: ({ id }) => usersOf(id, flows).length,
    },
    {
      id: "version",
      header: "Version",
      cell: ({ version }) => `v${version}`,
      value: ({ version }) => version,
      isWide: true,
    },
    {
      id: "updatedAt",
      header: "Changed",
      cell: ({ updatedAt }) => <Time at={updatedAt} ago />,
      value: ({ updatedAt }) => updatedAt,
    },
  ];
}

function FieldNames({ names }: { names: string[] }) {
  const shown = names.slice(0, 4).join(", ");
  return (
    <span className="mono cell-text">
      {shown}
      {names.length > 4 && ` + ${names.length - 4}`}
    </span>
  );
}

function countFlows(count: number): string {
  if (count === 0) return "no flow";
  return `${formatNumber(count)} ${count === 1 ? "flow" : "flows"}`;
}

function useOutputActions(): BulkAction<Output>[] {
  const ask = useConfirm();
  const remove = useWrite<void, string>({
    method: "DELETE",
    path: (id) => `${OUTPUTS_PATH}/${id}`,
    refreshes: [OUTPUTS_PATH],
  });
  return [
    {
      label: "Delete",
      icon: "trash",
      isDangerous: true,
      confirm: (outputs) =>
        ask({
          title: outputs.length === 1 ? `Delete ${outputs[0]?.name}?` : `Delete ${outputs.length} outputs?`,
          body: "Flows that name them do without them from their next session on. What calls have found stays.",
          action: "Delete",
          isDangerous: true,
        }),
      each: ({ id }) => remove.mutateAsync(id),
    },
  ];
}

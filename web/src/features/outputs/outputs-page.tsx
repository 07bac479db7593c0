import { Button, Paper } from "@mantine/core";
import type { StructuredOutput } from "@parley/sdk";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { describeUsers, type FlowUser, flowUsers } from "#web/domain/flow/flow-users.ts";
import { useFlowLibrary } from "#web/domain/flow/use-flow-library.ts";
import { asksFor, fieldsOf, OUTPUTS_PATH } from "#web/domain/output/output.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";

const FILTERS = [{ name: "name", label: t`Name`, kind: "text" as const }];

/** List of the structured outputs: schemas that conversations fill. */
export function OutputsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const read = useRead<StructuredOutput[]>(OUTPUTS_PATH);
  const { flows, changes } = useFlowLibrary();
  const mayWrite = useMay("STRUCTURED_OUTPUTS_WRITE");
  const [, navigate] = useLocation();
  const actions = useOutputActions();
  const make = () => navigate("/outputs/new");
  useShortcutKeys(
    mayWrite ? [{ keys: "n", label: t`New structured output`, group: t`Structured outputs`, run: make }] : [],
  );
  const columns = outputColumns((id) => flowUsers(flows, changes, asksFor(id)));
  const wanted = filters.values.name?.[0]?.toLowerCase() ?? "";
  const rows = read.data?.filter(({ name }) => name.toLowerCase().includes(wanted));
  const newButton = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={make}>
      {t`New output`}
    </Button>
  );
  return (
    <Page
      title={t`Structured outputs`}
      lead={t`What agents find out, as fields that fit a schema.`}
      actions={newButton}
    >
      <FilterBar screen="outputs" filters={FILTERS} {...filters}>
        <SaveRowsButton rows={rows} columns={columns} fileName="structured-outputs.csv" />
      </FilterBar>
      <ReadFault read={read} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Structured outputs`}
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
      <EmptyState icon="filter" title={t`No output is called that`}>
        {t`Search for another part of its name.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="output" title={t`No structured outputs yet`} action={action} docs="/docs#tag/structured-outputs">
      {t`Say which facts matter, such as a rating or a day. The agent asks for them, and every call shows what it found.`}
    </EmptyState>
  );
}

function outputColumns(usersOf: (outputId: string) => FlowUser[]): Column<StructuredOutput>[] {
  return [
    { id: "name", header: t`Name`, cell: ({ name }) => <Words>{name}</Words>, value: ({ name }) => name },
    {
      id: "fields",
      header: t`Fields`,
      cell: ({ schema }) => <FieldNames names={fieldsOf(schema).map(({ name }) => name)} />,
      value: ({ schema }) => fieldsOf(schema).length,
      isWide: true,
    },
    {
      id: "used",
      header: t`Used by`,
      cell: ({ id }) => describeUsers(usersOf(id)),
      value: ({ id }) => usersOf(id).length,
    },
    {
      id: "version",
      header: t`Version`,
      cell: ({ version }) => `v${version}`,
      value: ({ version }) => version,
      isWide: true,
    },
    {
      id: "updatedAt",
      header: t`Changed`,
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

function useOutputActions(): BulkAction<StructuredOutput>[] {
  return [
    useBulkDelete<StructuredOutput>({
      list: OUTPUTS_PATH,
      counted: (count) => plural(count, "{n} output", "{n} outputs"),
      nameOfRow: ({ name }) => name,
      body: t`Flows that name them do without them from their next session on. What calls have found stays.`,
    }),
  ];
}

import { ActionIcon, Button } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Phone } from "#web/ui/phone.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import { DO_NOT_CALL_PATH, type DoNotCallEntry, type EntryPage, SOURCES } from "./do-not-call.ts";
import { SettingsFrame } from "./settings-frame.tsx";

const AddNumbersDialog = lazy(async () => ({ default: (await import("./add-numbers-dialog.tsx")).AddNumbersDialog }));
const ROWS_A_PAGE = 50;
const FILTERS: Filter[] = [{ name: "number", label: t`Number begins with`, kind: "text" }];

type Row = DoNotCallEntry & { id: string };

const COLUMNS: Column<Row>[] = [
  { id: "number", header: t`Number`, cell: (row) => <Phone number={row.number} />, value: (row) => row.number },
  { id: "source", header: t`Why`, cell: (row) => SOURCES[row.source], value: (row) => SOURCES[row.source] },
  { id: "note", header: t`Note`, cell: (row) => row.note ?? "–", value: (row) => row.note, isWide: true },
  {
    id: "createdAt",
    header: t`Since`,
    cell: (row) => <Time at={row.createdAt} />,
    value: (row) => row.createdAt,
    isWide: true,
  },
];

/** Page of the numbers that get neither calls nor messages. */
export function DoNotCallPage() {
  const filters = useUrlFilters(["number"]);
  const startsWith = toStart(filters.values.number?.[0]);
  const read = useRead<EntryPage>(DO_NOT_CALL_PATH, { startsWith, page: filters.page, size: ROWS_A_PAGE });
  const mayAdd = useMay("CALL_JOBS_WRITE");
  const mayRemove = useMay("WORKSPACE_ADMIN");
  const bulk = useBulkRemoval();
  const [isAdding, setAdding] = useState(false);
  const columns = useColumns();
  useShortcutKeys(
    mayAdd ? [{ keys: "n", label: t`Add numbers`, group: t`Do-not-call list`, run: () => setAdding(true) }] : [],
  );
  const button = mayAdd && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {t`Add numbers`}
    </Button>
  );
  return (
    <SettingsFrame
      title={t`Do-not-call list`}
      lead={t`No call and no message goes to these numbers, whoever asks for it.`}
      actions={button}
    >
      <FilterBar screen="do-not-call" filters={FILTERS} {...filters}>
        <ExportButton path={DO_NOT_CALL_PATH} query={{ startsWith }} columns={COLUMNS} fileName="do-not-call.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Do-not-call list`}
        rows={read.data?.content.map((entry) => ({ ...entry, id: entry.number }))}
        columns={columns}
        bulkActions={mayRemove ? bulk : []}
        pages={filters}
        empty={<NoEntries isFiltered={startsWith !== ""} action={button} />}
      />
      <Suspense fallback={null}>{isAdding && <AddNumbersDialog close={() => setAdding(false)} />}</Suspense>
    </SettingsFrame>
  );
}

/** Converts typed text to the start of a stored number: "0049 30" becomes "+4930". */
function toStart(typed = ""): string {
  const digits = toPlainNumber(typed)
    .replace(/[^\d+]/g, "")
    .replace(/(?!^)\+/g, "")
    .slice(0, 16);
  return digits === "" || digits.startsWith("+") ? digits : `+${digits}`.slice(0, 16);
}

function NoEntries({ isFiltered, action }: { isFiltered: boolean; action: ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState icon="filter" title={t`No number begins so`}>
        {t`It may be called, unless another rule forbids it.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="phone" title={t`Nobody yet`} action={action}>
      {t`Who writes STOP, or asks in a call not to be called again, comes here by itself. Bring the list that you already have.`}
    </EmptyState>
  );
}

function useColumns(): Column<Row>[] {
  const mayRemove = useMay("WORKSPACE_ADMIN");
  const remove = useUndoableRemoval<DoNotCallEntry>({
    list: DO_NOT_CALL_PATH,
    keyOfRow: ({ number }) => number,
    message: ({ number }) => t`${number} may be called and written to again.`,
    failed: ({ number }) => t`${number} is still on the list`,
  });
  if (!mayRemove) return COLUMNS;
  const cell = (row: Row) => <RemoveButton row={row} remove={() => remove(row)} />;
  return [...COLUMNS, { id: "actions", header: "", align: "right", width: 50, cell }];
}

/** True for numbers whose owners opted out themselves; only they can undo that. */
function isOwnWish({ source }: Row): boolean {
  return source === "STOP_KEYWORD" || source === "SPOKEN_REFUSAL";
}

function useBulkRemoval(): BulkAction<Row>[] {
  return [
    useBulkDelete<Row>({
      list: DO_NOT_CALL_PATH,
      keyOfRow: ({ number }) => number,
      label: t`Take off the list`,
      only: (row) => !isOwnWish(row),
      title: (count) => t`Take ${count} off the list?`,
      counted: (count) => plural(count, "{n} number", "{n} numbers"),
      body: t`They may be called and written to again from the next call on.`,
    }),
  ];
}

function RemoveButton({ row, remove }: { row: Row; remove: () => void }) {
  if (isOwnWish(row)) return null;
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t`Take ${row.number} off the list`} onClick={remove}>
      <Icon name="trash" />
    </ActionIcon>
  );
}

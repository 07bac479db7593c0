import { Box, Text } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { t } from "#web/i18n/t.ts";
import { LoadingBars } from "#web/ui/load-state.tsx";
import type { BulkAction, BulkBar as BulkBarType } from "./bulk-bar.tsx";
import { type Column, type ServerSort, withoutEmpty } from "./columns.ts";
import { Pager, useLastPage, type PagerState } from "./pager.tsx";
import { TableBody } from "./table-body.tsx";
import { TableHead } from "./table-head.tsx";
import { useSelection } from "./use-selection.ts";
import { useTableKeys } from "./use-table-keys.ts";
import { useTableSort } from "./use-table-sort.ts";
import type { VirtualBody as VirtualBodyType } from "./virtual-body.tsx";

const BulkBar = lazy(async () => ({ default: (await import("./bulk-bar.tsx")).BulkBar })) as typeof BulkBarType;
const VirtualBody = lazy(async () => ({
  default: (await import("./virtual-body.tsx")).VirtualBody,
})) as typeof VirtualBodyType;
const MOST_PLAIN_ROWS = 500;

/**
 * Props of a table. A click on a heading sorts it, at the service or when it holds the whole list; rows are reached,
 * opened and selected by keys (useTableKeys), and selected for bulk actions.
 */
export interface DataTableProps<T extends { id: string }> {
  /** Name of the table for screen readers. */
  label: string;
  /** Undefined while they load. */
  rows: T[] | undefined;
  columns: Column<T>[];
  /** Address of a row. */
  href?: (row: T) => string;
  /** Opens a row instead of following `href`. */
  onOpen?: (row: T) => void;
  /** Actions for the selected rows; none: no checkboxes. */
  bulkActions?: BulkAction<T>[];
  /** Shown when there is no row. */
  empty?: ReactNode;
  pager?: PagerState;
  /** The order of a list that the service sorts. */
  serverSort?: ServerSort;
  /** Number of rows in the whole list when `rows` may be a part. A part is not sorted, since that would mislead. */
  total?: number;
}

/** See DataTableProps. Of more than 500 rows, only the visible ones are drawn. */
export function DataTable<T extends { id: string }>(props: DataTableProps<T>) {
  const { empty } = props;
  // Deferred so that React draws in slices: the rows of a page are too many to draw at once without blocking the tab.
  const rows = useDeferredValue(props.rows);
  useLastPage(props.pager, props.rows?.length === 0);
  if (rows === undefined) {
    return (
      <Box p="md">
        <LoadingBars />
      </Box>
    );
  }
  if (rows.length > 0) {
    const isOld = rows !== props.rows;
    return (
      <div aria-busy={isOld || undefined} style={{ opacity: isOld ? 0.6 : 1 }}>
        <FilledTable {...props} rows={rows} />
      </div>
    );
  }
  if (empty !== undefined) return <>{empty}</>;
  return (
    <Text c="dimmed" p="lg" fz="sm">
      {t`Nothing here.`}
    </Text>
  );
}

function FilledTable<T extends { id: string }>(props: DataTableProps<T> & { rows: T[] }) {
  const { rows, href, onOpen, bulkActions = [], pager, serverSort } = props;
  const { total = pager?.totals?.totalElements ?? rows.length } = props;
  const box = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => withoutEmpty(props.columns, rows), [props.columns, rows]);
  const { shown, head } = useTableSort(rows, columns, total <= rows.length, serverSort);
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const { selected, toggle, add, set } = useSelection(ids);
  const chosen = useMemo(() => shown.filter(({ id }) => selected.has(id)), [shown, selected]);
  const open = useOpen(props);
  const openRow = useLatest(open);
  const canSelect = bulkActions.length > 0;
  const idsAt = (indexes: number[]) => indexes.flatMap((index) => ids[index] ?? []);
  const { active, takeMove, onKeyDown } = useTableKeys({
    count: shown.length,
    open: (index) => open(shown[index]),
    menu: (index) => {
      if (openMenu(box.current) || !canSelect) return;
      add(idsAt([index]));
      focusBulkBar(box.current);
    },
    ...(canSelect
      ? {
          select: {
            toggle: (index, isRange) => toggle(ids[index] ?? "", isRange),
            add: (indexes) => add(idsAt(indexes)),
          },
        }
      : {}),
  });
  const selection = { all: ids, chosen: chosen.length, set };
  const headRow = <TableHead {...{ columns }} {...head} {...(canSelect ? { selection } : {})} />;
  const optional = {
    ...(canSelect ? { toggle } : {}),
    ...(href ? { href } : {}),
    ...(href || onOpen ? { open: openRow } : {}),
  };
  const Body = shown.length > MOST_PLAIN_ROWS ? VirtualBody : TableBody;
  return (
    // The arrow keys act on the rows; every row is reached by Tab as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} onKeyDown={onKeyDown}>
      <Suspense fallback={null}>
        {chosen.length > 0 && (
          <BulkBar rows={chosen} actions={bulkActions} select={(kept) => set(new Set(kept.map(({ id }) => id)))} />
        )}
      </Suspense>
      <Suspense fallback={<LoadingBars />}>
        <Body
          label={props.label}
          head={headRow}
          rows={shown}
          {...{ columns, active, takeMove, selected }}
          {...optional}
        />
      </Suspense>
      {pager && <Pager {...pager} />}
    </div>
  );
}

/** Opens the menu of the active row; false when it has none. */
function openMenu(box: HTMLElement | null): boolean {
  const button = box?.querySelector<HTMLElement>("tr[data-active] button[aria-haspopup=menu]");
  button?.focus();
  button?.click();
  return Boolean(button);
}

/** Moves the focus to the actions for the selected rows, once they are drawn. */
function focusBulkBar(box: HTMLElement | null): void {
  const find = () => box?.querySelector<HTMLElement>(".bulk-bar button:not([aria-label])");
  const observer = new MutationObserver(() => focusIfThere());
  const focusIfThere = () => {
    const button = find();
    button?.focus();
    if (button) observer.disconnect();
  };
  if (box) observer.observe(box, { childList: true, subtree: true });
  focusIfThere();
}

/** Returns the function that opens a row, by `onOpen` or by its address. */
function useOpen<T extends { id: string }>({ href, onOpen }: DataTableProps<T>): (row: T | undefined) => void {
  const [, navigate] = useLocation();
  return (row) => {
    if (row && onOpen) onOpen(row);
    else if (row && href) navigate(href(row));
  };
}

/** Returns a stable function that calls the newest one, so that rows are not redrawn for it. */
function useLatest<T>(act: (value: T) => void): (value: T) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((value) => latest.current(value), []);
}

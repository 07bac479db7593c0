import { Box, Text } from "@mantine/core";
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "wouter";
import { LoadingBars } from "#web/ui/load-state.tsx";
import type { BulkAction, BulkBar as BulkBarType } from "./bulk-bar.tsx";
import { type Column, type Sort, sortRows } from "./columns.ts";
import { Pager, type PagerState } from "./pager.tsx";
import { TableBody } from "./table-body.tsx";
import { TableHead } from "./table-head.tsx";
import { useTableKeys } from "./use-table-keys.ts";
import type { VirtualBody as VirtualBodyType } from "./virtual-body.tsx";

const BulkBar = lazy(async () => ({ default: (await import("./bulk-bar.tsx")).BulkBar })) as typeof BulkBarType;
const VirtualBody = lazy(async () => ({
  default: (await import("./virtual-body.tsx")).VirtualBody,
})) as typeof VirtualBodyType;
const MOST_PLAIN_ROWS = 500;

/**
 * Props of a table. A click on a heading sorts it when it holds the whole list; J and K move, Enter opens, and rows can
 * be selected for bulk actions.
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
  /** Number of rows in the whole list when `rows` may be a part. A part is not sorted, since that would mislead. */
  total?: number;
}

/** See DataTableProps. Of more than 500 rows, only the visible ones are drawn. */
export function DataTable<T extends { id: string }>(props: DataTableProps<T>) {
  const { empty } = props;
  // Deferred so that React draws in slices: the rows of a page are too many to draw at once without blocking the tab.
  const rows = useDeferredValue(props.rows);
  if (rows === undefined) {
    return (
      <Box p="md">
        <LoadingBars />
      </Box>
    );
  }
  if (rows.length > 0) {
    return (
      <div style={{ opacity: rows === props.rows ? 1 : 0.6 }}>
        <FilledTable {...props} rows={rows} />
      </div>
    );
  }
  if (empty !== undefined) return <>{empty}</>;
  return (
    <Text c="dimmed" p="lg" fz="sm">
      Nothing here.
    </Text>
  );
}

function FilledTable<T extends { id: string }>(props: DataTableProps<T> & { rows: T[] }) {
  const {
    rows,
    columns,
    href,
    onOpen,
    bulkActions = [],
    pager,
    total = pager?.totals?.totalElements ?? rows.length,
  } = props;
  const [, navigate] = useLocation();
  const [sort, setSort] = useState<Sort | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const isWhole = total <= rows.length;
  const shown = useMemo(() => (isWhole ? sortRows(rows, columns, sort) : rows), [isWhole, rows, columns, sort]);
  const chosen = useMemo(() => shown.filter(({ id }) => selected.has(id)), [shown, selected]);
  const open = (row: T | undefined) => {
    if (row && onOpen) onOpen(row);
    else if (row && href) navigate(href(row));
  };
  const toggle = useCallback((id: string) => setSelected((before) => toggled(before, id)), []);
  const openRow = useLatest(open);
  const canSelect = bulkActions.length > 0;
  const active = useTableKeys({
    count: shown.length,
    open: (index) => open(shown[index]),
    ...(canSelect ? { select: (index) => toggle(shown[index]?.id ?? "") } : {}),
  });
  const selection = { all: shown.map(({ id }) => id), chosen: chosen.length, set: setSelected };
  const head = (
    <TableHead {...{ columns }} {...(isWhole ? { sort, onSort: setSort } : {})} {...(canSelect ? { selection } : {})} />
  );
  const optional = {
    ...(canSelect ? { toggle } : {}),
    ...(href ? { href } : {}),
    ...(href || onOpen ? { open: openRow } : {}),
  };
  const Body = shown.length > MOST_PLAIN_ROWS ? VirtualBody : TableBody;
  return (
    <>
      <Suspense fallback={null}>
        {chosen.length > 0 && (
          <BulkBar
            rows={chosen}
            actions={bulkActions}
            select={(kept) => setSelected(new Set(kept.map(({ id }) => id)))}
          />
        )}
      </Suspense>
      <Suspense fallback={<LoadingBars />}>
        <Body label={props.label} head={head} rows={shown} {...{ columns, active, selected }} {...optional} />
      </Suspense>
      {pager && <Pager {...pager} />}
    </>
  );
}

/** Returns a stable function that calls the newest one, so that rows are not redrawn for it. */
function useLatest<T>(act: (value: T) => void): (value: T) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((value) => latest.current(value), []);
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

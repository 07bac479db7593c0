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

/** A table of rows: ordered by a click where it holds the whole list, walked with J and K, opened with Enter, selected for bulk actions. */
export interface DataTableProps<T extends { id: string }> {
  /** What the table holds, for screen readers. */
  label: string;
  /** Undefined while they load. */
  rows: T[] | undefined;
  columns: Column<T>[];
  /** Where a row leads. */
  href?: (row: T) => string;
  /** What opening a row does instead of following `href`. */
  onOpen?: (row: T) => void;
  /** What can be done with the selected rows; none: no checkboxes. */
  bulkActions?: BulkAction<T>[];
  /** Shown when there is no row. */
  empty?: ReactNode;
  pager?: PagerState;
  /** Rows of the whole list, where `rows` may be a part of it; a part is not sorted, since that would mislead. */
  total?: number;
}

/** See DataTableProps. More than 500 rows are drawn only where they are seen. */
export function DataTable<T extends { id: string }>(props: DataTableProps<T>) {
  const { empty } = props;
  // Drawn in slices between which the tab answers: the rows of a page are too many for one breath.
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
  const { rows, columns, href, onOpen, bulkActions = [], pager, total = pager?.total ?? rows.length } = props;
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

/** A function that stays the same and does what the newest one does, so that rows are not drawn anew for it. */
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

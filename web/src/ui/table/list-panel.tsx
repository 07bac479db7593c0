import { Paper } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { ServerSort } from "./columns.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import type { PagerState, Totals } from "./pager.tsx";

/** Props of a panel: the read of a list and its position. */
export interface ListPanelProps<T extends { id: string }> extends Omit<DataTableProps<T>, "pager"> {
  read: UseQueryResult<Totals>;
  /** Requested rows per page. */
  size: number;
  /** The shown page, from 0, and the function to change it; with an order, too, for a list that the service sorts. */
  pages: { page: number; setPage: PagerState["setPage"] } & Partial<ServerSort>;
}

/**
 * A framed table of one page of a list. A failed read is shown above it with a retry button; rows of an earlier read
 * stay, and without any only the fault is shown.
 */
export function ListPanel<T extends { id: string }>({ read, size, pages, ...table }: ListPanelProps<T>) {
  const { data, error, isPlaceholderData } = read;
  const { sort = null, setSort } = pages;
  const isSorted = setSort && table.columns.some(({ sortKey }) => sortKey !== undefined);
  const serverSort = isSorted ? { sort, setSort } : null;
  const pager = { page: pages.page, size, totals: data, setPage: pages.setPage };
  return (
    <>
      <ReadFault read={read} />
      {(data !== undefined || !error) && (
        <Paper
          withBorder
          aria-busy={isPlaceholderData || undefined}
          style={{ overflow: "hidden", opacity: isPlaceholderData ? 0.6 : 1 }}
        >
          <DataTable {...table} {...(serverSort ? { serverSort } : {})} pager={pager} />
        </Paper>
      )}
    </>
  );
}

import { Paper } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { FaultNote } from "#web/ui/load-state.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";

/** A list as it was read, and where it stands. */
export interface ListPanelProps<T extends { id: string }> extends Omit<DataTableProps<T>, "pager"> {
  read: UseQueryResult<{ totalElements: number }>;
  /** Rows of a page, as they were asked for. */
  size: number;
  /** The page that is shown, from 0, and the way to another. */
  pages: { page: number; setPage: (page: number) => void };
}

/**
 * A framed table of one page of a list. A read that failed is told above it, with a way to try again; rows of an earlier
 * read stay, and where there are none the fault stands alone.
 */
export function ListPanel<T extends { id: string }>({ read, size, pages, ...table }: ListPanelProps<T>) {
  const { data, error, isPlaceholderData } = read;
  const pager = { page: pages.page, size, total: data?.totalElements ?? 0, setPage: pages.setPage };
  return (
    <>
      {error && <FaultNote error={error} retry={() => void read.refetch()} />}
      {(data !== undefined || !error) && (
        <Paper withBorder style={{ overflow: "hidden", opacity: isPlaceholderData ? 0.6 : 1 }}>
          <DataTable {...table} pager={pager} />
        </Paper>
      )}
    </>
  );
}

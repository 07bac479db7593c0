import { Group, Paper } from "@mantine/core";
import type { Page as ListPage, RowError } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { sayFault } from "#web/api/server-texts.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlPage } from "#web/ui/filters/use-url-page.ts";
import { formatName, formatNumber } from "#web/ui/format/format.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Words } from "#web/ui/words.tsx";

const LINES_A_PAGE = 100;

type Line = RowError & { id: string };

const COLUMNS: Column<Line>[] = [
  { id: "line", header: t`Line`, cell: ({ line }) => formatNumber(line), value: ({ line }) => line, width: 80 },
  {
    id: "column",
    header: t`Column`,
    cell: ({ column }) => <Words className="breaks">{column === "" ? t`whole line` : column}</Words>,
    value: ({ column }) => column,
  },
  {
    id: "message",
    header: t`What is wrong`,
    cell: (line) => <span className="breaks">{sayFault(line)}</span>,
    value: (line) => sayFault(line),
  },
  { id: "code", header: t`Code`, cell: ({ code }) => formatName(code), value: ({ code }) => code, isWide: true },
];

/** Lines of the file that were rejected. */
export function RejectedLines({ jobId, total }: { jobId: string; total: number }) {
  const [page, setPage] = useUrlPage("lines");
  const path = `/call-jobs/${jobId}/row-errors`;
  const read = useRead<ListPage<RowError>>(path, { page, size: LINES_A_PAGE });
  const rows = read.data?.content.map((line, index) => ({ ...line, id: `${line.line}.${line.column}.${index}` }));
  if (read.error) return <ReadFault read={read} />;
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <Group justify="flex-end" p="xs">
        <ExportButton path={path} query={{}} columns={COLUMNS} fileName="lines-not-taken.csv" />
      </Group>
      <DataTable
        label={t`Lines that were not taken`}
        rows={rows}
        columns={COLUMNS}
        pager={{ page, size: LINES_A_PAGE, totals: { totalElements: total }, setPage }}
        empty={
          <EmptyState icon="check" title={t`Every line was taken`}>
            {t`A line with a number that does not exist, or with the wrong number of cells, would be listed here.`}
          </EmptyState>
        }
      />
    </Paper>
  );
}

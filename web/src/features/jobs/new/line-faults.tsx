import { Button } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { saveCsv, toCsv } from "#web/ui/table/csv.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { Words } from "#web/ui/words.tsx";
import type { LineFault } from "./contacts.ts";

const SHOWN = 100;

type Row = LineFault & { id: string };

const COLUMNS: Column<Row>[] = [
  { id: "line", header: t`Line`, cell: ({ line }) => formatNumber(line), value: ({ line }) => line, width: 80 },
  {
    id: "column",
    header: t`Column`,
    cell: ({ column }) => (column === "" ? t`whole line` : column),
    value: ({ column }) => column,
    isWide: true,
  },
  {
    id: "message",
    header: t`What is wrong`,
    cell: ({ message }) => <Words className="breaks">{message}</Words>,
    value: ({ message }) => message,
  },
];

/** Lines with their faults; all of them as CSV. */
export function LineFaults({ title, faults, more = 0 }: { title: string; faults: LineFault[]; more?: number }) {
  if (faults.length === 0) return null;
  const total = faults.length + more;
  const save = (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name="download" size={14} />}
      onClick={() => saveCsv("lines-not-taken.csv", toCsv(toRows(faults), COLUMNS))}
    >
      {t`Save as CSV`}
    </Button>
  );
  const heading =
    total > SHOWN ? t`${title} (${SHOWN} of ${formatNumber(total)})` : `${title} (${formatNumber(total)})`;
  return (
    <Card title={heading} actions={save} padded={false}>
      <DataTable label={title} rows={toRows(faults.slice(0, SHOWN))} columns={COLUMNS} total={total} />
    </Card>
  );
}

function toRows(faults: LineFault[]): Row[] {
  return faults.map((fault, index) => ({ ...fault, id: String(index) }));
}

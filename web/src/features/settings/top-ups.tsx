import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatMoney } from "#web/ui/format/format.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import type { Billing, TopUp } from "./balance.ts";

/** Booked payments, newest first. */
export function TopUps() {
  const read = useRead<TopUp[]>("/billing/top-ups");
  const { data: rows } = read;
  const { data: billing } = useRead<Billing>("/billing");
  if (rows === undefined && read.error) {
    return (
      <Card title={t`Top-ups`}>
        <ReadFault read={read} />
      </Card>
    );
  }
  if (rows === undefined || rows.length === 0) return null;
  const columns = topUpColumns(billing?.currency ?? "USD");
  return (
    <Card
      title={t`Top-ups`}
      padded={false}
      actions={<SaveRowsButton rows={rows} columns={columns} fileName="top-ups.csv" />}
    >
      <DataTable label={t`Top-ups`} rows={rows} columns={columns} />
    </Card>
  );
}

function topUpColumns(currency: string): Column<TopUp>[] {
  return [
    { id: "at", header: t`When`, cell: (row) => <Time at={row.createdAt} />, value: (row) => row.createdAt },
    {
      id: "amount",
      header: t`Amount`,
      align: "right",
      cell: (row) => formatMoney(row.amount, currency),
      value: (row) => Number(row.amount),
    },
    { id: "note", header: t`Note`, cell: (row) => row.note ?? "–", value: (row) => row.note },
    {
      id: "reference",
      header: t`Reference`,
      cell: (row) => row.reference ?? "–",
      value: (row) => row.reference,
      isWide: true,
    },
  ];
}

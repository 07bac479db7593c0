import { t } from "#web/i18n/t.ts";
import type { Column } from "#web/ui/table/columns.ts";
import { customFields, type DataRecord, fieldNames, toCell } from "./data.ts";

const MOST_COLUMNS = 6;

/** The columns of a store's records: the fields that most of them have. */
export function recordColumns(records: DataRecord[]): Column<DataRecord>[] {
  const names = fieldNames(records, MOST_COLUMNS);
  return [
    ...names.map((name, index): Column<DataRecord> => ({
      id: `field.${name}`,
      header: name,
      cell: (record) => <span dir="auto">{toCell(customFields(record)[name])}</span>,
      value: (record) => toValue(customFields(record)[name]),
      isWide: index > 1,
    })),
    {
      id: "customerId",
      header: t`Customer`,
      cell: ({ customerId }) => (customerId === null ? "–" : <code>{customerId.slice(0, 8)}…</code>),
      value: ({ customerId }) => customerId,
      isWide: true,
    },
    {
      id: "updatedAt",
      header: t`Changed`,
      cell: ({ updatedAt }) => toLocal(updatedAt),
      value: ({ updatedAt }) => updatedAt,
      isWide: names.length > 0,
    },
  ];
}

function toValue(value: unknown): string | number | null {
  if (typeof value === "number") return value;
  return value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
}

/** Formats a record's time, which is in the workspace's time zone without an offset. */
function toLocal(at: string): string {
  return at.replace("T", " ").slice(0, 16);
}

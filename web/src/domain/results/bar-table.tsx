import { Anchor, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { formatNumber, formatShare } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";

/** A line of a table with bars. */
export interface BarRow {
  name: string;
  label: ReactNode;
  count: number;
  /** Calls behind it. */
  href?: string | undefined;
  tone?: "good" | "machine" | "plain";
}

/** Counts as bars in a table, which is also what a screen reader reads; shares are of `whole`. */
export function BarTable({ title, of, rows, whole }: { title: string; of: string; rows: BarRow[]; whole: number }) {
  return (
    <BoxedTable className="bar-table" label={title} withRowBorders={false} verticalSpacing={3}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{of}</Table.Th>
          <Table.Th ta="right">{t`Calls`}</Table.Th>
          <Table.Th ta="right">{t`Share`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, label, count, href, tone = "plain" }) => (
          <Table.Tr key={name}>
            <Table.Td>
              {href === undefined ? (
                label
              ) : (
                <Anchor component={Link} href={href} fz="sm" underline="always">
                  {label}
                </Anchor>
              )}
              {count > 0 && (
                <span
                  className="result-bar"
                  data-tone={tone}
                  style={{ width: `${Math.min(100, (count / Math.max(1, whole)) * 100)}%` }}
                />
              )}
            </Table.Td>
            <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            <Table.Td ta="right">{formatShare(whole === 0 ? null : count / whole)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

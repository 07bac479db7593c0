import { Table, Text } from "@mantine/core";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatMoney, formatNumber } from "#web/ui/format/format.ts";
import { Loaded } from "#web/ui/load-state.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { KINDS, nameKind, type UsageSummary } from "./balance.ts";

interface Sum {
  kind: string;
  quantity: number;
  amount: number;
}

/** Usage of the last 30 days by kind, largest first. */
export function UsageSums() {
  const read = useRead<UsageSummary>("/usage/summary");
  return (
    <Card title={t`The last 30 days by kind`} padded={false}>
      <Loaded read={read}>{(summary) => <Sums summary={summary} />}</Loaded>
    </Card>
  );
}

function Sums({ summary }: { summary: UsageSummary }) {
  const sums = sumUp(summary);
  const most = sums[0]?.amount ?? 0;
  if (sums.length === 0) {
    return (
      <Text fz="sm" c="dimmed" p="md">
        {t`Nothing was used yet.`}
      </Text>
    );
  }
  return (
    <BoxedTable label={t`Usage by kind`} verticalSpacing={4}>
      <Table.Tbody>
        {sums.map(({ kind, quantity, amount }) => (
          <Table.Tr key={kind}>
            <Table.Td w={140}>{nameKind(kind)}</Table.Td>
            <Table.Td className="wide-only" w="50%">
              <div className="share-bar">
                <div style={{ width: `${most === 0 ? 0 : (amount / most) * 100}%` }} />
              </div>
            </Table.Td>
            <Table.Td ta="right" className="wide-only" c="dimmed">
              {KINDS[kind]?.counted(Math.round(quantity)) ?? formatNumber(Math.round(quantity))}
            </Table.Td>
            <Table.Td ta="right" w={120}>
              {formatMoney(amount, summary.currency)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

function sumUp({ days }: UsageSummary): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { kind, quantity, amount } of days) {
    const sum = sums.get(kind) ?? { kind, quantity: 0, amount: 0 };
    sums.set(kind, { kind, quantity: sum.quantity + quantity, amount: sum.amount + Number(amount) });
  }
  return [...sums.values()].toSorted((a, b) => b.amount - a.amount);
}

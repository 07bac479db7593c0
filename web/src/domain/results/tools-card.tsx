import { Table, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber, formatShare } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { CallsLink } from "./calls-link.tsx";
import type { Drill } from "./drill.ts";

/** Tools that calls used, those that failed most first. */
export function ToolsCard({ results: { tools }, toCalls }: { results: Results; toCalls: (drill: Drill) => string }) {
  if (tools.length === 0) return null;
  return (
    <Card title={t`Tools`}>
      <Text fz="xs" c="dimmed" mb="xs">
        {t`Calls that used a tool, and those in which it failed at least once.`}
      </Text>
      <BoxedTable label={t`Results by tool`} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Tool`}</Table.Th>
            <Table.Th ta="right">{t`Calls`}</Table.Th>
            <Table.Th ta="right">{t`Failed`}</Table.Th>
            <Table.Th ta="right">{t`Share`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tools.map(({ tool, calls, failed }) => (
            <Table.Tr key={tool}>
              <Table.Td>{tool}</Table.Td>
              <Table.Td ta="right">{formatNumber(calls)}</Table.Td>
              <Table.Td ta="right">
                <CallsLink href={failed === 0 ? null : toCalls({ tool })}>{formatNumber(failed)}</CallsLink>
              </Table.Td>
              <Table.Td ta="right">{formatShare(failed / calls)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </BoxedTable>
    </Card>
  );
}

import { Table, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { formatMoney } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";

const LABELS = {
  telephony: t`Telephony`,
  llm: t`Language model`,
  stt: t`Transcriber`,
  tts: t`Voice`,
  messaging: t`Messages`,
};

/** True for a call that had a cost and none of the parts that sound has. */
function isWithoutSound({ amount, breakdown }: CallRow["cost"]): boolean {
  return Number(amount) > 0 && Number(breakdown.stt) === 0 && Number(breakdown.tts) === 0;
}

/** Cost of the call by part. */
export function CostTable({ call: { cost } }: { call: CallRow }) {
  return (
    <>
      <BoxedTable label={t`Cost by part`}>
        <Table.Tbody>
          {Object.entries(LABELS).map(([key, label]) => (
            <Table.Tr key={key}>
              <Table.Td>{label}</Table.Td>
              <Table.Td ta="right">{formatMoney(cost.breakdown[key as keyof typeof LABELS], cost.currency)}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr fw={600}>
            <Table.Td>{t`Total`}</Table.Td>
            <Table.Td ta="right">{formatMoney(cost.amount, cost.currency)}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </BoxedTable>
      {cost.simulated && (
        <Text fz="sm" c="dimmed" mt="sm">
          {t`The sandbox carried this call: this is what it would have cost. Nothing is billed.`}
          {isWithoutSound(cost) && t` It went through text alone; with sound, the transcriber and the voice are added.`}
        </Text>
      )}
    </>
  );
}

import { Table, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { formatMoney } from "#web/ui/format/format.ts";

const LABELS = {
  telephony: "Telephony",
  llm: "Language model",
  stt: "Transcriber",
  tts: "Voice",
  messaging: "Messages",
};

/** Cost of the call by part. */
export function CostTable({ call: { cost } }: { call: CallRow }) {
  return (
    <>
      <Table className="data-table" aria-label="Cost by part">
        <Table.Tbody>
          {Object.entries(LABELS).map(([key, label]) => (
            <Table.Tr key={key}>
              <Table.Td>{label}</Table.Td>
              <Table.Td ta="right">{formatMoney(cost.breakdown[key as keyof typeof LABELS], cost.currency)}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr fw={600}>
            <Table.Td>Total</Table.Td>
            <Table.Td ta="right">{formatMoney(cost.amount, cost.currency)}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      {cost.simulated && (
        <Text fz="sm" c="dimmed" mt="sm">
          The sandbox carried this call: this is what it would have cost. Nothing is billed.
        </Text>
      )}
    </>
  );
}

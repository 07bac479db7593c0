import { SimpleGrid, Table, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName, formatNumber, formatShare } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { BarTable } from "./bar-table.tsx";
import { CallsLink } from "./calls-link.tsx";
import { hasNoCriterion } from "./criterion.ts";
import type { Drill } from "./drill.ts";

/** Numbers that calls came from or went to, with their answer rates. */
export function NumbersCard(props: { results: Results; toCalls: (drill: Drill) => string }) {
  const { numbers } = props.results;
  if (numbers.length === 0) return null;
  return (
    <Card title={t`Phone numbers`}>
      <Text fz="xs" c="dimmed" mb="xs">
        {t`Dials and answer rate count every dial, including retries. The other columns count calls.`}
      </Text>
      <BoxedTable label={t`Results by phone number`} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Number`}</Table.Th>
            <Table.Th ta="right">{t`Dials`}</Table.Th>
            <Table.Th ta="right">{t`Person`}</Table.Th>
            <Table.Th ta="right">{t`Machine`}</Table.Th>
            <Table.Th ta="right">{t`Answer rate`}</Table.Th>
            <Table.Th ta="right">{hasNoCriterion(props.results) ? t`Completed` : t`Success`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {numbers.map(({ phoneNumberId, phoneNumber, ...row }) => (
            <Table.Tr key={phoneNumberId ?? "web"}>
              <Table.Td>
                <CallsLink href={phoneNumberId === null || row.calls === 0 ? null : props.toCalls({ phoneNumberId })}>
                  {phoneNumber === null ? (
                    phoneNumberId === null ? (
                      t`Web`
                    ) : (
                      t`A removed number`
                    )
                  ) : (
                    <Phone number={phoneNumber} />
                  )}
                </CallsLink>
              </Table.Td>
              <Table.Td ta="right">{formatNumber(row.dials)}</Table.Td>
              <Table.Td ta="right">{formatNumber(row.answeredByPerson)}</Table.Td>
              <Table.Td ta="right">{formatNumber(row.answeredByMachine)}</Table.Td>
              <Table.Td ta="right">{formatShare(row.answerRate)}</Table.Td>
              <Table.Td ta="right">{formatShare(row.successRate?.value ?? null)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </BoxedTable>
    </Card>
  );
}

/** Outcomes of calls, each with the calls behind it, and the reasons of failures. */
export function ReasonsCard({ results, toCalls }: { results: Results; toCalls: (drill: Drill) => string }) {
  const { outcomes, reasons, funnel } = results;
  return (
    <Card title={t`Outcomes`}>
      {outcomes.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`No calls ended in this period.`}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: "start" }}>
          <BarTable
            title={t`Calls by outcome`}
            of={t`Outcome`}
            whole={funnel.calls}
            rows={outcomes.map(({ outcome, count }) => ({
              name: outcome,
              label: formatName(outcome),
              count,
              href: toCalls({ outcome }),
            }))}
          />
          {reasons.length > 0 && (
            <BarTable
              title={t`Calls by reason`}
              of={t`Reason`}
              whole={funnel.calls}
              rows={reasons.map(({ code, count }) => ({
                name: code,
                label: formatName(code),
                count,
                href: toCalls({ reason: code }),
              }))}
            />
          )}
        </SimpleGrid>
      )}
    </Card>
  );
}

import { Accordion, Group, Table, Text } from "@mantine/core";
import { sayReason } from "#web/api/server-texts.ts";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { Words } from "#web/ui/words.tsx";
import type { SkipReason } from "./new-job.ts";

/** Remedy for each reason that has one. */
const HINTS: Record<string, string> = {
  COUNTRY_NOT_ENABLED: t`An owner enables countries in the settings of the workspace.`,
  BALANCE_EXHAUSTED: t`Top the workspace's balance up, then check again.`,
  TIME_ZONE_UNKNOWN: t`Give the list a column with each person's time zone, or choose one time zone for the hours.`,
  ATTEMPTS_PER_DAY: t`Settings, Compliance says how often a number may be called in a day.`,
  OPT_OUT_REVIEW: t`Settings, Opt-out reviews is where each is decided.`,
  ATTEMPT_GAP: t`Settings, Compliance says how long a number is left alone after a call.`,
};

/** Reasons why people are skipped or wait, one line each, with the people concerned. */
export function SkipReasons({ reasons }: { reasons: SkipReason[] }) {
  if (reasons.length === 0) return null;
  return (
    <Accordion chevronPosition="left" variant="default">
      {reasons.map(({ code, message, count, rows }) => (
        <Accordion.Item key={code} value={code}>
          <Accordion.Control>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text fz="sm">{sayReason({ code, message })}</Text>
              <Text fz="sm" fw={600} className="figures">
                {formatNumber(count)}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {HINTS[code] !== undefined && (
              <Text fz="sm" c="dimmed" mb="xs">
                {HINTS[code]}
              </Text>
            )}
            <BoxedTable label={sayReason({ code, message })}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t`Line`}</Table.Th>
                  <Table.Th>{t`Number`}</Table.Th>
                  <Table.Th>{t`External ID`}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row, index) => (
                  <Table.Tr key={index}>
                    <Table.Td>{row.line}</Table.Td>
                    <Table.Td>
                      <Phone number={row.customerNumber} />
                    </Table.Td>
                    <Table.Td>
                      <Words className="breaks">{row.externalId ?? "–"}</Words>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </BoxedTable>
            {count > rows.length && (
              <Text fz="xs" c="dimmed" mt="xs">
                {t`The first ${rows.length} of ${formatNumber(count)}.`}
              </Text>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

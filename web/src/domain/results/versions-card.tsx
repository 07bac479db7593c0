import { Stack, Table, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatMoney, formatNumber, formatShare } from "#web/ui/format/format.ts";
import { Words } from "#web/ui/words.tsx";
import { CallsLink } from "./calls-link.tsx";
import type { Drill } from "./drill.ts";
import { sayVerdict } from "./verdict.ts";

/** Versions of flows side by side, with what the calls show of them. */
export function VersionsCard(props: { results: Results; toCalls: (drill: Drill) => string }) {
  const { toCalls } = props;
  const { versions, verdicts, currency } = props.results;
  const nameOf = useFlowNames();
  if (versions.length === 0) return null;
  return (
    <Card title={t`Flows and versions`}>
      <Stack gap="sm">
        {verdicts.map((comparison) => (
          <Text key={comparison.flowApiId} fz="sm" fw={comparison.verdict === "BETTER" ? 600 : 400}>
            <Words>{nameOf(comparison.flowApiId)}</Words>: {sayVerdict(comparison, versions)}
          </Text>
        ))}
        <div className="heat-box" tabIndex={0} role="region" aria-label={t`Versions`}>
          <Table className="data-table" aria-label={t`Results by version`} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Flow`}</Table.Th>
                <Table.Th ta="right">{t`Version`}</Table.Th>
                <Table.Th ta="right">{t`Calls`}</Table.Th>
                <Table.Th ta="right">{t`Person`}</Table.Th>
                <Table.Th ta="right">{t`Success`}</Table.Th>
                <Table.Th ta="right">{t`Rate`}</Table.Th>
                <Table.Th ta="right" title={t`95 % confidence interval`}>{t`Likely range`}</Table.Th>
                <Table.Th ta="right">{t`Cost of a success`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {versions.map(({ flowApiId, version, successRate: rate, ...row }) => (
                <Table.Tr key={`${flowApiId} ${version}`}>
                  <Table.Td>{flowApiId === null ? t`Flow of the call` : nameOf(flowApiId)}</Table.Td>
                  <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
                    {version ?? (row.dialled === 0 ? t`not dialled` : "–")}
                  </Table.Td>
                  <CountCell count={row.calls} href={hrefOf(toCalls, flowApiId, version, "CALLS")} />
                  <CountCell
                    count={row.answeredByPerson}
                    href={hrefOf(toCalls, flowApiId, version, "ANSWERED_BY_PERSON")}
                  />
                  <CountCell count={row.succeeded} href={hrefOf(toCalls, flowApiId, version, "SUCCEEDED")} />
                  <Table.Td ta="right">{formatShare(rate?.value ?? null)}</Table.Td>
                  <Table.Td ta="right">
                    {rate ? t`${formatShare(rate.low)} to ${formatShare(rate.high)}` : "–"}
                  </Table.Td>
                  <Table.Td ta="right">
                    {row.costPerSuccess === null ? "–" : formatMoney(row.costPerSuccess, currency)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </Stack>
    </Card>
  );
}

function CountCell({ count, href }: { count: number; href: string | null }) {
  return (
    <Table.Td ta="right">
      <CallsLink href={count === 0 ? null : href}>{formatNumber(count)}</CallsLink>
    </Table.Td>
  );
}

/** Address of the calls of a version; null for flows that came with their calls, which have neither name nor version. */
function hrefOf(
  toCalls: (drill: Drill) => string,
  flowApiId: string | null,
  flowVersion: number | null,
  step: string,
): string | null {
  return flowApiId === null || flowVersion === null ? null : toCalls({ flowApiId, flowVersion, step });
}

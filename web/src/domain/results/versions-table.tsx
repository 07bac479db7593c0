import { Table, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { formatMoney, formatNumber, formatShare } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { CallsLink } from "./calls-link.tsx";
import { flowsWithoutCriterion } from "./criterion.ts";
import type { Drill } from "./drill.ts";

interface VersionsTableProps {
  results: Results;
  toCalls: (drill: Drill) => string;
  /** True: all are versions of one flow, which is not named. */
  isOfOneFlow?: boolean;
}

/** Table of the results of each version; the rate of success, which decides, comes first. */
export function VersionsTable({ results, toCalls, isOfOneFlow = false }: VersionsTableProps) {
  const { versions, currency } = results;
  const nameOf = useFlowNames();
  const without = flowsWithoutCriterion(results);
  return (
    <BoxedTable label={t`Results by version`} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {!isOfOneFlow && <Table.Th>{t`Flow`}</Table.Th>}
          <Table.Th ta={isOfOneFlow ? "left" : "right"}>{t`Version`}</Table.Th>
          <Table.Th ta="right">{t`Rate`}</Table.Th>
          <Table.Th ta="right" title={t`95 % confidence interval`}>{t`Likely range`}</Table.Th>
          <Table.Th ta="right">{t`Success`}</Table.Th>
          <Table.Th ta="right">{t`Person`}</Table.Th>
          <Table.Th ta="right">{t`Calls`}</Table.Th>
          <Table.Th ta="right">{t`Cost of a success`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {versions.map((row) => (
          <Table.Tr key={`${row.flowApiId} ${row.version}`}>
            {!isOfOneFlow && (
              <Table.Td>{row.flowApiId === null ? t`Flow of the call` : nameOf(row.flowApiId)}</Table.Td>
            )}
            <Table.Td ta={isOfOneFlow ? "left" : "right"} style={{ whiteSpace: "nowrap" }}>
              {row.version ?? (row.dialled === 0 ? t`not dialled` : "–")}
            </Table.Td>
            <VersionFigures
              row={row}
              currency={currency}
              toCalls={toCalls}
              isUndefined={row.flowApiId !== null && without.includes(row.flowApiId)}
            />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

interface FiguresProps extends Pick<VersionsTableProps, "toCalls"> {
  row: Results["versions"][number];
  currency: string;
  /** True: the flow does not say what counts as a success. */
  isUndefined: boolean;
}

function VersionFigures({ row, currency, toCalls, isUndefined }: FiguresProps) {
  const { flowApiId, version, successRate: rate } = row;
  // Flows that came with their calls have neither name nor version, so nothing finds their calls.
  const hrefOf = (step: string) =>
    flowApiId === null || version === null ? null : toCalls({ flowApiId, flowVersion: version, step });
  return (
    <>
      <Table.Td ta="right">
        {formatShare(rate?.value ?? null)}
        {isUndefined && rate && (
          <Text fz="xs" c="dimmed" title={t`The flow defines no success.`}>
            {t`completed`}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
        {rate ? t`${formatShare(rate.low)} to ${formatShare(rate.high)}` : "–"}
      </Table.Td>
      <CountCell count={row.succeeded} href={hrefOf("SUCCEEDED")} />
      <CountCell count={row.answeredByPerson} href={hrefOf("ANSWERED_BY_PERSON")} />
      <CountCell count={row.calls} href={hrefOf("CALLS")} />
      <Table.Td ta="right">{row.costPerSuccess === null ? "–" : formatMoney(row.costPerSuccess, currency)}</Table.Td>
    </>
  );
}

function CountCell({ count, href }: { count: number; href: string | null }) {
  return (
    <Table.Td ta="right">
      <CallsLink href={count === 0 ? null : href}>{formatNumber(count)}</CallsLink>
    </Table.Td>
  );
}

import { Table, Text } from "@mantine/core";
import type { StageFunnel } from "@parley/sdk";
import { describeEdge, type NameOf } from "#web/domain/stage/stage-words.ts";
import { nameOfId, type Stage } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { formatDuration, formatNumber } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { Words } from "#web/ui/words.tsx";
import { withShare } from "./funnel-traffic.ts";

interface FunnelTableProps {
  funnel: StageFunnel;
  stages: Stage[];
  nameOf: NameOf;
}

/** A funnel as a table, for the keyboard, screen readers and small screens. */
export function FunnelTable({ funnel, stages, nameOf }: FunnelTableProps) {
  return (
    <BoxedTable label={t`Sessions by stage`} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Stage`}</Table.Th>
          <Table.Th ta="right">{t`Reached it`}</Table.Th>
          <Table.Th ta="right">{t`Ended here`}</Table.Th>
          <Table.Th ta="right">{t`Median time`}</Table.Th>
          <Table.Th>{t`Left by`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {funnel.stages.map((one) => (
          <Table.Tr key={one.stageId}>
            <Table.Th scope="row">
              <Words>{nameOfId(stages, one.stageId)}</Words>
            </Table.Th>
            <Table.Td ta="right">{withShare(one.entered, funnel.sessions)}</Table.Td>
            <Table.Td ta="right">{formatNumber(one.endedHere)}</Table.Td>
            <Table.Td ta="right">{one.medianSeconds === null ? "–" : formatDuration(one.medianSeconds)}</Table.Td>
            <Table.Td>
              <EdgeCounts {...{ one, stages, nameOf }} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

function EdgeCounts(props: { one: StageFunnel["stages"][number]; stages: Stage[]; nameOf: NameOf }) {
  const { one, stages, nameOf } = props;
  const edges = stages.find(({ id }) => id === one.stageId)?.edges ?? [];
  if (one.edges.length === 0) return "–";
  return (
    <ul className="funnel-edges">
      {one.edges.map(({ edgeId, to, taken }) => {
        const edge = edges.find(({ id }) => id === edgeId);
        return (
          <li key={edgeId}>
            <Text span fz="sm" fw={taken === 0 ? 400 : 600} className="stat">
              {formatNumber(taken)}×
            </Text>{" "}
            → <Words>{nameOfId(stages, to)}</Words>
            <Text span fz="xs" c="dimmed">
              {" "}
              {edge ? describeEdge(edge, nameOf) : edgeId}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

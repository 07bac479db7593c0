import { Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { FlowVersion, Simulation } from "@parley/sdk";
import { lazy, Suspense, useMemo } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import type { EdgeCoverage } from "#web/domain/simulation/simulation.ts";
import { layOut } from "#web/domain/stage/stage-layout.ts";
import { nameOfId, type Stage, toStage } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { BREAKPOINTS } from "#web/ui/theme/breakpoints.ts";
import { Words } from "#web/ui/words.tsx";
import { describeGaps, toCoverage, toCoveredStages } from "./coverage.ts";

const StageCanvas = lazy(async () => ({
  default: (await import("#web/domain/stage/stage-canvas.tsx")).StageCanvas,
}));

/** Shows which edges of the flow's stages the conversations took, and what nobody came through. */
export function CoverageCard({ flow, coverage }: { flow: Simulation["flow"]; coverage: EdgeCoverage }) {
  const isWide = useMediaQuery(`(min-width: ${BREAKPOINTS.sm}em)`, true) ?? true;
  const isSaved = useMay("FLOWS_READ") && flow.id !== null && flow.version !== null;
  const version = useRead<FlowVersion>(`/flows/${flow.id}/versions/${flow.version}`, undefined, { enabled: isSaved });
  const isLoading = isSaved && version.data === undefined && version.error === null;
  const defined = isSaved ? version.data?.stages : null;
  const stages = useMemo(() => defined?.map(toStage) ?? toCoveredStages(coverage), [defined, coverage]);
  const places = useMemo(() => layOut(stages), [stages]);
  const { marks, traffic } = useMemo(() => toCoverage(coverage, stages), [coverage, stages]);
  if (isLoading) return <LoadingBars />;
  const gaps = describeGaps(coverage, stages);
  return (
    <Card title={t`Edges taken (${formatNumber(coverage.covered)} of ${formatNumber(coverage.total)})`} padded={false}>
      {gaps.length > 0 && (
        <Stack gap={2} p="md" role="list" aria-label={t`What no persona came through`}>
          {gaps.map((gap) => (
            <Text key={gap} fz="sm" role="listitem" className="break">
              {gap}
            </Text>
          ))}
        </Stack>
      )}
      {isWide && (
        <Suspense fallback={<LoadingBars />}>
          <StageCanvas label={t`Map of the edges taken`} {...{ stages, places, marks, traffic }} />
        </Suspense>
      )}
      <CoverageTable coverage={coverage} stages={stages} />
    </Card>
  );
}

function CoverageTable({ coverage, stages }: { coverage: EdgeCoverage; stages: Stage[] }) {
  return (
    <BoxedTable label={t`Edges taken`} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`[stage] From`}</Table.Th>
          <Table.Th>{t`[stage] To`}</Table.Th>
          <Table.Th>{"Edge"}</Table.Th>
          <Table.Th ta="right">{t`Conversations`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {coverage.edges.map(({ stageId, edgeId, to, label, sessions }) => (
          <Table.Tr key={`${stageId} ${edgeId}`}>
            <Table.Td>
              <Words>{nameOfId(stages, stageId)}</Words>
            </Table.Td>
            <Table.Td>
              <Words>{nameOfId(stages, to)}</Words>
            </Table.Td>
            <Table.Td>{label || edgeId}</Table.Td>
            <Table.Td ta="right">{sessions === 0 ? t`nobody` : formatNumber(sessions)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

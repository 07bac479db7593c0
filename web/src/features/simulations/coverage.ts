import type { EdgeCoverage } from "#web/domain/simulation/simulation.ts";
import type { StageMarks, StageTraffic } from "#web/domain/stage/stage-map.ts";
import { nameOfId, type Stage, toStage } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";

/** Returns stages as far as the report of a run knows them, for a flow that was sent along with it. */
export function toCoveredStages({ edges, unreachedStages }: EdgeCoverage): Stage[] {
  const ids = new Set([...edges.flatMap(({ stageId, to }) => [stageId, to]), ...unreachedStages]);
  return [...ids].map((id) =>
    toStage({
      id,
      edges: edges
        .filter(({ stageId }) => stageId === id)
        .map((edge) => ({ id: edge.edgeId, to: edge.to, label: edge.label || edge.edgeId, when: { type: "ALWAYS" } })),
    }),
  );
}

/** Returns the coverage as the map shows it. */
export function toCoverage(
  { edges, unreachedStages }: EdgeCoverage,
  stages: Stage[],
): { marks: StageMarks; traffic: StageTraffic } {
  const missed = new Set(unreachedStages);
  const most = Math.max(1, ...edges.map(({ sessions }) => sessions));
  return {
    marks: {
      stages: new Map(stages.map(({ id }) => [id, missed.has(id) ? "MISSED" : "PASSED"])),
      edges: new Map(
        edges.map(({ stageId, edgeId, covered }) => [`${stageId}.${edgeId}`, covered ? "PASSED" : "MISSED"]),
      ),
    },
    traffic: {
      stages: new Map(),
      edges: new Map(
        edges.map(({ stageId, edgeId, sessions }) => [
          `${stageId}.${edgeId}`,
          { words: `${formatNumber(sessions)}×`, share: (0.4 * sessions) / most },
        ]),
      ),
    },
  };
}

/** Returns sentences about what no conversation came through; edges of unreached stages are left out. */
export function describeGaps({ edges, unreachedStages }: EdgeCoverage, stages: Stage[]): string[] {
  const nameOf = (id: string) => nameOfId(stages, id);
  const unreached = new Set(unreachedStages);
  return [
    ...unreachedStages.map((id) => t`No persona ever reached ${nameOf(id)}.`),
    ...edges
      .filter(({ covered, stageId, to }) => !covered && !unreached.has(stageId) && !unreached.has(to))
      .map(
        ({ stageId, to, label }) =>
          t`No persona went from ${nameOf(stageId)} to ${nameOf(to)}${label === "" ? "" : ` (${label})`}.`,
      ),
  ];
}

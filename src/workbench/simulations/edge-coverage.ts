import type { StagePlan } from "#src/engine/stages/stage-plan.ts";
import type { ConversationReport, EdgeCoverage } from "./report.ts";

/** Counts the conversations that took each edge of a flow's stages. */
export function measureEdges(
  { stages }: StagePlan,
  conversations: Pick<ConversationReport, "stagePath">[],
): EdgeCoverage {
  const entered = new Set<string>();
  const sessions = new Map<string, number>();
  for (const { stagePath } of conversations) {
    const taken = new Set<string>();
    for (const { stageId, edgeId, isTransferred } of stagePath) {
      // Another flow, whose stages may have the same ids.
      if (isTransferred) continue;
      entered.add(stageId);
      if (edgeId !== null) taken.add(`${stageId} ${edgeId}`);
    }
    for (const edge of taken) sessions.set(edge, (sessions.get(edge) ?? 0) + 1);
  }
  const edges = stages.flatMap((stage) =>
    stage.edges.map(({ id, to, label }) => {
      const count = sessions.get(`${stage.id} ${id}`) ?? 0;
      return { stageId: stage.id, edgeId: id, to, label, covered: count > 0, sessions: count };
    }),
  );
  return {
    covered: edges.filter(({ covered }) => covered).length,
    total: edges.length,
    edges,
    unreachedStages: stages.map(({ id }) => id).filter((id) => !entered.has(id)),
  };
}

import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { countVisits } from "./stage-funnel-sql.ts";
import { findVersion } from "./version-sql.ts";
import { findOwn } from "./versions.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 92;

/** Counts of the sessions of a flow's version that entered each of its stages, and of the ways they left it. */
export const StageFunnel = Type.Object(
  {
    version: Type.Integer(),
    sessions: Type.Integer({ description: "Calls and chats that ended, of those that entered a stage." }),
    stages: Type.Array(
      Type.Object({
        stageId: Type.String(),
        entered: Type.Integer({ description: "Sessions that entered it." }),
        endedHere: Type.Integer({ description: "Sessions that ended in it." }),
        medianSeconds: nullable(Type.Number({ description: "Of its visits; null when there was none." })),
        edges: Type.Array(
          Type.Object({
            edgeId: Type.String(),
            to: Type.String(),
            taken: Type.Integer({ description: "Visits that it ended." }),
          }),
        ),
      }),
      { description: "In the order of the definition." },
    ),
  },
  { $id: "StageFunnel" },
);
type StageFunnel = Static<typeof StageFunnel>;

/** Version and time of a funnel. Unset: the published version, the last 30 days. */
export interface FunnelQuery {
  version?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Counts the visits of a version's stages; 404 without that flow or version, 422 for a time of over 92 days. */
export async function getStageFunnel(
  db: Executor,
  workspaceId: string,
  flowId: string,
  query: FunnelQuery,
): Promise<StageFunnel> {
  const flow = await findOwn(db, workspaceId, flowId);
  const version = query.version ?? flow.version;
  const found = await findVersion(db, workspaceId, flow.id, version);
  if (!found) throw new AppError("NOT_FOUND");
  const to = query.to === undefined ? nowMs() : Date.parse(query.to);
  const from = query.from === undefined ? to - DEFAULT_DAYS * DAY_MS : Date.parse(query.from);
  if (from > to) throw fieldError("from", "RANGE", "is later than to.");
  if (to - from > MAX_DAYS * DAY_MS) throw fieldError("from", "RANGE", `is more than ${MAX_DAYS} days before to.`);
  const span = { workspaceId, flowId: flow.id, version, from: new Date(from), to: new Date(to) };
  const { sessions, stages, edges } = await countVisits(db, span);
  const counts = new Map(stages.map((row) => [row.stage_id, row]));
  const taken = new Map(edges.map(({ stage_id, edge_id, taken: count }) => [`${stage_id} ${edge_id}`, count]));
  return {
    version,
    sessions,
    stages: (found.definition.stages ?? []).map(({ id, edges: own }) => ({
      stageId: id,
      entered: counts.get(id)?.entered ?? 0,
      endedHere: counts.get(id)?.ended_here ?? 0,
      medianSeconds: counts.get(id)?.median_seconds ?? null,
      edges: (own ?? []).map((edge) => ({ edgeId: edge.id, to: edge.to, taken: taken.get(`${id} ${edge.id}`) ?? 0 })),
    })),
  };
}

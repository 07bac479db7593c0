import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { FLOW_USE_KINDS, listUses, SHOWN_USES } from "./flow-uses-sql.ts";
import { findOwn } from "./versions.ts";

/** Things that take a flow's next version when it is published. */
export const FlowUses = Type.Object(
  {
    uses: Type.Array(
      Type.Object({
        kind: oneOf(FLOW_USE_KINDS),
        total: Type.Integer(),
        first: Type.Array(
          Type.Object({
            id: Uuid,
            name: Type.String(),
            waiting: nullable(Type.Integer({ description: "CALL_JOB: calls that are still to come." })),
            byDefault: Type.Boolean({ description: "It names no flow, and this one is the workspace's default." }),
          }),
          { description: `At most ${SHOWN_USES}.` },
        ),
      }),
    ),
  },
  { $id: "FlowUses" },
);

/** Lists what uses a flow; 404 when there is no such flow. */
export async function getFlowUses(db: Executor, workspaceId: string, flowId: string): Promise<Static<typeof FlowUses>> {
  const { id } = await findOwn(db, workspaceId, flowId);
  const rows = await listUses(db, workspaceId, id);
  const uses = FLOW_USE_KINDS.flatMap((kind) => {
    const first = rows.filter((row) => row.kind === kind);
    const named = first.map(({ id: useId, name, waiting, by_default: byDefault }) => ({
      id: useId,
      name,
      waiting,
      byDefault,
    }));
    return first[0] ? [{ kind, total: first[0].total, first: named }] : [];
  });
  return { uses };
}

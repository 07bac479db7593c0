import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_ADMIN, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { totals } from "#src/platform/http/paging.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { E164, Type, Uuid } from "#src/platform/http/schemas.ts";
import { DoNotCallEntry, getDoNotCall, removeFromDoNotCall } from "./do-not-call-list.ts";
import { addToDoNotCall } from "./do-not-call.ts";

const PATH = `${WORKSPACE_PATH}/do-not-call`;
const common = { audience: "console", tag: "Compliance" } as const;
const params = Type.Object({ workspaceId: Uuid });
const DEFAULT_SIZE = 50;

/** Routes of the do-not-call ledger: operators add to it, owners remove entries that no person asked for. */
export function doNotCallRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: PATH,
      summary: "List the numbers that are neither called nor written to",
      params,
      query: Type.Object({
        page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
        size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        startsWith: Type.Optional(Type.String({ pattern: "^\\+?\\d{0,15}$" })),
      }),
      replies: { 200: Type.Object({ content: Type.Array(DoNotCallEntry), ...totals }) },
      run: ({ caller, query: { page = 0, size = DEFAULT_SIZE, startsWith = "" } }) =>
        getDoNotCall(db, caller.workspaceId, { page, size, startsWith }),
    }),
    route({
      ...common,
      access: ["CALL_JOBS_WRITE"],
      method: "POST",
      path: PATH,
      summary: "Add numbers; they hold from the next claim and the next message on",
      params,
      body: Type.Object({ numbers: Type.Array(E164, { minItems: 1, maxItems: 10_000 }) }),
      idempotent: true,
      replies: { 204: null },
      run: ({ tx, caller, body }) => addToDoNotCall(tx, caller.workspaceId, body.numbers, "OPERATOR"),
    }),
    route({
      ...common,
      access: [WORKSPACE_ADMIN],
      method: "DELETE",
      path: `${PATH}/{number}`,
      summary: "Take a number out; 409 where the person asked to be in it",
      params: Type.Object({ workspaceId: Uuid, number: E164 }),
      replies: { 204: null },
      run: ({ caller, params: { number } }) =>
        db.transaction().execute((tx) => removeFromDoNotCall(tx, caller.workspaceId, number)),
    }),
  ];
}

import type { Database } from "#src/platform/db/database.ts";
import { WORKSPACE_PATH } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { personOf } from "#src/tenancy/audit/actor.ts";
import { Connection } from "./connection-fields.ts";
import { beginSignIn, endSignIn, SignInInput, type SignInParts } from "./sign-in.ts";

const common = { audience: "console", tag: "Connections", access: ["TOOLS_WRITE"], method: "POST" } as const;

/** Routes by which a person signs in to a connection: the provider sends the browser back to the dashboard. */
export function connectionSignInRoutes(database: Database, parts: SignInParts): Route[] {
  return [
    route({
      ...common,
      path: `${WORKSPACE_PATH}/connections/{connectionId}/sign-in`,
      summary: "Begin a sign-in at a connection's provider",
      params: Type.Object({ workspaceId: Uuid, connectionId: Uuid }),
      replies: { 200: Type.Object({ authorizationUrl: Type.String() }) },
      run: ({ caller, params: { connectionId } }) =>
        beginSignIn(database.db, parts, caller.workspaceId, connectionId, personOf(caller)),
    }),
    route({
      ...common,
      path: `${WORKSPACE_PATH}/connection-sign-ins`,
      summary: "End a sign-in with what the provider sent back",
      params: Type.Object({ workspaceId: Uuid }),
      body: SignInInput,
      replies: { 200: Connection },
      run: ({ caller, body }) => endSignIn(database, parts, caller.workspaceId, personOf(caller), body),
    }),
  ];
}

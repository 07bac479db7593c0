import type { Executor } from "#src/platform/db/database.ts";
import {
  INSTALLATION_OWNER,
  WORKSPACE_ADMIN,
  WORKSPACE_PATH,
  WORKSPACE_READ,
} from "#src/platform/http/console-access.ts";
import { pageQuery, readPage } from "#src/platform/http/paging.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AuditPage, getAuditPage } from "./audit.ts";
import { getRequestPage, RequestPage } from "./request-log.ts";

const workspaceParams = Type.Object({ workspaceId: Uuid });
const auditQuery = Type.Object({
  ...pageQuery,
  actor: Type.Optional(Type.String({ maxLength: 200, description: "Part of the name of who acted." })),
  action: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "How the action or its path begins, such as member. or flows; several are divided by commas.",
    }),
  ),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
});
const common = { audience: "console", method: "GET", tag: "Logs" } as const;

/** The audit log and the request log. */
export function logRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_ADMIN],
      path: `${WORKSPACE_PATH}/audit-log`,
      summary: "List who did what in the workspace, newest first",
      params: workspaceParams,
      query: auditQuery,
      replies: { 200: AuditPage },
      run: ({ caller, query }) => getAuditPage(db, caller.workspaceId, readPage(query), query),
    }),
    route({
      ...common,
      access: [INSTALLATION_OWNER],
      path: "/api/console/audit-log",
      summary: "List who did what to the installation: accounts, sign-ins, links; newest first",
      query: auditQuery,
      replies: { 200: AuditPage },
      run: ({ query }) => getAuditPage(db, null, readPage(query), query),
    }),
    route({
      ...common,
      access: [WORKSPACE_READ],
      path: `${WORKSPACE_PATH}/request-log`,
      summary: "List the latest requests of keys and clients, newest first",
      params: workspaceParams,
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(oneOf(["OK", "CLIENT_ERROR", "SERVER_ERROR"])),
        method: Type.Optional(oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"])),
        credentialId: Type.Optional(Uuid),
      }),
      replies: { 200: RequestPage },
      run: ({ caller, query }) => getRequestPage(db, caller.workspaceId, readPage(query), query),
    }),
  ];
}

import { actorOf } from "#src/audit/actor.ts";
import { recordAudit } from "#src/audit/audit.ts";
import type { Executor } from "#src/db/database.ts";
import { WORKSPACE_PATH, WORKSPACE_READ } from "#src/http/console-access.ts";
import { operationIdOf } from "#src/http/openapi.ts";
import { type Access, type RequestOf, Reply, type Route } from "#src/http/route.ts";
import { Type, Uuid } from "#src/http/schemas.ts";

const EXTERNAL = "/api/external/v1";

/**
 * The external API for whoever is signed in: the same declarations and handlers below the workspace's path. Every role
 * reads; a write needs the permission that it needs outside, and is told in the audit log.
 */
export function mountExternal(db: Executor, external: Route[]): Route[] {
  return external
    .filter((declared) => declared.audience === "external" && declared.path.startsWith(`${EXTERNAL}/`))
    .map((declared) => mount(db, declared));
}

function mount(db: Executor, declared: Route): Route {
  const { cors: _, keyInQuery: __, free: ___, resource: ____, ...plain } = declared;
  const properties = (declared.params as { properties?: Record<string, never> } | undefined)?.properties ?? {};
  const mounted: Route = {
    ...plain,
    audience: "console",
    path: WORKSPACE_PATH + declared.path.slice(EXTERNAL.length),
    operationId: operationIdOf(declared),
    access: accessOf(declared),
    params: Type.Object({ workspaceId: Uuid, ...properties }),
  };
  return audited(db, mounted);
}

function accessOf({ method, access }: Route): Access {
  if (method === "GET") return [WORKSPACE_READ];
  return typeof access === "string" ? ["TOOLS_WRITE", "CALL_JOBS_WRITE"] : access;
}

/**
 * Tells the audit log of a write in a workspace once it was done. Where the write runs in a transaction that the route opened for it,
 * both are stored or neither.
 */
export function audited(db: Executor, declared: Route): Route {
  if (declared.method === "GET") return declared;
  return {
    ...declared,
    async run(request: RequestOf<never, never, never>) {
      const result = await declared.run(request);
      if (result instanceof Reply && result.status >= 400) return result;
      const { workspaceId: _, ...ids } = request.params as Record<string, string>;
      await recordAudit(request.tx ?? db, {
        workspaceId: request.caller.workspaceId,
        actor: actorOf(request),
        action: `${declared.method} ${declared.path.slice(WORKSPACE_PATH.length)}`,
        target: Object.values(ids).at(-1) ?? idOf(result),
      });
      return result;
    },
  } as Route;
}

/** What was made has its id in the answer. */
function idOf(result: unknown): string | null {
  const body = (result instanceof Reply ? result.body : result) as Record<string, unknown> | null | undefined;
  const id = body?.id ?? body?.rowId ?? body?.sessionId;
  return typeof id === "string" ? id : null;
}

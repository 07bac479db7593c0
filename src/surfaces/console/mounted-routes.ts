import { WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { operationIdOf } from "#src/platform/http/openapi.ts";
import { EXTERNAL_API, type Access, type RequestOf, Reply, type Route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { actorOf } from "#src/tenancy/audit/actor.ts";
import { type AuditEvent, recordAudit } from "#src/tenancy/audit/audit.ts";
import { type AuditParts, runAnnounced } from "#src/tenancy/audit/intents.ts";

/**
 * Returns the external API for signed-in people: the same declarations and handlers below the workspace's path. Every
 * role may read. A write needs the same permission as in the external API, and is audited.
 */
export function mountExternal(auditParts: AuditParts, external: Route[]): Route[] {
  return external
    .filter((declared) => declared.audience === "external" && declared.path.startsWith(`${EXTERNAL_API}/`))
    .map((declared) => mount(auditParts, declared));
}

function mount(auditParts: AuditParts, declared: Route): Route {
  const { cors: _, keyInQuery: __, free: ___, resource: ____, ...plain } = declared;
  const properties = (declared.params as { properties?: Record<string, never> } | undefined)?.properties ?? {};
  const mounted: Route = {
    ...plain,
    audience: "console",
    path: WORKSPACE_PATH + declared.path.slice(EXTERNAL_API.length),
    operationId: operationIdOf(declared),
    access: accessOf(declared),
    params: Type.Object({ workspaceId: Uuid, ...properties }),
  };
  return audited(auditParts, mounted);
}

function accessOf({ method, access }: Route): Access {
  if (method === "GET") return [WORKSPACE_READ];
  return typeof access === "string" ? ["TOOLS_WRITE", "CALL_JOBS_WRITE"] : access;
}

/**
 * Returns a route whose writes are audited. Where the route has its own transaction, write and entry are stored
 * together; otherwise the write is announced before it begins, so that a crash after it loses no entry.
 */
export function audited(auditParts: AuditParts, declared: Route): Route {
  if (declared.method === "GET" || declared.auditsItself) return declared;
  const run = (request: AnyRequest) => declared.run(request as RequestOf<never, never, never>);
  const auditedRun = declared.idempotent
    ? async (request: AnyRequest) => {
        const result = await run(request);
        if (isRefusal(result)) return result;
        const event = eventOf(declared, request);
        await recordAudit(request.tx, { ...event, target: event.target ?? idOf(result) });
        return result;
      }
    : (request: AnyRequest) => {
        const event = eventOf(declared, request);
        const targetOf = (result: unknown) => (isRefusal(result) ? undefined : (event.target ?? idOf(result)));
        return runAnnounced(auditParts, event, () => run(request), targetOf);
      };
  return { ...declared, run: auditedRun } as Route;
}

type AnyRequest = RequestOf<unknown, unknown, unknown>;

function eventOf(declared: Route, request: AnyRequest): AuditEvent {
  const { workspaceId: _, ...ids } = request.params as Record<string, string>;
  const target = Object.values(ids).findLast(isUuid) ?? Object.values(ids).at(-1) ?? null;
  const others = Object.entries(ids).filter(([, value]) => value !== target);
  return {
    workspaceId: request.caller.workspaceId,
    actor: actorOf(request),
    action: `${declared.method} /${declared.path.slice(WORKSPACE_PATH.length + 1)}`,
    target,
    ...(others.length > 0 ? { details: Object.fromEntries(others) } : {}),
  };
}

function isRefusal(result: unknown): boolean {
  return result instanceof Reply && result.status >= 400;
}

/** Returns the id of a created object from its reply. */
function idOf(result: unknown): string | null {
  const body = (result instanceof Reply ? result.body : result) as Record<string, unknown> | null | undefined;
  const id = body?.id ?? body?.rowId ?? body?.sessionId;
  return typeof id === "string" ? id : null;
}

import type { IncomingHttpHeaders } from "node:http";
import type { Executor } from "#src/platform/db/database.ts";
import { mediaType } from "#src/platform/http/body.ts";
import { parseJson } from "#src/platform/http/json.ts";
import { Reply, type RequestOf, type Route, route } from "#src/platform/http/route.ts";
import { Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Actor } from "#src/tenancy/audit/audit.ts";
import { ScimFault } from "./scim-fault.ts";
import { useScimToken } from "./scim-token-store.ts";
import type { Provisioner } from "./scim-users.ts";
import { lockProvider } from "./store.ts";

const BODY_LIMIT = 4 * 1024 ** 2;
const MEDIA_TYPE = "application/scim+json";
const ACCEPTED = [MEDIA_TYPE, "application/json"];
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A SCIM request whose token is valid. */
export interface ScimRequest {
  /** The transaction of a write; the database for a read. */
  tx: Executor;
  providerId: string;
  /** Id in the path; empty where there is none. */
  id: string;
  query: URLSearchParams;
  body: unknown;
  /** Base address of the resources. */
  base: string;
  /** Locks the provider, so that its writes follow each other. */
  provision: () => Promise<Provisioner>;
}

/** Answer of a handler; null: no content. */
export interface ScimAnswer {
  status: number;
  body: Record<string, unknown> | null;
}

/** Declaration of one route. */
export interface ScimSpec {
  method: Route["method"];
  /** Below the base address. */
  path: string;
  summary: string;
  handle: (request: ScimRequest) => Promise<ScimAnswer>;
}

/** Addresses of the routes, and what they work on. */
export interface ScimParts {
  db: Executor;
  publicUrl: string;
}

type AnyRequest = RequestOf<unknown, unknown, unknown>;

/** Returns a route that takes a provider's token, and answers in SCIM's shape whatever happens. */
export function scimRoute(parts: ScimParts, { method, path, summary, handle }: ScimSpec): Route {
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
  return route({
    method,
    path: `/scim/v2${path}`,
    audience: "public",
    access: "PUBLIC",
    tag: "SCIM",
    summary,
    ...(path.includes("{id}") ? { params: Type.Object({ id: Type.String({ maxLength: 200 }) }) } : {}),
    bodyKind: hasBody ? "ANY" : "NONE",
    bodyLimit: BODY_LIMIT,
    replies: { 200: null },
    run: async (request) => {
      try {
        return show(await answer(parts, method, request as AnyRequest, handle));
      } catch (error) {
        return showFault(error);
      }
    },
  });
}

async function answer(
  { db, publicUrl }: ScimParts,
  method: Route["method"],
  request: AnyRequest,
  handle: ScimSpec["handle"],
): Promise<ScimAnswer> {
  const token = /^Bearer +(\S{1,200})$/i.exec(request.headers.authorization ?? "")?.[1];
  const holder = token === undefined ? undefined : await useScimToken(db, token);
  if (!holder) throw new ScimFault(401, "Send a valid SCIM token as Authorization: Bearer.");
  const { provider_id: providerId, key } = holder;
  const { address, requestId } = request;
  const actor: Actor = { kind: "SYSTEM", userId: null, name: `SCIM ${key}`, address, requestId };
  const common = {
    providerId,
    id: (request.params as { id?: string } | undefined)?.id ?? "",
    query: new URLSearchParams(request.url.split(/\?(.*)/s)[1] ?? ""),
    body: readBody(request.headers, request.bytes),
    base: `${publicUrl}/scim/v2`,
  };
  const run = (tx: Executor) => handle({ ...common, tx, provision: () => hold(tx, providerId, actor) });
  return method === "GET" ? run(db) : db.transaction().execute(run);
}

async function hold(tx: Executor, providerId: string, actor: Actor): Promise<Provisioner> {
  const provider = await lockProvider(tx, providerId);
  if (!provider) throw new ScimFault(401, "The directory of this token is gone.");
  return { provider, actor };
}

function readBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!ACCEPTED.includes(mediaType(headers["content-type"])))
    throw new ScimFault(415, `Send Content-Type ${ACCEPTED.join(" or ")}.`);
  try {
    return parseJson(utf8.decode(bytes));
  } catch (error) {
    throw new ScimFault(400, error instanceof AppError ? error.message : "The body is not UTF-8.", "invalidSyntax");
  }
}

function show({ status, body }: ScimAnswer, headers: Record<string, string> = {}): Reply {
  if (body === null) return new Reply(status, undefined, headers);
  const type = { "content-type": `${MEDIA_TYPE}; charset=utf-8`, "cache-control": "no-store" };
  return new Reply(status, Buffer.from(JSON.stringify(body)), { ...type, ...headers });
}

/** Errors that are no refusal are answered like all others, and logged. */
function showFault(error: unknown): Reply {
  if (!(error instanceof ScimFault) && !(error instanceof AppError && error.status < 500)) throw error;
  const { status, message } = error;
  const scimType = error instanceof ScimFault ? error.scimType : undefined;
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: message,
  };
  return show({ status, body }, status === 401 ? { "www-authenticate": 'Bearer realm="SCIM"' } : {});
}

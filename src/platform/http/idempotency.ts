import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { openOrNull, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import { stringifyReply } from "./json.ts";
import { type Caller, Reply } from "./route.ts";

const MAX_CANONICAL_CHARACTERS = 1024 * 1024;
/** Retry-After for a request whose first attempt still runs. */
const RETRY_SECONDS = "1";
/** Beginning of a stored reply that is sealed; no JSON begins so. */
export const SEALED_REPLY = "sealed:";

/** Properties by which an earlier request counts as the same. */
export interface IdempotentRequest {
  caller: Caller;
  /** Method and path template. */
  route: string;
  key: string;
  bodyHash: Buffer;
  /** Seals the stored reply, where it shows a secret that is stored in clear nowhere else. */
  box?: SecretBox | undefined;
}

/** Reads the Idempotency-Key of a request: 1 to 255 printable characters, bare or quoted (IETF draft-07). */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["idempotency-key"];
  if (header === undefined) return undefined;
  const text = Array.isArray(header) ? header.join(",") : header;
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new AppError("INVALID_HEADER", "Idempotency-Key must have 1 to 255 printable ASCII characters.", [
      { path: "Idempotency-Key", code: "FORMAT", message: "1 to 255 printable ASCII characters." },
    ]);
  }
  return key;
}

/**
 * Returns a body's JSON text in canonical form: without white space, members sorted, strings in one spelling. Numbers
 * keep their digits, so 1.0 is not 1. Large bodies stay as they are: sorting them would hold up other requests.
 */
export function canonicalJson(text: string): string {
  if (text.length > MAX_CANONICAL_CHARACTERS) return text;
  try {
    return JSON.stringify(toCanonical(text));
  } catch {
    return text;
  }
}

function toCanonical(text: string): unknown {
  return (JSON.parse as ParseWithSource)(text, (_key, value, context) => {
    if (typeof value === "number") return (JSON as unknown as JsonWithRaw).rawJSON(context.source as string);
    if (value === null || typeof value !== "object" || Array.isArray(value) || isRaw(value)) return value;
    const names = Object.keys(value).toSorted();
    return names.map((name) => [name, (value as Record<string, unknown>)[name]]).concat([["{}"]]);
  }) as unknown;
}

function isRaw(value: object): boolean {
  return (JSON as unknown as JsonWithRaw).isRawJSON(value);
}

/**
 * JSON features missing from TypeScript's types: the source text of each value, and texts that are written as they are.
 */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;
interface JsonWithRaw {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

/** Returns a digest of all parts that identify a request. */
export function hashParts(parts: string[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}

/**
 * Runs `effect` once for a key, inside the caller's transaction: effect and stored reply commit together, so no crash
 * can separate them. A repeat within 24 h gets the first reply with `Idempotent-Replayed: true`. A different body gets
 * 422, a request still running 409, and one whose reply was erased 410.
 */
export async function runOnce(tx: Executor, request: IdempotentRequest, effect: () => Promise<Reply>): Promise<Reply> {
  const name = `${request.caller.workspaceId}|${request.route}|${request.key}`;
  const lock = await first<{ held: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`,
  );
  if (!lock?.held) throw new AppError("IDEMPOTENCY_KEY_IN_USE", undefined, [], { "retry-after": RETRY_SECONDS });
  const earlier = await findEarlier(tx, request);
  if (earlier) return earlier;
  const reply = await effect();
  if (reply.status >= 200 && reply.status < 300) await remember(tx, request, reply);
  return reply;
}

async function findEarlier(tx: Executor, request: IdempotentRequest): Promise<Reply | null> {
  const { caller, route, key, bodyHash } = request;
  const row = await first<{ body_hash: Buffer; status: number; body: string }>(
    tx,
    sql`select body_hash, status, body from idempotency_keys
        where workspace_id = ${caller.workspaceId} and route = ${route} and key = ${key}
          and created_at > now() - interval '24 hours'`,
  );
  if (!row) return null;
  if (!row.body_hash.equals(bodyHash)) throw new AppError("IDEMPOTENCY_KEY_REUSED");
  // Only 2xx are stored; an erasure replaces them with this.
  if (row.status === 410) throw new AppError("GONE");
  const text = openReply(request, row.body);
  // Sealed with a secret that was changed since.
  if (text === null) throw new AppError("GONE");
  const body = text === "" ? undefined : new StoredBody(text);
  return new Reply(row.status, body, { "idempotent-replayed": "true" });
}

/** Returns the stored form of a reply. No body is stored as an empty text, which no JSON value is. */
function toStored({ body }: Reply): string {
  return body === undefined || body === null ? "" : stringifyReply(body);
}

function sealReply(request: IdempotentRequest, text: string): string {
  return request.box ? SEALED_REPLY + request.box.seal(text, placeOf(request)).toString("base64") : text;
}

function openReply(request: IdempotentRequest, stored: string): string | null {
  if (!stored.startsWith(SEALED_REPLY)) return stored;
  const sealed = Buffer.from(stored.slice(SEALED_REPLY.length), "base64");
  return request.box ? openOrNull(request.box, sealed, placeOf(request)) : null;
}

function placeOf({ caller, route, key }: IdempotentRequest): string {
  return ["idempotency_keys", "body", caller.workspaceId, route, key].join("|");
}

async function remember(tx: Executor, request: IdempotentRequest, reply: Reply): Promise<void> {
  const { caller, route, key, bodyHash } = request;
  await all(
    tx,
    sql`insert into idempotency_keys (workspace_id, credential_id, route, key, body_hash, status, body)
        values (${caller.workspaceId}, ${caller.credentialId}, ${route}, ${key}, ${bodyHash}, ${reply.status},
                ${sealReply(request, toStored(reply))})
        on conflict (workspace_id, route, key) do update
          set credential_id = excluded.credential_id, body_hash = excluded.body_hash, status = excluded.status, body = excluded.body, created_at = now()`,
  );
}

/** Replaces an unsettled answer with the reply that the caller got; repeats get it from now on. */
export async function rememberSettled(
  db: Executor,
  { caller, route, key }: Omit<IdempotentRequest, "bodyHash">,
  unsettled: number,
  reply: Reply,
): Promise<void> {
  await all(
    db,
    sql`update idempotency_keys set status = ${reply.status}, body = ${toStored(reply)}
        where workspace_id = ${caller.workspaceId} and route = ${route} and key = ${key} and status = ${unsettled}`,
  );
}

/** A body that is already JSON text. */
export class StoredBody {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "#src/platform/db/database.ts";
import { runAsOwner } from "#src/platform/db/fair-pool.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { bodyBudget } from "./body-budget.ts";
import { BodyWarnings, prefersStrict, STRICT_HANDLING } from "./body-warnings.ts";
import { assertLength, assertPlainText, mediaType, readBodyBytes, readBodyText } from "./body.ts";
import { allowOrigin } from "./cors.ts";
import { askForBody } from "./expect-continue.ts";
import { runInTurn } from "./heavy-requests.ts";
import { canonicalJson, hashParts, readIdempotencyKey, rememberSettled, runOnce, StoredBody } from "./idempotency.ts";
import { parseJson, stringifyReply } from "./json.ts";
import { addressOf } from "./request-head.ts";
import { requestTurns } from "./request-turns.ts";
import { type BodyKind, type Caller, Reply, type RequestOf, type Route, successStatus, UNSETTLED } from "./route.ts";
import type { TSchema } from "./schemas.ts";
import { compileUnknownCheck, explainByUnknown, type UnknownCheck } from "./unknown-members.ts";
import { demandRate } from "./unread-body.ts";
import {
  type Check,
  compileCheck,
  compileDeclaredQuery,
  compileReplyCheck,
  findUnstorable,
  readTextValues,
} from "./validate.ts";

const MIB = 1024 * 1024;
/** Longest silence of a STREAM body, which may otherwise take any time. */
const STREAM_IDLE_MS = 30_000;

interface Checks {
  params: Check | undefined;
  query: Check | undefined;
  declaredQuery: Check | undefined;
  body: Check | undefined;
  unknown: UnknownCheck | undefined;
  reply: ReadonlyMap<number, (value: unknown) => { message: string }[]>;
}

/** Parts that the routes of a server run with. */
export interface RunnerParts {
  database: Database;
  /** Seals the kept replies of routes that show a secret. */
  box: SecretBox;
  checkReplies: boolean;
}

/** Turns a declaration into the function that answers its requests. */
export function createRunner(declared: Route, parts: RunnerParts) {
  const checks = compileChecks(declared, parts.checkReplies);
  const success = successStatus(declared);
  return async (request: FastifyRequest, reply: FastifyReply, caller: Caller | null): Promise<void> => {
    const key = caller?.workspaceId ?? addressOf(request);
    // A request that the process makes to itself belongs to one that has its turn.
    if (request.raw.socket instanceof Socket) {
      const end = await requestTurns.take(key);
      reply.raw.once("finish", end).once("close", end);
    }
    await allowOrigin(declared, request, reply);
    const answered = bodyBudget.open(request.raw, key);
    reply.raw.once("finish", answered).once("close", answered);
    await runAsOwner(key, () => answer(request, reply, caller, key));
  };

  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Caller | null, key: string) {
    const isStrict = declared.body !== undefined && prefersStrict(request.headers);
    if (isStrict) reply.header("preference-applied", STRICT_HANDLING);
    const input = await readInput(declared, checks, request, caller, new BodyWarnings(isStrict));
    const bytes = input.bodyText.length + input.bytes.length;
    const result = await runInTurn(key, bytes, () => runDeclared(declared, parts, success, input)).catch(
      (thrown: unknown) => {
        throw input.warnings.explain(thrown);
      },
    );
    const check = isBytes(result.body) ? undefined : checks.reply.get(result.status);
    const faults = check?.(plainBody(result)) ?? [];
    if (faults.length > 0) {
      throw new Error(
        `${declared.method} ${declared.path} broke its declared reply: ${faults.map((f) => f.message).join("; ")}`,
      );
    }
    send(reply, result);
  }
}

function compileChecks(declared: Route, checkReplies: boolean): Checks {
  const reply = new Map<number, (value: unknown) => { message: string }[]>();
  if (checkReplies) {
    for (const [status, schema] of Object.entries(declared.replies)) {
      if (schema) reply.set(Number(status), compileReplyCheck(schema));
    }
  }
  const body = bodyKindOf(declared) === "JSON" ? declared.body : undefined;
  return {
    params: declared.params && compileCheck(declared.params, "INVALID_PATH", "INVALID_PATH"),
    query: declared.query && compileCheck(declared.query, "INVALID_QUERY", "INVALID_QUERY"),
    declaredQuery: takesAnyQuery(declared) ? undefined : compileDeclaredQuery(declared.query),
    body: body && compileCheck(body, "INVALID_BODY", "VALIDATION_FAILED"),
    unknown: body && compileUnknownCheck(declared.namedBody ?? body, successSchemas(declared)),
    reply,
  };
}

/** True for routes that accept any query: documents and hooks, whose callers add parameters of their own. */
function takesAnyQuery(declared: Route): boolean {
  return declared.openQuery === true || (declared.audience === "public" && !declared.query);
}

function successSchemas(declared: Route): TSchema[] {
  return Object.values(declared.replies).filter((schema) => schema !== null);
}

type AnyRequest = RequestOf<unknown, unknown, unknown>;

async function readInput(
  declared: Route,
  checks: Checks,
  request: FastifyRequest,
  caller: Caller | null,
  warnings: BodyWarnings,
): Promise<AnyRequest> {
  const params = readTextValues(declared.params ?? {}, request.params as Record<string, unknown>);
  checks.params?.(params);
  // Nothing has a name with a NUL.
  if (findUnstorable(params).length > 0) throw new AppError("NOT_FOUND");
  const query = readTextValues(declared.query ?? {}, request.query as Record<string, unknown>);
  checks.declaredQuery?.(query);
  checks.query?.(query);
  const { body, bodyText, bytes } = await readBody(declared, request);
  checkBody(checks, body);
  if (checks.unknown) warnings.inspect(checks.unknown, body);
  return {
    params,
    query,
    body,
    warnings,
    bodyText,
    bytes,
    stream: request.raw,
    headers: headersOf(request),
    url: request.url,
    address: addressOf(request),
    caller: caller as Caller,
    tx: undefined as never,
    prepared: undefined,
    requestId: request.id,
    // The message itself is destroyed once its body is read; the socket stays open for the answer.
    isAbandoned: () => request.raw.socket?.destroyed === true,
  };
}

function checkBody({ body: check, unknown }: Checks, body: unknown): void {
  try {
    check?.(body);
  } catch (thrown) {
    throw explainByUnknown(thrown, unknown?.(body));
  }
}

/** Returns the headers without Range for HEAD: only GET can ask for a part of the content (RFC 9110, 14.2). */
function headersOf({ method, headers }: FastifyRequest): IncomingHttpHeaders {
  if (method !== "HEAD" || headers.range === undefined) return headers;
  const { range: _, ...others } = headers;
  return others;
}

function bodyKindOf(declared: Route): BodyKind {
  return declared.bodyKind ?? (declared.body ? "JSON" : "NONE");
}

const NO_BYTES = Buffer.alloc(0);

async function readBody(
  declared: Route,
  request: FastifyRequest,
): Promise<{ body: unknown; bodyText: string; bytes: Buffer }> {
  const kind = bodyKindOf(declared);
  const type = mediaType(request.headers["content-type"]);
  const none = { body: undefined, bodyText: "", bytes: NO_BYTES };
  const limit = declared.bodyLimit ?? MIB;
  if (kind === "NONE") {
    askForBody(request.raw);
    return none;
  }
  if (kind !== "ANY") assertPlainText(request.headers);
  if (kind === "STREAM") {
    assertType(declared.consumes ?? [], type);
    assertLength(request.raw, declared.bodyLimit ?? Infinity);
    askForBody(request.raw);
    // A request that the process makes to itself has no socket and no such method.
    request.raw.setTimeout?.(STREAM_IDLE_MS, () => request.raw.destroy());
    if (request.raw.socket instanceof Socket) demandRate(request.raw);
    return none;
  }
  if (kind === "ANY") return { ...none, bytes: await readBodyBytes(request.raw, limit) };
  const isJson = kind === "JSON" && Number(request.headers["content-length"] ?? 0) > 0;
  // Checked before the body is requested; whether a chunked request has a body is not known yet.
  if (isJson) assertType(["application/json"], type);
  const text = await readBodyText(request.raw, limit);
  if (kind === "FORM") return { ...none, bodyText: text };
  if (text.length > 0) assertType(["application/json"], type);
  return { body: parseJson(text, declared.exactText), bodyText: text, bytes: NO_BYTES };
}

function assertType(allowed: string[], type: string): void {
  const json = allowed.includes("application/json") && /^application\/([\w.-]+\+)?json$/.test(type);
  if (json || allowed.includes(type)) return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send Content-Type ${allowed.join(" or ")}.`);
}

async function runDeclared(
  declared: Route,
  { database, box }: RunnerParts,
  success: number,
  input: AnyRequest,
): Promise<Reply> {
  const run = async (request: AnyRequest): Promise<Reply> => {
    const result = await declared.run(request as never);
    const { status, body, headers, servedAs } = result instanceof Reply ? result : new Reply(success, result);
    const isPointer = declared.settle !== undefined && status === UNSETTLED;
    return new Reply(status, isPointer ? body : input.warnings.attach(body), headers, servedAs);
  };
  if (!declared.idempotent) {
    const reply = await run(input);
    declared.afterCommit?.();
    return reply;
  }
  const key = readIdempotencyKey(input.headers);
  const routeName = `${declared.method} ${declared.path}`;
  const prepared = await declared.prepare?.(input as never);
  const committed = await database.db.transaction().execute((tx) => {
    const effect = () => run({ ...input, tx, prepared });
    if (key === undefined) return effect();
    const bodyHash = hashParts([
      JSON.stringify(input.params),
      JSON.stringify(input.query),
      canonicalJson(input.bodyText),
      input.bytes.toString("latin1"),
    ]);
    const once = { caller: input.caller, route: routeName, key, bodyHash };
    return runOnce(tx, { ...once, box: declared.showsSecret ? box : undefined }, effect);
  });
  declared.afterCommit?.();
  if (!declared.settle || committed.status !== UNSETTLED) return committed;
  const pointer = committed.body instanceof StoredBody ? JSON.parse(committed.body.text) : committed.body;
  const answer = input.warnings.attach(await declared.settle(pointer, input as never));
  const settled = new Reply(success, answer, committed.headers);
  if (key === undefined) return settled;
  await rememberSettled(database.db, { caller: input.caller, route: routeName, key }, UNSETTLED, settled);
  return settled;
}

function plainBody(result: Reply): unknown {
  if (result.body instanceof StoredBody) return JSON.parse(result.body.text);
  return result.body === undefined ? undefined : JSON.parse(stringifyReply(result.body));
}

/** True for a body that is sent as it is, without a check against the declared schema. */
function isBytes(body: unknown): boolean {
  return Buffer.isBuffer(body) || isStream(body);
}

function send(reply: FastifyReply, result: Reply): void {
  if (result.servedAs !== undefined) Object.assign(reply.request, { servedAs: result.servedAs });
  reply.code(result.status);
  for (const [name, value] of Object.entries(result.headers)) reply.header(name, value);
  // HEAD: nobody reads the body, and it may have no end.
  const isUnread = isStream(result.body) && reply.request.method === "HEAD";
  if (isUnread) (result.body as Readable).destroy();
  if (isUnread || result.body === undefined || result.body === null) {
    void reply.send();
    return;
  }
  if (isStream(result.body) || typeof result.body === "string" || Buffer.isBuffer(result.body)) {
    void reply.send(result.body);
    return;
  }
  const text = result.body instanceof StoredBody ? result.body.text : stringifyReply(result.body);
  void reply.type("application/json; charset=utf-8").send(text);
}

function isStream(body: unknown): boolean {
  return typeof (body as { pipe?: unknown } | null | undefined)?.pipe === "function";
}

import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Database } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { assertAccess, assertPerson } from "./access.ts";
import {
  type Admission,
  type Gatekeeper,
  rateHeaders,
  readPresented,
  type SessionGate,
  UNKNOWN_ADMISSION,
} from "./admission.ts";
import { answerPreflight } from "./cors.ts";
import { holdBody, isHeld } from "./expect-continue.ts";
import { knownCaller } from "./in-process.ts";
import { delayRefusal } from "./late-refusals.ts";
import type { PageAnswer, Pages } from "./pages.ts";
import { errorBody, toAppError } from "./replies.ts";
import { reportRequests, type RequestListeners } from "./report-requests.ts";
import { addressOf, assertHead } from "./request-head.ts";
import type { Route } from "./route.ts";
import { indexByPath } from "./routes-by-path.ts";
import { createRunner } from "./run-route.ts";
import { describeUnknownPaths } from "./unknown-path.ts";
import { boundUnreadBody, GRACE_MS } from "./unread-body.ts";
import { isSocketRequest } from "./web-socket.ts";

/**
 * Takes over a WebSocket's handshake: answers it, with the headers of every reply, and owns the connection from then
 * on.
 */
export type TakeSocket = (request: IncomingMessage, raw: Duplex, head: Buffer, headers: OutgoingHttpHeaders) => void;

/** Dependencies and settings of the HTTP server. */
export interface ServerParts extends RequestListeners {
  routes: Route[];
  gatekeeper: Gatekeeper;
  database: Database;
  box: SecretBox;
  log: Log;
  publicUrl: string;
  trustProxy: string | undefined;
  checkReplies: boolean;
  /** Handlers of WebSockets by path; a path that ends in a slash stands for all below it. Absent: none are accepted. */
  sockets?: ReadonlyMap<string, TakeSocket>;
  /** Gate of the dashboard's routes. Absent: there are none. */
  sessions?: SessionGate;
  /** Files and pages beside the routes. */
  pages?: Pages;
  /** True while the process is about to stop: each answer then ends its connection, so that clients go elsewhere. */
  isDraining?: () => boolean;
}

interface Admitted extends FastifyRequest {
  /** The route that takes it. */
  declared?: Route;
  servedAs?: string;
  /** A route of the path, whose methods are others. */
  refusedOf?: Route | undefined;
  admission?: Admission;
  page?: PageAnswer | undefined;
}

/** Code for a client that asks for a tunnel, which this server does not offer. */
const NO_TUNNEL = "CONNECT";
/** Statuses after which the server does not wait for a body that has not arrived. */
const ENDS_CONNECTION = [400, 408, 413, 415, 501, 503];
/** The longest wait for the admission of a free route, which it does not depend on. */
const FREE_PATIENCE_MS = 1_000;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Builds the server: every declared route, and the same admission, headers and error shape for every request, matched
 * or not. The rate-limit headers are on every response. Routes are found by our own index (`indexByPath`), not by
 * Fastify's router, for which it has none: to tell it of 650 took a tenth of a server's start.
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: () => uuidv7(),
    trustProxy: parts.trustProxy ?? false,
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    // Tickets of WebSockets are long.
    routerOptions: { maxParamLength: 400 },
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // `assertHead` checks it, so that the refusal is answered like every other.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) =>
        isSocketRequest(request) && isSocketPath(parts.sockets, (request.url ?? "").split("?", 1)[0] as string),
    },
    frameworkErrors: (error, request, reply) => void refuse(parts, request, reply, error),
    clientErrorHandler: (error, socket) => void answerRaw(parts, error, socket as Socket),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  const routes = indexByPath(parts.routes);
  const runnerOf = rememberRunners(parts);
  app.addHook("onRequest", (request: Admitted, reply) => {
    // Only the paths of WebSockets are known to Fastify.
    if (request.is404) Object.assign(request, routes.find(request.method, request.url));
    return admit(parts, request, reply);
  });
  reportRequests(app, parts);
  app.setErrorHandler((error, request, reply) => answerError(parts, request, reply, error));
  const describePath = describeUnknownPaths(parts.routes);
  app.setNotFoundHandler(async (request: Admitted, reply) => {
    const { declared } = request;
    const others = declared ? [] : routes.ofPath(request.url);
    if (declared) await runnerOf(declared)(request, reply, request.admission?.caller ?? null);
    else if (isRefused(request.method, others)) await answerOtherMethod(others, request, reply);
    else answerUnknown(parts, request, reply, describePath);
    return reply;
  });
  const serve = (message: IncomingMessage, response: ServerResponse) => {
    boundUnreadBody(response);
    app.routing(message, response);
  };
  app.server.prependListener("request", (_message, response) => {
    boundUnreadBody(response);
    if (parts.isDraining?.()) response.shouldKeepAlive = false;
  });
  app.server.on("checkExpectation", serve);
  app.server.on("checkContinue", (message, response) => {
    holdBody(message, response);
    serve(message, response);
  });
  app.server.on("connect", (_message, raw) => void answerRaw(parts, { code: NO_TUNNEL }, raw as Socket));
  const upgrades: Upgrades = new WeakMap();
  app.server.on("upgrade", (request, raw, head) => routeUpgrade(app, upgrades, request, raw, head));
  for (const [url, take] of parts.sockets ?? []) addSocket(app, url, take, upgrades);
  return app;
}

type Upgrades = WeakMap<IncomingMessage, { raw: Duplex; head: Buffer; response: ServerResponse }>;

/**
 * Handles a request for a protocol upgrade, which is admitted like any other. Older versions of Node hand over every
 * such request, without its body; one that asks for no WebSocket of ours is answered as if it had not asked.
 */
function routeUpgrade(
  app: FastifyInstance,
  upgrades: Upgrades,
  request: IncomingMessage,
  raw: Duplex,
  head: Buffer,
): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(raw as Socket);
  response.on("finish", () => raw.end());
  raw.on("error", () => undefined);
  upgrades.set(request, { raw, head, response });
  app.routing(request, response);
}

function isSocketPath(sockets: ServerParts["sockets"], path: string): boolean {
  return sockets?.has(path) === true || sockets?.has(path.slice(0, path.lastIndexOf("/") + 1)) === true;
}

function addSocket(app: FastifyInstance, path: string, take: TakeSocket, upgrades: Upgrades): void {
  const url = path.endsWith("/") ? `${path}:ticket` : path;
  app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (!upgrade || !isSocketRequest(request.raw)) throw new AppError("BAD_REQUEST", "Open a WebSocket here.");
    reply.hijack();
    upgrade.response.detachSocket(upgrade.raw as Socket);
    take(request.raw, upgrade.raw, upgrade.head, reply.getHeaders() as OutgoingHttpHeaders);
    return reply;
  });
}

/** Makes what answers a route's requests at the first of them: a process has hundreds of routes and needs few. */
function rememberRunners(parts: ServerParts): (declared: Route) => ReturnType<typeof createRunner> {
  const made = new Map<Route, ReturnType<typeof createRunner>>();
  return (declared) => {
    const run = made.get(declared) ?? createRunner(declared, parts);
    made.set(declared, run);
    return run;
  };
}

/** True for a method that the path of these routes does not take, also for OPTIONS. */
function isRefused(method: string, routes: readonly Route[]): boolean {
  return routes.length > 0 && isKnownMethod(method) && routes.every((declared) => declared.method !== method);
}

/** Answers methods that a path does not take: 405 with Allow. OPTIONS lists the methods, also as a CORS preflight. */
async function answerOtherMethod(routes: readonly Route[], request: Admitted, reply: FastifyReply): Promise<void> {
  const known = new Set<string>(routes.map((declared) => declared.method));
  request.refusedOf = routes[0];
  reply.header("allow", [...known, ...(known.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", "));
  if (request.method !== "OPTIONS") {
    throw new AppError("METHOD_NOT_ALLOWED", `This path takes ${[...known].join(", ")}.`);
  }
  await answerPreflight(routes, request, reply);
  await reply.code(204).send();
}

async function admit(parts: ServerParts, request: Admitted, reply: FastifyReply): Promise<void> {
  reply.header("x-request-id", request.id);
  reply.header("x-content-type-options", "nosniff");
  const { declared } = request;
  const presented = readPresented(request.headers, declared?.keyInQuery ? request.query : undefined);
  // A page loads many files, and each costs no more than its sending, so they draw no token.
  request.page = declared ? undefined : (findPage(parts, request) ?? undefined);
  const draw = !declared?.free && !request.page && !isInProcess(request);
  let admission: Admission;
  try {
    const caller = knownCaller(request.raw);
    if (caller) admission = { ...UNKNOWN_ADMISSION, caller };
    else if (declared?.audience === "console") admission = await admitSession(parts, declared, request, reply);
    else admission = await promptly(declared, parts.gatekeeper.admit(presented, addressOf(request), draw));
  } catch (error) {
    reply.headers(rateHeaders(UNKNOWN_ADMISSION));
    if (declared?.free || request.page) return;
    throw error;
  }
  request.admission = admission;
  reply.headers(rateHeaders(admission));
  if (!admission.allowed && draw) {
    await delayRefusal(admission.caller?.workspaceId ?? addressOf(request));
    throw new AppError("RATE_LIMITED");
  }
  if (!isInProcess(request)) assertHead(request.raw);
  if (declared?.audience === "console") assertPerson(declared, admission.caller);
  else if (declared) {
    const { publicUrl } = parts;
    assertAccess(declared, { publicUrl, admission, reply, presented });
  }
}

/** Waits for the admission of a free route for a second only: probes and scrapes are answered while the database hangs. */
function promptly(declared: Route | undefined, admission: Promise<Admission>): Promise<Admission> {
  if (!declared?.free) return admission;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("UNAVAILABLE")), FREE_PATIENCE_MS);
  return Promise.race([admission, late.promise]).finally(() => clearTimeout(timer));
}

async function admitSession(
  { sessions }: ServerParts,
  declared: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  reply.headers({ "cache-control": "no-store", "cross-origin-resource-policy": "same-origin" });
  if (!sessions) throw new AppError("NOT_FOUND");
  const { workspaceId } = (request.params ?? {}) as { workspaceId?: string };
  const isPublic = declared.access === "PUBLIC";
  return sessions.admit({
    headers: request.headers,
    method: request.method,
    address: addressOf(request),
    workspaceId,
    isPublic,
  });
}

/**
 * True for a request that this process makes to itself (`app.inject`), which has no socket. The request that it serves
 * has drawn its token already.
 */
function isInProcess(request: FastifyRequest): boolean {
  return !(request.raw.socket instanceof Socket);
}

function findPage(parts: ServerParts, request: FastifyRequest): PageAnswer | null {
  const { method, url, headers, host } = request;
  return parts.pages?.answer({ method, url, headers, host }) ?? null;
}

function answerUnknown(
  parts: ServerParts,
  request: Admitted,
  reply: FastifyReply,
  describePath: (url: string) => string | undefined,
): void {
  const { page, method } = request;
  if (method === "OPTIONS" && request.url === "*") {
    void reply
      .header("allow", [...METHODS, "HEAD", "OPTIONS"].join(", "))
      .code(204)
      .send();
    return;
  }
  if (!page) {
    const fault = isKnownMethod(method)
      ? new AppError("NOT_FOUND", describePath(request.url))
      : new AppError("NOT_IMPLEMENTED");
    return answerError(parts, request, reply, fault);
  }
  void reply.code(page.status).headers(page.headers).send(page.body);
}

function isKnownMethod(method: string): boolean {
  return [...METHODS, "HEAD", "OPTIONS"].includes(method);
}

function answerError(parts: ServerParts, request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const error = toAppError(thrown);
  if (error.status >= 500) {
    const level = error.status === 500 ? "error" : "warn";
    parts.log[level]("A request failed.", { requestId: request.id, method: request.method, error: thrown });
  }
  if (error.status === 503 || (error.status === 429 && !reply.hasHeader("retry-after")))
    reply.header("retry-after", "2");
  // Somebody has to free some space first.
  if (error.status === 507) reply.header("retry-after", "60");
  reply.headers(error.headers);
  const isUnread = ENDS_CONNECTION.includes(error.status) && !request.raw.complete;
  // A client that was not asked for its body may still send it, indistinguishable from the next request.
  if (isUnread || isHeld(request.raw)) reply.header("connection", "close");
  void reply
    .code(error.status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBody(error, request.id)));
}

/** Answers errors that Fastify raises before its hooks run, such as a URL that cannot be decoded. */
async function refuse(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): Promise<void> {
  try {
    await admit(parts, request, reply);
    answerError(parts, request, reply, thrown);
  } catch (error) {
    answerError(parts, request, reply, error);
  }
}

/** Answers bytes that are not HTTP, or headers too large, on the bare socket, with the same headers. */
async function answerRaw(parts: ServerParts, thrown: { code?: string }, socket: Socket): Promise<void> {
  if (!socket.writable || thrown.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const error = rawError(thrown.code);
  const address = addressOf({ ip: socket.remoteAddress });
  const admission = await parts.gatekeeper
    .admit({ apiKey: undefined, bearer: undefined }, address, true)
    .catch(() => UNKNOWN_ADMISSION);
  const final = admission.allowed ? error : new AppError("RATE_LIMITED");
  const requestId = uuidv7();
  const body = JSON.stringify(errorBody(final, requestId));
  const headers = {
    ...rateHeaders(admission),
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.resume();
  setTimeout(() => socket.destroy(), GRACE_MS).unref();
  if (socket.writable) socket.end(`HTTP/1.1 ${final.status} ${final.title}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function rawError(code: string | undefined): AppError {
  if (code === "HPE_HEADER_OVERFLOW") return new AppError("HEADERS_TOO_LARGE");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new AppError("REQUEST_TIMEOUT");
  if (code === NO_TUNNEL) return new AppError("NOT_IMPLEMENTED");
  return new AppError("BAD_REQUEST");
}

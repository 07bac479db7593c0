import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Executor } from "#src/platform/db/database.ts";
import type { BodyWarnings } from "./body-warnings.ts";
import type { ExactText } from "./json.ts";
import type { Static, TSchema } from "./schemas.ts";

/** Who makes a request: a credential of one workspace, read anew on every request (spec, Authentication 4). */
export interface Caller {
  workspaceId: string;
  /** The key, the client, or the account of the person. */
  credentialId: string;
  kind: "API_KEY" | "OAUTH_CLIENT" | "USER";
  permissions: ReadonlySet<string>;
  /** Who is signed in, on the dashboard's routes. */
  person?: Person;
}

/** Somebody who is signed in. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  isInstallationOwner: boolean;
  sessionId: string;
  /** What the session's requests that change something have to show. */
  csrfToken: string;
}

/**
 * Who may call a route. `PUBLIC`: anyone. `ANY`: any credential with at least one permission. Otherwise
 * one of the listed permissions.
 */
export type Access = "PUBLIC" | "ANY" | readonly string[];

/**
 * How a body arrives. JSON and FORM are read and parsed first; ANY is read whole, whatever its type; STREAM is
 * handed over as it comes.
 */
export type BodyKind = "NONE" | "JSON" | "FORM" | "ANY" | "STREAM";

export interface RequestOf<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** The body's exact text (JSON and FORM). */
  bodyText: string;
  /** The body's bytes (ANY). */
  bytes: Buffer;
  /** The body as it comes (STREAM). */
  stream: Readable;
  /** Where a STREAM route has its parsed body looked at for unknown members; the others have been. */
  warnings: BodyWarnings;
  headers: IncomingHttpHeaders;
  /** Path and query, as they were asked for. */
  url: string;
  /** Where the request came from, behind proxies as TRUST_PROXY says. */
  address: string;
  /** Undefined only on PUBLIC routes. */
  caller: Caller;
  /** The transaction that also stores the idempotent reply; only where `idempotent` is set. */
  tx: Executor;
  /** What `prepare` gave. */
  prepared: unknown;
  requestId: string;
}

/** A reply other than 200 with a JSON body. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** What of a path's many uses this was, for the request log; never a caller's own text. */
  readonly servedAs: string | undefined;
  constructor(status: number, body: unknown, headers: Record<string, string> = {}, servedAs?: string) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.servedAs = servedAs;
  }
}

/** A route as it is declared: validation, limits, documentation and SDK types come from nothing else. */
export interface RouteSpec<P extends TSchema, Q extends TSchema, B extends TSchema> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With {name} for path parameters, as the spec writes it. */
  path: string;
  /** `external`: the spec's API. `console`: the dashboard. `public`: neither. */
  audience: "external" | "console" | "public";
  access: Access;
  tag: string;
  summary: string;
  /** Where two paths would be named alike in the document. */
  operationId?: string;
  description?: string;
  params?: P;
  query?: Q;
  /** Takes query parameters of any name. Elsewhere an unknown one is a 400 that names the nearest. */
  openQuery?: boolean;
  /** Headers that the route takes, for the document. Its handler reads and checks them: which one counts is its own rule. */
  headers?: TSchema;
  body?: B;
  /** The same body with every member named, where `body` leaves parts to be checked later; misspelt ones are found by it. */
  namedBody?: TSchema;
  bodyKind?: BodyKind;
  /** What of a JSON body is kept as its exact text, so that it may hold any JSON. */
  exactText?: ExactText;
  /** Content types of a STREAM body. */
  consumes?: string[];
  /** Bytes; default 1 MiB. */
  bodyLimit?: number;
  /** Dials, sends, bills or writes a record: takes an Idempotency-Key (design section 4). */
  idempotent?: boolean;
  /**
   * Content type of a success that is no JSON. A `Readable` in the reply is sent as it comes; with text/event-stream it
   * goes on until one side ends it, so such a route is no tool for models.
   */
  produces?: string;
  /** True when a page of this origin may call the route from a browser. Without it no page of another origin may. */
  cors?: (query: unknown, origin: string) => Promise<boolean>;
  /** Schema of each success status; null for an empty body. */
  replies: Record<number, TSchema | null>;
  /** Draws no rate-limit token (health checks). */
  free?: boolean;
  /** Also takes the API key as query parameter `apiKey` (spec, "Presenting credentials": the MCP server). */
  keyInQuery?: boolean;
  /** Path of the protected resource that a 401 points to; /api/external/v1 by default. */
  resource?: string;
  run(request: RequestOf<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
  /**
   * For an idempotent route that has to ask somebody over the network: runs before the transaction, which would otherwise
   * hold its locks meanwhile, and changes nothing. It runs for a repeat too, whose stored answer then counts, so it
   * returns what went wrong rather than throw it.
   */
  prepare?(request: RequestOf<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
  /**
   * For an idempotent route whose answer needs work that begins only after its commit: where `run` answers with status
   * UNSETTLED, this turns that body into the reply, which is also what a repeat gets.
   */
  settle?(pointer: unknown, request: RequestOf<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
}

/** Status of an answer of `run` that `settle` has yet to turn into the reply. */
export const UNSETTLED = 202;

/** A declared route whose types have served their purpose. */
export type Route = RouteSpec<TSchema, TSchema, TSchema>;

/** Declares a route. The types of params, query and body follow from their schemas. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema>(spec: RouteSpec<P, Q, B>): Route {
  return spec as unknown as Route;
}

/** The success status of a route: its only (or lowest) declared one. */
export function successStatus(declared: Route): number {
  return Math.min(...Object.keys(declared.replies).map(Number));
}

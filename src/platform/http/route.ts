import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Executor } from "#src/platform/db/database.ts";
import type { BodyWarnings } from "./body-warnings.ts";
import type { ExactText } from "./json.ts";
import type { Static, TSchema } from "./schemas.ts";

/** The caller of a request: a credential of one workspace, read anew on every request. */
export interface Caller {
  workspaceId: string;
  /** Id of the key, the client, or the person's account. */
  credentialId: string;
  kind: "API_KEY" | "OAUTH_CLIENT" | "USER";
  permissions: ReadonlySet<string>;
  /** The person who is signed in, on the dashboard's routes. */
  person?: Person;
}

/** A person who is signed in. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  isInstallationOwner: boolean;
  sessionId: string;
  /** Token that the session's changing requests must send. */
  csrfToken: string;
}

/** Path of the external API, which the paths of its routes begin with. */
export const EXTERNAL_API = "/api/external/v1";

/**
 * Access to a route. `PUBLIC`: anyone. `ANY`: any credential with at least one permission. Otherwise: a credential with
 * one of the listed permissions.
 */
export type Access = "PUBLIC" | "ANY" | readonly string[];

/**
 * Handling of a body. JSON and FORM are read and parsed first; ANY is read whole, whatever its type; STREAM is handed
 * over as it arrives.
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
  /** The body as it arrives (STREAM). */
  stream: Readable;
  /** Lets a STREAM route check its parsed body for unknown members; other bodies are checked already. */
  warnings: BodyWarnings;
  headers: IncomingHttpHeaders;
  /** Path and query, as requested. */
  url: string;
  /** Source address, read behind proxies according to TRUST_PROXY. */
  address: string;
  /** Undefined only on PUBLIC routes. */
  caller: Caller;
  /** The transaction that also stores the idempotent reply; only where `idempotent` is set. */
  tx: Executor;
  /** Result of `prepare`. */
  prepared: unknown;
  requestId: string;
  /** True once the client has gone away, so that nobody reads an answer: a request that waits may end. */
  isAbandoned: () => boolean;
}

/** A reply other than 200 with a JSON body. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** Use of a path that serves many, for the request log; never a caller's own text. */
  readonly servedAs: string | undefined;
  constructor(status: number, body: unknown, headers: Record<string, string> = {}, servedAs?: string) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.servedAs = servedAs;
  }
}

/** Declaration of a route, the only source of its validation, limits, documentation and SDK types. */
export interface RouteSpec<P extends TSchema, Q extends TSchema, B extends TSchema> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With {name} for path parameters, as in OpenAPI. */
  path: string;
  /** `external`: the contract's API. `console`: the dashboard. `public`: neither. */
  audience: "external" | "console" | "public";
  access: Access;
  tag: string;
  summary: string;
  /** True where the handler writes the entry of the audit log itself, so that the dashboard does not add another. */
  auditsItself?: boolean;
  /** Needed where two paths would get the same name in the document. */
  operationId?: string;
  description?: string;
  params?: P;
  query?: Q;
  /** Accepts query parameters of any name. Elsewhere an unknown one is a 400 that names the nearest. */
  openQuery?: boolean;
  /** Headers that the route accepts, for the document. Its handler reads and checks them by its own rules. */
  headers?: TSchema;
  body?: B;
  /**
   * The same body with every member named, where `body` leaves parts to later checks; used to find misspelt members.
   */
  namedBody?: TSchema;
  bodyKind?: BodyKind;
  /** Parts of a JSON body that are kept as their exact text, so that they may hold any JSON. */
  exactText?: ExactText;
  /** Content types of a STREAM body. */
  consumes?: string[];
  /** Bytes; default 1 MiB. */
  bodyLimit?: number;
  /**
   * Runs in one transaction, given as `tx`, and accepts an Idempotency-Key. Set it on a route that dials, sends, bills
   * or writes a record.
   */
  idempotent?: boolean;
  /** For an idempotent route whose reply shows a secret: what is kept of it for a repeat is sealed. */
  showsSecret?: boolean;
  /**
   * Content type of a success that is not JSON. A `Readable` in the reply is sent as it comes; with text/event-stream
   * it goes on until one side ends it, so such a route does not become an MCP tool.
   */
  produces?: string;
  /** True when a page of this origin may call the route from a browser. Without it no page of another origin may. */
  cors?: (query: unknown, origin: string) => Promise<boolean>;
  /** Schema of each success status; null for an empty body. */
  replies: Record<number, TSchema | null>;
  /** Takes no rate-limit token (health checks). */
  free?: boolean;
  /** Also accepts the API key as query parameter `apiKey`: the MCP server does. */
  keyInQuery?: boolean;
  /** Path of the protected resource named in a 401; /api/external/v1 by default. */
  resource?: string;
  run(request: RequestOf<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
  /**
   * Runs after the changes of a successful `run` are committed, before they are answered, such as to wake a loop: work
   * that begins earlier would not find them. It also runs for a repeat, so it has no effect of its own.
   */
  afterCommit?(): void;
  /**
   * For an idempotent route that makes a network request: runs before the transaction, which would otherwise hold its
   * locks meanwhile, and changes nothing. It also runs for a repeat, whose stored reply then counts, so it returns
   * errors rather than throw them.
   */
  prepare?(request: RequestOf<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
  /**
   * For an idempotent route whose reply needs work that begins only after its commit: when `run` answers with status
   * UNSETTLED, this turns that body into the reply, which repeats get too.
   */
  settle?(pointer: unknown, request: RequestOf<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
}

/** Status of an answer of `run` that `settle` has yet to turn into the reply. */
export const UNSETTLED = 202;

/** A declared route without its parameter types. */
export type Route = RouteSpec<TSchema, TSchema, TSchema>;

/** Declares a route. The types of params, query and body follow from their schemas. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema>(spec: RouteSpec<P, Q, B>): Route {
  return spec as unknown as Route;
}

/** Returns the success status of a route: its only (or lowest) declared one. */
export function successStatus(declared: Route): number {
  return Math.min(...Object.keys(declared.replies).map(Number));
}

import type pg from "pg";
import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, pageOf, toPage } from "#src/platform/http/paging.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import type { ServedRequest } from "#src/platform/http/served-request.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";
import { listRequests, type RequestFilter, type RequestRow } from "./request-sql.ts";

export { createRequestTrimmer } from "./request-sql.ts";

const FLUSH_MS = 1_000;
/** Requests of one workspace that a node writes in a second; further ones are only counted. */
const KEPT_PER_FLUSH = 100;
/** Workspaces logged in one second of one node; requests of further ones are dropped. */
const MAX_WORKSPACES = 1_000;
const MAX_PATH = 500;

/** One request of a key or client, or through the MCP server. */
export const LoggedRequest = Type.Object(
  {
    id: Uuid,
    at: Timestamp,
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    durationMs: Type.Number(),
    credentialId: Uuid,
    credentialName: nullable(Type.String()),
    callerKind: oneOf(["API_KEY", "OAUTH_CLIENT"]),
    address: Type.String(),
    requestId: Type.String(),
    skipped: Type.Integer({ description: "Requests of a flood before this one that are not shown." }),
  },
  { $id: "LoggedRequest" },
);
export type LoggedRequest = Static<typeof LoggedRequest>;
export const RequestPage = pageOf(LoggedRequest, "RequestPage");

/** A page of the requests of a workspace. Its total is approximate, since the log is trimmed as it grows. */
export async function getRequestPage(
  db: Executor,
  workspaceId: string,
  request: PageRequest,
  filter: RequestFilter,
): Promise<Page<LoggedRequest>> {
  const { rows, count } = await listRequests(db, workspaceId, request, filter);
  return toPage(request, rows.map(toLogged), count);
}

function toLogged(row: RequestRow): LoggedRequest {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    method: row.method,
    path: row.path,
    status: row.status,
    durationMs: row.duration_ms,
    credentialId: row.credential_id,
    credentialName: row.credential_name,
    callerKind: row.caller_kind,
    address: row.address,
    requestId: row.request_id,
    skipped: row.skipped,
  };
}

const INSERT = `
insert into request_log (workspace_id, id, method, path, status, duration_ms, credential_id, caller_kind, address,
                         request_id, skipped, created_at)
select * from json_to_recordset($1::json) as x(workspace_id uuid, id uuid, method text, path text, status int,
  duration_ms float8, credential_id uuid, caller_kind text, address text, request_id text, skipped int,
  created_at timestamptz)`;

interface Kept {
  rows: object[];
  skipped: number;
}

/**
 * Writes the requests of this process once a second, in one statement. Requests do not wait for it. A crash, or a
 * database that is unavailable, loses what was not written: the log is for diagnosis, not a record.
 */
export class RequestLog {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  #waiting = new Map<string, Kept>();
  readonly #repeater: Repeater;

  constructor(pool: pg.Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
    this.#repeater = new Repeater(
      FLUSH_MS,
      () => this.#write(),
      () => undefined,
    );
  }

  /** Starts writing, one statement at a time even when the database is slow. */
  start(): void {
    this.#repeater.start();
  }

  /** Writes the waiting requests, and stops. */
  async stop(): Promise<void> {
    await this.#repeater.stop();
    await this.#write();
  }

  /** Notes a request of a key or client after it was answered. */
  note({ method, path, servedAs, status, durationMs, caller, address, requestId }: ServedRequest): void {
    if (caller.kind === "USER") return;
    const kept = this.#waiting.get(caller.workspaceId) ?? { rows: [], skipped: 0 };
    if (!this.#waiting.has(caller.workspaceId)) {
      if (this.#waiting.size >= MAX_WORKSPACES) return;
      this.#waiting.set(caller.workspaceId, kept);
    }
    if (kept.rows.length >= KEPT_PER_FLUSH) {
      kept.skipped++;
      return;
    }
    kept.rows.push({
      workspace_id: caller.workspaceId,
      id: uuidv7(),
      method,
      path: `${path.split("?", 1)[0]}${servedAs === undefined ? "" : `#${servedAs}`}`.slice(0, MAX_PATH).toWellFormed(),
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      credential_id: caller.credentialId,
      caller_kind: caller.kind,
      address,
      request_id: requestId,
      skipped: 0,
      created_at: now(),
    });
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const batch = [...this.#waiting.values()];
    this.#waiting = new Map();
    // The last row of a burst holds the number of missing requests, which came around it.
    const rows = batch.flatMap((kept) => {
      if (kept.skipped === 0) return kept.rows;
      return [...kept.rows.slice(0, -1), { ...kept.rows.at(-1), skipped: kept.skipped }];
    });
    try {
      await this.#pool.query({ name: "request-log", text: INSERT, values: [JSON.stringify(rows)] });
    } catch (error) {
      this.#log.warn("The request log could not be written.", { error: toError(error).message });
    }
  }
}

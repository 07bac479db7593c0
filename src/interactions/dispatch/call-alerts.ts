import type { AlertKind } from "#src/interactions/calls/alerts.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { announceSession } from "#src/interactions/webhooks/session-webhooks.ts";
import { all, type Database, first, sql } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { ClaimedRow } from "./claim.ts";
import { toSessionMember } from "./session-start.ts";

/** Times that one alert of a call is announced; it is stored each time, but a mood that swings floods no receiver. */
const MOST_ANNOUNCED = 3;

/**
 * Stores the alerts of one call as they are raised and cleared, in order. An alert and its announcement are one commit.
 * The call does not wait for it, and goes on when the database cannot take one.
 */
export class CallAlerts {
  readonly #database: Database;
  readonly #log: Log;
  readonly #row: ClaimedRow;
  #work: Promise<void> = Promise.resolve();

  constructor(database: Database, log: Log, row: ClaimedRow) {
    this.#database = database;
    this.#log = log;
    this.#row = row;
  }

  /** Stores that an alert is open, or is no longer. */
  readonly note = (kind: AlertKind, isOpen: boolean): void => {
    this.#work = this.#work
      .then(() => (isOpen ? raise(this.#database, this.#row, kind) : clear(this.#database, this.#row, kind)))
      .catch((error: unknown) =>
        this.#log.warn("An alert of a call was not stored.", {
          rowId: this.#row.id,
          kind,
          error: toError(error).message,
        }),
      );
  };

  /** Resolves when everything noted so far is stored. */
  get settled(): Promise<void> {
    return this.#work;
  }
}

interface Raised {
  raised_at: Date;
  times: number;
  answered_at: Date | null;
  human_requested: boolean;
}

async function raise({ db }: Database, row: ClaimedRow, kind: AlertKind): Promise<void> {
  const { workspace_id: workspaceId, id } = row;
  const jobId = row.job_id === NO_JOB ? null : row.job_id;
  await db.transaction().execute(async (tx) => {
    const raised = await first<Raised>(
      tx,
      sql`insert into call_alerts as w (workspace_id, row_id, kind) values (${workspaceId}, ${id}, ${kind})
          on conflict (workspace_id, row_id, kind) do update set raised_at = now(), cleared_at = null, times = w.times + 1
          returning raised_at, times,
            (select a.answered_at from call_attempts a
              where a.workspace_id = w.workspace_id and a.id = ${row.attempt_id}::uuid) as answered_at,
            (select r.human_requested from call_rows r
              where r.workspace_id = w.workspace_id and r.id = w.row_id) as human_requested`,
    );
    if (!raised) return;
    const { raised_at: raisedAt, times } = raised;
    await appendEvents(tx, workspaceId, [{ type: "call.alert", subjectId: id, data: { jobId, kind, times } }]);
    if (times > MOST_ANNOUNCED) return;
    await announceSession(tx, workspaceId, {
      eventType: "call.alert",
      sessionId: row.session_id,
      flowId: row.flow_id,
      inline: row.inline !== null,
      channel: "VOICE",
      data: {
        session: toSessionMember(row, raised.answered_at),
        row: { id, jobId, humanRequested: raised.human_requested },
        alert: { kind, raisedAt: raisedAt.toISOString(), times },
      },
    });
  });
}

async function clear({ db }: Database, { workspace_id: workspaceId, id }: ClaimedRow, kind: AlertKind): Promise<void> {
  await all(
    db,
    sql`update call_alerts set cleared_at = now()
         where workspace_id = ${workspaceId} and row_id = ${id} and kind = ${kind} and cleared_at is null`,
  );
}

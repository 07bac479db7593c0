import type pg from "pg";
import { foldEvent, type AttemptState } from "#src/interactions/calls/states.ts";
import { MicroBatch } from "#src/platform/kernel/async.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { storeOrPart } from "./store-or-part.ts";

/**
 * Stores events as the carrier's adapter read them (a repeated event key changes nothing) before they are
 * acknowledged, and folds them into the attempt. An event of an attempt that this node does not hold is only stored:
 * the node that holds it gets it from this one (forward-webhook.ts), or reads it when it next asks the carrier
 * (settle-attempt.ts).
 * The attempts are found by their key. Written as `ended_at is null`, the condition would let the planner, which
 * expects hardly any live attempt, compare each event with each of them: 300 ms for 400 events beside 600 live calls.
 * $1 events as JSON; workspace_id is null for attempts that this node does not hold.
 */
const RECEIVE = `
with x as materialized (
  select * from json_to_recordset($1::json) as x(provider text, event_key text, attempt_id uuid, type text, payload json,
    workspace_id uuid, provider_call_id text, at timestamptz, answered_by text, state text)
),
fresh as (
  insert into carrier_events (provider, event_key, attempt_id, type, payload)
  select provider, event_key, attempt_id, type, payload from x order by provider, event_key
  on conflict do nothing returning provider, event_key
),
folded as (
  update call_attempts a
     set state = m.state, provider_call_id = coalesce(a.provider_call_id, m.provider_call_id),
         ringing_at = coalesce(a.ringing_at, m.ringing_at), answered_at = coalesce(a.answered_at, m.answered_at),
         answered_by = coalesce(a.answered_by, m.answered_by)
    from (select workspace_id, attempt_id, (array_agg(state order by position desc))[1] as state,
                 max(provider_call_id) as provider_call_id, min(at) filter (where type = 'RINGING') as ringing_at,
                 min(at) filter (where type = 'ANSWERED') as answered_at, max(answered_by) as answered_by
            from (select x.*, row_number() over () as position from x) x
           where state in ('RINGING', 'IN_PROGRESS') group by 1, 2) m
   where a.workspace_id = m.workspace_id and a.id = m.attempt_id and coalesce(a.ended_at, 'infinity') = 'infinity'
)
select provider, event_key from fresh`;

/** Queue of carrier events for a live call. */
export class Mailbox {
  readonly workspaceId: string;
  /** The state folded so far; never moves back. */
  state: AttemptState = "SUBMITTING";
  readonly #taken = new Set<string>();
  #events: CarrierEvent[] = [];
  #wake: (() => void) | undefined;

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }

  /** Adds an event for the call; one that it has had changes nothing. */
  put(event: CarrierEvent): void {
    if (this.#taken.has(event.eventKey)) return;
    this.#taken.add(event.eventKey);
    this.#events.push(event);
    this.#wake?.();
  }

  /** Returns the next event, or null after `timeoutMs` or when the signal aborts. */
  async take(timeoutMs: number, signal: AbortSignal): Promise<CarrierEvent | null> {
    if (this.#events.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", this.#wake as () => void);
          resolve();
        };
        signal.addEventListener("abort", this.#wake, { once: true });
      });
      this.#wake = undefined;
    }
    return this.#events.shift() ?? null;
  }
}

interface Received {
  provider: string;
  event: CarrierEvent;
  /** True for an event that another node has stored and handed on to this one. */
  isForwarded: boolean;
}

/** Receives the events of all carriers of this node. */
export class Inbox {
  readonly #mailboxes = new Map<string, Mailbox>();
  readonly #pool: pg.Pool;
  readonly #batch: MicroBatch<Received, Error | null>;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#batch = new MicroBatch((items) => storeOrPart(items, (some) => this.#store(some)), 500);
  }

  async #store(items: Received[]): Promise<void> {
    const stored = items.map(({ provider, event }) => this.#toRow(provider, event));
    const found = await this.#pool.query<{ provider: string; event_key: string }>({
      name: "receive-events",
      text: RECEIVE,
      values: [JSON.stringify(stored)],
    });
    const fresh = new Set(found.rows.map((row) => `${row.provider}|${row.event_key}`));
    for (const { provider, event, isForwarded } of items) {
      const isFresh = fresh.delete(`${provider}|${event.eventKey}`);
      if (isFresh || isForwarded) this.#mailboxes.get(event.attemptId)?.put(event);
    }
  }

  /** Opens the mailbox of an attempt. Later events wait in it. */
  open(attemptId: string, workspaceId: string): Mailbox {
    const mailbox = this.#mailboxes.get(attemptId) ?? new Mailbox(workspaceId);
    this.#mailboxes.set(attemptId, mailbox);
    return mailbox;
  }

  /** Closes the mailbox. Later events are stored and change nothing. */
  close(attemptId: string): void {
    this.#mailboxes.delete(attemptId);
  }

  /** Stores an event. When this resolves, it may be acknowledged to the carrier. */
  async receive(provider: string, event: CarrierEvent, isForwarded = false): Promise<void> {
    const fault = await this.#batch.add({ provider, event, isForwarded });
    if (fault) throw fault;
  }

  #toRow(provider: string, event: CarrierEvent): Record<string, unknown> {
    const mailbox = this.#mailboxes.get(event.attemptId);
    if (mailbox) mailbox.state = foldEvent(mailbox.state, event.type);
    return {
      provider,
      event_key: event.eventKey,
      attempt_id: event.attemptId,
      type: event.type,
      payload: event,
      workspace_id: mailbox?.workspaceId ?? null,
      provider_call_id: event.providerCallId,
      at: event.at,
      answered_by: event.type === "ANSWERED" ? event.answeredBy : null,
      state: mailbox?.state ?? null,
    };
  }
}

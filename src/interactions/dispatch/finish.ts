import type pg from "pg";
import type { AmdVerdict } from "#src/audio/line/line.ts";
import type { OptOutDoubt } from "#src/engine/opt-out/doubt.ts";
import type { StageVisit } from "#src/engine/stages/stage-state.ts";
import type { FillPayload } from "#src/interactions/calls/output-fill.ts";
import type { AttemptState, RowOutcome, RowStatus } from "#src/interactions/calls/states.ts";
import { retryTransient } from "#src/platform/db/database.ts";
import { MicroBatch } from "#src/platform/kernel/async.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import { FINISH } from "./finish-sql.ts";
import { storeOrPart } from "./store-or-part.ts";

/** End of a call, or of one attempt of it. */
export interface CallEnd {
  status: RowStatus;
  /** Milliseconds until the row is due again; null when the end is final. */
  retryMs: number | null;
  /** True when the attempt rang nobody and does not count. */
  uncount?: boolean;
  outcome: RowOutcome | null;
  endReason: string | null;
  answeredBy?: string | null;
  error?: { code: string; message: string } | null;
  attemptState: AttemptState;
  sipCode?: number | null;
  providerCallId?: string | null;
  /** Time of the end by the carrier's clock (ISO 8601 UTC), if it reported one. */
  carrierEndedAt?: string | null;
  result?: CallResult | null;
  /** Outputs of the result that a task fills later; null for none. */
  fillLater?: FillPayload | null | undefined;
  /** True when the person asked for a human and the call could not be handed over. */
  humanRequested?: boolean;
  /** The session's doubt about an opt-out; undefined when no session was examined. */
  doubt?: OptOutDoubt | null;
}

/** Result of a conversation. */
export interface CallResult {
  transcript: unknown[];
  structuredOutputs: Record<string, unknown>;
  extractedFields: Record<string, unknown>;
  durationMs: number;
  modelMs: number[];
  usage: object;
  recorded: boolean;
  /** AMD verdict; null when AMD did not run. */
  answer: AmdVerdict | null;
  /** Visits of the flow's stages; empty without stages. */
  stagePath: readonly StageVisit[];
}

/** Key of the row that an end belongs to. */
export interface EndedRow {
  workspace_id: string;
  id: string;
  attempt_id: string | null;
  phone_number_id: string;
  job_id: string;
}

/** Node whose rows are ended. */
export interface LeasedNode extends NodeIdentity {
  /** Returns the id once no change of it is in progress. */
  settledId(): Promise<string>;
}

/** Stores ends, many in one statement. `onAnnounced` is called when that put webhooks into the outbox. */
export class Finisher {
  readonly #pool: pg.Pool;
  readonly #node: LeasedNode;
  readonly #onAnnounced: () => void;
  readonly #batch: MicroBatch<Record<string, unknown>, Error | null>;

  constructor(pool: pg.Pool, node: LeasedNode, onAnnounced: () => void) {
    this.#pool = pool;
    this.#node = node;
    this.#onAnnounced = onAnnounced;
    this.#batch = new MicroBatch((items) => storeOrPart(items, (some) => this.#store(some)), 200);
  }

  /**
   * Resolves when the end is committed, or when the row now belongs to another node. `simulated`: the sandbox carried
   * the call, so its usage bills nothing.
   */
  async finish(row: EndedRow, end: CallEnd, simulated: boolean): Promise<void> {
    const item = {
      workspace_id: row.workspace_id,
      row_id: row.id,
      attempt_id: row.attempt_id,
      phone_number_id: row.phone_number_id,
      job_id: row.job_id,
      event_id: uuidv7(),
      job_event_id: uuidv7(),
      status: end.status,
      retry_ms: end.retryMs,
      uncount: end.uncount ?? false,
      outcome: end.outcome,
      end_reason: end.endReason,
      answered_by: end.answeredBy ?? null,
      error: end.error ?? null,
      attempt_state: end.attemptState,
      sip_code: end.sipCode ?? null,
      provider_call_id: end.providerCallId ?? null,
      carrier_ended_at: end.carrierEndedAt ?? null,
      simulated,
      fill_later: end.fillLater ?? null,
      human_requested: end.humanRequested ?? false,
      doubt: end.doubt ? { ...end.doubt, id: uuidv7(), eventId: uuidv7() } : null,
      ...resultColumns(end.result),
    };
    const fault = await this.#batch.add(withoutNulls(item));
    if (fault) throw fault;
  }

  /**
   * Stores ends. If the process became another node in the meantime, the rows that were carried over end under the new
   * lease.
   */
  async #store(items: Record<string, unknown>[]): Promise<void> {
    const json = toStorableJson(items);
    for (let nodeId = this.#node.id, isDone = false; !isDone;) {
      const values = [nodeId, json];
      const found = await retryTransient(() =>
        this.#pool.query<{ announced: number }>({ name: "finish-rows", text: FINISH, values }),
      );
      if ((found.rows[0]?.announced ?? 0) > 0) this.#onAnnounced();
      const now = await this.#node.settledId();
      isDone = now === nodeId;
      nodeId = now;
    }
  }
}

/** An absent column is null too, and the database need not read it: most ends lack half of theirs. */
function withoutNulls(item: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

function resultColumns(result: CallResult | null | undefined): Record<string, unknown> {
  if (!result) return {};
  return {
    transcript: result.transcript,
    structured_outputs: result.structuredOutputs,
    extracted_fields: result.extractedFields,
    duration_ms: Math.round(result.durationMs),
    model_ms: result.modelMs,
    usage: result.usage,
    recorded: result.recorded,
    answer: result.answer,
    stage_path: result.stagePath.length > 0 ? result.stagePath : null,
  };
}

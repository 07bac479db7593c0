import type pg from "pg";
import type { FilledOutput, Turn } from "#src/engine/conversation/plan.ts";
import type { StageVisit } from "#src/engine/stages/stage-state.ts";
import type { CallWatch } from "#src/interactions/call-watch/call-watch.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import type { ClaimedRow } from "./claim.ts";

const EVERY_MS = 1_000;

/** Writes only rows that are still leased to this node, so that a finished row's transcript is not overwritten. */
const CHECKPOINT = `
insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms, model_ms, usage, recorded, stage_path, monitor)
select r.workspace_id, r.id, x.transcript, x.outputs, '{}', x.duration_ms, '[]', '{}', false, x.stage_path, x.monitor
  from json_to_recordset($2::json)
         as x(workspace_id uuid, row_id uuid, transcript json, outputs json, duration_ms int, stage_path json, monitor json)
  join call_rows r on r.workspace_id = x.workspace_id and r.id = x.row_id and r.lease_owner = $1
 order by r.id
on conflict (workspace_id, row_id) do update set transcript = excluded.transcript,
  structured_outputs = excluded.structured_outputs, duration_ms = excluded.duration_ms,
  stage_path = excluded.stage_path, monitor = excluded.monitor, updated_at = now()`;

/**
 * Writes the transcripts of live calls once a second, all in one statement. Readers see the conversation as it goes,
 * and a crash loses at most a second of it. Shorter calls never cost a write.
 */
export class Checkpoints {
  readonly #pool: pg.Pool;
  readonly #node: NodeIdentity;
  readonly #dirty = new Map<string, { row: ClaimedRow; turns: Turn[] }>();
  /** Outputs filled during the conversation, by row. */
  readonly #outputs = new Map<string, Record<string, FilledOutput>>();
  /** Paths through stages, by row. */
  readonly #paths = new Map<string, readonly StageVisit[]>();
  /** Watches of the calls, by row: they look at the clock before each writing, and their tiles are written. */
  readonly #watches = new Map<string, CallWatch>();
  readonly #repeater: Repeater;

  constructor(pool: pg.Pool, node: NodeIdentity, log: Log) {
    this.#pool = pool;
    this.#node = node;
    this.#repeater = new Repeater(
      EVERY_MS,
      () => this.#write(),
      (error) => log.warn("Transcripts of live calls could not be written.", { error: toError(error).message }),
    );
  }

  /** Starts writing, one statement at a time however slow the database is. */
  start(): void {
    this.#repeater.start();
  }

  /** Stops writing. */
  async stop(): Promise<void> {
    await this.#repeater.stop();
  }

  /** Adds the watch of a call. */
  enter(row: ClaimedRow, watch: CallWatch): void {
    this.#watches.set(row.id, watch);
  }

  /** Sets the current transcript of a call. */
  note(row: ClaimedRow, turns: Turn[]): void {
    this.#dirty.set(row.id, { row, turns });
  }

  /** Sets the outputs that were filled during the call. */
  noteOutputs(row: ClaimedRow, turns: Turn[], outputs: Record<string, FilledOutput>): void {
    this.#outputs.set(row.id, outputs);
    this.note(row, turns);
  }

  /** Sets the path of the call through the stages of its flow. */
  noteStages(row: ClaimedRow, turns: Turn[], path: readonly StageVisit[]): void {
    this.#paths.set(row.id, path);
    this.note(row, turns);
  }

  /** Drops a call that is over. Its end carries the transcript and the outputs. */
  forget(row: ClaimedRow): void {
    this.#outputs.delete(row.id);
    this.#paths.delete(row.id);
    this.#watches.delete(row.id);
    this.#dirty.delete(row.id);
  }

  async #write(): Promise<void> {
    for (const watch of this.#watches.values()) watch.tick();
    if (this.#dirty.size === 0) return;
    const items = [...this.#dirty.values()].map(({ row, turns }) => ({
      workspace_id: row.workspace_id,
      row_id: row.id,
      transcript: turns,
      outputs: this.#outputs.get(row.id) ?? {},
      stage_path: this.#paths.get(row.id) ?? null,
      monitor: this.#watches.get(row.id)?.tile ?? null,
      duration_ms: Math.round(turns.at(-1)?.endMs ?? 0),
    }));
    this.#dirty.clear();
    await this.#pool.query({ name: "checkpoint", text: CHECKPOINT, values: [this.#node.id, toStorableJson(items)] });
  }
}

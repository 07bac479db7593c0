import { OperatorStop } from "#src/engine/conversation/operator-stop.ts";
import { isUnavailable } from "#src/platform/db/database.ts";
import { Notifier, Rest, sleep } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { joinSignals } from "#src/platform/kernel/joined-signal.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import { queueCallBack } from "./call-back.ts";
import { NO_SPEECH } from "./call-ends.ts";
import { type ClaimedRow, claimRows, isSimulated, type ReapedRow, reapRows } from "./claim.ts";
import { type CallEnd, Finisher } from "./finish.ts";
import { leaveOutUnstorable } from "./leave-out.ts";
import { type CallParts, type NodeCallParts, resumeCall, runAnswered, runCall } from "./live-call.ts";
import { reviewLostSession } from "./lost-session.ts";
import { type LoadedFlow, loadFlows, noteContacts } from "./plan.ts";
import { LaneRest } from "./rest-lanes.ts";

/**
 * Polling intervals for due rows without a notification, such as another node's or a retry: after a claim that took
 * some, at rest, and at rest while no call is live and no other node is alive.
 */
const POLL_MS = 50;
const IDLE_POLL_MS = 200;
const ALONE_POLL_MS = 1_000;
/** Pause between full batches. Paced claims cost the database a third of the CPU of unpaced ones (measured). */
const BATCH_PAUSE_MS = 20;
const REAP_MS = 1_000;
const LANE_REST_MS = 1_000;
/** Time for which a workspace without a speech provider dials nobody; then its next rows ask whether it has one. */
const SILENT_MS = 5_000;
const FULL_NOTE_MS = 60_000;
const MAX_BATCH = 200;
/**
 * Number of refusals by the database after which an end is stored without its unstorable parts. After as many more it
 * is stored without the result, because the row must end. A call back is given up after the first ones.
 */
const STORE_TRIES = 3;

/** Parameters for running an answered call. */
export interface Adoption {
  /** The carrier's id of the call. */
  providerCallId: string;
  /** Changes the fields of its flow. */
  change?: (fields: LoadedFlow["fields"]) => LoadedFlow["fields"];
  /** Called once the call is over. */
  onEnd?: () => void;
}

/** Claims due rows, runs their calls and stores their ends; takes over the calls of dead nodes. */
export class Dispatcher {
  readonly #parts: CallParts;
  readonly #maxLive: number;
  readonly #log: Log;
  readonly #finisher: Finisher;
  readonly #notifier = new Notifier();
  readonly #rest = new Rest(POLL_MS, ALONE_POLL_MS);
  /** Aborts when nothing new is begun any more, when live calls must say goodbye, and when they are cut off. */
  readonly #draining = new AbortController();
  readonly #closing = new AbortController();
  readonly #cutting = new AbortController();
  readonly #live = new Set<Promise<void>>();
  /** Calls that are being answered and may be adopted. */
  readonly #expected = new Set<Promise<void>>();
  /** Controllers that release the rows whose calls this process runs, by row id. */
  readonly #held = new Map<string, AbortController>();
  /** Workspaces without a speech provider, with the time until which their rows are not claimed. */
  readonly #silent = new Map<string, number>();
  #fullNotedMs = Number.NEGATIVE_INFINITY;
  #loops: Promise<void>[] = [];

  constructor(parts: NodeCallParts, maxLive: number, onAnnounced: () => void, log: Log) {
    const [draining, closing] = [this.#draining.signal, this.#closing.signal];
    this.#parts = { ...parts, draining, closing, carrierOf: (row) => this.#findCarrier(parts, row) };
    this.#maxLive = maxLive;
    this.#log = log;
    this.#finisher = new Finisher(parts.database.pool, parts.node, onAnnounced);
  }

  /** Starts claiming, reaping, and sending lanes to rest. */
  start(): void {
    if (this.#loops.length === 0) this.#loops = [this.#claimLoop(), this.#reapLoop(), this.#laneLoop()];
  }

  /** Looks for due rows now rather than at the next poll. */
  wake(): void {
    this.#notifier.notify();
  }

  /** Number of calls that this node holds now. */
  get liveCalls(): number {
    return this.#live.size;
  }

  /** True while one more call may run here. */
  get hasRoom(): boolean {
    return !this.isDraining && this.#live.size < this.#maxLive;
  }

  /** True once the process begins no more calls. */
  get isDraining(): boolean {
    return this.#draining.signal.aborted;
  }

  /** Ids of the rows whose calls run in this process. */
  heldRows(): string[] {
    return [...this.#held.keys()];
  }

  /**
   * Ends every call that was not carried over after the process lost its lease and continues as another node. Nothing
   * is stored for them, because their rows belong to other nodes now.
   */
  onRejoined(carried: ReadonlySet<string>): void {
    for (const [rowId, hold] of this.#held) if (!carried.has(rowId)) hold.abort(new Error("The lease was lost."));
  }

  /** Runs a call that is already answered, under the lease that was taken for this node with its attempt. */
  adopt(row: ClaimedRow, { change = (fields) => fields, providerCallId, onEnd = () => undefined }: Adoption): void {
    const flows = new Map<string, LoadedFlow>();
    this.#track(row, flows, async (parts, _row, _flow, signal) => {
      const what = "The flow of an answered call could not be read";
      const [loaded] = await Promise.all([
        this.#persist(what, () => loadFlows(parts.database.db, [row], parts)),
        this.#noteContacts([row]),
      ]);
      if (!loaded) throw new Error("The server stopped before the flow of an answered call was read.");
      const flow = loaded.get(row.id);
      const changed = flow && { ...flow, fields: change(flow.fields) };
      if (changed) flows.set(row.id, changed);
      return runAnswered(parts, { row, providerCallId }, changed, signal).finally(onEnd);
    });
  }

  /** Begins no more calls: claimed rows that were not dialled yet go back. Live calls go on. */
  drain(): void {
    this.#draining.abort(new OperatorStop());
    this.#notifier.notify();
  }

  /** Ends live calls: the agent says goodbye to a person, and ringing calls are given up. */
  sayGoodbye(): void {
    this.#closing.abort(new OperatorStop());
  }

  /** Notes that a call is being answered, so that a drain waits for it; returns the function to call once it is adopted or not. */
  expect(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#expected.add(promise);
    return () => {
      this.#expected.delete(promise);
      resolve();
    };
  }

  /** Resolves when no call is left, after `drain`. */
  async untilIdle(): Promise<void> {
    await Promise.all(this.#loops);
    while (this.#live.size + this.#expected.size > 0) await Promise.all([...this.#live, ...this.#expected]);
  }

  /**
   * Stops claiming, lets live calls end for `graceMs`, then cuts off the rest. Their rows are stored as interrupted,
   * with the transcript so far.
   */
  async stop(graceMs: number): Promise<void> {
    this.drain();
    const grace = setTimeout(() => this.#cutting.abort(new OperatorStop()), graceMs);
    await this.untilIdle();
    clearTimeout(grace);
  }

  async #claimLoop(): Promise<void> {
    while (!this.isDraining) {
      try {
        const rows = await this.#claim();
        if (rows.length > 0) await this.#launch(rows);
        const longestMs = this.#parts.node.isAlone && this.#live.size === 0 ? ALONE_POLL_MS : IDLE_POLL_MS;
        const restMs = Math.min(longestMs, this.#rest.next(rows.length > 0));
        await this.#notifier.wait(rows.length > 0 ? BATCH_PAUSE_MS : restMs);
      } catch (error) {
        this.#log.warn("Due calls could not be claimed.", { error: toError(error).message });
        await this.#notifier.wait(1_000);
      }
    }
  }

  /**
   * Claims no more rows than this process has room for, because a row that is refused is soon due again. Without room
   * for audio it claims rows of the sandbox, most of which are text.
   */
  async #claim(): Promise<ClaimedRow[]> {
    const { database, node, voice } = this.#parts;
    const { room } = voice;
    const free = Math.min(this.#maxLive - this.#live.size, room || MAX_BATCH, MAX_BATCH);
    if (free <= 0) return [];
    const now = performance.now();
    if (room === 0) this.#noteFull(now);
    for (const [workspaceId, untilMs] of this.#silent) if (untilMs <= now) this.#silent.delete(workspaceId);
    const silent = room > 0 ? [...this.#silent.keys()] : null;
    return claimRows(database.pool, node.id, Math.max(1, Math.ceil(free / 4)), free, silent);
  }

  /** Logs, once a minute at most, that rows wait for this server's audio: nothing is noted at the rows. */
  #noteFull(nowMs: number): void {
    if (nowMs < this.#fullNotedMs + FULL_NOTE_MS) return;
    this.#fullNotedMs = nowMs;
    this.#log.warn("Calls wait: this server carries as many with audio as it can.", { liveCalls: this.#live.size });
  }

  async #reapLoop(): Promise<void> {
    while (!this.isDraining) {
      try {
        const rows = await reapRows(this.#parts.database.pool, this.#parts.node.id, this.heldRows());
        if (rows.length > 0) await this.#noteContacts(rows);
        const flows =
          rows.length > 0 ? await loadFlows(this.#parts.database.db, rows, this.#parts) : new Map<string, LoadedFlow>();
        for (const row of rows) this.#track(row, flows, resumeCall);
      } catch (error) {
        this.#log.warn("Calls of dead nodes could not be taken over.", { error: toError(error).message });
      }
      await sleep(REAP_MS, this.#draining.signal).catch(() => undefined);
    }
  }

  async #laneLoop(): Promise<void> {
    const lanes = new LaneRest(this.#parts.database.pool);
    while (!this.isDraining) {
      await lanes.run().catch((error: unknown) => {
        this.#log.warn("Lanes without due calls could not be sent to rest.", { error: toError(error).message });
      });
      await sleep(LANE_REST_MS, this.#draining.signal).catch(() => undefined);
    }
  }

  async #launch(rows: ClaimedRow[]): Promise<void> {
    const { db } = this.#parts.database;
    const [flows] = await Promise.all([
      this.#persist("The flows of claimed calls could not be read", () => loadFlows(db, rows, this.#parts)),
      this.#noteContacts(rows),
    ]);
    // Cut off before that: the rows keep their lease, and the next node that takes them puts them back.
    if (flows) for (const row of rows) this.#track(row, flows, runCall);
  }

  /**
   * Stores the contacts of dialled rows. Calls do not wait for it: the next call, or a search for the number, makes up
   * for a failure.
   */
  async #noteContacts(rows: ClaimedRow[]): Promise<void> {
    try {
      await noteContacts(this.#parts.database.db, rows);
    } catch (error) {
      this.#log.warn("The contacts of calls could not be noted.", { error: toError(error).message });
    }
  }

  /**
   * Tries until it works. A claimed row whose flow or end met an unavailable database must be neither lost nor stuck
   * under a live lease. `run` gets the number of refusals by an available database plus one. Gives up (undefined) only
   * while shutting down, when the lease ends anyway.
   */
  async #persist<T>(what: string, run: (round: number) => Promise<T>): Promise<T | undefined> {
    let refused = 0;
    for (let round = 1; ; round++) {
      try {
        return await run(refused + 1);
      } catch (error) {
        if (!isUnavailable(error)) refused++;
        if (this.#cutting.signal.aborted && round > 3) return undefined;
        this.#log.warn(`${what}; trying again.`, { error: toError(error).message });
        await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** round, 2_000)));
      }
    }
  }

  /**
   * Finds the carrier of a row. A short database outage must neither end a call that was never dialled nor abandon one
   * that rings.
   */
  async #findCarrier({ carrierOf }: NodeCallParts, row: ClaimedRow): Promise<Carrier> {
    const carrier = await this.#persist("The carrier of a call could not be found", () => carrierOf(row));
    if (!carrier) throw new Error("The server stopped before the carrier of a call was found.");
    return carrier;
  }

  #track<Row extends ClaimedRow | ReapedRow>(
    row: Row,
    flows: Map<string, LoadedFlow>,
    run: (parts: CallParts, row: Row, flow: LoadedFlow | undefined, signal: AbortSignal) => Promise<CallEnd>,
  ): void {
    const hold = new AbortController();
    this.#held.set(row.id, hold);
    const { signal, release } = joinSignals([this.#cutting.signal, hold.signal]);
    const runRow = () => run(this.#parts, row, flows.get(row.id), signal);
    const job = this.#runOne(row, flows, runRow, hold.signal).finally(() => {
      release();
      this.#live.delete(job);
      if (this.#held.get(row.id) === hold) this.#held.delete(row.id);
      this.#notifier.notify();
    });
    this.#live.add(job);
  }

  async #runOne(
    row: ClaimedRow,
    flows: ReadonlyMap<string, LoadedFlow>,
    run: () => Promise<CallEnd>,
    lost: AbortSignal,
  ): Promise<void> {
    let end: CallEnd;
    try {
      end = await run();
    } catch (error) {
      // Cut off while the carrier was being asked: the row keeps its lease, and the next start asks again.
      if (this.#cutting.signal.aborted || lost.aborted) return;
      this.#log.error("A call failed.", { rowId: row.id, error });
      end = endByFault(toError(error));
    }
    if (lost.aborted) return;
    if (end.error?.code === NO_SPEECH) this.#silent.set(row.workspace_id, performance.now() + SILENT_MS);
    const { pool } = this.#parts.database;
    const fields = flows.get(row.id)?.fields ?? row.inline;
    const kept = await this.#persist("The last words of a call could not be read", () =>
      reviewLostSession(pool, row, fields, end),
    );
    end = kept ?? end;
    await this.#persist("A call back could not be queued", async (round) => {
      if (round <= STORE_TRIES) await queueCallBack(this.#parts, row, fields, end);
    });
    const simulated = isSimulated(row);
    await this.#persist("The end of a call could not be stored", async (round) => {
      if (round === STORE_TRIES) end = await leaveOutUnstorable(pool, end);
      const fault = endByFault(new Error("The result could not be stored."));
      const stored = round <= 2 * STORE_TRIES ? end : { ...fault, doubt: end.doubt ?? null };
      await this.#finisher.finish(row, stored, simulated);
      this.#parts.onEnded?.(row, stored);
    });
  }
}

/**
 * Returns the end of a call after an internal error. The dial may have left and the person may have been rung, so the
 * row is never retried.
 */
function endByFault(error: Error): CallEnd {
  return {
    status: "FAILED",
    retryMs: null,
    outcome: "INTERRUPTED",
    endReason: "ERROR_INTERNAL",
    error: { code: "INTERNAL", message: error.message },
    attemptState: "ENDED",
  };
}

import type { Database } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { LoadedTool, ToolSession } from "./loaded-tool.ts";
import { deletePlace, insertPlace, renewPlaces } from "./place-sql.ts";

const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
/** Milliseconds between checks, by waiting calls, for a place that another node has given back. */
const POLL_MS = 100;
const DEFAULT_QUEUE_MS = 5_000;

/** A place that is held until it is given back. */
export interface HeldPlace {
  workspaceId: string;
  /** Counter that the place counts against. */
  counter: string;
  id: string;
}

interface Wanted {
  workspaceId: string;
  counter: string;
  max: number;
}

/**
 * Limits how many calls of tools run at once (toolConcurrencyConfig), exactly and across nodes: a place is a row. The
 * rows of a process that dies expire.
 */
export class Places {
  readonly #db: Database["db"];
  readonly #log: Log;
  readonly #held = new Set<HeldPlace>();
  /** Waiting calls of this process, by counter. Only the first of each polls, so that they are served in turn. */
  readonly #lines = new Map<string, (() => void)[]>();
  #timer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  constructor(db: Database["db"], log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Takes a place for a call of the tool; null when none is free, or none came free in time. A tool without a limit,
   * and a call within one that holds the same counter already (`held`), need none.
   */
  async take(
    tool: LoadedTool,
    session: ToolSession,
    held: readonly HeldPlace[],
    signal: AbortSignal,
  ): Promise<HeldPlace | null | "NOT_NEEDED"> {
    const limit = tool.definition.toolConcurrencyConfig;
    if (!limit?.enabled || !limit.maxConcurrent) return "NOT_NEEDED";
    const counter = toCounter(limit.scope ?? "TOOL", tool, session);
    if (held.some((place) => place.counter === counter)) return "NOT_NEEDED";
    const wanted = { workspaceId: session.workspaceId, counter, max: limit.maxConcurrent };
    const waits = (limit.onLimit ?? "QUEUE") === "QUEUE";
    return waits ? this.#waitFor(wanted, limit.queueTimeoutMs ?? DEFAULT_QUEUE_MS, signal) : this.#tryOnce(wanted);
  }

  /** Gives a place back, and wakes the next waiting call of this process. */
  async giveBack(place: HeldPlace): Promise<void> {
    this.#held.delete(place);
    if (this.#held.size === 0) this.close();
    try {
      await deletePlace(this.#db, place.workspaceId, place.counter, place.id);
    } catch {
      this.#log.warn("A place of a tool could not be given back; it expires by itself.");
    }
    this.#lines.get(lineOf(place))?.[0]?.();
  }

  /** Stops renewing leases, so that places still held expire. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #waitFor(wanted: Wanted, timeoutMs: number, signal: AbortSignal): Promise<HeldPlace | null> {
    const deadline = performance.now() + timeoutMs;
    const name = lineOf(wanted);
    const line = this.#lines.get(name) ?? [];
    this.#lines.set(name, line);
    let wake: () => void = () => undefined;
    const ring = () => wake();
    line.push(ring);
    try {
      for (;;) {
        const place = line[0] === ring ? await this.#tryOnce(wanted) : null;
        const leftMs = deadline - performance.now();
        if (place !== null || leftMs <= 0) return place;
        const pause = new AbortController();
        wake = () => pause.abort();
        await sleep(Math.min(POLL_MS, leftMs), AbortSignal.any([pause.signal, signal])).catch(() => undefined);
        signal.throwIfAborted();
      }
    } finally {
      line.splice(line.indexOf(ring), 1);
      line[0]?.();
      if (line.length === 0 && this.#lines.get(name) === line) this.#lines.delete(name);
    }
  }

  async #tryOnce({ workspaceId, counter, max }: Wanted): Promise<HeldPlace | null> {
    const place = { workspaceId, counter, id: uuidv7() };
    const request = { counter, id: place.id, max, leaseMs: LEASE_MS };
    const isTaken = await this.#db.transaction().execute((tx) => insertPlace(tx, workspaceId, request));
    if (!isTaken) return null;
    this.#held.add(place);
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_MS).unref();
    return place;
  }

  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      await renewPlaces(this.#db, [...this.#held], LEASE_MS);
    } catch {
      this.#log.warn("The places of tools could not be renewed; trying again.");
    } finally {
      this.#isRenewing = false;
    }
  }
}

function lineOf({ workspaceId, counter }: { workspaceId: string; counter: string }): string {
  return `${workspaceId}|${counter}`;
}

/**
 * Returns the counter. TOOL counts the calls of the tool; FLOW and WORKSPACE those of all tools there with that scope.
 */
function toCounter(scope: "TOOL" | "FLOW" | "WORKSPACE", tool: LoadedTool, session: ToolSession): string {
  if (scope === "TOOL") return `tool:${tool.grant.id}`;
  if (scope === "FLOW") return `flow:${session.flowId ?? session.sessionId}`;
  return "workspace";
}

import { checkLedger, type CheckedRow, readLedger, readLedgerEnd } from "../tests/kit/ledger-check.ts";

/** Time that all rows together may still need for their end. */
const SETTLE_MS = 120_000;
const ASK_MS = 100;
/** Slots of the number, when nobody says otherwise: more than there are calls. */
const SLOTS = 1_000;

/** A server on which calls are placed. */
export interface CalledServer {
  readonly url: string;
  operator(command: string, body: object): Promise<Record<string, unknown>>;
}

/** Pace of the calls, and the speed of the sandbox's clock. */
export interface Placing {
  placeMs: number;
  sandboxSpeed: number | "instant";
  /** Calls that the number may hold at once. */
  slots?: number;
}

/** Returns how many rows ended with each outcome, in words. */
export function countOutcomes(rows: ReadonlyMap<string, Record<string, unknown>>): string {
  const outcomes = Map.groupBy(rows.values(), ({ outcome }) => String(outcome));
  return [...outcomes].map(([outcome, { length }]) => `${outcome} ${length}`).join(", ");
}

/** Names the calls that a stop of a server cut off. */
export function findCutOff(rows: ReadonlyMap<string, Record<string, unknown>>): string[] {
  return [...rows].flatMap(([number, { outcome }]) =>
    String(outcome).startsWith("INTERRUPTED") ? [`${number} was cut off: ${String(outcome)}`] : [],
  );
}

/** Calls placed on all servers in turn all the time, each to a number of its own. */
export class PlacedCalls {
  readonly #servers: CalledServer[];
  readonly #ledgerPath: string;
  readonly #apiKey: string;
  /** Time at which each number's call was requested. */
  readonly #askedAt = new Map<string, number>();
  /** Rows that were acknowledged, by number. */
  readonly #acknowledged = new Map<string, string>();
  /** Number of requests that were not acknowledged, by their status; 0: no answer. */
  readonly refused = new Map<number, number>();
  readonly #flying = new Set<Promise<void>>();
  /** Answers that are the server's fault. */
  readonly serverFaults: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(servers: CalledServer[], ledgerPath: string, apiKey: string) {
    this.#servers = servers;
    this.#ledgerPath = ledgerPath;
    this.#apiKey = apiKey;
  }

  /** Creates a workspace and begins to place calls in it. */
  static async begin(
    servers: CalledServer[],
    ledgerPath: string,
    { placeMs, sandboxSpeed, slots = SLOTS }: Placing,
  ): Promise<PlacedCalls> {
    const [first] = servers as [CalledServer];
    const made = await first.operator("workspace.create", {
      name: "Soak",
      sample: true,
      sandboxSpeed,
      rateLimit: { capacity: 1e6, refill: 1e6, periodSeconds: 1 },
    });
    const calls = new PlacedCalls(servers, ledgerPath, String(made.apiKey));
    const { id } = made.phoneNumber as { id: string };
    await calls.#ask(first, "PUT", `/phone-numbers/${id}`, { maxConcurrentCalls: slots });
    calls.#timer = setInterval(() => calls.#place(), placeMs);
    return calls;
  }

  /** Number of calls that were placed, acknowledged or not. */
  get placed(): number {
    return this.#askedAt.size;
  }

  /** Number of acknowledged calls. */
  get count(): number {
    return this.#acknowledged.size;
  }

  #place(): void {
    const n = this.#askedAt.size;
    const number = `+1415${2_000_000 + n}`;
    this.#askedAt.set(number, performance.now());
    const server = this.#servers[n % this.#servers.length] as CalledServer;
    const work = this.#ask(server, "POST", "/outbound/calls", { customerNumber: number })
      .then((body) => void this.#acknowledged.set(number, String(body.rowId)))
      .catch((error: unknown) => {
        const status = Number(error instanceof Error ? error.message : NaN) || 0;
        this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
      })
      .finally(() => this.#flying.delete(work));
    this.#flying.add(work);
  }

  async #ask(server: CalledServer, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${server.url}/api/external/v1${path}`, {
      method,
      headers: { "x-api-key": this.#apiKey, ...(body ? { "content-type": "application/json" } : {}) },
      signal: AbortSignal.timeout(10_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (reply.status >= 500) this.serverFaults.push(`${server.url}${path}: ${reply.status} ${await reply.text()}`);
    if (reply.status !== 200) throw new Error(`${reply.status}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  /** Waits until a call requested after `sinceMs` rings; returns the milliseconds from `sinceMs` to then. */
  async untilOneRings(sinceMs: number, timeoutMs: number): Promise<number | null> {
    while (performance.now() - sinceMs < timeoutMs) {
      const rung = readLedgerEnd(this.#ledgerPath).findLast(({ event }) => event === "RING");
      if (rung && (this.#askedAt.get(rung.to) ?? 0) > sinceMs) return performance.now() - sinceMs;
      await pause(20);
    }
    return null;
  }

  /** Stops placing calls, and waits for the answers. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#flying);
  }

  /** Returns the rows of all acknowledged calls once they have ended, by number. */
  async readRows(): Promise<Map<string, Record<string, unknown>>> {
    let asksLeft = SETTLE_MS / ASK_MS;
    const rows = new Map<string, Record<string, unknown>>();
    for (const [number, id] of this.#acknowledged) {
      let row: Record<string, unknown> = {};
      for (;;) {
        row = await this.#ask(this.#servers[0] as CalledServer, "GET", `/call-rows/${id}`).catch(() => ({}));
        if (typeof row.endedAt === "string" || asksLeft-- <= 0) break;
        await pause(ASK_MS);
      }
      rows.set(number, row);
    }
    return rows;
  }

  /** Returns the faults of these rows by the carrier's ledger: people rung twice, calls that are lost or stuck. */
  check(rows: ReadonlyMap<string, Record<string, unknown>>): string[] {
    const checked = [...rows].map(([customerNumber, { status, attempt }]): CheckedRow => {
      return { customerNumber, status: String(status), attempt: Number(attempt) };
    });
    return checkLedger(readLedger(this.#ledgerPath), checked, [...this.#acknowledged.keys()]);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

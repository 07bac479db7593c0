import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { LookUpResult } from "#src/telephony/carriers/carrier.ts";
import { Announcer, type Deliver } from "./announcer.ts";
import { AttemptRegistry } from "./attempt-registry.ts";
import type { ChaosOptions } from "./chaos.ts";
import { type DialAnswer, Dialler, FORGOTTEN, refused } from "./dialler.ts";
import { toEndedEvent } from "./ended-event.ts";
import { openExchangeLine } from "./exchange-line.ts";
import { Ledger } from "./ledger.ts";
import type { CallHost } from "./sandbox-call.ts";
import type { SandboxDial } from "./sandbox-dial.ts";

export interface ExchangeOptions {
  /** Delivers the events; a rejection means that the event must be sent again. */
  deliver: Deliver;
  /** The ledger's file; undefined: nothing is kept beyond this process. */
  ledgerPath?: string | undefined;
  /** Flushes the ledger to disk before a dial is answered. */
  fsync?: boolean | undefined;
  /** Leaves the numbers of people out of the ledger; its lines name attempts only. */
  omitsPeople?: boolean | undefined;
  chaos?: ChaosOptions | undefined;
  /**
   * Behaves like a real carrier: an attempt that is looked up is not barred, so its absence proves nothing, and a
   * repeated dial rings twice. Default false.
   */
  isUnforgiving?: boolean | undefined;
  log?: Log | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

const SWEEP_MS = 10_000;
/** Real time until a person hangs up an unused call, and until an idle call without an answer is ended. */
const ABANDONED_MS = 120_000;
const STUCK_MS = 900_000;

/**
 * A simulated telephone network. It rings each attempt at most once, writes everything to an append-only ledger before
 * it answers, and proves absence: an unknown attempt is barred once it is looked up. An unforgiving exchange neither
 * prevents a second ring nor proves absence.
 */
export class SandboxExchange {
  readonly #ledger: Ledger;
  readonly #registry = new AttemptRegistry();
  readonly #announcer: Announcer;
  readonly #dialler: Dialler;
  readonly #now: () => number;
  readonly #isUnforgiving: boolean;
  readonly #sweep: NodeJS.Timeout;
  #closed = false;

  private constructor(options: ExchangeOptions, ledger: Ledger) {
    this.#ledger = ledger;
    this.#now = options.now ?? Date.now;
    this.#announcer = new Announcer(options.deliver, options.chaos, options.log);
    const host: CallHost = {
      now: this.#now,
      write: (line, at) => void ledger.append({ ...line, at }).catch(() => undefined),
      announce: (event, call) => this.#announcer.announce(event, call),
      settled: (call, event, elapsedMs) =>
        this.#registry.settle(call.request.attemptId, { kind: "ENDED", event, elapsedMs }, this.#now()),
    };
    this.#isUnforgiving = options.isUnforgiving ?? false;
    this.#dialler = new Dialler(this.#registry, ledger, host, options);
    this.#sweep = setInterval(() => this.#endAbandoned(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Opens the ledger, and ends the calls that were live when the previous process died. */
  static async open(options: ExchangeOptions): Promise<SandboxExchange> {
    const { ledgerPath: path, fsync, omitsPeople, log } = options;
    const { ledger, readBack } = await Ledger.open({ path, fsync, omitsPeople, log });
    const exchange = new SandboxExchange(options, ledger);
    const nowMs = exchange.#now();
    const at = new Date(nowMs).toISOString();
    for (const ring of exchange.#registry.restore(readBack, nowMs)) {
      const line = { ...ring, event: "END", at, ...BROKEN_OFF, reason: "the exchange was restarted" } as const;
      void ledger.append(line).catch(() => undefined);
      exchange.#registry.settle(ring.attemptId, { kind: "ENDED", event: toEndedEvent(line), elapsedMs: 0 }, nowMs);
    }
    return exchange;
  }

  /** Dials. The same attempt dialled again is the same call: nobody is rung twice. Never rejects. */
  async dial(request: SandboxDial): Promise<DialAnswer> {
    if (this.#closed) return refused({ then: "REQUEUE", code: "CLOSED", message: "The exchange is closed." });
    return this.#dialler.dial(request);
  }

  /** Looks up an attempt. ABSENT is proof: from then on the attempt is refused. Never rejects. */
  async lookUp(attemptId: string): Promise<LookUpResult> {
    const known = this.#registry.find(attemptId);
    if (known?.kind === "LIVE") {
      const { providerCallId, answeredBy } = known.call;
      return answeredBy ? { kind: "ANSWERED", providerCallId, answeredBy } : { kind: "RINGING", providerCallId };
    }
    if (known?.kind === "ENDED") return { kind: "ENDED", event: known.event };
    if (known === undefined && this.#registry.mayHaveForgotten(attemptId))
      return { kind: "UNCERTAIN", message: FORGOTTEN };
    return this.#isUnforgiving ? { kind: "UNCERTAIN", message: NOT_KNOWN } : this.#bar(attemptId);
  }

  /** Ends a call from the agent's side. Unknown and ended calls are ignored. */
  async hangUp(providerCallId: string): Promise<void> {
    const known = this.#registry.findCall(providerCallId);
    if (known?.kind === "LIVE") known.call.hangUp();
  }

  /** Returns the line of a call; a call that is unknown or not answered has a dropped line. */
  lineOf(providerCallId: string): Line {
    return openExchangeLine(this.#registry, providerCallId, this.#now);
  }

  /** Returns the audio of a call in real time, once; null for any other call, and for one that is open as text. */
  mediaOf(providerCallId: string): MediaSource | null {
    const known = this.#registry.findCall(providerCallId);
    return known?.kind === "LIVE" ? known.call.openMedia() : null;
  }

  /** Transfers a call, open as text or as audio. Never rejects. */
  async transfer(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<TransferResult> {
    const known = this.#registry.findCall(providerCallId);
    const audio = known?.kind === "LIVE" ? known.call.audio : undefined;
    if (audio) return audio.transfer(order, signal);
    return (await this.lineOf(providerCallId).transfer?.(order, signal)) ?? { kind: "HUNG_UP" };
  }

  /** Ends all calls without announcing it, and closes the ledger. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#sweep);
    this.#announcer.stop();
    for (const call of this.#registry.live) call.end({ ...BROKEN_OFF, reason: "the exchange was closed" });
    await this.#ledger.close();
  }

  // The bar is set in memory before it is written, so that no dial slips in between. An attempt that is already barred
  // is written again: the first write may have failed, or still be in progress.
  async #bar(attemptId: string): Promise<LookUpResult> {
    if (this.#closed) return { kind: "UNCERTAIN", message: "The exchange is closed." };
    this.#registry.settle(attemptId, { kind: "BARRED" }, this.#now());
    const at = new Date(this.#now()).toISOString();
    const line = { at, attemptId, providerCallId: "", from: "", to: "", attemptNumber: 0, event: "BARRED" } as const;
    return this.#ledger.append(line).then(
      () => ({ kind: "ABSENT" }),
      () => ({ kind: "UNCERTAIN", message: "The sandbox ledger cannot be written." }),
    );
  }

  #endAbandoned(): void {
    const nowMs = this.#now();
    for (const call of this.#registry.live) {
      const idleMs = call.busy > 0 ? 0 : nowMs - call.touchedAtMs;
      if (call.isAnswered && idleMs > ABANDONED_MS) call.finish("CUSTOMER");
      else if (!call.isAnswered && idleMs > STUCK_MS)
        call.end({ ...BROKEN_OFF, reason: "the call was never put through" });
    }
  }
}

const NOT_KNOWN = "The exchange does not know the attempt, which proves nothing.";
const BROKEN_OFF = { outcome: "CARRIER_FAILURE", hungUpBy: "CARRIER", sipCode: null } as const;

import { sleep } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { type ChaosKind, type ChaosOptions, strikes } from "./chaos.ts";
import type { SandboxSpeed } from "./sandbox-dial.ts";

/** Delivers one event; a rejection means that it must be sent again. `eventsUrl` is the dial's. */
export type Deliver = (event: CarrierEvent, eventsUrl: string) => void | Promise<void>;

/** The parts of a call that its announcements depend on. */
export interface AnnouncedCall {
  eventsUrl: string;
  speed: SandboxSpeed;
  /** Sends every event twice, whatever the chaos options say. */
  everyEventTwice: boolean;
  /** Sends RINGING after the end, and ANSWERED late and once more after the end. */
  outOfOrder: boolean;
}

const LATE_CALL_MS = 2_000;
/** Real wait of an instant call's late event: it still has to come after the event that followed it. */
const LATE_INSTANT_MS = 20;
const MAX_TRIES = 10;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/** Sends the events of all calls, with the requested faults, and repeats them until they are accepted. */
export class Announcer {
  readonly #deliver: Deliver;
  readonly #chaos: ChaosOptions | undefined;
  readonly #log: Log | undefined;
  readonly #stopping = new AbortController();
  /** Events held back until the next (or, with `outOfOrder`, the last) event of their attempt. */
  readonly #held = new Map<string, CarrierEvent[]>();

  constructor(deliver: Deliver, chaos: ChaosOptions | undefined, log: Log | undefined) {
    this.#deliver = deliver;
    this.#chaos = chaos;
    this.#log = log;
  }

  /** Sends an event, or holds it back, sends it twice, late or never. Never throws. */
  announce(event: CarrierEvent, call: AnnouncedCall): void {
    if (this.#strikes("lose", event)) return;
    const isLast = event.type === "ENDED";
    if (call.outOfOrder && !isLast) {
      this.#hold(event);
      if (event.type === "ANSWERED") void this.#sendLate(event, call);
      return;
    }
    if (!isLast && this.#strikes("reorder", event)) {
      this.#hold(event);
      // Held only for a while: an answer without any reaction would never have a next event.
      void this.#waitLate(call).then(() => this.#release(event.attemptId, call));
      return;
    }
    if (this.#strikes("late", event)) void this.#sendLate(event, call);
    else this.#send(event, call);
    if (!call.outOfOrder || isLast) this.#release(event.attemptId, call);
  }

  /** Stops sending; events not yet accepted are dropped. */
  stop(): void {
    this.#stopping.abort(new Error("The exchange is closing."));
  }

  #strikes(kind: ChaosKind, event: CarrierEvent): boolean {
    return this.#chaos !== undefined && strikes(this.#chaos, kind, event.attemptId, event.type);
  }

  #hold(event: CarrierEvent): void {
    this.#held.set(event.attemptId, [event, ...(this.#held.get(event.attemptId) ?? [])]);
  }

  #release(attemptId: string, call: AnnouncedCall): void {
    const held = this.#held.get(attemptId);
    if (!held) return;
    this.#held.delete(attemptId);
    for (const event of held) this.#send(event, call);
  }

  async #sendLate(event: CarrierEvent, call: AnnouncedCall): Promise<void> {
    await this.#waitLate(call);
    this.#send(event, call);
  }

  #waitLate(call: AnnouncedCall): Promise<void> {
    const waitMs = call.speed === "instant" ? LATE_INSTANT_MS : LATE_CALL_MS / call.speed;
    return sleep(waitMs, this.#stopping.signal).catch(() => undefined);
  }

  #send(event: CarrierEvent, call: AnnouncedCall): void {
    void this.#sendUntilTaken(event, call);
    if (call.everyEventTwice || this.#strikes("duplicate", event)) void this.#sendUntilTaken(event, call);
  }

  async #sendUntilTaken(event: CarrierEvent, call: AnnouncedCall): Promise<void> {
    for (let attempt = 1; !this.#stopping.signal.aborted; attempt++) {
      try {
        // Only a promise is awaited: a receiver in this process costs no turn of the event loop.
        const taken = this.#deliver(event, call.eventsUrl);
        return taken === undefined ? undefined : await taken;
      } catch (error) {
        if (attempt >= MAX_TRIES) {
          this.#log?.warn("A sandbox event was not taken.", { event: event.eventKey, error: toError(error).message });
          return;
        }
        const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
        await sleep(waitMs, this.#stopping.signal).catch(() => undefined);
      }
    }
  }
}

import type { MessagePort } from "node:worker_threads";
import { toError } from "#src/platform/kernel/errors.ts";
import { EventBatch } from "./event-batch.ts";
import type { CallMediaEvent, FromWorker, MediaCallOptions, ToWorker } from "./messages.ts";
import { type CallMakers, type OpenCall, openCall } from "./open-call.ts";
import { PortSupervisor } from "./port-supervisor.ts";
import { HungUpError, type SocketOrder } from "./rtp-sockets.ts";
import type { ThreadRest } from "./thread-rest.ts";
import { Ticker } from "./ticker.ts";

/** Interval of the load reports. */
const LOAD_MS = 1_000;
/** Longest wait of audio for more audio; any other event sends it at once. */
const SOUND_WAIT_MS = 40;

interface WorkedCall extends OpenCall {
  supervisors: Set<PortSupervisor>;
}

/**
 * Media of all calls of one thread: takes orders and emits events, and knows nothing of conversations. The events of
 * all calls of a moment go out in one message, because a message costs more than its contents.
 */
export class MediaWorker {
  readonly #notify: (message: FromWorker) => void;
  readonly #makers: CallMakers;
  readonly #calls = new Map<number, WorkedCall>();
  readonly #ticker: Ticker;
  readonly #loadTimer: NodeJS.Timeout;
  readonly #events = new EventBatch();
  /** The pending send: at once, or when audio has waited long enough; null without events. */
  #pendingSend: { atOnce: boolean; timer: NodeJS.Timeout | null } | null = null;

  constructor(notify: (message: FromWorker) => void, makers: CallMakers, rest: ThreadRest | null = null) {
    this.#notify = notify;
    this.#makers = makers;
    this.#ticker = new Ticker((ticked, error) => this.#fail(ticked, error), undefined, rest);
    this.#loadTimer = setInterval(() => this.#reportLoad(), LOAD_MS);
    this.#loadTimer.unref();
  }

  /** Executes an order of the main thread. Orders for a call that is over are ignored; one that throws ends its call. */
  take(order: Exclude<ToWorker, SocketOrder>): void {
    if (order.kind === "OPEN") return this.#open(order.callId, order.options);
    const call = this.#calls.get(order.callId);
    if (!call) return;
    try {
      this.#follow(order, call);
    } catch (error) {
      this.#close(order.callId, "LOST", toError(error).message);
    }
  }

  #follow(order: Exclude<ToWorker, SocketOrder | { kind: "OPEN" }>, call: WorkedCall): void {
    const { media } = call;
    switch (order.kind) {
      case "BEGIN":
        return media.playout.begin(order.utterance);
      case "ADD":
        return media.playout.add(order.utterance, order.samples);
      case "COMPLETE":
        return media.playout.complete(order.utterance);
      case "CLEAR":
        return media.clear();
      case "WORDS":
        return media.hearWords(order.event);
      case "DIGITS":
        return media.sendDigits(order.digits);
      case "CALLER_WAITING":
        return media.setCallerWaitingSince(order.sinceMs);
      case "VERDICT":
        return media.takeVerdict(order.answeredBy);
      case "JOIN":
        return media.join(order.other === null ? null : (this.#calls.get(order.other)?.media ?? null));
      case "HOLD":
        return media.hold(order.sound);
      case "SUPERVISE":
        return supervise(call, order.port, order.heardBy);
      case "CLOSE":
        return this.#close(order.callId, null, null);
    }
  }

  #open(callId: number, options: MediaCallOptions): void {
    try {
      const call = openCall(
        options,
        this.#makers,
        (event) => this.#note(callId, event),
        (by) => this.#close(callId, by, null),
      );
      this.#calls.set(callId, { ...call, supervisors: new Set() });
      this.#ticker.add(call.media);
    } catch (error) {
      const hasHungUp = error instanceof HungUpError;
      this.#note(callId, { kind: "CLOSED", atMs: 0, by: hasHungUp ? "REMOTE" : "LOST" });
      this.#note(callId, { kind: "ENDED", recording: null, fault: hasHungUp ? null : toError(error).message });
    }
  }

  #close(callId: number, by: "REMOTE" | "LOST" | null, fault: string | null): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    this.#calls.delete(callId);
    this.#ticker.remove(call.media);
    for (const supervisor of call.supervisors) supervisor.close();
    void call.close(by).then((recording) => this.#note(callId, { kind: "ENDED", recording, fault }));
  }

  /** Ends a call whose tick threw; the others go on. */
  #fail(ticked: object, error: unknown): void {
    for (const [callId, { media }] of this.#calls) {
      if (media === ticked) this.#close(callId, "LOST", toError(error).message);
    }
  }

  /**
   * Queues an event. Each message wakes the other thread, which for 60 calls cost a sixth of their CPU (bench/media).
   */
  #note(callId: number, event: CallMediaEvent): void {
    this.#events.add(callId, event);
    if (this.#pendingSend?.atOnce) return;
    if (event.kind !== "AUDIO") {
      if (this.#pendingSend?.timer) clearTimeout(this.#pendingSend.timer);
      this.#pendingSend = { atOnce: true, timer: null };
      setImmediate(() => this.#sendEvents());
      return;
    }
    this.#pendingSend ??= { atOnce: false, timer: setTimeout(() => this.#sendEvents(), SOUND_WAIT_MS) };
  }

  #sendEvents(): void {
    this.#pendingSend = null;
    this.#notify(this.#events.take());
  }

  #reportLoad(): void {
    const foreignPackets = this.#makers.countForeign?.() ?? 0;
    this.#notify({ kind: "LOAD", calls: this.#calls.size, foreignPackets, lateness: this.#ticker.readLateness() });
  }
}

function supervise(call: WorkedCall, port: MessagePort, heardBy: PortSupervisor["heardBy"]): void {
  const supervisor = new PortSupervisor(port, heardBy, () => {
    call.media.removeSupervisor(supervisor);
    call.supervisors.delete(supervisor);
  });
  call.supervisors.add(supervisor);
  call.media.addSupervisor(supervisor);
}

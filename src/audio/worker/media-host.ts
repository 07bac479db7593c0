import { setFlagsFromString } from "node:v8";
import { type MessagePort, Worker } from "node:worker_threads";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { readEvents } from "./event-batch.ts";
import type { CallMediaEvent, FromWorker, MediaCallOptions, MediaThreadData, ToWorker } from "./messages.ts";
import type { PortRange } from "./rtp-socket.ts";
import { ThreadRest } from "./thread-rest.ts";
import type { Lateness } from "./ticker.ts";

/** A call of the media thread, as the main thread holds it. Orders for a call that is over do nothing. */
export interface HostedCall {
  readonly id: number;
  begin(utterance: number): void;
  add(utterance: number, samples: Int16Array): void;
  complete(utterance: number): void;
  clear(): void;
  hearWords(event: SpeechEvent): void;
  sendDigits(digits: string): void;
  /** Passes on the carrier's verdict on who answered, where it comes late. */
  takeVerdict(answeredBy: AnsweredBy): void;
  /** Sets the call time since which the person waits for us; null: they do not. */
  setCallerWaitingSince(sinceMs: number | null): void;
  /** Lets two calls hear each other; null separates them. */
  join(other: HostedCall | null): void;
  /** Puts the person on hold with a repeated sound; null ends the hold. */
  hold(sound: Int16Array | null): void;
  supervise(port: MessagePort, heardBy: "NOBODY" | "AGENT" | "BOTH"): void;
  close(): void;
}

/** Sockets that wait for their call. */
export interface OpenedSocket {
  socketId: number;
  /** Local RTP port; RTCP is at the next port. */
  port: number;
}

/** Load of the media thread. */
export interface MediaLoad {
  calls: number;
  /** RTP packets rejected because of their source address, since the thread began. */
  foreignPackets: number;
  lateness: Lateness;
}

const NO_LOAD: MediaLoad = { calls: 0, foreignPackets: 0, lateness: { p50Ms: 0, p99Ms: 0, maxMs: 0 } };

/** Most calls of a thread, unless set otherwise; measured by bench/media, with half kept in reserve. */
const DEFAULT_MAX_CALLS = 400;
/** Lateness of packets that is heard as a broken line; new calls would make it worse. */
const MAX_LATENESS_MS = 40;
/**
 * Heap size in megabytes below which the collector does not run a full collection. By default it does so every 1.3 s
 * with 500 calls, whose audio passes through the heap, and stops the thread for up to 20 ms each time: packets were
 * late by 12 ms at p99, and by 4 ms with this (bench/media). It is read when a thread begins.
 */
const HEAP_FLAG = "--initial-heap-size=512";
const LOST: CallMediaEvent = { kind: "CLOSED", atMs: 0, by: "LOST" };
const GONE: CallMediaEvent = { kind: "CLOSED", atMs: 0, by: "REMOTE" };

/**
 * The media thread, as seen from the main thread: opens calls, passes on their events, and starts a new thread when one
 * dies. A call is refused before it is dialled (`reserve`) rather than degraded during a conversation.
 */
export class MediaHost {
  readonly #log: Log;
  readonly #maxCalls: number;
  readonly #vadModel: string | null;
  readonly #rest = new ThreadRest();
  readonly #calls = new Map<number, (event: CallMediaEvent) => void>();
  #worker: Worker | undefined;
  #load = NO_LOAD;
  readonly #opening = new Map<number, PromiseWithResolvers<OpenedSocket>>();
  #lastId = 0;
  #reserved = 0;
  #isClosed = false;
  #vadFault: string | null = null;

  /** `vadModel`: file of a Silero model; without one speech is detected by energy. */
  constructor(options: { log: Log; maxCalls?: number | undefined; vadModel?: string | null }) {
    this.#log = options.log;
    this.#maxCalls = options.maxCalls ?? DEFAULT_MAX_CALLS;
    this.#vadModel = options.vadModel ?? null;
  }

  /** Latest load that the thread reported. */
  get load(): MediaLoad {
    return this.#load;
  }

  /** Reason that the running thread does without its Silero model; null: it has it, or needs none. */
  get vadFault(): string | null {
    return this.#vadFault;
  }

  /** Number of further calls for which there is capacity now. */
  get room(): number {
    if (this.#load.lateness.p99Ms >= MAX_LATENESS_MS) return 0;
    return Math.max(0, this.#maxCalls - Math.max(this.#reserved, this.#calls.size));
  }

  /** Reserves capacity for a call until the returned function is called; null when there is none. */
  reserve(): (() => void) | null {
    if (this.room === 0) return null;
    this.#reserved++;
    // A thread takes a second to start, which is better spent while the phone rings.
    if (!this.#isClosed) this.#worker ??= this.#start();
    let isKept = true;
    return () => {
      if (isKept) this.#reserved--;
      isKept = false;
    };
  }

  /**
   * Opens the media of a call; its events come until ENDED. Without capacity the call is CLOSED at once, as is one
   * whose far end hung up before.
   */
  open(options: MediaCallOptions, onMediaEvent: (event: CallMediaEvent) => void): HostedCall {
    const id = ++this.#lastId;
    if (this.#isClosed || this.#calls.size >= 2 * this.#maxCalls) {
      const fault = this.#isClosed ? "The media thread is closed." : "The media thread has no room for another call.";
      queueMicrotask(() => {
        onMediaEvent(LOST);
        onMediaEvent({ kind: "ENDED", recording: null, fault });
      });
      return this.#handle(id);
    }
    this.#calls.set(id, onMediaEvent);
    const { source } = options;
    if (!this.#send({ kind: "OPEN", callId: id, options }, source.kind === "PORT" ? [source.port] : [])) {
      this.#calls.delete(id);
      queueMicrotask(() => {
        onMediaEvent(GONE);
        onMediaEvent({ kind: "ENDED", recording: null, fault: null });
      });
    }
    return this.#handle(id);
  }

  /**
   * Opens the sockets of a call on a local address, before its far end is known: `port` is for our offer. Rejects when
   * none is free, or the thread dies.
   */
  openSocket(host: string, ports: PortRange | null = null): Promise<OpenedSocket> {
    if (this.#isClosed) return Promise.reject(new Error("The media thread is closed."));
    const socketId = ++this.#lastId;
    const opening = Promise.withResolvers<OpenedSocket>();
    this.#opening.set(socketId, opening);
    this.#send({ kind: "OPEN_SOCKET", socketId, host, ports });
    return opening.promise;
  }

  /** Closes a socket; a call that has taken it is CLOSED by REMOTE. */
  closeSocket(socketId: number): void {
    if (!this.#isClosed) this.#send({ kind: "CLOSE_SOCKET", socketId });
  }

  /** Redirects the audio that a socket's call sends; port 0: nowhere. `isHeld`: the far end's silence is as agreed. */
  redirectSocket(socketId: number, remote: { host: string; port: number }, isHeld: boolean): void {
    if (!this.#isClosed) this.#send({ kind: "REDIRECT_SOCKET", socketId, remote, isHeld });
  }

  /** Ends all calls and the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#calls.keys()) this.#send({ kind: "CLOSE", callId: id });
    // The recordings of the last calls are still being written.
    for (let waits = 0; this.#calls.size > 0 && waits < 50; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.#worker?.terminate();
  }

  #handle(id: number): HostedCall {
    const send = (order: ToWorker, moved?: MessagePort[]): void => {
      if (this.#calls.has(id)) this.#send(order, moved);
    };
    return {
      id,
      begin: (utterance) => send({ kind: "BEGIN", callId: id, utterance }),
      add: (utterance, samples) => send({ kind: "ADD", callId: id, utterance, samples }),
      complete: (utterance) => send({ kind: "COMPLETE", callId: id, utterance }),
      clear: () => send({ kind: "CLEAR", callId: id }),
      hearWords: (event) => send({ kind: "WORDS", callId: id, event }),
      sendDigits: (digits) => send({ kind: "DIGITS", callId: id, digits }),
      takeVerdict: (answeredBy) => send({ kind: "VERDICT", callId: id, answeredBy }),
      setCallerWaitingSince: (sinceMs) => send({ kind: "CALLER_WAITING", callId: id, sinceMs }),
      join: (other) => send({ kind: "JOIN", callId: id, other: other?.id ?? null }),
      hold: (sound) => send({ kind: "HOLD", callId: id, sound }),
      supervise: (port, heardBy) => send({ kind: "SUPERVISE", callId: id, port, heardBy }, [port]),
      close: () => send({ kind: "CLOSE", callId: id }),
    };
  }

  /** Returns false when an order's port was closed by its other end meanwhile, and nothing was sent. */
  #send(order: ToWorker, moved: MessagePort[] = []): boolean {
    this.#worker ??= this.#start();
    try {
      this.#worker.postMessage(order, moved);
    } catch (error) {
      if (moved.length > 0 && error instanceof DOMException && error.name === "DataCloneError") return false;
      throw error;
    }
    this.#rest.wake();
    return true;
  }

  #start(): Worker {
    setFlagsFromString(HEAP_FLAG);
    const workerData: MediaThreadData = { vadModel: this.#vadModel, rest: this.#rest.cell };
    this.#vadFault = null;
    const worker = new Worker(new URL("./worker-main.ts", import.meta.url), { name: "parley-media", workerData });
    worker.on("message", (message: FromWorker) => this.#take(message));
    worker.on("error", (error) => this.#log.error("The media thread failed.", { error: error.message }));
    worker.once("exit", () => this.#end(worker));
    worker.unref();
    return worker;
  }

  #take(message: FromWorker): void {
    if (message.kind === "SOCKET") this.#endOpening(message);
    if (message.kind === "LOAD") {
      const { calls, foreignPackets, lateness } = message;
      this.#load = { calls, foreignPackets, lateness };
    }
    if (message.kind === "VAD_LOST") {
      this.#vadFault = message.fault;
      this.#log.warn("Silero is not used: voices are told by energy.", { fault: message.fault });
    }
    if (message.kind !== "EVENTS") return;
    readEvents(message, (id, event) => {
      const onMediaEvent = this.#calls.get(id);
      if (event.kind === "ENDED") this.#calls.delete(id);
      onMediaEvent?.(event);
    });
  }

  #endOpening({ socketId, port, error }: Extract<FromWorker, { kind: "SOCKET" }>): void {
    const opening = this.#opening.get(socketId);
    this.#opening.delete(socketId);
    if (error === null) opening?.resolve({ socketId, port });
    else opening?.reject(new Error(error));
  }

  /** Ends all calls of a thread that died; the next call starts another thread. */
  #end(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#opening.values()) reject(new Error("The media thread died."));
    this.#opening.clear();
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#load = NO_LOAD;
    for (const onMediaEvent of calls) {
      onMediaEvent(LOST);
      onMediaEvent({ kind: "ENDED", recording: null, fault: "The media thread died." });
    }
  }
}

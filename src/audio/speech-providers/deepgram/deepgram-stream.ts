import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { explainEnd, SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { AudioBacklog } from "#src/audio/stt/audio-backlog.ts";
import type { SpeechEvent, SpeechStream } from "#src/audio/stt/stt.ts";
import type { OpenSocket, SafeSocket, SocketEnd } from "#src/platform/http/safe-socket.ts";
import { type DeepgramResult, readDeepgramMessage } from "./deepgram-message.ts";

const PROVIDER = "Deepgram";
/** Least audio of a message, 80 ms, and most: Deepgram asks for 20 to 250 ms. A call's audio comes 100 ms at a time. */
const CHUNK_SAMPLES = 640;
const MOST_CHUNK_SAMPLES = 2_000;
/**
 * Backlog to send again. Deepgram makes words final within some 7 s of unbroken speech; older audio is not sent again.
 */
const BACKLOG_SAMPLES = 12 * VOICE_RATE_HZ;
/** Bytes waiting to be sent beyond which audio waits in the backlog instead. */
const MAX_WAITING_BYTES = 128 * 1024;
const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_FAILURES = 6;
const MAX_BACKOFF_MS = 2_000;
const FAREWELL_MS = 1_000;

/** Timeouts of a stream, in wall-clock milliseconds. */
export interface DeepgramLimits {
  connectMs: number;
  /** Silence of the other side, pings included, after which the connection counts as dead. */
  deadAfterMs: number;
  /** For the answer to a flush. */
  flushMs: number;
  /** Interval of the connection's checks. */
  tickMs: number;
  /** Audio must come every 10 s or be replaced by a KeepAlive. */
  keepAliveMs: number;
  /** Wait before the first reconnect; each later one waits twice as long. */
  backoffMs: number;
  /** From the loss of a connection to giving up the stream. */
  giveUpMs: number;
}

/** Address and headers of a stream's connections. */
export interface StreamTarget {
  url: string;
  headers: Record<string, string>;
}

/**
 * One person's speech at Deepgram over as many connections as it takes: a new one begins with the audio that the last
 * one did not make final. A flush is answered by a FINAL, which is empty when nothing was open.
 */
export class DeepgramStream implements SpeechStream {
  readonly #openSocket: OpenSocket;
  readonly #target: StreamTarget;
  readonly #limits: DeepgramLimits;
  readonly #onEvent: (event: SpeechEvent) => void;
  readonly #backlog = new AudioBacklog(BACKLOG_SAMPLES);
  readonly #tick: NodeJS.Timeout;
  #socket: SafeSocket | null = null;
  #isOpen = false;
  #hasEnded = false;
  /** Position of the audio that is second 0 of this connection, and the position after the last audio sent. */
  #base = 0;
  #sent = 0;
  #isFlushing = false;
  #hasAnsweredSinceFlush = false;
  #flushTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #failures = 0;
  #lostAt: number | null = null;
  #openedAt = 0;
  #heardAt = 0;
  #heardBytes = 0;
  #spokeAt = 0;

  constructor(
    openSocket: OpenSocket,
    target: StreamTarget,
    limits: DeepgramLimits,
    onEvent: (event: SpeechEvent) => void,
  ) {
    this.#openSocket = openSocket;
    this.#target = target;
    this.#limits = limits;
    this.#onEvent = onEvent;
    this.#tick = setInterval(() => this.#lookAfter(), limits.tickMs).unref();
    this.#connect();
  }

  write(samples: Int16Array): void {
    if (this.#hasEnded) return;
    this.#backlog.append(samples);
    this.#sendAudio(CHUNK_SAMPLES);
  }

  flush(): void {
    if (this.#hasEnded) return;
    this.#isFlushing = true;
    if (this.#isOpen) this.#finalize();
  }

  close(): void {
    if (this.#hasEnded) return;
    this.#stop();
    if (!this.#isOpen) return this.#socket?.destroy();
    this.#command("CloseStream");
    this.#socket?.close(FAREWELL_MS);
  }

  #connect(): void {
    const { connectMs: connectTimeoutMs } = this.#limits;
    const request = { headers: this.#target.headers, connectTimeoutMs, maxMessageBytes: MAX_MESSAGE_BYTES };
    const socket: SafeSocket = this.#openSocket(this.#target.url, request, {
      onOpen: () => this.#begin(),
      onMessage: (data) => this.#hear(data),
      onEnd: (end: SocketEnd) => {
        if (this.#socket === socket && !this.#hasEnded) this.#lose(explainEnd(PROVIDER, end));
      },
    });
    this.#socket = socket;
  }

  #begin(): void {
    if (this.#hasEnded) return;
    this.#isOpen = true;
    this.#openedAt = this.#heardAt = this.#spokeAt = performance.now();
    this.#heardBytes = 0;
    this.#base = this.#sent = this.#backlog.start;
    if (this.#isFlushing) this.#finalize();
    else this.#sendAudio(CHUNK_SAMPLES);
  }

  /** Sends the available audio, in messages of which the last may be as short as `leastSamples`. */
  #sendAudio(leastSamples: number): void {
    const socket = this.#socket;
    if (!this.#isOpen || !socket) return;
    while (this.#backlog.end - this.#sent >= leastSamples && socket.waitingBytes < MAX_WAITING_BYTES) {
      // Audio that was overwritten before it could be sent is lost, and times are counted without it.
      const lost = Math.max(0, this.#backlog.start - this.#sent);
      this.#base += lost;
      this.#sent += lost;
      const codes = this.#backlog.peek(this.#sent, this.#sent + MOST_CHUNK_SAMPLES);
      if (codes.length === 0) return;
      socket.send(codes);
      this.#sent += codes.length;
      this.#spokeAt = performance.now();
    }
  }

  #finalize(): void {
    this.#sendAudio(1);
    this.#command("Finalize");
    this.#hasAnsweredSinceFlush = false;
    clearTimeout(this.#flushTimer);
    this.#flushTimer = setTimeout(() => this.#missFlush(), this.#limits.flushMs);
  }

  /**
   * Handles a missing answer: Deepgram may leave a Finalize unanswered when nothing is open, and a connection that
   * still sends results is not stalled.
   */
  #missFlush(): void {
    if (this.#hasAnsweredSinceFlush) return this.#answerFlush("", null);
    this.#lose(new SpeechError("TIMEOUT", `${PROVIDER} did not finish an utterance in ${this.#limits.flushMs} ms.`));
  }

  #answerFlush(text: string, confidence: number | null): void {
    this.#isFlushing = false;
    clearTimeout(this.#flushTimer);
    this.#onEvent({ kind: "FINAL", text, confidence });
  }

  #command(type: "Finalize" | "KeepAlive" | "CloseStream"): void {
    this.#socket?.send(JSON.stringify({ type }));
    this.#spokeAt = performance.now();
  }

  #hear(data: string | Buffer): void {
    if (this.#hasEnded) return;
    const message = readDeepgramMessage(data);
    if (message === "OTHER") return;
    if (message === "UNREADABLE") {
      this.#lose(new SpeechError("UNREADABLE", `${PROVIDER} sent what is not its protocol.`));
    } else this.#take(message);
  }

  #take({ endSeconds, isFinal, fromFinalize, text, confidence }: DeepgramResult): void {
    this.#hasAnsweredSinceFlush = true;
    if (!isFinal) {
      if (text) this.#onEvent({ kind: "PARTIAL", text });
      return;
    }
    const end = Math.min(this.#base + Math.round(endSeconds * VOICE_RATE_HZ), this.#sent);
    if (end > this.#backlog.start) this.#recover();
    this.#backlog.acknowledge(end);
    if (fromFinalize && this.#isFlushing) this.#answerFlush(text, confidence);
    else if (text) this.#onEvent({ kind: "FINAL", text, confidence });
  }

  /** Resets the failures. Only final words, or a connection that lasts, prove that the provider has recovered. */
  #recover(): void {
    this.#failures = 0;
    this.#lostAt = null;
  }

  #lookAfter(): void {
    const socket = this.#socket;
    if (!this.#isOpen || !socket) return;
    const now = performance.now();
    if (socket.receivedBytes !== this.#heardBytes) {
      this.#heardBytes = socket.receivedBytes;
      this.#heardAt = now;
    }
    if (now - this.#heardAt > this.#limits.deadAfterMs) {
      this.#lose(new SpeechError("TIMEOUT", `${PROVIDER} was silent for ${this.#limits.deadAfterMs} ms.`));
      return;
    }
    if (now - this.#openedAt > this.#limits.giveUpMs) this.#recover();
    if (now - this.#spokeAt >= this.#limits.keepAliveMs) this.#command("KeepAlive");
    this.#sendAudio(CHUNK_SAMPLES);
    socket.ping();
  }

  #lose(error: SpeechError): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    clearTimeout(this.#flushTimer);
    socket?.destroy();
    const now = performance.now();
    this.#lostAt ??= now;
    this.#failures++;
    const waitMs = Math.max(this.#backoff(), error.retryAfterMs ?? 0);
    const isHopeless = this.#failures > MAX_FAILURES || now + waitMs - this.#lostAt > this.#limits.giveUpMs;
    if (!error.isTransient || isHopeless) return this.#fail(error);
    this.#retryTimer = setTimeout(() => this.#connect(), waitMs);
  }

  /** Returns the wait before a reconnect, with jitter, so that the streams of a lost server reconnect one by one. */
  #backoff(): number {
    const ms = this.#limits.backoffMs * 2 ** (this.#failures - 1);
    return Math.min(ms, MAX_BACKOFF_MS) * (0.75 + Math.random() / 2);
  }

  #fail(error: SpeechError): void {
    this.#stop();
    this.#onEvent({ kind: "FAILED", code: error.code, message: error.message });
  }

  #stop(): void {
    this.#hasEnded = true;
    clearInterval(this.#tick);
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#retryTimer);
  }
}

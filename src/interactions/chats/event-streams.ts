import { Readable } from "node:stream";
import { Notifier, sleep } from "#src/platform/kernel/async.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { EVENTS_PER_READ, type StoredChatEvent, type ChatStreamEvent, type StreamPlace } from "./event-store.ts";

/** Limits of a process's streams; tests set their own. */
export interface StreamLimits {
  /** Interval at which the changes of other nodes are polled. */
  pollMs: number;
  /** Minimum time between two polls, however often the notifier fires. */
  gapMs: number;
  keepAliveMs: number;
  /** Maximum age of a stream. Its client then resumes it, so a revoked credential loses access. */
  maxAgeMs: number;
  /** A client that reads nothing for this long is disconnected. */
  stalledMs: number;
  maxPerHolder: number;
  maxOpen: number;
}

const LIMITS: StreamLimits = {
  pollMs: 250,
  gapMs: 25,
  keepAliveMs: 15_000,
  maxAgeMs: 600_000,
  stalledMs: 60_000,
  maxPerHolder: 100,
  maxOpen: 10_000,
};

/** A request for a stream: its holder, its start, and the format of its events. */
export interface StreamRequest {
  /** Holder whose streams are counted together. */
  holder: string;
  workspaceId: string;
  sessionId: string;
  /** Number of the last event that the client has; 0 for none. */
  seen: number;
  /** False when the stream ends after the existing events. */
  follows: boolean;
  /** Limit of the holder's streams; the process's own limit when unset. */
  maxOfHolder?: number;
  /** Returns the event's data as the client may see it; null when the event is not for this client. */
  show(event: StoredChatEvent): object | null;
}

/**
 * The open event streams of this process. One loop reads the database once for all of them, some four times a second
 * and on each notification, so that a turn taken by another node shows as well. A slow client gets no more than its
 * buffer holds; its place waits.
 */
export class ChatStreams {
  readonly #readEvents: (places: StreamPlace[]) => Promise<ChatStreamEvent[]>;
  readonly #log: Log;
  readonly #limits: StreamLimits;
  readonly #open = new Set<EventStream>();
  readonly #ofHolder = new Map<string, number>();
  readonly #notifier = new Notifier();
  #isRunning = false;
  #isClosed = false;
  #keepAliveAt = 0;

  constructor(
    readEvents: (places: StreamPlace[]) => Promise<ChatStreamEvent[]>,
    log: Log,
    limits: Partial<StreamLimits> = {},
  ) {
    this.#readEvents = readEvents;
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Opens a stream of server-sent events; 429 when the holder has too many, 503 when the process has. */
  open(request: StreamRequest): Readable {
    const { holder, maxOfHolder = this.#limits.maxPerHolder } = request;
    const held = this.#ofHolder.get(holder) ?? 0;
    if (held >= maxOfHolder) throw new AppError("RATE_LIMITED");
    if (this.#open.size >= this.#limits.maxOpen || this.#isClosed) {
      throw new AppError("UNAVAILABLE", "This server holds as many streams as it can. Try again in a moment.");
    }
    this.#ofHolder.set(holder, held + 1);
    const stream = new EventStream(request, this.#notifier, (closed) => this.#forget(closed));
    this.#open.add(stream);
    // The first bytes send the headers. The client reconnects a second after the connection breaks.
    stream.write("retry: 1000\n\n");
    this.#notifier.notify();
    if (!this.#isRunning) void this.#run();
    return stream;
  }

  /** Polls now, because this process committed something. */
  wake(): void {
    if (this.#open.size > 0) this.#notifier.notify();
  }

  /** Ends all streams. Clients resume elsewhere. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
    this.#notifier.notify();
  }

  #forget(stream: EventStream): void {
    if (!this.#open.delete(stream)) return;
    const left = (this.#ofHolder.get(stream.holder) ?? 1) - 1;
    if (left > 0) this.#ofHolder.set(stream.holder, left);
    else this.#ofHolder.delete(stream.holder);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#keepAliveAt = performance.now() + this.#limits.keepAliveMs;
    while (this.#open.size > 0 && !this.#isClosed) {
      try {
        await this.#deliver([...this.#open].filter((stream) => stream.takesMore));
      } catch (error) {
        this.#log.warn("Chat events could not be read.", { error: toError(error).message });
        await sleep(1_000);
      }
      this.#tend();
      await sleep(this.#limits.gapMs);
      await this.#notifier.wait(this.#limits.pollMs);
    }
    this.#isRunning = false;
  }

  async #deliver(streams: EventStream[]): Promise<void> {
    if (streams.length === 0) return;
    const updates = await this.#readEvents(streams.map((stream) => stream.place));
    const byIndex = new Map(updates.map((one) => [one.index, one]));
    for (const [i, stream] of streams.entries()) {
      const isAll = stream.send(byIndex.get(i));
      if (!isAll) this.#notifier.notify();
    }
  }

  /** Keeps quiet connections open, and drops clients that stopped reading. */
  #tend(): void {
    const now = performance.now();
    const isQuiet = now >= this.#keepAliveAt;
    if (isQuiet) this.#keepAliveAt = now + this.#limits.keepAliveMs;
    for (const stream of this.#open) {
      if (isQuiet && stream.takesMore) stream.write(": keep-alive\n\n");
      if (now - stream.openedAt > this.#limits.maxAgeMs) stream.end();
      if (now - stream.stalledSince > this.#limits.stalledMs) stream.destroy();
    }
  }
}

class EventStream extends Readable {
  readonly holder: string;
  readonly place: StreamPlace;
  readonly openedAt = performance.now();
  takesMore = true;
  stalledSince = Number.POSITIVE_INFINITY;
  readonly #request: StreamRequest;
  readonly #notifier: Notifier;
  readonly #onClose: (stream: EventStream) => void;

  constructor(request: StreamRequest, notifier: Notifier, onClose: (stream: EventStream) => void) {
    super();
    const { holder, workspaceId, sessionId, seen } = request;
    this.holder = holder;
    this.place = { workspaceId, sessionId, seen, isTyping: false, isOver: false };
    this.#request = request;
    this.#notifier = notifier;
    this.#onClose = onClose;
  }

  override _read(): void {
    if (this.takesMore) return;
    this.takesMore = true;
    this.stalledSince = Number.POSITIVE_INFINITY;
    this.#notifier.notify();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.takesMore = false;
    this.#onClose(this);
    done(error);
  }

  write(text: string): void {
    if (this.destroyed || this.readableEnded || this.push(text)) return;
    this.takesMore = false;
    this.stalledSince = performance.now();
  }

  end(): void {
    if (this.destroyed) return;
    this.takesMore = false;
    this.#onClose(this);
    this.push(null);
  }

  /**
   * Writes the new events, advances the place, and ends the stream when nothing more can follow. False when more events
   * wait.
   */
  send(updates: ChatStreamEvent | undefined): boolean {
    if (this.destroyed) return true;
    const isAll = updates === undefined || updates.events.length < EVENTS_PER_READ;
    if (updates) this.#writeEvents(updates, isAll);
    if (isAll && (this.place.isOver || !this.#request.follows)) this.end();
    return isAll;
  }

  #writeEvents({ events, lastSeq, isTyping, isOver }: ChatStreamEvent, isAll: boolean): void {
    let text = "";
    for (const event of events) {
      const shown = this.#request.show(event);
      if (shown) text += `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(shown)}\n\n`;
    }
    // Old events may have been deleted, so nothing is left between here and the last number.
    this.place.seen = isAll ? Math.max(lastSeq, this.place.seen) : (events.at(-1)?.seq ?? this.place.seen);
    if (isAll && isTyping !== this.place.isTyping) {
      text += `event: typing\ndata: ${JSON.stringify({ active: isTyping })}\n\n`;
      this.place.isTyping = isTyping;
    }
    if (isAll) this.place.isOver = isOver;
    if (text !== "") this.write(text);
  }
}

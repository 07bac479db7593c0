/** One live event, as the stream carries it. */
export interface LiveEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** State of the stream: CONNECTING at first, WAITING between two tries. */
export type LiveState = "CONNECTING" | "OPEN" | "WAITING";

/** Receiver of the stream's events and states. */
export interface LiveListener {
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
}

const TYPES =
  "hello reset calls.live calls.changed jobs.progress chats.changed webhooks.changed counters transcript row room.tiles room.levels news alive bye";
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const WATCH_SETTLES_MS = 50;
/** A connection that brings nothing for so long is dead: the server speaks every 15 s. */
const LONGEST_SILENCE_MS = 45_000;
/** Milliseconds of the past that a new stream covers: the server replays four seconds, less time for the transfer. */
const REPLAYED_MS = 3_500;

/**
 * The one event stream of a tab. It resumes after the last event it saw, also when the connection died without a word,
 * waits longer after each failure, and connects at once when the browser comes back online.
 */
export class LiveStream {
  #source: EventSource | null = null;
  #lastId = "";
  /** True when it opened late, or failed before the first event: some earlier events are not in it. */
  #hasMissed = false;
  #waitMs = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #watched: string[] = [];
  #isInRoom = false;
  readonly #url: string;
  readonly #listener: LiveListener;
  readonly #readAtMs: number;

  /** `readAtMs`: when the page requested its oldest data, on the page's clock. */
  constructor(url: string, listener: LiveListener, readAtMs = performance.now()) {
    this.#url = url;
    this.#listener = listener;
    this.#readAtMs = readAtMs;
    window.addEventListener("online", this.#connect);
    this.#connect();
  }

  /** Subscribes to the transcripts of these calls too; this opens the stream again. */
  watch(rowIds: string[]): void {
    if (rowIds.join() === this.#watched.join()) return;
    this.#watched = rowIds;
    this.#connectSoon();
  }

  /** Subscribes to the control room, or leaves it; this opens the stream again. */
  setRoom(isOpen: boolean): void {
    if (isOpen === this.#isInRoom) return;
    this.#isInRoom = isOpen;
    this.#connectSoon();
  }

  #connectSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#connect, WATCH_SETTLES_MS);
  }

  readonly #connect = (): void => {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#listener.onState("CONNECTING");
    const source = new EventSource(this.#address());
    this.#source = source;
    this.#awaitWord();
    source.addEventListener("open", () => {
      this.#waitMs = FIRST_WAIT_MS;
      this.#listener.onState("OPEN");
    });
    source.addEventListener("error", () => this.#retry());
    for (const type of TYPES.split(" ")) source.addEventListener(type, (frame) => this.#take(type, frame));
  };

  #awaitWord(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#retry(), LONGEST_SILENCE_MS);
  }

  #address(): string {
    const params = new URLSearchParams();
    if (this.#watched.length > 0) params.set("watch", this.#watched.join(","));
    if (this.#isInRoom) params.set("room", "true");
    if (this.#lastId !== "") params.set("lastEventId", this.#lastId);
    return params.size === 0 ? this.#url : `${this.#url}?${params.toString()}`;
  }

  #take(type: string, { data, lastEventId }: MessageEvent<string>): void {
    this.#awaitWord();
    if (this.#lastId === "") this.#hasMissed ||= performance.now() - this.#readAtMs > REPLAYED_MS;
    if (lastEventId) this.#lastId = lastEventId;
    const parsed = parseFrame(data);
    if (!parsed) return;
    this.#listener.onEvent({ id: lastEventId, type, data: parsed });
    if (this.#hasMissed) this.#listener.onEvent({ id: lastEventId, type: "reset", data: {} });
    this.#hasMissed = false;
  }

  #retry(): void {
    this.#source?.close();
    this.#hasMissed ||= this.#lastId === "";
    this.#listener.onState("WAITING");
    clearTimeout(this.#silence);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#connect, this.#waitMs * (0.75 + Math.random() / 2));
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  /** Ends the stream for good. */
  close(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#timer);
    window.removeEventListener("online", this.#connect);
    this.#source?.close();
  }
}

function parseFrame(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

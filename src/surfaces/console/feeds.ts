import { Readable } from "node:stream";
import type { Executor } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { findLiveSessions } from "#src/tenancy/users/sessions.ts";
import { WorkspaceFeed } from "./feed.ts";
import type { Frame } from "./frame.ts";
import type { Known } from "./watched-calls.ts";

/** Timings and limits of the streams of a process; tests set their own. */
export interface FeedLimits {
  /** Milliseconds between two ticks; longer where a tick takes long. */
  tickMs: number;
  /** Milliseconds between checks that the pages' sessions are still valid. */
  sessionCheckMs: number;
  /** Milliseconds of silence after which a frame says that the stream is open; pages wait 45 s for one. */
  keepAliveMs: number;
  /** A page that reads nothing for so long is disconnected. */
  stalledMs: number;
  maxPerPerson: number;
  maxOpen: number;
}

const LIMITS: FeedLimits = {
  tickMs: 500,
  sessionCheckMs: 5_000,
  keepAliveMs: 15_000,
  stalledMs: 60_000,
  maxPerPerson: 20,
  maxOpen: 2_000,
};

/** Pages see no comments, and by this frame alone they know a quiet stream from a dead connection. */
const ALIVE = "event: alive\ndata: {}\n\n";

/** Milliseconds before its stream opens in which a new page may have read its data. */
const NEW_MS = 4_000;

/** A page's request for a stream. */
export interface FeedRequest {
  workspaceId: string;
  userId: string;
  sessionId: string;
  /** Calls whose dialogue it follows. */
  watch: string[];
  /** True when it has the control room open. */
  room: boolean;
  /** Id of the last frame that it received, a moment of the database's clock; null: a new page. */
  sinceMs: number | null;
}

/** The live streams of this process. The database is queried only for workspaces with a connected page. */
export class Feeds {
  readonly #db: Executor;
  readonly #log: Log;
  readonly #limits: FeedLimits;
  readonly #feeds = new Map<string, { feed: WorkspaceFeed; streams: Set<FeedStream> }>();
  readonly #closing = new AbortController();

  constructor(db: Executor, log: Log, limits: Partial<FeedLimits> = {}) {
    this.#db = db;
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Opens a stream of server-sent events. Throws a 429 when the person has too many, and a 503 when the process has.
   */
  open(request: FeedRequest): Readable {
    const all = [...this.#feeds.values()].flatMap(({ streams }) => [...streams]);
    if (all.filter(({ request: { userId } }) => userId === request.userId).length >= this.#limits.maxPerPerson)
      throw new AppError("RATE_LIMITED");
    if (all.length >= this.#limits.maxOpen || this.#closing.signal.aborted)
      throw new AppError("UNAVAILABLE", "This server holds as many streams as it can. Try again in a moment.");
    const known = this.#feeds.get(request.workspaceId);
    const entry = known ?? { feed: new WorkspaceFeed(this.#db, request.workspaceId), streams: new Set() };
    const stream = new FeedStream(request, () => {
      if (!entry.streams.delete(stream)) return;
      entry.feed.watched.remove(request.watch);
      if (request.room) entry.feed.room.leave();
    });
    entry.streams.add(stream);
    entry.feed.watched.add(request.watch);
    if (request.room) entry.feed.room.enter();
    // The first bytes send the headers; the page reconnects after a second when the connection breaks.
    stream.write("retry: 1000\n\n");
    if (!known) {
      this.#feeds.set(request.workspaceId, entry);
      void this.#run(entry);
    }
    return stream;
  }

  /** Ends all streams; pages resume elsewhere. */
  close(): void {
    this.#closing.abort();
    for (const { streams } of this.#feeds.values()) for (const stream of streams) stream.sayBye("CLOSING");
  }

  async #run(entry: { feed: WorkspaceFeed; streams: Set<FeedStream> }): Promise<void> {
    const { feed, streams } = entry;
    let checkAt = performance.now() + this.#limits.sessionCheckMs;
    while (streams.size > 0 && !this.#closing.signal.aborted) {
      const startedAt = performance.now();
      try {
        if (startedAt >= checkAt) {
          await this.#checkSessions(feed.workspaceId, streams);
          checkAt = performance.now() + this.#limits.sessionCheckMs;
        }
        await sendFrames(feed, streams);
      } catch (error) {
        this.#log.warn("The dashboard's live stream could not be read.", { error: toError(error).message });
      }
      for (const stream of streams) stream.tend(this.#limits);
      const tookMs = performance.now() - startedAt;
      await sleep(Math.max(this.#limits.tickMs - tookMs, 2 * tookMs, 20), this.#closing.signal).catch(() => undefined);
    }
    // No stream joined during the last tick: there is no await between the test above and this line.
    this.#feeds.delete(feed.workspaceId);
  }

  async #checkSessions(workspaceId: string, streams: Set<FeedStream>): Promise<void> {
    // A stream that joins meanwhile was not asked about.
    const asked = [...streams];
    const sessionIds = asked.map(({ request }) => request.sessionId);
    const alive = await findLiveSessions(this.#db, workspaceId, sessionIds);
    for (const stream of asked) if (!alive.has(stream.request.sessionId)) stream.sayBye("SIGNED_OUT");
  }
}

/** Reads the workspace once and sends each page what it does not have yet. */
async function sendFrames(feed: WorkspaceFeed, streams: Set<FeedStream>): Promise<void> {
  const frames = await feed.tick();
  for (const stream of streams) {
    if (!stream.takesMore) continue;
    const { seenMs } = stream;
    // A new page, or one that was behind, starts with the current states and the events in between.
    const own = stream.isCurrent ? frames : [...(await feed.replay(seenMs ?? feed.nowMs - NEW_MS)), ...feed.states];
    const room = stream.request.room ? feed.room.toFrames(stream.roomRevision) : null;
    stream.roomRevision = room?.revision ?? 0;
    const watched = feed.watched.toFrames(stream.request.watch, stream.known);
    stream.send(feed.nowMs, [...own, ...watched, ...(room?.frames ?? [])]);
  }
}

class FeedStream extends Readable {
  readonly request: FeedRequest;
  readonly known: Known = new Map();
  /** Revision of the control room that it has; 0: none. */
  roomRevision = 0;
  takesMore = true;
  /** True when it received all frames so far, so that the next ones are enough for it. */
  isCurrent = false;
  seenMs: number | null;
  #stalledSince = Number.POSITIVE_INFINITY;
  #quietSince = performance.now();
  readonly #onClose: () => void;

  constructor(request: FeedRequest, onClose: () => void) {
    super({ highWaterMark: 256 * 1024 });
    this.request = request;
    this.seenMs = request.sinceMs;
    this.#onClose = onClose;
  }

  override _read(): void {
    this.takesMore = true;
    this.#stalledSince = Number.POSITIVE_INFINITY;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.takesMore = false;
    this.#onClose();
    done(error);
  }

  /** Writes the frames of one tick under one id, from which a reconnecting page resumes. */
  send(nowMs: number, frames: Frame[]): void {
    const greeting: Frame[] = this.isCurrent ? [] : [{ type: "hello", data: { at: new Date(nowMs).toISOString() } }];
    this.isCurrent = true;
    this.seenMs = nowMs;
    const text = [...greeting, ...frames].map((frame) => render(frame, nowMs)).join("");
    if (text !== "") this.write(text);
  }

  write(text: string): void {
    if (this.destroyed || this.readableEnded) return;
    this.#quietSince = performance.now();
    if (this.push(text)) return;
    // Later frames are not buffered: once the page reads on, it gets the states anew.
    this.takesMore = false;
    this.isCurrent = false;
    this.#stalledSince = performance.now();
  }

  tend({ keepAliveMs, stalledMs }: FeedLimits): void {
    const now = performance.now();
    if (this.takesMore && now - this.#quietSince > keepAliveMs) this.write(ALIVE);
    if (now - this.#stalledSince > stalledMs) this.destroy();
  }

  sayBye(reason: "SIGNED_OUT" | "CLOSING"): void {
    if (this.destroyed) return;
    this.takesMore = false;
    this.push(render({ type: "bye", data: { reason } }, this.seenMs ?? 0));
    this.push(null);
    this.#onClose();
  }
}

function render({ type, data }: Frame, nowMs: number): string {
  return `id: ${nowMs}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

import { Readable } from "node:stream";
import type { Executor } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { findLiveSessions } from "#src/tenancy/users/sessions.ts";
import { type Frame, WorkspaceFeed } from "./feed.ts";
import type { Known } from "./watched-calls.ts";

/** How the streams of a process behave; tests set their own. */
export interface FeedLimits {
  /** The time between two looks; longer where a look takes long. */
  tickMs: number;
  /** How often it is asked whether those who look still may. */
  sessionCheckMs: number;
  keepAliveMs: number;
  /** A page that takes nothing for so long is let go. */
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

/** How long before its stream opens a new page may have read what it shows. */
const NEW_MS = 4_000;

/** A page that wants to look. */
export interface FeedRequest {
  workspaceId: string;
  userId: string;
  sessionId: string;
  /** Calls whose talk it follows. */
  watch: string[];
  /** Id of the last frame that it got, a moment of the database's clock; null: it is new. */
  sinceMs: number | null;
}

/** The live streams of this process. The database is asked only for workspaces that somebody looks at. */
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

  /** Opens a stream of server-sent events; 429 when the person has too many, 503 when the process has. */
  open(request: FeedRequest): Readable {
    const all = [...this.#feeds.values()].flatMap(({ streams }) => [...streams]);
    if (all.filter(({ request: { userId } }) => userId === request.userId).length >= this.#limits.maxPerPerson)
      throw new AppError("RATE_LIMITED");
    if (all.length >= this.#limits.maxOpen || this.#closing.signal.aborted)
      throw new AppError("UNAVAILABLE", "This server holds as many streams as it can. Try again in a moment.");
    const known = this.#feeds.get(request.workspaceId);
    const entry = known ?? { feed: new WorkspaceFeed(this.#db, request.workspaceId), streams: new Set() };
    const stream = new FeedStream(request, () => {
      if (entry.streams.delete(stream)) entry.feed.watched.remove(request.watch);
    });
    entry.streams.add(stream);
    entry.feed.watched.add(request.watch);
    // The first bytes carry the headers out; the page comes back after a second when the connection breaks.
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
        await notify(feed, streams);
      } catch (error) {
        this.#log.warn("The dashboard's live stream could not be read.", { error: toError(error).message });
      }
      for (const stream of streams) stream.tend(this.#limits);
      const tookMs = performance.now() - startedAt;
      await sleep(Math.max(this.#limits.tickMs - tookMs, 2 * tookMs, 20), this.#closing.signal).catch(() => undefined);
    }
    // Nobody came while the last look was under way: there is no await between the test above and this.
    this.#feeds.delete(feed.workspaceId);
  }

  async #checkSessions(workspaceId: string, streams: Set<FeedStream>): Promise<void> {
    const asked = [...streams].map(({ request }) => request.sessionId);
    const alive = await findLiveSessions(this.#db, workspaceId, asked);
    for (const stream of streams) if (!alive.has(stream.request.sessionId)) stream.sayBye("SIGNED_OUT");
  }
}

async function notify(feed: WorkspaceFeed, streams: Set<FeedStream>): Promise<void> {
  const frames = await feed.tick();
  for (const stream of streams) {
    if (!stream.takesMore) continue;
    const { seenMs } = stream;
    // One that is new, or was behind, starts with the states as they are and what happened meanwhile.
    const own = stream.isCurrent ? frames : [...(await feed.replay(seenMs ?? feed.nowMs - NEW_MS)), ...feed.states];
    stream.notify(feed.nowMs, [...own, ...feed.watched.notify(stream.request.watch, stream.known)]);
  }
}

class FeedStream extends Readable {
  readonly request: FeedRequest;
  readonly known: Known = new Map();
  takesMore = true;
  /** It got all frames so far, so the next ones are enough for it. */
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

  /** Writes the frames of one look under one id, which a page that comes back resumes from. */
  notify(nowMs: number, frames: Frame[]): void {
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
    // What comes until it reads on is not kept for it: it is told the states anew by then.
    this.takesMore = false;
    this.isCurrent = false;
    this.#stalledSince = performance.now();
  }

  tend({ keepAliveMs, stalledMs }: FeedLimits): void {
    const now = performance.now();
    if (this.takesMore && now - this.#quietSince > keepAliveMs) this.write(": keep-alive\n\n");
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

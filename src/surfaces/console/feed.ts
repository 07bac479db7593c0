import type { Executor } from "#src/platform/db/database.ts";
import {
  type Counts,
  type FeedEvent,
  type JobState,
  readCounts,
  readDeliveries,
  readEvents,
  readJobs,
  readLiveCalls,
  readWatched,
} from "./feed-sql.ts";
import type { Frame } from "./frame.ts";
import { JobPace } from "./job-pace.ts";
import { RoomFeed } from "./room-feed.ts";
import { WatchedCalls } from "./watched-calls.ts";

/** Live calls that a frame lists; their total is sent besides. */
const LISTED_CALLS = 100;
/** Items that a frame names; the others are only counted. */
const NAMED = 50;
/** Items read at a time. When there are more, a page has to read its lists anew. */
const READ = 1_000;
/**
 * The longest time between drawing an event's id and the commit of its transaction for the event to be reported live.
 */
const OVERLAP_MS = 6_000;
/** The largest difference between the clocks of nodes. */
const SKEW_MS = 60_000;
/** Above this number, the list of live calls is sent only every second time. */
const MANY_CALLS = 20;
/** Events missed longer ago than this are not replayed; the page reads its data anew. */
const REPLAY_MS = 600_000;
const REPLAYED = 500;

/**
 * Live state and events of one workspace, read from the database while a page is connected: one set of short reads per
 * tick, however many pages and on whichever node things happen. States are sent as they are at the time and events by
 * name, at most fifty a frame, so a job of any size costs a page a few small frames a second.
 */
export class WorkspaceFeed {
  readonly workspaceId: string;
  readonly watched: WatchedCalls;
  readonly room: RoomFeed;
  readonly #db: Executor;
  readonly #pace = new JobPace();
  /** The last frame of each state, with which later pages start. */
  readonly #states = new Map<string, { frame: Frame; text: string }>();
  readonly #reported = new Map<string, number>();
  #ticks = 0;
  #nowMs = 0;

  constructor(db: Executor, workspaceId: string) {
    this.#db = db;
    this.workspaceId = workspaceId;
    this.watched = new WatchedCalls();
    this.room = new RoomFeed(db, workspaceId);
  }

  /** The database's time at the last tick, which is the id of that tick's frames. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Reads once and returns the changes since the tick before. */
  async tick(): Promise<Frame[]> {
    this.#ticks++;
    const counts = await readCounts(this.#db, this.workspaceId);
    const { nowMs, liveCalls: total } = counts;
    const isFirst = this.#nowMs === 0;
    // In turn: nobody waits for a tick, and at once they would keep four processes of the database busy.
    const calls = total === 0 ? [] : await readLiveCalls(this.#db, this.workspaceId, LISTED_CALLS);
    const jobs = await readJobs(this.#db, this.workspaceId, this.#pace.known);
    const recent = { fromMs: nowMs - OVERLAP_MS, toMs: nowMs + SKEW_MS, limit: READ };
    const events = await readEvents(this.#db, this.workspaceId, recent);
    const deliveries = await readDeliveries(this.#db, this.workspaceId, recent.fromMs, READ);
    const watched = this.watched.size === 0 ? [] : await readWatched(this.#db, this.workspaceId, this.watched.known);
    await this.room.tick(total);
    this.#nowMs = nowMs;
    const frames = [...this.#toJobFrames(jobs, nowMs), ...this.#toStateFrames("counters", countersOf(counts, jobs))];
    if (total <= MANY_CALLS || this.#ticks % 2 === 0)
      frames.push(...this.#toStateFrames("calls.live", { calls, total }));
    const fresh = events.filter(({ id }) => this.#isFresh(id, momentOf(id)));
    const tried = deliveries.filter(({ deliveryId, attempt }) => this.#isFresh(`${deliveryId}|${attempt}`));
    this.#forgetReported();
    this.watched.take(watched);
    // Earlier events reach each new page through `replay`.
    if (isFirst) return frames;
    return [...frames, ...toEventFrames(fresh), ...toDeliveryFrames(tried)];
  }

  /** Frames with which a new page starts: every state as it is. */
  get states(): Frame[] {
    const jobs = this.#pace.all;
    const others = [...this.#states.values()].map(({ frame }) => frame);
    return [...others, { type: "jobs.progress", data: { jobs } }];
  }

  /**
   * Returns the events since a moment, for a page that was away; a reset when there are too many or the moment is too
   * long ago.
   */
  async replay(sinceMs: number): Promise<Frame[]> {
    const nowMs = this.#nowMs;
    const reset = [{ type: "reset", data: {} }];
    if (nowMs - sinceMs > REPLAY_MS || sinceMs > nowMs + SKEW_MS) return reset;
    const fromMs = sinceMs - OVERLAP_MS;
    const [events, deliveries] = await Promise.all([
      readEvents(this.#db, this.workspaceId, { fromMs, toMs: nowMs + SKEW_MS, limit: REPLAYED + 1 }),
      readDeliveries(this.#db, this.workspaceId, fromMs, REPLAYED + 1),
    ]);
    if (events.length > REPLAYED || deliveries.length > REPLAYED) return reset;
    return [...toEventFrames(events), ...toDeliveryFrames(deliveries)];
  }

  #toStateFrames(type: string, data: object): Frame[] {
    const text = JSON.stringify(data);
    if (this.#states.get(type)?.text === text) return [];
    const frame = { type, data };
    this.#states.set(type, { frame, text });
    return [frame];
  }

  #toJobFrames(jobs: JobState[], nowMs: number): Frame[] {
    const changed = this.#pace.take(jobs, nowMs);
    return changed.length === 0 ? [] : [{ type: "jobs.progress", data: { jobs: changed } }];
  }

  #isFresh(key: string, ms = this.#nowMs): boolean {
    if (this.#reported.has(key)) return false;
    this.#reported.set(key, Math.max(ms, this.#nowMs));
    return true;
  }

  /** Forgets reported items that lie before the window of the next tick, which are not read again. */
  #forgetReported(): void {
    const horizonMs = this.#nowMs - OVERLAP_MS - 1_000;
    for (const [key, atMs] of this.#reported) {
      if (atMs >= horizonMs) break;
      this.#reported.delete(key);
    }
  }
}

function countersOf({ nowMs: _, queuedAlone, ...counts }: Counts, jobs: JobState[]): object {
  const active = jobs.filter(
    (job) => job.status !== "COMPLETED" && job.status !== "CANCELLED" && job.status !== "FAILED",
  );
  const waiting = active.reduce((sum, job) => sum + job.totalRows - job.processedRows - job.liveCalls, 0);
  return { ...counts, queuedRows: Math.max(0, waiting) + queuedAlone, activeJobs: active.length };
}

const CALL_TYPES = new Set([
  "call.queued",
  "call.received",
  "call.human_requested",
  "call.alert",
  "call.ended",
  "call.outputs_filled",
]);
const CHAT_TYPES = new Set([
  "chat.started",
  "chat.message",
  "chat.human_requested",
  "chat.taken_over",
  "chat.handed_back",
  "chat.ended",
]);

/** Returns the frames of calls, chats and news; of several events about one call or chat, only the newest counts. */
function toEventFrames(events: FeedEvent[]): Frame[] {
  const calls = newest(events.filter(({ type }) => CALL_TYPES.has(type)));
  const chats = newest(events.filter(({ type }) => CHAT_TYPES.has(type)));
  const others = events.filter(({ type }) => !CALL_TYPES.has(type) && !CHAT_TYPES.has(type));
  return [
    ...list("calls.changed", "rows", calls, ({ subjectId, jobId, type }) => ({ rowId: subjectId, jobId, type })),
    ...list("chats.changed", "chats", chats, ({ subjectId, type }) => ({ sessionId: subjectId, type })),
    ...list("news", "items", others, ({ type, subjectId, at }) => ({ type, subjectId, at })),
  ];
}

function toDeliveryFrames(deliveries: { deliveryId: string }[]): Frame[] {
  return list("webhooks.changed", "deliveries", deliveries, (delivery) => delivery);
}

/** Returns the time in a version 7 id. */
function momentOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function newest(events: FeedEvent[]): FeedEvent[] {
  const seen = new Set<string>();
  return events.filter(({ subjectId }) => !seen.has(subjectId) && seen.add(subjectId));
}

function list<T>(type: string, name: string, items: T[], show: (item: T) => object): Frame[] {
  if (items.length === 0) return [];
  const data = { [name]: items.slice(0, NAMED).map(show), more: Math.max(0, items.length - NAMED) };
  return [{ type, data }];
}

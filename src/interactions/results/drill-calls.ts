import { readRowsById } from "#src/interactions/calls/rows-by-id.ts";
import type { Database } from "#src/platform/db/database.ts";
import { MOST_COUNTED, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { toPage } from "#src/platform/http/paging.ts";
import { type Bucket, listBuckets, listCalls, placesOf } from "./drill-store.ts";
import type { Drill } from "./drill.ts";
import type { ResultFilters } from "./filters.ts";

/**
 * Returns a page of exactly those calls that a figure of the results counts, by the quarter of an hour of their last
 * dial, the latest first. The sums say how many calls each quarter has, so only the quarters of the page are read,
 * whatever page that is.
 */
export async function listDrilled(
  { db }: Database,
  publicUrl: string,
  filters: ResultFilters,
  drill: Drill,
  page: PageRequest,
) {
  const buckets = await listBuckets(db, filters, drill);
  const found =
    drill.by === "HOUR"
      ? await readHour(db, filters, drill, buckets, page)
      : await readPlaced(db, filters, drill, buckets, page);
  const rows = await readRowsById(db, publicUrl, filters.workspaceId, found.ids);
  return toPage(page, rows, Math.min(found.total, MOST_COUNTED + 1));
}

interface Found {
  ids: string[];
  total: number;
}

/** Reads the calls of a weekday and hour: a call that was dialled several times then is one. */
async function readHour(
  db: Database["db"],
  filters: ResultFilters,
  drill: Drill,
  buckets: Bucket[],
  { page, size, after }: PageRequest,
): Promise<Found> {
  const rows = await listCalls(db, filters, drill, holding(buckets, 0, MOST_COUNTED + 1), MOST_COUNTED);
  const ids = [...new Set(rows.map(({ row_id: id }) => id))].toSorted().toReversed();
  const from = after === undefined ? page * size : ids.filter((id) => id >= after).length;
  return { ids: ids.slice(from, from + size + 1), total: ids.length };
}

/** Reads the calls of a figure that counts each call once. */
async function readPlaced(
  db: Database["db"],
  filters: ResultFilters,
  drill: Drill,
  buckets: Bucket[],
  { page, size, after }: PageRequest,
): Promise<Found> {
  const total = buckets.reduce((sum, { calls }) => sum + calls, 0);
  const start = after === undefined ? skip(buckets, page * size) : await findPlace(db, filters, buckets, after);
  const ids: string[] = [];
  let { at, passed } = start;
  while (at < buckets.length && ids.length <= size) {
    const wanted = passed + size + 1 - ids.length;
    const times = holding(buckets, at, wanted);
    const rows = await listCalls(db, filters, drill, times, wanted);
    const isFirst = at === start.at;
    // The place of a cursor is found by its id, that of a page by the number of calls before it.
    const fresh =
      isFirst && after !== undefined
        ? rows.filter(({ bucket_at: time, row_id: id }) => time.getTime() !== times[0]?.getTime() || id < after)
        : rows.slice(passed);
    ids.push(...fresh.map(({ row_id: id }) => id));
    at += times.length;
    passed = 0;
  }
  return { ids: ids.slice(0, size + 1), total };
}

/** Returns the quarters of an hour from a place on that hold this many calls. */
function holding(buckets: Bucket[], from: number, wanted: number): Date[] {
  const times: Date[] = [];
  let held = 0;
  for (let at = from; at < buckets.length && held < wanted; at++) {
    const { bucket_at: time, calls } = buckets[at] as Bucket;
    times.push(time);
    held += calls;
  }
  return times;
}

/** Returns the quarter of an hour that holds the call after the first `count`, and how many of its calls come before. */
function skip(buckets: Bucket[], count: number): { at: number; passed: number } {
  let left = count;
  for (const [at, { calls }] of buckets.entries()) {
    if (left < calls) return { at, passed: left };
    left -= calls;
  }
  return { at: buckets.length, passed: 0 };
}

/** Returns the quarter of an hour of the last call of the page before; those of it that come before are read again. */
async function findPlace(db: Database["db"], { workspaceId }: ResultFilters, buckets: Bucket[], after: string) {
  const [place] = await placesOf(db, workspaceId, after);
  const time = place?.bucket_at.getTime() ?? Number.POSITIVE_INFINITY;
  const at = buckets.findIndex(({ bucket_at: bucket }) => bucket.getTime() <= time);
  return { at: at < 0 ? buckets.length : at, passed: buckets[at]?.calls ?? 0 };
}

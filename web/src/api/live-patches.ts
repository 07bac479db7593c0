import type { CallRow, CallJob } from "@parley/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { patchRow } from "./cache-patches.ts";
import type { LiveShapes } from "./live-shapes.ts";
import type { LiveEvent } from "./live-stream.ts";
import { keyOf } from "./queries.ts";

type Patches = { [Type in keyof LiveShapes]?: (patch: Cache, data: LiveShapes[Type]) => void };

interface Cache {
  client: QueryClient;
  workspaceId: string;
}

/** Cache key of the last frame of a type, so that any screen can show it. */
export function liveKey(workspaceId: string, type: keyof LiveShapes): string[] {
  return [workspaceId, "live", type];
}

/** Applies a live event to the cache: patches the value when the event holds it, else marks it to be fetched again. */
export function patchCache(cache: Cache, { type, data }: LiveEvent): void {
  const patch = PATCHES[type as keyof LiveShapes] as ((cache: Cache, data: unknown) => void) | undefined;
  patch?.(cache, data);
}

const PATCHES: Patches = {
  reset: ({ client, workspaceId }) => void client.invalidateQueries({ queryKey: [workspaceId] }),
  counters: (cache, data) => keepFrame(cache, "counters", data),
  "calls.live": patchLiveCalls,
  "calls.changed": (cache, { rows }) => {
    refresh(cache, "/call-history", "/overview", "/contacts", ...rows.map(({ rowId }) => `/call-rows/${rowId}`));
  },
  "jobs.progress": (cache, { jobs }) => jobs.forEach((job) => patchJob(cache, job)),
  "chats.changed": (cache) => refresh(cache, "/chat-sessions", "/contacts"),
  "webhooks.changed": (cache) => refresh(cache, "/webhook-deliveries"),
  row: (cache, { rowId, status, actions, endedAt }) => {
    patchCall(cache, rowId, { status, actions, endedAt });
    refresh(cache, `/call-rows/${rowId}`);
  },
  transcript: patchTranscript,
  news: refreshEvents,
};

function keepFrame<Type extends keyof LiveShapes>(
  { client, workspaceId }: Cache,
  type: Type,
  data: LiveShapes[Type],
): void {
  client.setQueryData(liveKey(workspaceId, type), data);
}

function refresh({ client, workspaceId }: Cache, ...paths: string[]): void {
  for (const path of paths) void client.invalidateQueries({ queryKey: keyOf(workspaceId, path) });
}

function patchCall({ client, workspaceId }: Cache, id: string, change: Partial<CallRow>): void {
  patchRow<CallRow>(client, workspaceId, { list: "/call-history", item: "/call-rows", id }, (row) => ({
    ...row,
    ...change,
  }));
}

function patchLiveCalls(cache: Cache, data: LiveShapes["calls.live"]): void {
  const before = cache.client.getQueryData<LiveShapes["calls.live"]>(liveKey(cache.workspaceId, "calls.live"));
  const live = new Set(data.calls.map(({ rowId }) => rowId));
  const gone = before?.calls.filter(({ rowId }) => !live.has(rowId)) ?? [];
  // A call that waits for its next attempt sends no event of its own.
  if (gone.length > 0) refresh(cache, "/call-history", ...gone.map(({ rowId }) => `/call-rows/${rowId}`));
  keepFrame(cache, "calls.live", data);
  for (const { rowId, status, actions, answeredAt } of data.calls)
    patchCall(cache, rowId, { status, actions, answeredAt });
}

function patchJob(cache: Cache, job: LiveShapes["jobs.progress"]["jobs"][number]): void {
  const { client, workspaceId } = cache;
  const {
    jobId,
    status,
    actions,
    totalRows,
    processedRows,
    successfulRows,
    reachedRows,
    machineRows,
    errorRows,
    liveCalls,
  } = job;
  const counts = { totalRows, processedRows, successfulRows, reachedRows, machineRows, errorRows };
  const change = { status, actions, ...counts, inProgressRows: liveCalls };
  patchRow<CallJob>(client, workspaceId, { list: "/call-jobs", item: "/call-jobs", id: jobId }, (row) => ({
    ...row,
    ...change,
  }));
  const key = [workspaceId, "live", "job", jobId];
  const before = client.getQueryData<typeof job>(key);
  // A job that is cancelled takes its waiting calls along, which send no events of their own.
  if (before !== undefined && before.status !== status) refresh(cache, "/call-history");
  client.setQueryData(key, job);
}

function patchTranscript(cache: Cache, { rowId, from, turns, outputs, stageId }: LiveShapes["transcript"]): void {
  const { client, workspaceId } = cache;
  const path = `/call-rows/${rowId}`;
  const known = client.getQueryData<CallRow>(keyOf(workspaceId, path));
  // A slow read that began before the previous frame lacks the lines in between.
  if (known && known.transcript.length < from) return refresh(cache, path);
  // The frame names the stage alone; the row has the way there.
  if (known && stageId !== null && known.stagePath.at(-1)?.stageId !== stageId) refresh(cache, path);
  client.setQueryData<CallRow>(keyOf(workspaceId, path), (row) =>
    row === undefined
      ? row
      : {
          ...row,
          transcript: [...row.transcript.slice(0, from), ...turns],
          structuredOutputs: outputs ?? row.structuredOutputs,
        },
  );
}

/** Resources that an outbox event changes, by the first word of its type. */
const TOUCHED: Record<string, string[]> = {
  transcription: ["/transcriptions"],
  automation: ["/automations"],
  phone_number: ["/phone-numbers"],
  call_job: ["/call-jobs"],
  opt_out_review: ["/opt-out-reviews"],
};

function refreshEvents(cache: Cache, { items }: LiveShapes["news"]): void {
  const words = new Set(items.map(({ type }) => type.split(".")[0] ?? ""));
  for (const word of words) refresh(cache, ...(TOUCHED[word] ?? []));
}

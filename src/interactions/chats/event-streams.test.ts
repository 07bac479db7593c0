import { once } from "node:events";
import { expect, test } from "vitest";
import { createLog } from "#src/platform/kernel/log.ts";
import type { StoredChatEvent, ChatStreamEvent, StreamPlace } from "./event-store.ts";
import { ChatStreams, type StreamRequest } from "./event-streams.ts";

const log = createLog("error");
const request: StreamRequest = {
  holder: "h",
  workspaceId: "w",
  sessionId: "s",
  seen: 0,
  follows: true,
  show: ({ seq }) => ({ seq }),
};

/** A chat with this many events, read as the database reads it. */
function chatOf(count: number) {
  const chat = { count, reads: [] as number[] };
  const read = async (places: StreamPlace[]): Promise<ChatStreamEvent[]> => {
    chat.reads.push(places.length);
    return places.flatMap(({ seen }, index) => {
      if (seen >= chat.count) return [];
      const size = Math.min(100, chat.count - seen);
      const events = Array.from({ length: size }, (_, i): StoredChatEvent => ({
        seq: seen + i + 1,
        type: "session.updated",
        data: {},
        message: null,
      }));
      return [{ index, lastSeq: chat.count, isTyping: false, isOver: false, events }];
    });
  };
  return { chat, read };
}

test("a quiet stream is kept open by comments", async () => {
  const streams = new ChatStreams(chatOf(0).read, log, { keepAliveMs: 1, pollMs: 1, gapMs: 1 });
  const stream = streams.open(request).setEncoding("utf8");
  let text = "";
  for await (const piece of stream) {
    text += String(piece);
    if (text.split(": keep-alive\n\n").length > 3) break;
  }
  expect(text).toMatch(/^retry: \d+\n\n(: keep-alive\n\n)+$/);
});

test("one read serves all streams of the process", async () => {
  const { chat, read } = chatOf(3);
  const streams = new ChatStreams(read, log, { pollMs: 60_000 });
  const open = Array.from({ length: 20 }, () => streams.open({ ...request, follows: false }));
  await Promise.all(open.map((stream) => once(stream.resume(), "end")));
  expect(chat.reads.toSorted((a, b) => b - a)[0]).toBeGreaterThan(1);
  expect(chat.reads.length).toBeLessThan(5);
});

test("a stream of thousands of events is given them in order, a buffer at a time", async () => {
  const { read } = chatOf(5_000);
  const streams = new ChatStreams(read, log, { pollMs: 1, gapMs: 1 });
  const stream = streams.open({ ...request, follows: false, show: ({ seq }) => ({ seq, filler: "x".repeat(500) }) });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(stream.readableLength).toBeLessThan(65_536 + 100 * 600);
  let text = "";
  for await (const piece of stream.setEncoding("utf8")) text += String(piece);
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  expect(ids).toEqual(Array.from({ length: 5_000 }, (_, i) => i + 1));
});

test("a stream ends at its age, and one that nobody reads is let go; both free their holder's place", async () => {
  const old = new ChatStreams(chatOf(0).read, log, { maxAgeMs: 1, pollMs: 1, gapMs: 1, maxPerHolder: 1 });
  await once(old.open(request).resume(), "end");
  await once(old.open(request).resume(), "end");
  const stalled = new ChatStreams(chatOf(5_000).read, log, { stalledMs: 1, pollMs: 1, gapMs: 1, maxPerHolder: 1 });
  const stream = stalled.open({ ...request, show: () => ({ filler: "x".repeat(2_000) }) });
  expect(() => stalled.open(request)).toThrow("X-RateLimit-Reset");
  await once(stream, "close");
  stalled.open(request).destroy();
});

test("streams end when the server stops, and none is opened any more", async () => {
  const streams = new ChatStreams(chatOf(0).read, log);
  const stream = streams.open(request).resume();
  streams.close();
  await once(stream, "end");
  expect(() => streams.open(request)).toThrow("as many streams as it can");
});

test("a database that fails for a moment costs nothing but time", async () => {
  const { read } = chatOf(2);
  let isFirst = true;
  const failing = async (places: StreamPlace[]) => {
    if (isFirst) {
      isFirst = false;
      throw new Error("gone");
    }
    return read(places);
  };
  const streams = new ChatStreams(failing, createLog("silent"), { pollMs: 1, gapMs: 1 });
  const stream = streams.open({ ...request, follows: false }).setEncoding("utf8");
  let text = "";
  for await (const piece of stream) text += String(piece);
  expect(text.match(/^id: /gm)).toHaveLength(2);
});

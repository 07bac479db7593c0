import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type LiveEvent, LiveStream } from "./live-stream.ts";

/** A stream whose frames the test sends. */
class Source extends EventTarget {
  static newest: Source;
  static count = 0;
  constructor() {
    super();
    Source.count++;
    Source.newest = this;
  }
  close(): void {
    // Nothing is open.
  }
}

const heard: string[] = [];
const listener = { onState: () => undefined, onEvent: ({ type }: LiveEvent) => void heard.push(type) };

function send(type: string): void {
  Source.newest.dispatchEvent(new MessageEvent(type, { data: "{}", lastEventId: "7" }));
}

beforeEach(() => {
  heard.length = 0;
  Source.count = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("EventSource", Source);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("trusts a stream that opens soon after the page has read", () => {
  const live = new LiveStream("/events", listener);
  vi.advanceTimersByTime(3_000);
  send("hello");
  vi.advanceTimersByTime(60_000);
  send("counters");
  expect(heard).toEqual(["hello", "counters"]);
  live.close();
});

it("has everything read again, once, when it opens later than the server looks back", () => {
  const live = new LiveStream("/events", listener);
  vi.advanceTimersByTime(5_000);
  send("hello");
  send("counters");
  expect(heard).toEqual(["hello", "reset", "counters"]);
  live.close();
});

it("counts from what the page had read before the stream was asked for", () => {
  vi.advanceTimersByTime(5_000);
  const live = new LiveStream("/events", listener, performance.now() - 4_000);
  send("hello");
  expect(heard).toEqual(["hello", "reset"]);
  live.close();
});

it("opens the stream again when its connection died without a word, and not while it only says that it lives", () => {
  const live = new LiveStream("/events", listener);
  send("hello");
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(16_000);
    send("alive");
  }
  expect(Source.count).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(Source.count).toBe(2);
  live.close();
  vi.advanceTimersByTime(300_000);
  expect(Source.count).toBe(2);
});

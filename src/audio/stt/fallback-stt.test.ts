import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFallbackStt } from "./fallback-stt.ts";
import type { Stt, SpeechEvent } from "./stt.ts";

const LIMITS = { flushMs: 1_000, lastFlushMs: 3_000, restMs: 0 };
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An STT provider that records its input and emits the events a test gives it. */
function fake(name: string, atOpen?: SpeechEvent) {
  const got: (number | "flush" | "close")[] = [];
  const asked: unknown[] = [];
  let notify: (event: SpeechEvent) => void = () => undefined;
  let opened = 0;
  const stt: Stt = {
    name,
    open(options) {
      opened++;
      notify = (event) => options.onEvent(event);
      asked.push({ expected: options.expected, isLast: options.isLast });
      if (atOpen) options.onEvent(atOpen);
      return {
        write: (samples) => void got.push(samples.length),
        flush: () => void got.push("flush"),
        close: () => void got.push("close"),
        expect: (schema) => void asked.push(schema),
      };
    },
  };
  return { stt, got, asked, notify: (event: SpeechEvent) => notify(event), opened: () => opened };
}

const FAILED: SpeechEvent = { kind: "FAILED", code: "UNAVAILABLE", message: "gone" };
const final = (text: string): SpeechEvent => ({ kind: "FINAL", text, confidence: null });

function open(...fakes: [ReturnType<typeof fake>, ...ReturnType<typeof fake>[]]) {
  const events: SpeechEvent[] = [];
  const failovers: string[] = [];
  const [first, ...others] = fakes.map(({ stt }) => stt);
  const all = [first as Stt, ...others] as const;
  const fallback = createFallbackStt(all, LIMITS, (failed, next) => void failovers.push(`${failed}>${next}`));
  const onEvent = (event: SpeechEvent) => void events.push(event);
  const stream = fallback.open({ language: "en", hints: [], expected: null, onEvent });
  return { stream, events, failovers };
}

const seconds = (count: number) => new Int16Array(8_000 * count);
const countSamples = (got: (number | string)[]) => got.reduce<number>((sum, one) => sum + Number(one) || sum, 0);

test("what the next one hears again is what was not made final", () => {
  const [a, b] = [fake("a"), fake("b")];
  const { stream, events, failovers } = open(a, b);
  stream.write(seconds(2));
  stream.flush();
  a.notify(final("one"));
  stream.write(seconds(1));
  a.notify({ kind: "PARTIAL", text: "tw" });
  a.notify(FAILED);
  stream.write(seconds(1));
  stream.flush();
  b.notify(final("two"));
  expect(countSamples(b.got)).toBe(16_000);
  expect(events).toEqual([final("one"), { kind: "PARTIAL", text: "tw" }, final("two")]);
  expect(failovers).toEqual(["a>b"]);
  expect(a.got.at(-1)).toBe("close");
});

test("a flush that waits is asked of the next one, at its place in the audio", () => {
  const [a, b] = [fake("a"), fake("b")];
  const { stream, events } = open(a, b);
  stream.write(seconds(1));
  stream.flush();
  stream.write(new Int16Array(160));
  vi.advanceTimersByTime(1_001);
  expect(b.got.slice(-2)).toEqual(["flush", 160]);
  expect(countSamples(b.got.slice(0, -2))).toBe(8_000);
  a.notify(final("late"));
  b.notify(final("in time"));
  expect(events).toEqual([final("in time")]);
});

test("FAILED comes once, when the last one failed, and nothing after it", () => {
  const [a, b] = [fake("a"), fake("b")];
  const { stream, events } = open(a, b);
  a.notify(FAILED);
  expect(events).toEqual([]);
  b.notify({ ...FAILED, code: "REFUSED" });
  expect(events).toEqual([{ ...FAILED, code: "REFUSED" }]);
  stream.write(seconds(1));
  stream.flush();
  b.notify(final("late"));
  vi.advanceTimersByTime(60_000);
  expect(events.length).toBe(1);
});

test("the last one has more time for a flush, and then it is FAILED too", () => {
  const a = fake("a");
  const { stream, events } = open(a);
  stream.flush();
  vi.advanceTimersByTime(2_900);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(events).toMatchObject([{ kind: "FAILED", code: "TIMEOUT" }]);
});

test("one that fails while it is being opened is replaced", () => {
  const [a, b] = [fake("a", FAILED), fake("b")];
  const { stream, events } = open(a, b);
  stream.write(seconds(1));
  b.notify(final("heard"));
  expect(events).toEqual([final("heard")]);
  expect(a.got).toEqual(["close"]);
});

test("after closing nothing is told, and the open stream is closed", () => {
  const [a, b] = [fake("a"), fake("b")];
  const { stream, events } = open(a, b);
  stream.flush();
  stream.close();
  a.notify(final("late"));
  a.notify(FAILED);
  vi.advanceTimersByTime(60_000);
  expect([a.got, b.opened(), events]).toEqual([["flush", "close"], 0, []]);
});

test("what is asked for reaches each of them, and only the last has to hear what it cannot", () => {
  const [a, b] = [fake("a"), fake("b")];
  const { stream } = open(a, b);
  stream.expect?.({ type: "boolean" });
  a.notify(FAILED);
  stream.expect?.(null);
  expect(a.asked).toEqual([{ expected: null, isLast: false }, { type: "boolean" }]);
  expect(b.asked).toEqual([{ expected: { type: "boolean" }, isLast: true }, null]);
  stream.close();
});

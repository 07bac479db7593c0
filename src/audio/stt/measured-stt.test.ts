import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProviderRequest } from "#src/platform/kernel/provider-request.ts";
import { createFallbackStt } from "./fallback-stt.ts";
import { measureStt } from "./measured-stt.ts";
import type { SpeechEvent, Stt } from "./stt.ts";

const LIMITS = { flushMs: 1_000, lastFlushMs: 3_000, restMs: 0 };
const FINAL: SpeechEvent = { kind: "FINAL", text: "yes", confidence: null };
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Opens a fallback of a measured provider, whose events `notify` emits, and a silent one. */
function open() {
  const requests: ProviderRequest[] = [];
  let notify: (event: SpeechEvent) => void = () => undefined;
  const idle = { write: () => undefined, flush: () => undefined, close: () => undefined };
  const first: Stt = { name: "a", open: ({ onEvent }) => ((notify = onEvent), idle) };
  const measured = measureStt(first, "DEEPGRAM", LIMITS.flushMs, (request) => requests.push(request));
  const stt = createFallbackStt([measured, { name: "b", open: () => idle }], LIMITS, () => undefined);
  const stream = stt.open({ language: "en", hints: [], expected: null, onEvent: () => undefined });
  return { stream, requests, notify: (event: SpeechEvent) => notify(event) };
}

test("a pause that is answered is one request with the time to its final words", () => {
  const { stream, requests, notify } = open();
  stream.flush();
  vi.advanceTimersByTime(300);
  stream.flush();
  notify(FINAL);
  notify(FINAL);
  expect(requests).toEqual([{ kind: "STT", provider: "DEEPGRAM", result: "OK", firstMs: 300 }]);
});

test("a pause that is left unanswered is a time-out, and a hang-up before it is not", () => {
  const late = open();
  late.stream.flush();
  vi.advanceTimersByTime(LIMITS.flushMs);
  expect(late.requests).toMatchObject([{ result: "TIMEOUT", firstMs: null }]);
  const left = open();
  left.stream.flush();
  vi.advanceTimersByTime(200);
  left.stream.close();
  expect(left.requests).toMatchObject([{ result: "ABANDONED", firstMs: null }]);
});

test("a stream that is lost counts once by its code, and one that is closed in peace not at all", () => {
  const lost = open();
  lost.stream.flush();
  lost.notify({ kind: "FAILED", code: "UNAVAILABLE", message: "gone" });
  expect(lost.requests).toMatchObject([{ result: "UNAVAILABLE", firstMs: null }]);
  const closed = open();
  closed.stream.close();
  expect(closed.requests).toEqual([]);
});

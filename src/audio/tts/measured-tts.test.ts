import { expect, test } from "vitest";
import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import type { ProviderRequest } from "#src/platform/kernel/provider-request.ts";
import { createFallbackTts } from "./fallback-tts.ts";
import { measureTts } from "./measured-tts.ts";
import type { Tts } from "./tts.ts";

const LIMITS = { firstPieceMs: 30, stallMs: 60, totalMs: 5_000, restMs: 0 };
const OPTIONS = { language: "en-US", voiceId: null };
const NEVER = new AbortController().signal;
const PIECE = Int16Array.from([1]);

async function* sayTwice() {
  yield PIECE;
  yield PIECE;
}

/** Speaks by a fallback of the measured provider and one that works; returns the results of the measured one. */
async function resultsOf(speak: Tts["speak"], signal = NEVER, most = Infinity): Promise<ProviderRequest[]> {
  const requests: ProviderRequest[] = [];
  const measured = measureTts({ name: "a", speak }, "DEEPGRAM", (request) => requests.push(request));
  const fallback = createFallbackTts([measured, { name: "b", speak: sayTwice }], LIMITS, () => undefined);
  let heard = 0;
  for await (const _ of fallback.speak("Hi.", OPTIONS, signal)) if (++heard >= most) break;
  return requests;
}

test("speech that is said is one request with the time to its first sound", async () => {
  expect(await resultsOf(sayTwice)).toEqual([
    { kind: "TTS", provider: "DEEPGRAM", result: "OK", firstMs: expect.any(Number) },
  ]);
});

/** Speech that fails before its first piece. */
const failing = (error: Error) => (): AsyncIterable<Int16Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

async function* sayNothing() {
  yield new Int16Array(0);
}

/** Ignores its signal, as the worst providers do. */
async function* hang() {
  await new Promise(() => undefined);
  yield PIECE;
}

test.each<[string, Tts["speak"], string]>([
  ["refuses", failing(new SpeechError("REFUSED", "no")), "REFUSED"],
  ["fails otherwise", failing(new Error("no")), "OTHER"],
  ["says nothing", sayNothing, "UNREADABLE"],
  ["is silent", hang, "TIMEOUT"],
])("a provider that %s counts once, with that result", async (_, speak, result) => {
  expect(await resultsOf(speak)).toMatchObject([{ result, firstMs: null }]);
});

test("speech that the person interrupts is no fault of the provider", async () => {
  expect(await resultsOf(sayTwice, NEVER, 1)).toMatchObject([{ result: "OK" }]);
  const stop = new AbortController();
  const waiting = resultsOf(hang, stop.signal);
  stop.abort(new Error("hung up"));
  expect(await waiting).toMatchObject([{ result: "ABANDONED", firstMs: null }]);
});

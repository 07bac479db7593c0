import { expect, test } from "vitest";
import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import { createFallbackTts } from "./fallback-tts.ts";
import type { Tts, VoiceOptions } from "./tts.ts";

const OPTIONS: VoiceOptions = { language: "en-US", voiceId: "anna" };
const LIMITS = { firstPieceMs: 30, stallMs: 60, totalMs: 5_000, restMs: 0 };
const NEVER = new AbortController().signal;

type Step = number | "FAIL" | "STALL" | "EMPTY";

/** Says pieces of one sample each; STALL ignores the signal, as the worst providers do. */
function voice(name: string, steps: Step[]) {
  const asked: VoiceOptions[] = [];
  let hasEnded = false;
  const tts: Tts = {
    name,
    async *speak(_text, options) {
      asked.push(options);
      try {
        for (const step of steps) {
          if (step === "FAIL") throw new Error(`${name} failed`);
          if (step === "STALL") await new Promise(() => undefined);
          yield Int16Array.from(typeof step === "number" ? [step] : []);
        }
      } finally {
        hasEnded = true;
      }
    },
  };
  return { tts, asked, hasEnded: () => hasEnded };
}

async function trial(
  voices: [Tts, ...Tts[]],
  limits: Partial<typeof LIMITS> = {},
  { signal = NEVER, text = "Hi." } = {},
) {
  const failovers: string[] = [];
  const fallback = createFallbackTts(voices, { ...LIMITS, ...limits }, (failed, next) => {
    failovers.push(`${failed}>${next}`);
  });
  const heard: number[] = [];
  let error = "";
  try {
    for await (const piece of fallback.speak(text, OPTIONS, signal)) heard.push(...piece);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { heard, error, failovers, fallback };
}

test("the first speaks while it is well", async () => {
  const [a, b] = [voice("a", [1, 2]), voice("b", [9])];
  expect(await trial([a.tts, b.tts])).toMatchObject({ heard: [1, 2], error: "", failovers: [] });
  expect(b.asked).toEqual([]);
});

test.each<Step[]>([["FAIL"], ["STALL"], ["EMPTY", "FAIL"], ["EMPTY"], []])(
  "one that comes to %j before its first sound is replaced",
  async (...steps) => {
    const found = await trial([voice("a", steps).tts, voice("b", [7, 8]).tts]);
    expect(found).toMatchObject({ heard: [7, 8], error: "", failovers: ["a>b"] });
  },
);

test.each<Step[]>([
  [1, "FAIL"],
  [1, "STALL"],
  [1, "EMPTY", "FAIL"],
])("one that comes to %j after its first sound ends the speech", async (...steps) => {
  const b = voice("b", [9]);
  const found = await trial([voice("a", steps).tts, b.tts]);
  expect(found).toMatchObject({ heard: [1], failovers: [] });
  expect(found.error).toMatch(/a (failed|was silent)/);
  expect(b.asked).toEqual([]);
});

test("when all fail, the last failure is thrown", async () => {
  const found = await trial([voice("a", ["STALL"]).tts, voice("b", ["FAIL"]).tts]);
  expect(found).toMatchObject({ heard: [], error: "b failed", failovers: ["a>b"] });
});

test("a text that takes too long in all is ended", async () => {
  const endless: Tts = {
    name: "a",
    async *speak() {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield Int16Array.of(1);
      }
    },
  };
  expect((await trial([endless], { totalMs: 50 })).error).toMatch(/a was silent/);
});

test("the time that the listener takes does not count", async () => {
  const fallback = createFallbackTts(
    [voice("a", [1, 2, 3]).tts],
    { ...LIMITS, stallMs: 20, totalMs: 20 },
    () => undefined,
  );
  const heard: number[] = [];
  for await (const piece of fallback.speak("Hi.", OPTIONS, NEVER)) {
    heard.push(...piece);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  expect(heard).toEqual([1, 2, 3]);
});

test("calling off ends it at once, without a failure, though the provider ignores it", async () => {
  const stop = new AbortController();
  const speaking = trial([voice("a", [1, "STALL"]).tts], { stallMs: 60_000 }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 10);
  expect(await speaking).toMatchObject({ heard: [1], error: "", failovers: [] });
});

test("a voice's id goes to the first of the list alone", async () => {
  const [a, b] = [voice("a", ["FAIL"]), voice("b", [1])];
  await trial([a.tts, b.tts]);
  expect([a.asked[0]?.voiceId, b.asked[0]?.voiceId]).toEqual(["anna", null]);
});

test("one that failed is asked last for a while", async () => {
  const [a, b] = [voice("a", ["FAIL"]), voice("b", [1])];
  const { fallback } = await trial([a.tts, b.tts], { restMs: 60_000 });
  await Array.fromAsync(fallback.speak("Hi.", OPTIONS, NEVER));
  expect([a.asked.length, b.asked.length]).toEqual([1, 2]);
});

test("a request that cannot succeed does not make others ask last the one that refused it", async () => {
  const asked: string[] = [];
  const refusing: Tts = {
    name: "a",
    // oxlint-disable-next-line require-yield -- it fails before it says anything
    async *speak(text) {
      asked.push(text);
      throw new SpeechError("REFUSED", "No such voice.");
    },
  };
  const { fallback } = await trial([refusing, voice("b", [1]).tts], { restMs: 60_000 });
  await Array.fromAsync(fallback.speak("Again.", OPTIONS, NEVER));
  expect(asked).toEqual(["Hi.", "Again."]);
});

test("an empty text may be silence, and what is left early is closed", async () => {
  expect(await trial([voice("a", []).tts], {}, { text: " " })).toMatchObject({ heard: [], error: "" });
  const a = voice("a", [1, 2]);
  for await (const _piece of createFallbackTts([a.tts], LIMITS, () => undefined).speak("Hi.", OPTIONS, NEVER)) {
    break;
  }
  await expect.poll(a.hasEnded).toBe(true);
});

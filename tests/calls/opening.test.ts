import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import type { Stt, SpeechEvent } from "#src/audio/stt/stt.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { modelOf, planWith, text } from "../kit/trial-session.ts";
import { type CallReport, holdCall } from "../kit/voice-harness.ts";

/* What a flow must say first is heard whole, by what the far end decodes of the agent's sound. */

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] }),
);
afterEach(() => void vi.useRealTimers());

const OPENING = "Good day, this is an automated call of Acme, and it is recorded.";

/** Hears exactly, so many milliseconds late. */
function late(ms: number): Stt {
  return {
    name: "LATE",
    open: (options) => {
      const onEvent = (event: SpeechEvent) => void setTimeout(() => options.onEvent(event), ms);
      return toneStt.open({ ...options, onEvent });
    },
  };
}

const SCRIPTED = () => createScriptedModel();
/** A model of a provider, as far as its answers go: the same few, whatever it hears. */
const HOSTED = () => modelOf([[text("I am the assistant.")], [text("Will you come?")]]);

async function hold(sttMs: number, words: { atMs: number; text: string }[], model = SCRIPTED(), opening = OPENING) {
  return holdCall({
    plan: planWith({ firstMessage: opening, maxDurationSeconds: 25, silenceTimeoutSeconds: 4 }),
    names: ["Anna Schmidt"],
    sttProviders: [late(sttMs)],
    ports: { model },
    words,
  });
}

/** The far end heard the opening whole, and the transcript says so. */
function expectHeard({ outcome, sounded, texts }: CallReport, opening = OPENING): void {
  expect(decodeToneSpeech(sounded), JSON.stringify(texts)).toContain(opening);
  const reported = outcome.turns.filter(({ openingHeard }) => openingHeard !== undefined);
  expect(reported.at(-1)?.openingHeard).toBe(1);
}

const STARTS = [0.3, 0.6, 0.9, 1, 1.1, 1.15, 1.2, 1.3, 1.5, 1.8, 2.2, 2.6, 3].map((seconds) => seconds * 1_000);

for (const [name, model] of [
  ["the scripted model", SCRIPTED],
  ["a provider's model", HOSTED],
] as const) {
  test.each(STARTS)(`with ${name}, "Hello?" %d ms after the answer takes nothing of the opening`, async (atMs) => {
    for (const sttMs of [300, 1_200]) {
      const report = await hold(sttMs, [{ atMs, text: "Hello?" }], model());
      expectHeard(report);
      const first = report.outcome.turns.find(({ role }) => role === "ASSISTANT");
      expect(first?.content, JSON.stringify(report.texts)).toBe(OPENING);
      // What was said at the pick-up is in the transcript, and nobody answers it a second time.
      expect(
        report.texts.filter((line) => line === "USER: Hello?"),
        JSON.stringify(report.texts),
      ).toHaveLength(1);
      expect(report.texts[2] ?? "").not.toContain("noted");
    }
  });
}

test.each(STARTS)('two of "Hello?", the first %d ms after the answer, take nothing of it either', async (atMs) => {
  const report = await hold(300, [
    { atMs, text: "Hello?" },
    { atMs: atMs + 1_000, text: "Hello?" },
  ]);
  expect(report.texts.filter((line) => line.startsWith("USER"))).not.toEqual([]);
  expectHeard(report);
});

test("people who answer by name are not taken to interrupt, where the name is known", async () => {
  const report = await hold(300, [{ atMs: 1_300, text: "Yes, this is Schmidt, hello" }]);
  expect(report.texts[0]).not.toContain(OPENING);
  expectHeard(report);
});

test("nobody waits for the words of a greeting when the recogniser is slow", async () => {
  const { outcome } = await hold(3_000, [{ atMs: 500, text: "Hello?" }]);
  const first = outcome.turns.find(({ role }) => role === "ASSISTANT");
  // Hello lasts until 0.9 s.
  expect(first?.startMs).toBeLessThan(2_000);
  expect(first?.content).toBe(OPENING);
});

test("whoever really interrupts is answered first, and then hears the opening", async () => {
  for (const model of [SCRIPTED(), HOSTED()]) {
    const report = await hold(300, [{ atMs: 2_000, text: "Wait, who am I talking to?" }], model);
    expectHeard(report);
    const [cut, question, answer, again] = report.outcome.turns;
    expect(cut).toMatchObject({ role: "ASSISTANT", interrupted: true });
    expect(cut?.openingHeard).toBeLessThan(0.5);
    expect(question?.content).toBe("Wait, who am I talking to?");
    expect(answer?.role).toBe("ASSISTANT");
    expect(again).toMatchObject({ content: OPENING, openingHeard: 1 });
  }
});

test("an opening of several sentences goes on with the one that was cut; the model is told", async () => {
  const opening = "Good day. This is an automated call of Acme. It is recorded, and you may hang up.";
  const model = HOSTED();
  const report = await hold(300, [{ atMs: 2_600, text: "Wait, who am I talking to?" }], model, opening);
  const said = report.outcome.turns.filter(({ openingHeard }) => openingHeard !== undefined);
  expect(said).toHaveLength(2);
  expect(said[0]?.content).toContain("Good day. This");
  expect(said[0]?.content).not.toContain("Acme.");
  expect(said[1]?.content).toBe("This is an automated call of Acme. It is recorded, and you may hang up.");
  expect(decodeToneSpeech(report.sounded)).toContain(said[1]?.content);
  const reported = model.seen[0]?.find(
    ({ role, content }) => role === "SYSTEM" && content.includes(said[1]?.content ?? "-"),
  );
  expect(reported).toBeDefined();
});

test("who talks over it again and again is not spoken to without end, and the transcript tells how much was heard", async () => {
  const words = Array.from({ length: 12 }, (_, i) => ({ atMs: 1_700 + 1_700 * i, text: `No wait, number ${i}` }));
  const { outcome, texts } = await hold(300, words, HOSTED());
  const reported = outcome.turns.flatMap(({ openingHeard }) => openingHeard ?? []);
  expect(reported.length, JSON.stringify(texts)).toBeLessThanOrEqual(4);
  expect(reported[0]).toBeLessThan(1);
});

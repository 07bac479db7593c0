import { beforeAll, describe, expect, test } from "vitest";
import { judgeRecording, type Hearing } from "../kit/voice-corpus/judge.ts";
import { RECORDING_PLANS } from "../kit/voice-corpus/recordings.ts";
import { makeRecording, openFlite, type MadeRecording, type Speak } from "../kit/voice-corpus/render.ts";

const speak = await openFlite();

/**
 * Plans judged here: where flite is installed, all of them with words, so that a change that makes one decision wrong
 * fails by name. Decisions with late words or none are a matter of degree, and printed by `npm run bench corpus`.
 */
describe.skipIf(!speak)("decisions on the corpus (skipped: flite is not installed)", () => {
  const made = new Map<string, MadeRecording>();
  beforeAll(async () => {
    for (const plan of RECORDING_PLANS) made.set(plan.name, await makeRecording(plan, speak as Speak));
  });

  test.each(RECORDING_PLANS.map((plan) => [plan.label.about, plan.name] as const))("%s: %s", (about, name) => {
    const recording = made.get(name) as MadeRecording;
    expect(judgeRecording(recording, "STREAMING")).toMatchObject({ about, isRight: true });
  });

  test.each<[Hearing, number]>([
    ["FINAL_ONLY", 0.9],
    ["NONE", 0.55],
  ])("turns with %s words are right in most recordings", (hearing, least) => {
    const turns = [...made.values()].filter((one) => one.plan.label.about === "ENDPOINTING");
    const right = turns.filter((one) => judgeRecording(one, hearing).isRight);
    expect(right.length / turns.length).toBeGreaterThan(least);
  });
});

test("the corpus has at least 40 recordings, each with a name of its own and every kind of decision", () => {
  expect(RECORDING_PLANS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(RECORDING_PLANS.map((plan) => plan.name)).size).toBe(RECORDING_PLANS.length);
  expect(new Set(RECORDING_PLANS.map((plan) => plan.label.about)).size).toBe(3);
});

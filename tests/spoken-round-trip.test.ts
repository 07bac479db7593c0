import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionOutcome } from "#src/conversation/plan.ts";
import { planWith } from "#src/conversation/trial-session.ts";
import { findLocalEngines, overMuLaw } from "./spoken/engines.ts";
import { hearAgain, isAt, readSides, splitUtterances } from "./spoken/recorded.ts";
import { holdSpokenCall, type Said, type SpokenCall } from "./spoken/spoken-call.ts";

/* Whole calls in speech: the caller speaks with flite's rms voice over mu-law, pocketsphinx hears, flite's slt answers. */

const engines = await findLocalEngines();
const why = typeof engines === "string" ? ` (skipped: ${engines} not found)` : "";
const COMING = { type: "boolean", description: "Will you come?" };
const PEOPLE = { type: "integer", minimum: 1, description: "How many people will come?" };
const DAY = { type: "string", format: "date", description: "Which day suits you?" };
const TIME = { type: "string", format: "time", description: "At what time?" };
const CODE = { type: "string", pattern: "^\\d{4}$", description: "What is your door code?" };
const PAYMENT = { enum: ["CARD", "BANK_TRANSFER", "CASH"], description: "How will you pay?" };

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "spoken-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const textsOf = ({ turns }: SessionOutcome, role: string) =>
  turns.filter((turn) => turn.role === role).map(({ content }) => content);

async function hold(name: string, properties: Record<string, object>, said: Said[]) {
  if (typeof engines === "string") throw new Error(engines);
  const path = join(folder, `${name}.wav`);
  const plan = planWith({}, { outputs: [{ name: "visit", description: "", schema: { type: "object", properties } }] });
  const call = await holdSpokenCall(engines, plan, said, path);
  return { call, path, engines };
}

/** What the recording of a call holds: the caller's words, heard again, and the agent's, sample for sample. */
async function checkRecording({ call, path, engines }: Awaited<ReturnType<typeof hold>>, asked: (object | null)[]) {
  const { agent, person } = await readSides(path);
  const utterances = splitUtterances(person);
  const heard: string[] = [];
  for (const [i, samples] of utterances.entries()) {
    heard.push(await hearAgain(engines, samples, [asked[i] ?? null, asked[i - 1] ?? null]));
  }
  expect(heard).toEqual(textsOf(call.outcome, "USER"));
  const opening = call.outcome.turns.find(({ role }) => role === "ASSISTANT");
  const spoken = overMuLaw(await engines.flite.say(opening?.content ?? "", "slt"));
  expect(isAt(agent, spoken, opening?.startMs ?? 0)).toBe(true);
  expect(call.recording).toMatchObject({ failure: null, lostSamples: 0 });
}

function expectUnderstood(call: SpokenCall, said: string[], fields: Record<string, unknown>) {
  expect(call.faults).toEqual([]);
  expect(textsOf(call.outcome, "USER")).toEqual(said);
  expect(call.outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: fields, error: null });
}

describe.skipIf(why !== "")(`a call in speech, with the local engines${why}`, { timeout: 60_000 }, () => {
  test("yes, a number, a day and a choice are heard, answered, filled and recorded as they were said", async () => {
    const said = ["hello", "good morning", "yes please", "three", "next friday", "bank transfer"];
    const held = await hold("answers", { coming: COMING, people: PEOPLE, day: DAY, payment: PAYMENT }, said);
    const filled = { coming: true, people: 3, day: "2026-11-27", payment: "BANK_TRANSFER" };
    expectUnderstood(held.call, said, filled);
    await checkRecording(held, [null, null, COMING, PEOPLE, DAY, PAYMENT]);
    const spoken = textsOf(held.call.outcome, "ASSISTANT");
    expect(spoken).toEqual([
      "Hello Anna.",
      "Will you come?",
      "Got it. How many people will come?",
      "All right. Which day suits you?",
      "Thank you. How will you pay? Which of these: card, bank transfer or cash?",
      "That was all. Thank you for your time, and goodbye.",
    ]);
  });

  test("a time, and digits one by one", async () => {
    const said = ["hello", "hello", "half past nine", "four two oh nine"];
    const held = await hold("digits", { time: TIME, code: CODE }, said);
    expectUnderstood(held.call, said, { time: "09:30:00Z", code: "4209" });
    await checkRecording(held, [null, null, TIME, CODE]);
  });

  test("whoever says no after yes is corrected, at the next question", async () => {
    const said = ["hello", "hello", "yes", "sorry i meant no", "two"];
    const held = await hold("correction", { coming: COMING, people: PEOPLE }, said);
    expectUnderstood(held.call, said, { coming: false, people: 2 });
    await checkRecording(held, [null, null, COMING, PEOPLE, PEOPLE]);
  });

  test("whoever answers over the question stops it, and only what they heard of it is written down", async () => {
    const over: Said = { over: "the third of march", afterMs: 600 };
    const held = await hold("interruption", { coming: COMING, day: DAY }, ["hello", "hello", "yes", over]);
    expectUnderstood(held.call, ["hello", "hello", "yes", over.over], { coming: true, day: "2027-03-03" });
    await checkRecording(held, [null, null, COMING, DAY]);
    const cut = held.call.outcome.turns.filter(({ interrupted }) => interrupted);
    expect(cut).toHaveLength(1);
    expect("Got it. Which day suits you?").toContain(cut[0]?.content);
    expect(cut[0]?.content.length).toBeLessThan(24);
  });

  test("whoever wants no more calls is understood whatever was asked", async () => {
    const held = await hold("opt-out", { people: PEOPLE }, ["hello", "hello", "stop calling me"]);
    expect(held.call).toMatchObject({ optedOut: true, faults: [], outcome: { endReason: "CUSTOMER_OPTED_OUT" } });
    await checkRecording(held, [null, null, PEOPLE]);
  });
});

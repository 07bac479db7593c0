import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Turn } from "#src/engine/conversation/plan.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { RecordedCaller } from "../kit/spoken/caller.ts";
import { AGENT_VOICE, findLocalEngines, type LocalEngines, overMuLaw } from "../kit/spoken/engines.ts";
import { hearAgain, isAt, readSides, splitUtterances } from "../kit/spoken/recorded.ts";
import { holdSpokenCall, type Said, speakLines, type SpokenCall } from "../kit/spoken/spoken-call.ts";
import { callFromPage } from "../kit/spoken/web-caller.ts";
import { planWith } from "../kit/trial-session.ts";
import { World } from "../kit/world.ts";

/*
 * Whole calls in speech: the caller speaks with flite's rms voice over mu-law, pocketsphinx hears, flite's slt answers.
 */

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

type Spoken = Pick<Turn, "role" | "content" | "startMs">;

const textsOf = (turns: Spoken[], role: string) =>
  turns.filter((turn) => turn.role === role).map(({ content }) => content);

async function hold(name: string, properties: Record<string, object>, said: Said[]) {
  if (typeof engines === "string") throw new Error(engines);
  const path = join(folder, `${name}.wav`);
  const plan = planWith({}, { outputs: [{ name: "visit", description: "", schema: { type: "object", properties } }] });
  const call = await holdSpokenCall(engines, plan, said, path);
  return { call, path };
}

/**
 * Transcribes both sides of a recording again: the caller's words, and true when the agent's are there, sample for
 * sample.
 */
async function readAgain(path: string, turns: Spoken[], asked: (object | null)[]) {
  if (typeof engines === "string") throw new Error(engines);
  const { agent, person } = await readSides(path);
  const heard: string[] = [];
  for (const [i, samples] of splitUtterances(person).entries()) {
    heard.push(await hearAgain(engines, samples, [asked[i] ?? null, asked[i - 1] ?? null]));
  }
  const opening = turns.find(({ role }) => role === "ASSISTANT");
  const spoken = overMuLaw(await engines.flite.say(opening?.content ?? "", AGENT_VOICE));
  return { heard, hasOpening: isAt(agent, spoken, opening?.startMs ?? 0) };
}

async function recordingOf({ call, path }: Awaited<ReturnType<typeof hold>>, asked: (object | null)[]) {
  const { failure, lostSamples } = call.recording ?? {};
  return { ...(await readAgain(path, call.outcome.turns, asked)), failure, lostSamples };
}

/** Expected recording without a fault, in which the caller said this. */
const whole = (heard: string[]) => ({ heard, hasOpening: true, failure: null, lostSamples: 0 });

/** Expected end of a call in which everything was understood as said. */
const understood = (said: string[], extractedFields: Record<string, unknown>) => ({
  faults: [],
  said,
  endReason: "AGENT_ENDED_CALL",
  extractedFields,
  error: null,
});

function summarise({ faults, outcome: { turns, endReason, extractedFields, error } }: SpokenCall) {
  return { faults, said: textsOf(turns, "USER"), endReason, extractedFields, error };
}

describe.skipIf(why !== "")(`a call in speech, with the local engines${why}`, { timeout: 60_000 }, () => {
  test("yes, a number, a day and a choice are heard, answered, filled and recorded as they were said", async () => {
    const said = ["hello", "good morning", "yes please", "three", "next friday", "bank transfer"];
    const held = await hold("answers", { coming: COMING, people: PEOPLE, day: DAY, payment: PAYMENT }, said);
    const filled = { coming: true, people: 3, day: "2026-11-27", payment: "BANK_TRANSFER" };
    expect(summarise(held.call)).toEqual(understood(said, filled));
    expect(await recordingOf(held, [null, null, COMING, PEOPLE, DAY, PAYMENT])).toEqual(whole(said));
    const spoken = textsOf(held.call.outcome.turns, "ASSISTANT");
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
    // The digits are read back before they are stored.
    const said = ["hello", "hello", "half past nine", "four two oh nine", "yes"];
    const held = await hold("digits", { time: TIME, code: CODE }, said);
    expect(summarise(held.call)).toEqual(understood(said, { time: "09:30:00Z", code: "4209" }));
    expect(await recordingOf(held, [null, null, TIME, CODE, COMING])).toEqual(whole(said));
  });

  test("whoever says no after yes is corrected, at the next question", async () => {
    const said = ["hello", "hello", "yes", "sorry i meant no", "two"];
    const held = await hold("correction", { coming: COMING, people: PEOPLE }, said);
    expect(summarise(held.call)).toEqual(understood(said, { coming: false, people: 2 }));
    expect(await recordingOf(held, [null, null, COMING, PEOPLE, PEOPLE])).toEqual(whole(said));
  });

  test("whoever answers over the question stops it, and only what they heard of it is written down", async () => {
    const over: Said = { over: "the third of march", afterMs: 600 };
    const said = ["hello", "hello", "yes", over.over];
    const held = await hold("interruption", { coming: COMING, day: DAY }, [...said.slice(0, 3), over]);
    expect(summarise(held.call)).toEqual(understood(said, { coming: true, day: "2027-03-03" }));
    expect(await recordingOf(held, [null, null, COMING, DAY])).toEqual(whole(said));
    const cut = held.call.outcome.turns.filter(({ interrupted }) => interrupted);
    expect(cut).toHaveLength(1);
    expect("Got it. Which day suits you?").toContain(cut[0]?.content);
    expect(cut[0]?.content.length).toBeLessThan(24);
  });

  test("speech that is no answer is not taken for one: the person is asked to say it again", async () => {
    const said = ["hello", "hello", "i would have to ask my wife about that", "seven"];
    const held = await hold("unexpected", { people: PEOPLE }, said);
    expect(summarise(held.call)).toEqual(understood(["hello", "hello", "seven"], { people: 7 }));
    expect(textsOf(held.call.outcome.turns, "ASSISTANT").at(2)).toContain("Could you say it again?");
  });

  test("whoever wants no more calls is understood whatever was asked", async () => {
    const said = ["hello", "hello", "stop calling me"];
    const held = await hold("opt-out", { people: PEOPLE }, said);
    expect(held.call).toMatchObject({ optedOut: true, faults: [], outcome: { endReason: "CUSTOMER_OPTED_OUT" } });
    expect(await recordingOf(held, [null, null, PEOPLE])).toEqual(whole(said));
  });

  test("without any account, a call over the web is heard and spoken by them, in real time", async () => {
    await using world = await World.start({ programs: true });
    const schema = { type: "object", properties: { coming: COMING, people: PEOPLE } };
    const flow = {
      name: "Visit",
      masterPrompt: "Ask.",
      firstMessage: "Hello Anna.",
      structuredOutputs: [{ name: "visit", schema }],
    };
    const { body } = await world.request("POST", "/web-calls", { body: { flow } });
    using page = await PageSocket.hello(String(body.socketUrl), body.token);
    expect(await page.next("ready")).toMatchObject({ audio: true });
    const said = ["hello", "hello", "yes please", "twenty three"];
    const caller = new RecordedCaller(await speakLines(engines as LocalEngines, said));
    page.send({ type: "accept", mode: "AUDIO" });
    await page.next("started");
    await callFromPage(page, caller);
    const path = `/call-rows/${String(body.callRowId)}`;
    const row = await world.until(path, ({ endedAt }) => endedAt !== null);
    expect(row).toMatchObject({ status: "COMPLETED", extractedFields: { coming: true, people: 23 } });
    const turns = row.transcript as Spoken[];
    expect(textsOf(turns, "USER")).toEqual(said);
    const headers = { "x-api-key": world.sample.apiKey };
    const recording = await fetch(`${world.url}/api/external/v1${path}/recording`, { headers });
    const file = join(folder, "web.wav");
    await writeFile(file, new Uint8Array(await recording.arrayBuffer()));
    const again = await readAgain(file, turns, [null, null, COMING, PEOPLE]);
    expect(again).toEqual({ heard: said, hasOpening: true });
  });
});

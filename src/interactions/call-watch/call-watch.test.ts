import { beforeEach, expect, test } from "vitest";
import type { Turn } from "#src/engine/conversation/plan.ts";
import { optOutPhrases } from "#src/engine/opt-out/judge.ts";
import { CallWatch } from "./call-watch.ts";

let nowMs = 0;
let isHearing = false;
let isHeld = false;
let alerts: string[] = [];
let turns: Turn[] = [];
let watch: CallWatch;

beforeEach(() => {
  [nowMs, isHearing, isHeld, alerts, turns] = [0, false, false, [], []];
  watch = new CallWatch({
    language: "en-US",
    isText: false,
    wanted: 3,
    elapsedMs: () => nowMs,
    isHearing: () => isHearing,
    isHeld: () => isHeld,
    onAlert: (kind, isOpen) => alerts.push(`${isOpen ? "+" : "-"}${kind}`),
  });
});

function add(role: Turn["role"], content: string, more: Partial<Turn> = {}): void {
  const turn = {
    index: turns.length,
    role,
    content,
    startMs: nowMs,
    endMs: nowMs,
    interrupted: false,
    toolCallId: null,
  };
  turns.push({ ...turn, ...more });
  watch.noteTurns(turns);
}

function pass(ms: number): void {
  nowMs += ms;
  watch.tick();
}

/** The agent speaks for so long. */
function say(content: string, ms = 1_000): void {
  watch.noteBusy(true);
  pass(ms);
  watch.noteBusy(false);
  add("ASSISTANT", content, { startMs: nowMs - ms });
}

test("silence adds up while the agent waits, also over its questions, and ends with the person's words", () => {
  say("Hello.", 60_000);
  pass(10_000);
  say("Are you still there?", 5_000);
  pass(4_999);
  expect(alerts).toEqual([]);
  pass(1);
  expect(alerts).toEqual(["+LONG_SILENCE"]);
  isHearing = true;
  pass(1_000);
  expect(alerts).toEqual(["+LONG_SILENCE", "-LONG_SILENCE"]);
  isHearing = false;
  add("USER", "Yes, I was looking for my glasses");
  pass(14_999);
  expect(alerts).toHaveLength(2);
});

test("time that passes at once in a call in text counts like any other", () => {
  say("Hello.");
  nowMs += 20_000;
  watch.noteBusy(true);
  expect(alerts).toEqual(["+LONG_SILENCE"]);
});

test("nobody is silent while a supervisor speaks with them, or while they are handed over", () => {
  isHeld = true;
  for (let i = 0; i < 30; i++) pass(1_000);
  isHeld = false;
  watch.noteBusy(true);
  for (let i = 0; i < 30; i++) pass(1_000);
  expect(alerts).toEqual([]);
});

test("anger stays until the person has calmed down", () => {
  add("USER", "I am sick of your company");
  add("ASSISTANT", "I am sorry.");
  add("USER", "Tuesday then");
  expect(alerts).toEqual(["+ANGER"]);
  add("USER", "At ten");
  expect(alerts).toEqual(["+ANGER", "-ANGER"]);
});

test("an opt-out is doubtful from the question back until it is answered, and when nobody asked", () => {
  const words = "unsubscribe me from the newsletter but keep the appointment";
  add("USER", words);
  expect(alerts).toEqual([]);
  add("ASSISTANT", optOutPhrases("en").ask);
  expect(alerts).toEqual(["+OPT_OUT_DOUBTFUL"]);
  add("USER", "No, go on");
  add("ASSISTANT", "Fine.");
  expect(alerts).toEqual(["+OPT_OUT_DOUBTFUL", "-OPT_OUT_DOUBTFUL"]);
  add("USER", words);
  add("ASSISTANT", "As I was saying.");
  expect(alerts.at(-1)).toBe("+OPT_OUT_DOUBTFUL");
});

test("an opt-out that was heeded is none", () => {
  add("USER", "Stop calling me");
  add("TOOL", JSON.stringify({ name: "add_to_do_not_call", input: {}, result: "ok" }));
  add("ASSISTANT", optOutPhrases("en").done);
  expect(alerts).toEqual([]);
});

test("two failures in a row are a failing tool, until one succeeds or the call ends", () => {
  watch.noteTool(true);
  watch.noteTool(false);
  watch.noteTool(true);
  expect(alerts).toEqual([]);
  watch.noteTool(true);
  watch.noteTool(false);
  watch.noteTool(true);
  watch.noteTool(true);
  watch.close();
  const once = ["+TOOL_FAILING", "-TOOL_FAILING"];
  expect(alerts).toEqual([...once, ...once]);
});

test("the tile has the last words, the latest wait and the fields, and is small whatever they are", () => {
  expect(watch.tile).toMatchObject({ role: null, text: "", latencyMs: null, tone: "NEUTRAL", fields: {}, wanted: 3 });
  const latency = { endpointingMs: 0, sttMs: 0, modelMs: 0, toolsMs: 0, ttsMs: 0, transportMs: 0, totalMs: 812.4 };
  add("ASSISTANT", "How many?", { latency });
  add("USER", `Four. ${"x".repeat(500)} thank you so much`);
  add("SYSTEM", "Be brief.", { whisper: true });
  watch.noteFields({ partySize: 4, note: "y".repeat(500), empty: null, list: [1, 2] });
  watch.noteOutputs({ answers: { value: { at: "18:00" }, valid: true, errors: [], extractedAt: "" } });
  const { text, fields, ...rest } = watch.tile;
  expect(rest).toEqual({ role: "USER", latencyMs: 812, tone: "POSITIVE", wanted: 3, isText: false });
  expect(text).toMatch(/^… x+ thank you so much$/);
  expect(fields).toMatchObject({ partySize: "4", list: "[1,2]", at: "18:00" });
  expect(Object.keys(fields)).not.toContain("empty");
  expect(JSON.stringify(watch.tile).length).toBeLessThan(600);
});

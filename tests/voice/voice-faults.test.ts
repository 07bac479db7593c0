import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import type { Stt, SpeechEvent, SpeechStream } from "#src/audio/stt/stt.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import type { MediaCall } from "#src/audio/worker/media-call.ts";
import type { GrantedTool, ToolRunResult } from "#src/engine/conversation/tool-port.ts";
import type { LanguageModel, ModelPiece, TurnRequest } from "#src/engine/models/models.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { planWith } from "../kit/trial-session.ts";
import {
  type CallReport,
  checkCall,
  type Expected,
  holdCall,
  LONGEST_SILENCE_MS,
  type TrialCall,
} from "../kit/voice-harness.ts";

// oxlint-disable vitest/expect-expect -- expectCall expects

/* Faults on a call, judged by what the caller hears: how long they wait in silence, and what is said to them. */

const ANSWERS = ["Hello?", "Yes, I will come", "Three of us"];
const OPENING = "Hello Anna. Can you hear me?";
const APOLOGY = "I am sorry, something went wrong on my side. Goodbye.";
const UNFINISHED = "I am sorry, I could not finish what I was saying, so please do not rely on it. Goodbye.";
const TIME_UP = "I am sorry, our time is up. Thank you, and goodbye.";
const ONE_MOMENT = "One moment, please.";
const SAY_AGAIN = "I am sorry, I did not catch that. Could you say it again?";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(() => void vi.useRealTimers());

const forever = new Promise<never>(() => undefined);
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The scripted model with its own way of taking turns. */
function modelThat(respond: (turn: AsyncIterable<ModelPiece>, request: TurnRequest) => AsyncIterable<ModelPiece>) {
  const scripted = createScriptedModel();
  const answer: LanguageModel["respond"] = (request) => respond(scripted.respond(request), request);
  const extract: LanguageModel["extract"] = (request) => scripted.extract(request);
  return { ports: { model: { name: "broken", respond: answer, extract } satisfies LanguageModel } };
}

/** Tone speech in pieces of 200 ms, which `speak` may change. */
function voiceThat(speak: (pieces: Int16Array[], text: string) => AsyncIterable<Int16Array>): Tts {
  return {
    name: "broken",
    async *speak(text, options, signal) {
      const pieces: Int16Array[] = [];
      for await (const block of toneTts.speak(text, options, signal)) {
        for (let at = 0; at < block.length; at += 1_600) pieces.push(block.slice(at, at + 1_600));
      }
      yield* speak(pieces, text);
    },
  };
}

/** STT of tone speech with changed input or events. */
function sttThat(
  change: (stream: SpeechStream, notify: (event: SpeechEvent) => void) => Partial<SpeechStream>,
  filter = true,
) {
  const stt: Stt = {
    name: "broken",
    open(options) {
      const notify = (event: SpeechEvent) => options.onEvent(event);
      const stream = toneStt.open({ ...options, onEvent: (event) => filter && notify(event) });
      const own: SpeechStream = {
        write: (samples) => stream.write(samples),
        flush: () => stream.flush(),
        close: () => stream.close(),
      };
      return { ...own, ...change(own, notify) };
    },
  };
  return stt;
}

const expectCall = async (trial: TrialCall, expected: Expected): Promise<CallReport> => {
  const plan = planWith({ firstMessage: OPENING });
  const report = await holdCall({ answers: ANSWERS, plan, ...trial });
  checkCall(report, expected);
  return report;
};

const DONE = { end: "AGENT_ENDED_CALL", hears: [OPENING, "Will you come?"], withinMs: 60_000 };
const text = (words: string): ModelPiece => ({ kind: "TEXT", text: words });

test("nothing is broken: no filler is heard, and nobody waits long", async () => {
  const { caller, outcome } = await expectCall({}, { ...DONE, withinMs: 30_000 });
  expect(caller.heard).not.toContain(ONE_MOMENT);
  expect(caller.longest.ms).toBeLessThan(2_000);
  expect(outcome.extractedFields).toEqual({ coming: true, people: 3 });
});

describe("the model", () => {
  const failed = { end: "ERROR_MODEL", hears: [OPENING, APOLOGY], withinMs: 15_000 };

  test("is silent before its first piece", async () => {
    const model = modelThat(async function* () {
      yield await forever;
    });
    const { outcome } = await expectCall(model, { ...failed, hears: [OPENING, ONE_MOMENT, APOLOGY], withinMs: 40_000 });
    expect(outcome.error).toMatchObject({ code: "MODEL_STALLED" });
  });

  test("is silent after some words", async () => {
    const model = modelThat(async function* () {
      yield text("Good. Let me");
      yield await forever;
    });
    const hears = [OPENING, "Good.", ONE_MOMENT, UNFINISHED];
    const { texts } = await expectCall(model, { ...failed, hears, withinMs: 40_000 });
    expect(texts.join(" ")).not.toContain("Let me");
  });

  test("breaks off before and after a sentence was said", async () => {
    for (const [words, hears] of [
      ["Well, I", [OPENING, APOLOGY]],
      ["Good. Will", [OPENING, "Good.", UNFINISHED]],
    ] as const) {
      const model = modelThat(async function* () {
        yield text(words);
        await after(100);
        throw new Error("socket hang up");
      });
      await expectCall(model, { ...failed, hears: [...hears] });
    }
  });

  test("fails, or says nothing", async () => {
    for (const turn of [() => Promise.reject(new Error("500")), () => Promise.resolve([])]) {
      const model = modelThat(async function* () {
        yield* await turn();
      });
      await expectCall(model, failed);
    }
  });

  test("fails once and is asked again", async () => {
    let asked = 0;
    const model = modelThat(async function* (turn) {
      if (++asked % 2 === 1) throw new Error("overloaded");
      yield* turn;
    });
    await expectCall(model, DONE);
  });

  test("takes 2.4 s for each answer", async () => {
    const model = modelThat(async function* (turn) {
      await after(2_400);
      yield* turn;
    });
    await expectCall(model, { ...DONE, hears: [OPENING, ONE_MOMENT, "Will you come?"] });
  });

  test("talks without end and without a sentence", async () => {
    const model = modelThat(async function* () {
      for (;;) {
        await after(50);
        yield text("blah blah ");
      }
    });
    const plan = planWith({ firstMessage: OPENING, maxDurationSeconds: 60 });
    await expectCall({ ...model, plan }, { end: "LIMIT_DURATION", hears: [OPENING, TIME_UP], withinMs: 90_000 });
  });

  test("calls tools that do not exist, again and again", async () => {
    const model = modelThat(async function* () {
      await after(700);
      yield { kind: "TOOL_CALL", call: { id: "c1", name: "no_such_tool", input: {} } };
    });
    await expectCall(model, failed);
  });

  test("hangs when the outputs are filled: the caller is gone by then", async () => {
    const scripted = createScriptedModel();
    const model: LanguageModel = {
      ...scripted,
      respond: (request) => scripted.respond(request),
      extract: () => forever,
    };
    const { outcome } = await expectCall({ ports: { model } }, { ...DONE, withinMs: 30_000 });
    expect(outcome.outputs.visit).toMatchObject({ valid: false });
  });
});

describe("the recogniser", () => {
  const lost = { end: "ERROR_SPEECH", hears: [APOLOGY], withinMs: 20_000 };
  const deaf = sttThat(() => ({ flush: () => undefined }), false);

  test("never tells a word", async () => {
    await expectCall({ sttProviders: [deaf] }, { ...lost, hears: [OPENING, SAY_AGAIN, APOLOGY] });
  });

  test("understands nothing: the caller is asked twice to say it again", async () => {
    const empty = sttThat(
      (_, notify) => ({ flush: () => notify({ kind: "FINAL", text: "", confidence: null }) }),
      false,
    );
    const { outcome, caller } = await expectCall(
      { sttProviders: [empty] },
      { ...lost, hears: [SAY_AGAIN, SAY_AGAIN, APOLOGY], withinMs: 40_000 },
    );
    expect(outcome.error).toMatchObject({ code: "NOT_UNDERSTOOD" });
    expect(caller.saidAtMs).toHaveLength(3);
  });

  test("is lost before the call begins, and while nobody speaks", async () => {
    const atOnce: Stt = {
      name: "lost",
      open({ onEvent }) {
        onEvent({ kind: "FAILED", code: "REFUSED", message: "401" });
        return { write: () => undefined, flush: () => undefined, close: () => undefined };
      },
    };
    await expectCall({ sttProviders: [atOnce] }, { ...lost, withinMs: 6_000 });
    const later = sttThat((stream, notify) => {
      setTimeout(() => notify({ kind: "FAILED", code: "UNAVAILABLE", message: "reset" }), 6_000);
      return stream;
    });
    await expectCall({ sttProviders: [later], answers: [] }, { ...lost, hears: [OPENING, APOLOGY], withinMs: 11_000 });
  });

  test("leaves a flush unanswered: the next one hears it again", async () => {
    const { outcome } = await expectCall({ sttProviders: [deaf, toneStt] }, DONE);
    expect(outcome.extractedFields).toEqual({ coming: true, people: 3 });
  });

  test("is late with its words: up to 1.2 s nobody notices, after 2 s they count all the same", async () => {
    const lateBy = (ms: number): Stt => ({
      name: "late",
      open(options) {
        const notify = (event: SpeechEvent) =>
          void (event.kind === "FINAL" && setTimeout(() => options.onEvent(event), ms));
        return toneStt.open({ ...options, onEvent: notify });
      },
    });
    const { caller } = await expectCall({ sttProviders: [lateBy(1_200)] }, DONE);
    expect(caller.heard).not.toContain(SAY_AGAIN);
    const { outcome, texts } = await expectCall({ sttProviders: [lateBy(2_000)] }, DONE);
    expect(texts).toContain("ASSISTANT: I am sorry,");
    expect(outcome.extractedFields).toEqual({ coming: true, people: 3 });
  });

  test("tells garbage: as much of it as a turn can have is taken for what was said", async () => {
    const noise = `\u0000\u{1F600}${"<script>".repeat(10_000)}`;
    const garbled = sttThat(
      (_, notify) => ({ flush: () => notify({ kind: "FINAL", text: noise, confidence: 9 }) }),
      false,
    );
    const { outcome } = await holdCall({
      sttProviders: [garbled],
      plan: planWith({ firstMessage: OPENING, maxDurationSeconds: 30 }),
      answers: ANSWERS,
    });
    for (const { content } of outcome.turns) expect(content.length).toBeLessThanOrEqual(4_000);
    expect(["AGENT_ENDED_CALL", "LIMIT_SILENCE", "LIMIT_DURATION"]).toContain(outcome.endReason);
  });

  test("floods the call with partial words", async () => {
    let count = 0;
    const flood = sttThat((stream, notify) => ({
      write(samples) {
        for (let i = 0; i < 200; i++) notify({ kind: "PARTIAL", text: `so ${++count}` });
        stream.write(samples);
      },
    }));
    await expectCall({ sttProviders: [flood] }, DONE);
  });
});

describe("the synthesiser", () => {
  const mute = voiceThat(async function* () {
    yield await forever;
  });
  const speechless = { end: "ERROR_SPEECH", withinMs: 12_000 };

  test("never gives a first piece: sounds tell that the line lives, and that the call ends", async () => {
    const { caller, outcome } = await expectCall({ ttsProviders: [mute] }, speechless);
    expect(caller.heard).toEqual([]);
    expect(outcome).toMatchObject({ turns: [], error: { code: "TEXT_TO_SPEECH_FAILED" } });
  });

  test("never gives a first piece: the next one speaks", async () => {
    await expectCall({ ttsProviders: [mute, toneTts] }, DONE);
  });

  test("fails at once, or says nothing", async () => {
    for (const speak of [() => Promise.reject(new Error("500")), () => Promise.resolve([])]) {
      const broken = voiceThat(async function* () {
        yield* await speak();
      });
      await expectCall({ ttsProviders: [broken] }, { ...speechless, withinMs: 5_000 });
    }
  });

  test("fails or breaks off once: the text is said again", async () => {
    for (const count of [0, 3]) {
      let spoken = 0;
      const broken = voiceThat(async function* (pieces) {
        if (++spoken % 2 === 0) return yield* pieces;
        yield* pieces.slice(0, count);
        throw new Error("socket hang up");
      });
      await expectCall({ ttsProviders: [broken] }, DONE);
    }
  });

  test("breaks off each time: what was heard of it is kept, and no more", async () => {
    const broken = voiceThat(async function* (pieces) {
      yield* pieces.slice(0, 4);
      throw new Error("socket hang up");
    });
    const report = await holdCall({ ttsProviders: [broken], plan: planWith({ firstMessage: OPENING }) });
    expect(report.outcome.endReason).toBe("ERROR_SPEECH");
    expect(report.texts).toHaveLength(1);
    expect(OPENING.length).toBeGreaterThan((report.outcome.turns[0]?.content ?? "").length);
    expect(`${OPENING} `).toContain(`${report.outcome.turns[0]?.content} `);
    expect(report.caller.longest.ms).toBeLessThanOrEqual(LONGEST_SILENCE_MS);
  });

  test("stalls after some pieces", async () => {
    let spoken = 0;
    const broken = voiceThat(async function* (pieces) {
      if (++spoken !== 2) return yield* pieces;
      yield* pieces.slice(0, 3);
      yield await forever;
    });
    await expectCall({ ttsProviders: [broken] }, DONE);
  });

  test("is slower than speech", async () => {
    const slow = voiceThat(async function* (pieces) {
      for (const piece of pieces) {
        await after(500);
        yield piece;
      }
    });
    const plan = planWith({ firstMessage: OPENING });
    const { outcome, caller } = await holdCall({ ttsProviders: [slow], answers: [], plan });
    expect(outcome).toMatchObject({ endReason: "LIMIT_SILENCE", turns: [{ content: OPENING }, {}] });
    // Torn words cannot be read from tones, so the caller still waits when the agent has finished.
    expect(caller.longest.fromMs).toBeGreaterThanOrEqual((outcome.turns[0]?.endMs ?? 0) - 40);
  });

  test("goes on for ever", async () => {
    const endless = voiceThat(async function* (pieces) {
      for (let i = 0; ; i++) {
        if (i % 50 === 0) await after(10);
        yield pieces[i % pieces.length] as Int16Array;
      }
    });
    const report = await holdCall({ ttsProviders: [endless], plan: planWith({ firstMessage: OPENING }) });
    expect(report.outcome.endReason).toBe("ERROR_SPEECH");
    expect(report.caller.hungUpMs).toBeLessThan(60_000);
  });
});

describe("a tool", () => {
  const tool: GrantedTool = {
    id: "t1",
    offer: { name: "look_up", description: "Looks something up.", inputSchema: { type: "object" } },
    messages: { start: null, delayed: null, delayedAfterMs: 0, success: null, failure: null },
    prompts: [],
    confirmedTranscriptMs: null,
    timeoutMs: 20_000,
    isAsync: false,
    requiresFollowUp: true,
    isProactive: false,
    disclosure: "FULL",
  };
  const trialWith = (grant: GrantedTool, runTool: () => Promise<ToolRunResult>) => {
    let asked = 0;
    const { ports } = modelThat(async function* (turn) {
      if (++asked === 1) yield { kind: "TOOL_CALL", call: { id: "c1", name: "look_up", input: {} } };
      else yield* turn;
    });
    const grants = { tools: [grant], systemTools: [], transferTargets: [] };
    return { plan: planWith({ firstMessage: OPENING }, { grants }), ports: { ...ports, tools: { run: runTool } } };
  };
  const LAST_QUESTION = "Got it. How many people will come?";
  const found: ToolRunResult = { kind: "VALUE", content: "found", variables: {} };

  test("takes nine seconds, or never answers", async () => {
    const slow = trialWith(tool, () => after(9_000).then(() => found));
    await expectCall(slow, { ...DONE, hears: [OPENING, ONE_MOMENT, LAST_QUESTION] });
    const dead = trialWith(tool, () => forever);
    await expectCall(dead, { ...DONE, hears: [OPENING, ONE_MOMENT, LAST_QUESTION] });
  });

  test("looks something up before the first word, and hangs", async () => {
    await expectCall(
      trialWith({ ...tool, isProactive: true }, () => forever),
      { ...DONE, hears: [OPENING] },
    );
  });
});

describe("several at once", () => {
  const hangs = modelThat(async function* () {
    yield await forever;
  });
  const mute = voiceThat(async function* () {
    yield await forever;
  });
  const deaf = sttThat(() => ({ flush: () => undefined }), false);

  test("neither model nor recogniser answers", async () => {
    const { caller } = await expectCall(
      { ...hangs, sttProviders: [deaf] },
      { end: "ERROR_SPEECH", hears: [OPENING, SAY_AGAIN, APOLOGY], withinMs: 25_000 },
    );
    expect(caller.heard).not.toContain(ONE_MOMENT);
  });

  test("all providers of speech hang, and the model too", async () => {
    const trial = { ...hangs, sttProviders: [deaf, deaf] as const, ttsProviders: [mute, mute] as const };
    const { outcome } = await expectCall(trial, { end: "ERROR_SPEECH", withinMs: 12_000 });
    expect(outcome.turns).toEqual([]);
  });

  test("the model hangs and the voice is lost in the middle of the call", async () => {
    let spoken = 0;
    const lost = voiceThat(async function* (pieces) {
      if (++spoken > 1) yield await forever;
      yield* pieces;
    });
    await expectCall({ ...hangs, ttsProviders: [lost] }, { end: "ERROR_SPEECH", hears: [OPENING], withinMs: 30_000 });
  });
});

describe("the media path", () => {
  test("breaks, or the person hangs up, in the middle of a sentence: the row keeps what was heard", async () => {
    const firstMessage = "Hello Anna, we call to ask you whether you will come on Tuesday, and with how many people.";
    for (const [by, endReason] of [
      ["LOST", "CARRIER_CONNECTION_LOST"],
      ["REMOTE", "CUSTOMER_HUNG_UP"],
    ] as const) {
      const at = { ms: 3_500, act: (call: MediaCall) => call.close(by) };
      const { outcome, texts, recordedMs } = await holdCall({ plan: planWith({ firstMessage }), at });
      expect(outcome).toMatchObject({ endReason, turns: [{ interrupted: true }] });
      expect(texts).toEqual(["ASSISTANT: Hello Anna, we call to ask you whether you will"]);
      expect(recordedMs).toBe(3_500);
    }
  });
});

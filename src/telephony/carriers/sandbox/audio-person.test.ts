import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { handleOf } from "#kit/trial-media.ts";
import { planWith } from "#kit/trial-session.ts";
import { AmdDetector } from "#src/audio/amd/amd-detector.ts";
import type { AnswerEvent } from "#src/audio/amd/amd-events.ts";
import { FRAME_SAMPLES, SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { Heard, Spoken } from "#src/audio/line/line.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { countToneSpeechSamples } from "#src/audio/tones/tone-speech.ts";
import { TurnEngine, type TurnEngineOptions } from "#src/audio/turns/turn-engine.ts";
import { LoudVad } from "#src/audio/vad/loud-vad.ts";
import { VoiceLine } from "#src/audio/voice/voice-line.ts";
import { type FrameTransport, MediaCall, type MediaEvent } from "#src/audio/worker/media-call.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { SessionPorts } from "#src/engine/conversation/ports.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { AudioPerson } from "./audio-person.ts";
import type { DialogueEnd } from "./dialogue.ts";
import { createPersona } from "./persona.ts";
import { simulate } from "./sandbox-numbers.ts";

const NEVER = new AbortController().signal;
const LONG_OPENING =
  "Hello Anna, this is the clinic on Green Street, and I am calling because of the visit that we have planned for you tomorrow.";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A turn engine that also feeds the AMD detector. */
class WatchedTurns extends TurnEngine {
  readonly #supervisor: AmdDetector;

  constructor(options: TurnEngineOptions, supervisor: AmdDetector) {
    super(options);
    this.#supervisor = supervisor;
  }

  override frame(samples: Int16Array, atMs: number): void {
    super.frame(samples, atMs);
    this.#supervisor.frame(samples, this.isSpeech, atMs);
  }

  override hearWords(event: SpeechEvent): void {
    super.hearWords(event);
    this.#supervisor.hearWords(event);
  }
}

/** One call to a sandbox number, from the media to the line. Only frames advance its time. */
class TrialCall implements FrameTransport {
  readonly ends: DialogueEnd[] = [];
  readonly verdicts: AnswerEvent[] = [];
  readonly events: MediaEvent[] = [];
  readonly person: AudioPerson;
  readonly call: MediaCall;
  readonly line: VoiceLine;
  readonly #frame = new Uint8Array(FRAME_SAMPLES);
  #reply: Uint8Array | null = null;

  constructor(code: string) {
    const behaviour = simulate(`+120255501${code}`, 1);
    if (behaviour.kind !== "ANSWERS") throw new Error(`${code} does not answer`);
    const persona = createPersona(behaviour, 1);
    const onEnd = (end: DialogueEnd) => void this.ends.push(end);
    this.person = new AudioPerson({ persona, behaviour, onKey: (key) => this.call.hearDigit(key), onEnd });
    const supervisor = new AmdDetector({ language: "en", onEvent: (event) => void this.verdicts.push(event) });
    this.call = new MediaCall({
      transport: this,
      openTurns: (onEvent) => {
        const options = { vad: new LoudVad(), endpointing: { language: "en" }, hasStt: true, onEvent };
        return new WatchedTurns(options, supervisor);
      },
      answers: null,
      recorder: null,
      onEvent: (event) => {
        this.events.push(event);
        this.line.onEvent(event);
      },
    });
    this.line = this.#openLine();
    // The test drives the line by hand, so no caller is waiting.
    this.call.setCallerWaitingSince(null);
  }

  #openLine(): VoiceLine {
    const { call } = this;
    return new VoiceLine({
      media: handleOf(() => call),
      stt: toneStt,
      tts: toneTts,
      language: "en-US",
      voiceId: null,
      hints: [],
      onFault: (code, message) => expect.fail(`${code}: ${message}`),
    });
  }

  read(frame: Int16Array): boolean {
    if (!this.#reply) return false;
    muLawCodec.decodeInto(this.#reply, 0, FRAME_SAMPLES, frame);
    return true;
  }

  write(frame: Int16Array): void {
    muLawCodec.encodeInto(frame, FRAME_SAMPLES, this.#frame, 0);
    this.#reply = this.person.pass(this.#frame);
  }

  sendDigits(digits: string): void {
    this.person.hearDigits(digits);
  }

  close(): void {
    this.person.finish("AGENT");
  }

  /** Advances the call by 20 ms, without waiting. */
  async tick(): Promise<void> {
    this.call.tick();
    if (this.ends[0] === "CUSTOMER") this.call.close("REMOTE");
    if (this.ends[0] === "CARRIER") this.call.close("LOST");
    vi.advanceTimersByTime(20);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Advances the call until the work is done. */
  async until<Result>(work: Promise<Result>, maxMs = 240_000): Promise<Result> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    for (let ms = 0; !isDone && ms < maxMs; ms += 20) await this.tick();
    if (!isDone) throw new Error(`Nothing was done within ${maxMs} ms of call time.`);
    return done;
  }

  /** Advances the call by `ms` of call time. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 20) await this.tick();
  }

  /** True when the last received frame is louder than silence. */
  get hearsSound(): boolean {
    return this.#reply?.some((code) => code !== muLawCodec.silence) ?? false;
  }
}

async function converse(
  code: string,
  flow: Partial<SessionPlan["flow"]> = {},
  more: Partial<SessionPorts> = {},
): Promise<{ trial: TrialCall; outcome: SessionOutcome; dialogue: string[] }> {
  const trial = new TrialCall(code);
  const ports: SessionPorts = {
    line: trial.line,
    model: createScriptedModel(),
    now: () => new Date("2026-11-21T10:00:00Z"),
    validate: validateAgainst,
    answeredBy: "HUMAN",
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
    ...more,
  };
  const outcome = await trial.until(runSession(planWith(flow), ports, NEVER));
  return { trial, outcome, dialogue: outcome.turns.map((turn) => `${turn.role}: ${turn.content}`) };
}

function say(trial: TrialCall, text: string): Promise<Spoken> {
  return trial.until(trial.line.say(text, NEVER));
}

function listen(trial: TrialCall): Promise<Heard> {
  return trial.until(trial.line.listen(30_000, NEVER));
}

describe("people, in a whole conversation", () => {
  test("00 agrees: all is heard and filled", async () => {
    const { outcome, dialogue } = await converse("00");
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 3 } });
    // People greet before the agent opens.
    expect(dialogue.slice(0, 5)).toEqual([
      "USER: Hello?",
      "ASSISTANT: Hello Anna.",
      "USER: Okay.",
      "ASSISTANT: Will you come?",
      "USER: Yes, that works for me.",
    ]);
  });

  test("01 declines", async () => {
    const { outcome } = await converse("01");
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: false } });
  });

  test("03 talks over the agent, who stops; the transcript holds what was heard until then", async () => {
    const { outcome } = await converse("03", { firstMessage: LONG_OPENING });
    const [greeting, opening, answer] = outcome.turns;
    expect(greeting).toMatchObject({ role: "USER", content: "Hello?" });
    expect(opening).toMatchObject({ role: "ASSISTANT", interrupted: true });
    expect(LONG_OPENING.startsWith(`${opening?.content} `)).toBe(true);
    expect(answer).toMatchObject({ role: "USER", content: "Sorry, go on." });
    expect(answer?.startMs).toBeLessThan(opening?.endMs ?? 0);
    const saidMs = (answer?.startMs ?? 0) - (opening?.startMs ?? 0);
    expect(saidMs).toBeGreaterThan(0.5 * toneMs(LONG_OPENING.slice(0, 120)));
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 3 } });
  });

  test("04 stays silent until the agent gives up", async () => {
    const { outcome } = await converse("04");
    expect(outcome.endReason).toBe("LIMIT_SILENCE");
    expect(outcome.turns.every(({ role }) => role === "ASSISTANT")).toBe(true);
  });

  test("54 thinks for two seconds and pauses for four after every third word", async () => {
    const trial = new TrialCall("54");
    const asked = await say(trial, "Hello, this is Ada. Do you have a minute?");
    const first = await listen(trial);
    const second = await listen(trial);
    expect([first, second]).toMatchObject([{ text: "Yes, that works" }, { text: "for me." }]);
    expect(startOf(first) - asked.endMs).toBeGreaterThanOrEqual(2_000);
    expect(startOf(second) - first.endMs).toBeGreaterThan(3_800);
  });

  test("80 plays music while the agent waits, which is nobody's turn", async () => {
    const trial = new TrialCall("80");
    await say(trial, "Hello, this is Ada. Do you have a minute?");
    expect(await listen(trial)).toMatchObject({ text: "One moment please, I have to look that up." });
    await trial.pass(2_000);
    expect(trial.hearsSound).toBe(true);
    const back = await listen(trial);
    expect(back).toMatchObject({ text: "Thank you for waiting. Yes, that works for me." });
  });

  test("55 makes no pause as long as nobody stops it", async () => {
    const trial = new TrialCall("55");
    let quiet = 0;
    for (let frames = 0; frames < 10_000; frames++) {
      await trial.tick();
      if (!trial.hearsSound) quiet++;
    }
    expect(quiet).toBeLessThan(5);
  });
});

describe("turns", () => {
  test("whoever picks up and hears nothing says hello, once", async () => {
    const trial = new TrialCall("00");
    expect(await listen(trial)).toMatchObject({ kind: "SPEECH", text: "Hello?" });
    await trial.pass(10_000);
    expect(trial.hearsSound).toBe(false);
  });

  test("several utterances in a row are one turn, answered once by its last question", async () => {
    const trial = new TrialCall("02");
    await say(trial, "Hello, this is Ada.");
    await say(trial, "Do you have a minute?");
    expect(await listen(trial)).toMatchObject({ text: "Before I answer, who am I speaking with?" });
    await say(trial, "Ada from Acme. Do you have a minute?");
    expect(await listen(trial)).toMatchObject({ text: "Yes, that works for me." });
  });

  test("speech after a long silence is another turn", async () => {
    const trial = new TrialCall("51");
    for (let turn = 1; turn <= 2; turn++) {
      await say(trial, "Hello, this is Ada. Do you have a minute?");
      await listen(trial);
    }
    await trial.pass(5_000);
    expect(trial.ends).toEqual([]);
    const third = await say(trial, "Hello, this is Ada. Do you have a minute?");
    expect(third).toMatchObject({ interrupted: true, hungUp: true });
    expect(trial.ends).toEqual(["CUSTOMER"]);
  });

  test("while somebody else is being rung nobody answers", async () => {
    const trial = new TrialCall("00");
    expect(await listen(trial)).toMatchObject({ text: "Hello?" });
    trial.person.waits = true;
    await say(trial, "One moment please.");
    await trial.pass(3_000);
    expect(trial.events.filter(({ kind }) => kind === "SPEECH_STARTED")).toHaveLength(1);
    trial.person.waits = false;
    await say(trial, "Do you have a minute?");
    expect(await listen(trial)).toMatchObject({ text: "Yes, that works for me." });
  });
});

describe("ends", () => {
  test("50 hangs up one second after picking up, before a greeting or the agent's first word", async () => {
    const { trial, outcome } = await converse("50", { firstMessage: LONG_OPENING });
    expect(outcome.endReason).toBe("CUSTOMER_HUNG_UP");
    expect(outcome.turns).toEqual([]);
    expect(outcome.durationMs).toBe(1_000);
    expect(trial.ends).toEqual(["CUSTOMER"]);
  });

  test("51 hangs up in the middle of the agent's third turn", async () => {
    const { outcome, dialogue } = await converse("51");
    expect(outcome).toMatchObject({ endReason: "CUSTOMER_HUNG_UP", extractedFields: { coming: true } });
    expect(dialogue.at(-1)).toBe("ASSISTANT: Got it. How many");
  });

  test("07 says goodbye so that it is heard, and hangs up then", async () => {
    const trial = new TrialCall("07");
    for (let turn = 1; turn <= 2; turn++) {
      await say(trial, "Am I speaking with Anna?");
      expect(await listen(trial)).toMatchObject({ kind: "SPEECH" });
    }
    expect(await listen(trial)).toMatchObject({ kind: "HUNG_UP" });
  });

  test("43 breaks off at ten seconds", async () => {
    const { trial, outcome } = await converse("43", { firstMessage: LONG_OPENING });
    expect(outcome.endReason).toBe("CARRIER_CONNECTION_LOST");
    expect(trial.ends).toEqual(["CARRIER"]);
    expect(trial.person.nowMs).toBe(10_000);
  });
});

describe("machines", () => {
  test("20 greets, beeps, takes the message, and gives up after ten seconds of silence", async () => {
    const trial = new TrialCall("20");
    while (!trial.verdicts.some(({ kind }) => kind === "MESSAGE_DUE")) await trial.pass(20);
    expect(trial.verdicts).toContainEqual(
      expect.objectContaining({ kind: "BEEP", frequencyHz: expect.closeTo(1_000, -1) }),
    );
    expect(trial.verdicts).toContainEqual(expect.objectContaining({ kind: "MESSAGE_DUE", after: "BEEP" }));
    expect(await listen(trial)).toMatchObject({
      text: "You have reached my voicemail. Please leave a message after the beep.",
    });
    const message = await say(trial, LONG_OPENING);
    expect(message).toMatchObject({ heard: LONG_OPENING, interrupted: false });
    const gone = await listen(trial);
    expect(gone.kind).toBe("HUNG_UP");
    expect(gone.endMs - message.endMs).toBeGreaterThanOrEqual(10_000);
  });

  test("20 plays its greeting to the end, whoever talks into it", async () => {
    const trial = new TrialCall("20");
    const message = await say(trial, LONG_OPENING);
    expect(message.interrupted).toBe(true);
    expect(await listen(trial)).toMatchObject({ text: expect.stringMatching(/after the beep[.]$/) });
  });

  test("21 says that it is full, and hangs up", async () => {
    const trial = new TrialCall("21");
    expect(await listen(trial)).toMatchObject({ text: expect.stringContaining("full") });
    expect(await listen(trial)).toMatchObject({ kind: "HUNG_UP" });
    expect(trial.verdicts).toMatchObject([{ answeredBy: "MACHINE_UNAVAILABLE", reason: "WORDS" }]);
  });

  test("22 repeats its menu until key 1 reaches a person", async () => {
    const trial = new TrialCall("22");
    expect(await listen(trial)).toMatchObject({ text: expect.stringContaining("Press 1") });
    expect(await listen(trial)).toMatchObject({ text: expect.stringContaining("Press 1") });
    await trial.line.sendDigits("1");
    expect(await listen(trial)).toMatchObject({ text: "Hello?" });
    await say(trial, "Do you have a minute?");
    expect(await listen(trial)).toMatchObject({ text: "Yes, that works for me." });
  });

  test("22 as a session hears the menu, presses the key, and talks to the person", async () => {
    const { outcome, dialogue } = await converse("22", {}, { answeredBy: "MACHINE_IVR" });
    expect(dialogue).toContain("SYSTEM: Pressed 1");
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 3 } });
  });

  test("23 answers as a fax does, and ends after four seconds", async () => {
    const trial = new TrialCall("23");
    await trial.pass(5_000);
    expect(trial.verdicts).toMatchObject([{ kind: "VERDICT", answeredBy: "FAX", reason: "FAX_TONE" }]);
    expect(trial.ends).toEqual(["CUSTOMER"]);
    expect(trial.person.nowMs).toBe(4_000);
  });

  test("24 asks who is calling, then a person agrees; no word of it sounds like a beep", async () => {
    const { trial, outcome, dialogue } = await converse("24", {}, { answeredBy: "MACHINE_SCREENING" });
    expect(dialogue).toContainEqual(expect.stringContaining("USER: The person you are calling uses call screening."));
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 3 } });
    expect(trial.verdicts).toMatchObject([{ answeredBy: "MACHINE_SCREENING" }, { answeredBy: "HUMAN" }]);
  });
});

function toneMs(text: string): number {
  return countToneSpeechSamples(text) / SAMPLES_PER_MS;
}

function startOf(heard: Heard): number {
  return heard.kind === "SPEECH" ? heard.startMs : Number.NaN;
}

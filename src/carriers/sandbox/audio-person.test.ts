import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionOutcome, SessionPlan } from "#src/conversation/plan.ts";
import type { SessionPorts } from "#src/conversation/ports.ts";
import { runSession } from "#src/conversation/session.ts";
import { planWith } from "#src/conversation/trial-session.ts";
import { FRAME_SAMPLES } from "#src/media/frame-codec.ts";
import { muLawCodec } from "#src/media/mu-law.ts";
import { createScriptedModel } from "#src/models/scripted/scripted-model.ts";
import { validateAgainst } from "#src/structured-outputs/schema-check.ts";
import type { AnswerEvent } from "#src/voice/answers/answer-events.ts";
import { AnswerSupervisor } from "#src/voice/answers/answer-supervisor.ts";
import { type FrameTransport, MediaCall, type MediaEvent } from "#src/voice/media-worker/media-call.ts";
import { toneSynthesiser } from "#src/voice/speech/local-synthesisers.ts";
import { toneRecogniser } from "#src/voice/speech/tone-recogniser.ts";
import { LoudVad } from "#src/voice/turns/loud-vad.ts";
import { TurnEngine } from "#src/voice/turns/turn-engine.ts";
import { VoiceLine } from "#src/voice/voice-line.ts";
import { AudioPerson } from "./audio-person.ts";
import { createPersona } from "./persona.ts";
import { simulate } from "./sandbox-numbers.ts";
import type { TalkEnd } from "./talk.ts";

const NEVER = new AbortController().signal;
const LONG_OPENING =
  "Hello Anna, this is the clinic on Green Street, and I am calling because of the visit that we have planned for you tomorrow.";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One call to a sandbox number, from the media to the line. Time passes only with the frames. */
class TrialCall implements FrameTransport {
  readonly ends: TalkEnd[] = [];
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
    const onEnd = (end: TalkEnd) => void this.ends.push(end);
    this.person = new AudioPerson({ persona, behaviour, onKey: (key) => this.call.hearDigit(key), onEnd });
    const supervisor = new AnswerSupervisor({ language: "en", onEvent: (event) => void this.verdicts.push(event) });
    this.call = new MediaCall({
      transport: this,
      openTurns: (onEvent) => {
        const endpointing = { language: "en" };
        const engine = new TurnEngine({ vad: new LoudVad(), endpointing, hasRecogniser: true, onEvent });
        const { frame, hearWords } = TurnEngine.prototype;
        engine.frame = (samples, atMs) => {
          frame.call(engine, samples, atMs);
          supervisor.frame(samples, engine.isSpeech, atMs);
        };
        engine.hearWords = (event) => {
          hearWords.call(engine, event);
          supervisor.hearWords(event);
        };
        return engine;
      },
      answers: null,
      recorder: null,
      onEvent: (event) => {
        this.events.push(event);
        this.line.onEvent(event);
      },
    });
    this.line = this.#openLine();
  }

  #openLine(): VoiceLine {
    const { call } = this;
    return new VoiceLine({
      media: {
        begin: (id) => call.playout.begin(id),
        add: (id, samples) => call.playout.add(id, samples),
        complete: (id) => call.playout.complete(id),
        clear: () => call.clear(),
        owe: (sinceMs) => call.owe(sinceMs),
        hearWords: (event) => call.hearWords(event),
        sendDigits: (digits) => call.sendDigits(digits),
        close: () => call.close(null),
      },
      recogniser: toneRecogniser,
      synthesiser: toneSynthesiser,
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

  /** 20 ms of the call, in no time. */
  async tick(): Promise<void> {
    this.call.tick();
    if (this.ends[0] === "CUSTOMER") this.call.close("REMOTE");
    if (this.ends[0] === "CARRIER") this.call.close("LOST");
    vi.advanceTimersByTime(20);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets the call go on until something is done. */
  async until<Result>(work: Promise<Result>, maxMs = 240_000): Promise<Result> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    for (let ms = 0; !isDone && ms < maxMs; ms += 20) await this.tick();
    if (!isDone) throw new Error(`Nothing was done within ${maxMs} ms of call time.`);
    return done;
  }

  /** Lets so much call time pass. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 20) await this.tick();
  }

  /** Whether what comes in now is louder than silence. */
  get hearsSound(): boolean {
    return this.#reply?.some((code) => code !== muLawCodec.silence) ?? false;
  }
}

async function converse(
  code: string,
  flow: Partial<SessionPlan["flow"]> = {},
  more: Partial<SessionPorts> = {},
): Promise<{ trial: TrialCall; outcome: SessionOutcome; talk: string[] }> {
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
  return { trial, outcome, talk: outcome.turns.map((turn) => `${turn.role}: ${turn.content}`) };
}

describe("people", () => {
  test.each(["00", "01", "02", "03", "04", "06", "07", "08", "09", "43", "50", "51", "54", "55", "80"])(
    "%s",
    async (code) => {
      const { trial, outcome } = await converse(code, { firstMessage: LONG_OPENING, maxDurationSeconds: 100 });
      console.log(
        code,
        trial.ends,
        outcome.endReason,
        outcome.extractedFields,
        outcome.turns.map(
          (t) => `${t.startMs | 0}-${t.endMs | 0} ${t.role}${t.interrupted ? " X" : ""}: ${t.content.slice(0, 200)}`,
        ),
      );
      expect(1).toBe(1);
    },
  );
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import { HEAR_LIMITS, SPEAK_LIMITS } from "#src/audio/speech-providers/speech-providers.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import { createFallbackStt } from "#src/audio/stt/fallback-stt.ts";
import type { Stt } from "#src/audio/stt/stt.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { createFallbackTts } from "#src/audio/tts/fallback-tts.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { TurnEngine } from "#src/audio/turns/turn-engine.ts";
import { LoudVad } from "#src/audio/vad/loud-vad.ts";
import { VoiceLine } from "#src/audio/voice/voice-line.ts";
import { openCallRecorder } from "#src/audio/worker/call-recorder.ts";
import { type FrameTransport, MediaCall } from "#src/audio/worker/media-call.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { SessionPorts } from "#src/engine/conversation/ports.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { handleOf } from "./trial-media.ts";
import { planWith } from "./trial-session.ts";

const FRAME_MS = 20;
const THINKING_MS = 400;
/** Mean square above which a frame is audible (rms 100 of 32,767). */
const AUDIBLE = 100 ** 2;
/** Silence that a person takes for a dead line. */
export const LONGEST_SILENCE_MS = 2_500;
const LONGEST_CALL_MS = 240_000;

/** Behaviour of a caller. */
interface CallerOptions {
  /** Said one after the other, each after a question of the agent. */
  answers: string[];
  /** Said when the call begins. */
  hello?: string | undefined;
  /** Said at call times, whatever is heard. */
  words?: { atMs: number; text: string }[];
}

/**
 * A caller over mu-law who goes by the audio alone. After an answer, or any other words, the caller waits for the agent
 * until a question was heard whole; all silence until then is counted.
 */
export class Caller implements FrameTransport {
  /** Utterances heard whole. */
  readonly heard: string[] = [];
  /** The longest silence while the caller waited, and when it began. */
  longest = { ms: 0, fromMs: 0 };
  /** Call time at which our side hung up. */
  hungUpMs: number | null = null;
  nowMs = 0;
  /** Call times at which the caller had finished an utterance. */
  readonly saidAtMs: number[] = [];
  readonly #answers: string[];
  readonly #words: { atMs: number; text: string }[];
  readonly #sink: ToneStream;
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #bytes = new Uint8Array(FRAME_SAMPLES);
  #voice: Int16Array = new Int16Array(0);
  #at = 0;
  #waitMs = 0;
  #isCallerWaiting = true;
  #quietSinceMs = 0;

  constructor({ answers, hello, words = [] }: CallerOptions) {
    this.#answers = [...answers];
    this.#words = [...words];
    this.#sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => this.#hear(text) });
    if (hello !== undefined) this.#say(hello);
  }

  #hear(text: string): void {
    this.heard.push(text);
    if (!text.endsWith("?")) return;
    this.#isCallerWaiting = false;
    const answer = this.#answers.shift();
    if (answer !== undefined) this.#say(answer);
  }

  #say(text: string): void {
    this.#voice = encodeToneSpeech(text);
    this.#at = 0;
    this.#waitMs = THINKING_MS;
  }

  read(frame: Int16Array): boolean {
    const [next] = this.#words;
    if (next && this.nowMs >= next.atMs) {
      this.#words.shift();
      this.#say(next.text);
      this.#waitMs = 0;
    }
    if (this.#at >= this.#voice.length || (this.#waitMs -= FRAME_MS) > 0) return false;
    this.#frame.fill(0);
    this.#frame.set(this.#voice.subarray(this.#at, this.#at + FRAME_SAMPLES));
    this.#at += FRAME_SAMPLES;
    this.#quietSinceMs = this.nowMs + FRAME_MS;
    if (this.#at >= this.#voice.length) {
      this.#isCallerWaiting = true;
      this.saidAtMs.push(this.#quietSinceMs);
    }
    this.#carry(this.#frame, frame);
    return true;
  }

  write(frame: Int16Array): void {
    this.#carry(frame, this.#frame);
    this.nowMs += FRAME_MS;
    this.#sink.push(this.#frame);
    const isAudible = this.#frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME_SAMPLES > AUDIBLE;
    if (isAudible || !this.#isCallerWaiting) this.#quietSinceMs = this.nowMs;
    const ms = this.nowMs - this.#quietSinceMs;
    if (ms > this.longest.ms) this.longest = { ms, fromMs: this.#quietSinceMs };
  }

  #carry(from: Int16Array, to: Int16Array): void {
    muLawCodec.encodeInto(from, FRAME_SAMPLES, this.#bytes, 0);
    muLawCodec.decodeInto(this.#bytes, 0, FRAME_SAMPLES, to);
  }

  sendDigits(): void {}

  close(): void {
    this.hungUpMs ??= this.nowMs;
  }
}

/** A call, and the parts of it that are broken. */
export interface TrialCall extends Partial<CallerOptions> {
  plan?: SessionPlan;
  /** Names with which the caller may answer. */
  names?: string[];
  ports?: Partial<SessionPorts>;
  sttProviders?: readonly [Stt, ...Stt[]];
  ttsProviders?: readonly [Tts, ...Tts[]];
  /** Real milliseconds for each frame, for a call over a real network; 0 unless set. */
  paceMs?: number;
  /** Acts on the call at a call time. */
  at?: { ms: number; act: (call: MediaCall) => void };
}

/** Result of the call. */
export interface CallReport {
  outcome: SessionOutcome;
  caller: Caller;
  /** The transcript as "ROLE: words". */
  texts: string[];
  /** All audible audio of the agent, without the silence between. */
  sounded: Int16Array;
  /** Utterances in the recording: the agent's, the caller's. */
  recorded: [string[], string[]];
  recordedMs: number;
  faults: string[];
}

/**
 * Holds a whole call: session, line, turns, media and recording are the real ones, and time is driven by hand. Fake
 * timers must be on.
 */
export async function holdCall(trial: TrialCall): Promise<CallReport> {
  const folder = await mkdtemp(join(tmpdir(), "parley-voice-desk-"));
  const path = join(folder, "call.wav");
  const recorder = openCallRecorder({ path, key: null });
  const caller = new Caller({ answers: trial.answers ?? [], hello: trial.hello, words: trial.words ?? [] });
  const faults: string[] = [];
  const { call, line } = openCall(trial, caller, recorder, faults);
  const session = runSession(trial.plan ?? planWith(), portsOf(trial, line), new AbortController().signal);
  await drive(trial, call, caller, session);
  const outcome = await session;
  await recorder.close();
  const wav = parseWav(new Uint8Array(await readFile(path)));
  await rm(folder, { recursive: true });
  const [agent, person] = wav.channels.map((channel) => decodeToneSpeech(channel));
  return {
    outcome,
    caller,
    texts: outcome.turns.map(({ role, content }) => `${role}: ${content}`),
    sounded: withoutSilence(wav.channels[0] ?? new Int16Array(0)),
    recorded: [agent ?? [], person ?? []],
    recordedMs: (wav.channels[0]?.length ?? 0) / 8,
    faults,
  };
}

function withoutSilence(samples: Int16Array): Int16Array {
  const kept: number[] = [];
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    const frame = samples.subarray(at, at + FRAME_SAMPLES);
    if (frame.some((sample) => Math.abs(sample) > 100)) kept.push(...frame);
  }
  return Int16Array.from(kept);
}

function openCall(
  { names = [], sttProviders = [toneStt], ttsProviders = [toneTts] }: TrialCall,
  transport: Caller,
  recorder: ReturnType<typeof openCallRecorder>,
  faults: string[],
): { call: MediaCall; line: VoiceLine } {
  const call: MediaCall = new MediaCall({
    transport,
    openTurns: (onEvent) =>
      new TurnEngine({ vad: new LoudVad(), endpointing: { language: "en" }, names, hasStt: true, onEvent }),
    answers: null,
    recorder,
    onEvent: (event) => line.onEvent(event),
  });
  const line: VoiceLine = new VoiceLine({
    media: handleOf(() => call),
    stt: createFallbackStt(sttProviders, HEAR_LIMITS, () => undefined),
    tts: createFallbackTts(ttsProviders, SPEAK_LIMITS, () => undefined),
    language: "en-US",
    voiceId: null,
    hints: [],
    onFault: (code) => faults.push(code),
  });
  return { call, line };
}

function portsOf({ ports }: TrialCall, line: VoiceLine): SessionPorts {
  return {
    line,
    model: createScriptedModel(),
    now: () => new Date(Date.UTC(2026, 10, 21, 10) + performance.now()),
    validate: validateAgainst,
    answeredBy: "HUMAN",
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
    ...ports,
  };
}

async function drive(trial: TrialCall, call: MediaCall, caller: Caller, session: Promise<unknown>): Promise<void> {
  let isOver = false;
  void session.finally(() => (isOver = true));
  let { at } = trial;
  for (let ms = 0; !isOver; ms += FRAME_MS) {
    if (ms > LONGEST_CALL_MS) throw new Error(`The call does not end. Heard: ${caller.heard.join(" | ")}`);
    if (at && ms >= at.ms) {
      at.act(call);
      at = undefined;
    }
    call.tick();
    vi.advanceTimersByTime(FRAME_MS);
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
    if (trial.paceMs) await pause(trial.paceMs);
  }
}

/** Expectations of a call, as the caller hears it. */
export interface Expected {
  end: string;
  /** Texts that the caller hears, in this order, with others in between. */
  hears?: string[];
  /** Longest duration of the call. */
  withinMs: number;
}

/** Checks that no silence is too long, that the call ends as expected, and that everything said is kept. */
export function checkCall(
  { outcome, caller, texts, recorded, recordedMs }: CallReport,
  { end, hears = [], withinMs }: Expected,
) {
  const reported = JSON.stringify({
    end: outcome.endReason,
    error: outcome.error,
    longest: caller.longest,
    texts,
    heard: caller.heard,
  });
  expect(outcome.endReason, reported).toBe(end);
  expect(caller.longest.ms, reported).toBeLessThanOrEqual(LONGEST_SILENCE_MS);
  expect(caller.hungUpMs, reported).toBeLessThanOrEqual(withinMs);
  let at = -1;
  for (const text of hears) {
    at = caller.heard.indexOf(text, at + 1);
    expect(at, `${text} is not in ${reported}`).toBeGreaterThanOrEqual(0);
  }
  // Each sentence heard whole is in the transcript and in the recording.
  const agent = texts.filter((text) => text.startsWith("ASSISTANT: ")).join(" ");
  for (const text of caller.heard) expect(agent).toContain(text);
  expect(recorded[0]).toEqual(caller.heard);
  expect(recorded[1]).toHaveLength(caller.saidAtMs.length);
  expect(Math.abs(recordedMs - (caller.hungUpMs as number))).toBeLessThanOrEqual(40);
}

const realTimeout = setTimeout;
const pause = (ms: number) => new Promise((resolve) => realTimeout(resolve, ms));

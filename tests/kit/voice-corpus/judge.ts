import { AmdDetector } from "#src/audio/amd/amd-detector.ts";
import type { AnswerEvent, AnswerVerdict } from "#src/audio/amd/amd-events.ts";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { TurnEngine } from "#src/audio/turns/turn-engine.ts";
import type { EndOfTurn, TurnEvent } from "#src/audio/turns/turn-events.ts";
import { toPlainWords } from "#src/audio/turns/turn-words.ts";
import { EnergyVad } from "#src/audio/vad/energy-vad.ts";
import type { Vad } from "#src/audio/vad/vad.ts";
import type { BargeLabel } from "./recordings.ts";
import type { MadeRecording, TimedWords } from "./render.ts";

const FRAME_MS = 20;
const ECHO_FRAMES = 6;

/** Delivery of words: as they are said; whole utterances only and late, as from batch STT; none at all. */
export type Hearing = "STREAMING" | "FINAL_ONLY" | "NONE";

const FINAL_ONLY_LATENCY_MS = 500;

/** Decision on one recording, beside the right one. */
export interface Judgement {
  name: string;
  about: "ENDPOINTING" | "BARGE_IN" | "ANSWER";
  isRight: boolean;
  wanted: string;
  got: string;
  /**
   * Milliseconds from the last turn's end of speech, from speech to pause, or to the verdict; null where there is none.
   */
  ms: number | null;
}

/** Plays a recording through turn engine and AMD, frame by frame, and judges their decisions. */
export function judgeRecording(recording: MadeRecording, hearing: Hearing): Judgement {
  return judgePlayed(recording, hearing, playRecording(recording, hearing));
}

/** Judges the decisions on a recording that was played. */
export function judgePlayed(recording: MadeRecording, hearing: Hearing, { turns, answers }: Played): Judgement {
  const { name, label } = recording.plan;
  if (label.about === "ENDPOINTING")
    return { name, about: label.about, ...judgeTurns(label.turns, turns, hearing !== "NONE") };
  if (label.about === "BARGE_IN") return { name, about: label.about, ...judgeAgent(label.agent, turns, recording) };
  return { name, about: label.about, ...judgeAnswer(label.answeredBy, label.withinMs, answers, recording) };
}

/** Events emitted for a recording. */
export interface Played {
  turns: TurnEvent[];
  answers: AnswerEvent[];
}

/** Plays a recording as a whole. */
export function playRecording(recording: MadeRecording, hearing: Hearing): Played {
  const steps = stepRecording(recording, hearing, new EnergyVad());
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Plays a recording frame by frame. The agent's speech stops and goes on as the engine says, and its echo with it. */
export function* stepRecording(recording: MadeRecording, hearing: Hearing, vad: Vad): Generator<undefined, Played> {
  const { samples, words, agent, plan } = recording;
  const turns: TurnEvent[] = [];
  const answers: AnswerEvent[] = [];
  const voice = new AgentVoice(agent?.samples ?? new Int16Array(), agent?.echo ?? 0);
  const engine = new TurnEngine({
    vad,
    endpointing: { language: plan.language },
    hasStt: hearing !== "NONE",
    onEvent: (event) => {
      turns.push(event);
      voice.obey(event);
    },
  });
  const supervisor = new AmdDetector({ language: plan.language, onEvent: (event) => answers.push(event) });
  const open = wordsFor(hearing, words);
  const near = new Int16Array(FRAME_SAMPLES);
  for (let frame = 0; (frame + 1) * FRAME_SAMPLES <= samples.length; frame++) {
    const atMs = (frame + 1) * FRAME_MS;
    if (agent && atMs === agent.atMs) {
      voice.isPlaying = true;
      engine.startPlayout();
    }
    near.set(samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
    const far = voice.nextFrame(near);
    if (far) engine.played(far);
    else if (voice.hasEnded) {
      voice.hasEnded = false;
      engine.endPlayout();
    }
    engine.frame(near, atMs);
    if (!agent) supervisor.frame(near, engine.isSpeech, atMs);
    for (; open[0] && open[0].atMs <= atMs; open.shift()) {
      const event = { confidence: null, ...open[0] };
      engine.hearWords(event);
      if (!agent) supervisor.hearWords(event);
    }
    yield;
  }
  return { turns, answers };
}

function wordsFor(hearing: Hearing, words: TimedWords[]): TimedWords[] {
  if (hearing === "NONE") return [];
  if (hearing === "STREAMING") return words.toSorted((one, other) => one.atMs - other.atMs);
  return words.filter((one) => one.kind === "FINAL").map((one) => ({ ...one, atMs: one.atMs + FINAL_ONLY_LATENCY_MS }));
}

/** The agent's side of a call: plays its speech while it may, and mixes its echo into the person's audio. */
class AgentVoice {
  isPlaying = false;
  hasEnded = false;
  readonly #samples: Int16Array;
  readonly #echo: number;
  readonly #delayed: Int16Array[] = [];
  #at = 0;

  constructor(samples: Int16Array, echo: number) {
    this.#samples = samples;
    this.#echo = echo;
  }

  obey(event: TurnEvent): void {
    if (event.kind === "PAUSE_PLAYOUT" || event.kind === "CLEAR_PLAYOUT") this.isPlaying = false;
    if (event.kind === "RESUME_PLAYOUT") this.isPlaying = true;
  }

  /** Returns the frame to play now, or null; adds the echo of an earlier one to `near`. */
  nextFrame(near: Int16Array): Int16Array | null {
    const echo = this.#delayed.length >= ECHO_FRAMES ? this.#delayed.shift() : undefined;
    for (let i = 0; echo && i < near.length; i++) near[i] = (near[i] as number) + this.#echo * (echo[i] ?? 0);
    const frame = this.isPlaying
      ? this.#samples.slice(this.#at, this.#at + FRAME_SAMPLES)
      : new Int16Array(FRAME_SAMPLES);
    this.#delayed.push(frame);
    if (!this.isPlaying) return null;
    this.#at += FRAME_SAMPLES;
    if (this.#at + FRAME_SAMPLES > this.#samples.length) {
      this.isPlaying = false;
      this.hasEnded = true;
    }
    return frame.length === FRAME_SAMPLES ? frame : null;
  }
}

type Result = Pick<Judgement, "isRight" | "wanted" | "got" | "ms">;

function judgeTurns(wanted: string[], events: TurnEvent[], hasStt: boolean): Result {
  const ends = events.filter((event): event is EndOfTurn => event.kind === "END_OF_TURN");
  const show = (texts: string[]) => (texts.length === 0 ? "no turn" : texts.map((text) => `"${text}"`).join(" | "));
  const plain = (texts: string[]) => texts.map((text) => toPlainWords(text).join(" ")).join("|");
  const got = ends.map((end) => end.text);
  const isRight = got.length === wanted.length && (!hasStt || plain(got) === plain(wanted));
  return { isRight, wanted: show(wanted), got: show(got), ms: ends.at(-1)?.endpointingMs ?? null };
}

function judgeAgent(wanted: BargeLabel, events: TurnEvent[], recording: MadeRecording): Result {
  const kinds = events.map((event) => event.kind);
  const isPaused = kinds.includes("PAUSE_PLAYOUT");
  const isCleared = kinds.includes("CLEAR_PLAYOUT");
  const got = isCleared ? "CLEARS" : isPaused ? "pauses, goes on" : "PLAYS_ON";
  const isStuck = isPaused && !isCleared && !kinds.includes("RESUME_PLAYOUT");
  const isRight = wanted === "KEEPS" ? !isCleared && !isStuck : got === wanted;
  const stop = events.find((event) => event.kind === "PAUSE_PLAYOUT" || event.kind === "CLEAR_PLAYOUT");
  const ms = stop && recording.speechEndsMs.length > 0 ? stop.atMs - SPEECH_AT_MS : null;
  return { isRight, wanted, got: isStuck ? "stays paused" : got, ms };
}

/** Time at which speech over the agent begins. */
const SPEECH_AT_MS = 2_500;

function judgeAnswer(wanted: string, withinMs: number, events: AnswerEvent[], recording: MadeRecording): Result {
  const verdict = events.findLast((event): event is AnswerVerdict => event.kind === "VERDICT");
  const first = events.find((event) => event.kind === "VERDICT" && event.answeredBy === verdict?.answeredBy);
  const ms = first?.kind === "VERDICT" ? first.decidedAfterMs : null;
  const message = describeMessage(events, recording);
  const got = `${verdict?.answeredBy ?? "none"}${message.text}`;
  const isRight = verdict?.answeredBy === wanted && ms !== null && ms <= withinMs && message.isRight;
  return { isRight, wanted: `${wanted} in ${withinMs}`, got, ms };
}

/** Checks that a voicemail's message is due after its beep and within half a second. */
function describeMessage(events: AnswerEvent[], { beepEndMs }: MadeRecording): { isRight: boolean; text: string } {
  const due = events.findLast((event) => event.kind === "MESSAGE_DUE");
  if (beepEndMs === null) return { isRight: due?.after !== "BEEP", text: due ? ", message after silence" : "" };
  if (due?.after !== "BEEP") return { isRight: false, text: ", beep missed" };
  const lateMs = Math.round(due.atMs - beepEndMs);
  return { isRight: lateMs >= 0 && lateMs <= 500, text: `, message ${lateMs} ms after the beep` };
}

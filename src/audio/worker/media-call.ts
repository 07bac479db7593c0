import type { AnswerEvent } from "#src/audio/amd/amd-events.ts";
import { FRAME_SAMPLES, SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { LoopedSound } from "#src/audio/tones/hold-sound.ts";
import type { TurnEvent } from "#src/audio/turns/turn-events.ts";
import { ComfortTone } from "./comfort-tone.ts";
import { mixInto } from "./mix.ts";
import { type PlayedUtterance, Playout } from "./playout.ts";
import type { Ticked } from "./ticker.ts";

/** Frames of a chunk for STT, 100 ms: single frames would cost five times as many messages. */
const CHUNK_FRAMES = 5;

/** Transport of a call's frames: an RTP socket, a carrier's media socket, a browser, the sandbox. */
export interface FrameTransport {
  /** Fills the next 20 ms received; false when there are none, and the frame is silence. */
  read(frame: Int16Array): boolean;
  /** Milliseconds since the arrival of the frame that was read last; absent where nothing is buffered. */
  readonly heldMs?: number;
  /** Takes 20 ms to be sent; the array is reused. */
  write(frame: Int16Array): void;
  /** Sends keypad tones. */
  sendDigits(digits: string): void;
  close(): void;
}

/** Judge of turn-taking; `TurnEngine` is one. */
export interface TurnTaking {
  /** True when the last frame held the person's speech. */
  readonly isSpeech: boolean;
  frame(samples: Int16Array, atMs: number, heldMs?: number): void;
  played(samples: Int16Array): void;
  startPlayout(): void;
  endPlayout(): void;
  hearWords(event: SpeechEvent): void;
  /** The person has left: the words of their open turn are all that they said. */
  leave(): void;
}

/** Events of a transport for its call. */
export interface TransportEvents {
  onDigit(digit: string): void;
  /** REMOTE: the far end hung up. LOST: nothing came for too long, or the transport broke. */
  onClosed(by: "REMOTE" | "LOST"): void;
  /** Called once per call when audio came from `host`, which is not the far end's; it was not heard. */
  onStranger?(host: string, signalledHost: string): void;
}

/** Answering machine detection (AMD); `AmdDetector` is one. */
export interface AnswerWatching {
  readonly isWatching: boolean;
  frame(samples: Int16Array, isSpeech: boolean, atMs: number): void;
  hearWords(event: SpeechEvent): void;
  takeCarrierVerdict(answeredBy: AnsweredBy, atMs: number): void;
}

/** Event of a call's media for the side that holds the conversation. */
export type MediaEvent =
  /** Audio received up to `atMs`, and the peak of what was sent meanwhile; the samples are reused. */
  | { kind: "AUDIO"; samples: Int16Array; atMs: number; saidPeak: number }
  | { kind: "FLUSH" }
  | { kind: "SPEECH_STARTED"; atMs: number }
  | {
      kind: "TURN";
      text: string;
      /** True when it is no more than people say when they pick up. */
      isGreeting: boolean;
      isFinal: boolean;
      startMs: number;
      endMs: number;
      endpointingMs: number;
      sttMs: number;
      heldMs: number;
    }
  /** The person greeted as the agent began its first words, or before, and did not interrupt it. */
  | { kind: "GREETING"; text: string; startMs: number; endMs: number }
  /** Final words of the last turn. */
  | { kind: "CONFIRMED"; text: string }
  | { kind: "DIGIT"; digit: string; atMs: number }
  | { kind: "PLAYED"; id: number; fraction: number; cut: boolean; startMs: number; endMs: number }
  | { kind: "ANSWER"; event: AnswerEvent }
  /** Audio came from a host that is not the far end's, and was not heard; emitted once per call. */
  | { kind: "STRANGER"; host: string; signalledHost: string }
  | { kind: "CLOSED"; atMs: number; by: "REMOTE" | "LOST" };

/** Takes both directions of a call, 20 ms at a time. */
export interface FrameSink {
  write(heard: Int16Array, said: Int16Array): void;
}

/** A supervisor who hears both sides, and may be heard. */
export interface Supervisor extends FrameSink {
  /** Audience of the supervisor: nobody, the agent alone (whisper), or both. */
  readonly heardBy: "NOBODY" | "AGENT" | "BOTH";
  /** Fills the supervisor's next 20 ms; false when they are silent. */
  read(frame: Int16Array): boolean;
}

/** Dependencies of one call's media. */
export interface MediaCallParts {
  transport: FrameTransport;
  openTurns: (onEvent: (event: TurnEvent) => void) => TurnTaking;
  /** Null: no answering machine detection. */
  answers: AnswerWatching | null;
  /** Null: nothing is recorded. */
  recorder: FrameSink | null;
  onEvent: (event: MediaEvent) => void;
}

/**
 * Media of one call, driven by the worker's ticker: every 20 ms it receives a frame, judges turn-taking, sends a frame,
 * and records both. Its clock counts samples, so it is the call's own time.
 */
export class MediaCall implements Ticked {
  readonly #parts: MediaCallParts;
  readonly #turns: TurnTaking;
  readonly #playout: Playout;
  readonly #heard = new Int16Array(FRAME_SAMPLES);
  readonly #said = new Int16Array(FRAME_SAMPLES);
  readonly #chunk = new Int16Array(FRAME_SAMPLES * CHUNK_FRAMES);
  readonly #extra = new Int16Array(FRAME_SAMPLES);
  /** Supervisors' speech to the agent alone: a joined call hears it with this person's words. */
  readonly #whisper = new Int16Array(FRAME_SAMPLES);
  readonly #life = new ComfortTone();
  #frames = 0;
  /** The loudest sample sent since the last chunk, by every fourth one. */
  #saidPeak = 0;
  #isClosed = false;
  #wasBusy = false;
  #joined: MediaCall | null = null;
  /** The hold sound, while the person is on hold. */
  #hold: LoopedSound | null = null;
  /** Call time since which the person, on hold or joined, does not speak to us; null otherwise. */
  #deafSinceMs: number | null = null;
  #speechStartMs = 0;
  readonly #supervisors = new Set<Supervisor>();

  constructor(parts: MediaCallParts) {
    this.#parts = parts;
    this.#playout = new Playout((played) => this.#reportPlayed(played));
    this.#turns = parts.openTurns((event) => this.#apply(event));
  }

  /** The call's playout. */
  get playout(): Playout {
    return this.#playout;
  }

  /** Call time in milliseconds. */
  get nowMs(): number {
    return this.#frames * (FRAME_SAMPLES / SAMPLES_PER_MS);
  }

  get #endOfFrameMs(): number {
    return this.nowMs + FRAME_SAMPLES / SAMPLES_PER_MS;
  }

  /** Runs 20 ms of the call, for callers without a ticker. */
  tick(): void {
    this.hear();
    this.say();
  }

  /** Receives the next 20 ms. */
  hear(): void {
    if (this.#isClosed) return;
    const { transport, answers } = this.#parts;
    const atMs = this.#endOfFrameMs;
    if (!transport.read(this.#heard)) this.#heard.fill(0);
    this.#turns.frame(this.#heard, atMs, transport.heldMs);
    if (answers?.isWatching && this.#deafSinceMs === null) answers.frame(this.#heard, this.#turns.isSpeech, atMs);
    this.#collect(atMs);
  }

  /** Sends the next 20 ms. */
  say(): void {
    if (this.#isClosed) return;
    const { transport, recorder } = this.#parts;
    this.#followPlayout();
    const isSpeaking = this.#playout.isSpeaking;
    // Speech to a person on hold takes precedence over the hold sound.
    if (this.#hold && !this.#joined && !this.#playout.isBusy) this.#hold.read(this.#said);
    else this.#playout.read(this.#said, this.#frames * FRAME_SAMPLES);
    if (isSpeaking) this.#turns.played(this.#said);
    const hasOthers = (this.#joined !== null || this.#supervisors.size > 0) && this.#addOthers();
    // A person on hold, or joined to another call, does not wait for us, so no comfort tone is needed.
    const hasSound = isSpeaking || hasOthers || this.#turns.isSpeech || this.#deafSinceMs !== null;
    if (this.#life.fill(this.#said, hasSound, this.#endOfFrameMs)) this.#turns.played(this.#said);
    if (hasSound) this.#notePeak();
    transport.write(this.#said);
    recorder?.write(this.#heard, this.#said);
    this.#frames++;
  }

  /** Takes an event of the STT stream. */
  hearWords(event: SpeechEvent): void {
    if (this.#isClosed) return;
    this.#parts.answers?.hearWords(event);
    this.#turns.hearWords(event);
  }

  /** Takes the carrier's verdict on who answered. */
  takeVerdict(answeredBy: AnsweredBy): void {
    if (!this.#isClosed) this.#parts.answers?.takeCarrierVerdict(answeredBy, this.nowMs);
  }

  /**
   * Sets the call time since which the person waits for us and must hear that the line is alive; null: they do not
   * wait.
   */
  setCallerWaitingSince(sinceMs: number | null): void {
    this.#life.setCallerWaitingSince(sinceMs);
  }

  /** Lets this call and another hear each other until one of them closes; null separates them. */
  join(other: MediaCall | null): void {
    const before = this.#joined;
    this.#joined = other;
    if (before && before.#joined === this) before.#joined = null;
    if (before) before.#followDeafness();
    this.#followDeafness();
    if (other && other.#joined !== this) other.join(this);
  }

  /** Puts the person on hold: a sound repeats, and their speech and keys are ignored meanwhile. Null ends the hold. */
  hold(sound: Int16Array | null): void {
    this.#hold = sound && sound.length > 0 ? new LoopedSound(sound) : null;
    this.#followDeafness();
  }

  /** Adds a supervisor. */
  addSupervisor(supervisor: Supervisor): void {
    this.#supervisors.add(supervisor);
  }

  /** Removes a supervisor. */
  removeSupervisor(supervisor: Supervisor): void {
    this.#supervisors.delete(supervisor);
  }

  /** Takes a key that the person pressed. */
  hearDigit(digit: string): void {
    if (this.#joined) return this.#joined.sendDigits(digit);
    if (this.#deafSinceMs !== null) return;
    this.#parts.onEvent({ kind: "DIGIT", digit, atMs: this.nowMs });
  }

  /** Drops the rest of the playout. */
  clear(): void {
    this.#playout.clear(this.#frames * FRAME_SAMPLES);
  }

  /** Sends keypad tones. */
  sendDigits(digits: string): void {
    this.#parts.transport.sendDigits(digits);
  }

  /** Ends the media; `by` is the side that ended it, null when it was ours. */
  close(by: "REMOTE" | "LOST" | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (by) this.#turns.leave();
    this.clear();
    this.join(null);
    this.#parts.transport.close();
    if (by) this.#parts.onEvent({ kind: "CLOSED", atMs: this.nowMs, by });
  }

  /**
   * Mixes in the audio of others: the joined call, and supervisors whom this person may hear. True when someone else
   * may be heard.
   */
  #addOthers(): boolean {
    let isHeard = this.#joined !== null;
    if (this.#joined) {
      mixInto(this.#said, this.#joined.#heard);
      mixInto(this.#said, this.#joined.#whisper);
    }
    this.#whisper.fill(0);
    for (const supervisor of this.#supervisors) {
      supervisor.write(this.#heard, this.#said);
      if (!supervisor.read(this.#extra) || supervisor.heardBy === "NOBODY") continue;
      mixInto(this.#whisper, this.#extra);
      if (supervisor.heardBy !== "BOTH") continue;
      mixInto(this.#said, this.#extra);
      isHeard = true;
    }
    return isHeard;
  }

  #collect(atMs: number): void {
    const at = this.#frames % CHUNK_FRAMES;
    // STT receives silence rather than nothing: some providers close a stream that stands still.
    if (this.#deafSinceMs === null) this.#chunk.set(this.#heard, at * FRAME_SAMPLES);
    else this.#chunk.fill(0, at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES);
    if (at < CHUNK_FRAMES - 1) return;
    this.#parts.onEvent({ kind: "AUDIO", samples: this.#chunk, atMs, saidPeak: this.#saidPeak });
    this.#saidPeak = 0;
  }

  #notePeak(): void {
    for (let i = 0; i < FRAME_SAMPLES; i += 4) {
      this.#saidPeak = Math.max(this.#saidPeak, Math.abs(this.#said[i] as number));
    }
  }

  /** Notifies turn-taking when our own speech begins and ends. */
  #followPlayout(): void {
    const { isBusy } = this.#playout;
    if (isBusy === this.#wasBusy) return;
    this.#wasBusy = isBusy;
    if (isBusy) this.#turns.startPlayout();
    else this.#turns.endPlayout();
  }

  #apply(event: TurnEvent): void {
    const { onEvent } = this.#parts;
    if (event.kind === "PAUSE_PLAYOUT") this.#playout.pause();
    else if (event.kind === "RESUME_PLAYOUT") this.#playout.resume();
    else if (event.kind === "CLEAR_PLAYOUT") this.clear();
    else if (event.kind === "START_OF_SPEECH") {
      this.#speechStartMs = event.startMs;
      if (this.#takes(event.startMs)) onEvent({ kind: "SPEECH_STARTED", atMs: event.startMs });
    } else if (event.kind === "END_OF_SPEECH") {
      if (this.#takes(this.#speechStartMs)) onEvent({ kind: "FLUSH" });
    } else if (event.kind === "GREETING") {
      const { text, startMs, endMs } = event;
      if (this.#takes(startMs)) onEvent({ kind: "GREETING", text, startMs, endMs });
    } else if (event.kind === "TURN_CONFIRMED") onEvent({ kind: "CONFIRMED", text: event.text });
    else if (event.kind === "END_OF_TURN") {
      const { text, isGreeting, isFinal, startMs, endMs, endpointingMs, sttMs, heldMs } = event;
      if (!this.#takes(startMs)) return;
      onEvent({ kind: "TURN", text, isGreeting, isFinal, startMs, endMs, endpointingMs, sttMs, heldMs });
    }
  }

  /**
   * Updates the time since which the person does not speak to us (hold, joined). Speech that began before still counts.
   */
  #followDeafness(): void {
    if (this.#hold === null && this.#joined === null) this.#deafSinceMs = null;
    else this.#deafSinceMs ??= this.nowMs;
  }

  #takes(startMs: number): boolean {
    return this.#deafSinceMs === null || startMs < this.#deafSinceMs;
  }

  #reportPlayed({ id, fraction, cut, startedAt, endedAt }: PlayedUtterance): void {
    const startMs = startedAt / SAMPLES_PER_MS;
    this.#parts.onEvent({ kind: "PLAYED", id, fraction, cut, startMs, endMs: endedAt / SAMPLES_PER_MS });
  }
}

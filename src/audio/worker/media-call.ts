import type { AnswerEvent, CarrierVerdict } from "#src/audio/amd/amd-events.ts";
import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { LoopedSound } from "#src/audio/tones/hold-sound.ts";
import type { TurnEvent } from "#src/audio/turns/turn-events.ts";
import { ComfortTone } from "./comfort-tone.ts";
import { mixInto } from "./mix.ts";
import { type PlayedUtterance, Playout } from "./playout.ts";
import type { Ticked } from "./ticker.ts";

/** Recognisers take 100 ms at a time: single frames would cost five times as many messages (research, voice Q5). */
const CHUNK_FRAMES = 5;
const SAMPLES_PER_MS = VOICE_RATE_HZ / 1_000;

/** How a call's frames come and go: an RTP socket, a carrier's media socket, a browser, the sandbox. */
export interface FrameTransport {
  /** Fills the next 20 ms that were heard; false when there are none, and the frame is silence. */
  read(frame: Int16Array): boolean;
  /** How long ago the frame that was read last had arrived, in milliseconds; absent where nothing is held back. */
  readonly heldMs?: number;
  /** Takes 20 ms to be sent; the array is used again. */
  write(frame: Int16Array): void;
  /** Sends keypad tones. */
  sendDigits(digits: string): void;
  close(): void;
}

/** What decides whose turn it is; `TurnEngine` is one. */
export interface TurnTaking {
  /** Whether the last frame held the person's speech. */
  readonly isSpeech: boolean;
  frame(samples: Int16Array, atMs: number, heldMs?: number): void;
  played(samples: Int16Array): void;
  startPlayout(): void;
  endPlayout(): void;
  hearWords(event: SpeechEvent): void;
}

/** What a transport tells its call. */
export interface TransportEvents {
  onDigit(digit: string): void;
  /** REMOTE: the far end hung up. LOST: nothing came for too long, or the transport broke. */
  onClosed(by: "REMOTE" | "LOST"): void;
  /** Audio came from `host`, which is not the far end's, and was not heard; told once a call. */
  onStranger?(host: string, signalledHost: string): void;
}

/** What judges who answered; `AmdDetector` is one. */
export interface AnswerWatching {
  readonly isWatching: boolean;
  frame(samples: Int16Array, isSpeech: boolean, atMs: number): void;
  hearWords(event: SpeechEvent): void;
  takeCarrierVerdict(answeredBy: CarrierVerdict, atMs: number): void;
}

/** What a call's media tells the side that holds the conversation. */
export type MediaEvent =
  /** What was heard up to `atMs`; the samples are used again. */
  | { kind: "AUDIO"; samples: Int16Array; atMs: number }
  | { kind: "FLUSH" }
  | { kind: "SPEECH_STARTED"; atMs: number }
  | {
      kind: "TURN";
      text: string;
      /** It is no more than what people say when they pick up. */
      isGreeting: boolean;
      isFinal: boolean;
      startMs: number;
      endMs: number;
      endpointingMs: number;
      sttMs: number;
      heldMs: number;
    }
  /** The person greeted as the agent began its first words, or before, and was not taken to interrupt it. */
  | { kind: "GREETING"; text: string; startMs: number; endMs: number }
  /** What the last turn's words became. */
  | { kind: "CONFIRMED"; text: string }
  | { kind: "DIGIT"; digit: string; atMs: number }
  | { kind: "PLAYED"; id: number; fraction: number; cut: boolean; startMs: number; endMs: number }
  | { kind: "ANSWER"; event: AnswerEvent }
  /** Audio came from a host that is not the far end's, and was not heard; told once a call. */
  | { kind: "STRANGER"; host: string; signalledHost: string }
  | { kind: "CLOSED"; atMs: number; by: "REMOTE" | "LOST" };

/** Takes both directions of a call, 20 ms at a time. */
export interface FrameSink {
  write(heard: Int16Array, said: Int16Array): void;
}

/** Somebody of ours who hears both sides, and may be heard. */
export interface Supervisor extends FrameSink {
  /** Who hears them: nobody, the agent alone (whisper), or everybody. */
  readonly heardBy: "NOBODY" | "AGENT" | "BOTH";
  /** Fills their next 20 ms; false when they are silent. */
  read(frame: Int16Array): boolean;
}

/** What one call's media is made of. */
export interface MediaCallParts {
  transport: FrameTransport;
  openTurns: (onEvent: (event: TurnEvent) => void) => TurnTaking;
  /** Null: who answered is known, or nobody asks. */
  answers: AnswerWatching | null;
  /** Null: nothing is recorded. */
  recorder: FrameSink | null;
  onEvent: (event: MediaEvent) => void;
}

/**
 * The media of one call, on the worker's ticker: every 20 ms it hears a frame, judges whose turn it is, says a frame,
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
  /** What supervisors say to the agent alone: whoever is joined hears it with this person's words. */
  readonly #whisper = new Int16Array(FRAME_SAMPLES);
  readonly #life = new ComfortTone();
  #frames = 0;
  #isClosed = false;
  #wasBusy = false;
  #joined: MediaCall | null = null;
  /** What the person hears while they wait. */
  #hold: LoopedSound | null = null;
  /** Call time since which what the person says is not for us; null while it is. */
  #deafSinceMs: number | null = null;
  #speechStartMs = 0;
  readonly #supervisors = new Set<Supervisor>();

  constructor(parts: MediaCallParts) {
    this.#parts = parts;
    this.#playout = new Playout((played) => this.#reportPlayed(played));
    this.#turns = parts.openTurns((event) => this.#apply(event));
  }

  /** What is to be played. */
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

  /** 20 ms of the call, for those who drive it by hand. */
  tick(): void {
    this.hear();
    this.say();
  }

  /** Hears the next 20 ms. */
  hear(): void {
    if (this.#isClosed) return;
    const { transport, answers } = this.#parts;
    const atMs = this.#endOfFrameMs;
    if (!transport.read(this.#heard)) this.#heard.fill(0);
    this.#turns.frame(this.#heard, atMs, transport.heldMs);
    if (answers?.isWatching && this.#deafSinceMs === null) answers.frame(this.#heard, this.#turns.isSpeech, atMs);
    this.#collect(atMs);
  }

  /** Says the next 20 ms. */
  say(): void {
    if (this.#isClosed) return;
    const { transport, recorder } = this.#parts;
    this.#followPlayout();
    const isSpeaking = this.#playout.isSpeaking;
    // What is to be said to somebody who waits comes before the sound that they wait by.
    if (this.#hold && !this.#joined && !this.#playout.isBusy) this.#hold.read(this.#said);
    else this.#playout.read(this.#said, this.#frames * FRAME_SAMPLES);
    if (isSpeaking) this.#turns.played(this.#said);
    const hasOthers = (this.#joined !== null || this.#supervisors.size > 0) && this.#addOthers();
    // Nobody on hold, or joined to another, waits for us without a sound.
    const hasSound = isSpeaking || hasOthers || this.#turns.isSpeech || this.#deafSinceMs !== null;
    if (this.#life.fill(this.#said, hasSound, this.#endOfFrameMs)) this.#turns.played(this.#said);
    transport.write(this.#said);
    recorder?.write(this.#heard, this.#said);
    this.#frames++;
  }

  /** Words of the recogniser. */
  hearWords(event: SpeechEvent): void {
    if (this.#isClosed) return;
    this.#parts.answers?.hearWords(event);
    this.#turns.hearWords(event);
  }

  /** The carrier's word on who answered. */
  takeVerdict(answeredBy: CarrierVerdict): void {
    if (!this.#isClosed) this.#parts.answers?.takeCarrierVerdict(answeredBy, this.nowMs);
  }

  /** The person waits for us since this call time, and is to hear that the line is alive; null: they do not wait. */
  setCallerWaitingSince(sinceMs: number | null): void {
    this.#life.setCallerWaitingSince(sinceMs);
  }

  /** Lets this call and another hear each other until one of them closes; null parts them. */
  join(other: MediaCall | null): void {
    const before = this.#joined;
    this.#joined = other;
    if (before && before.#joined === this) before.#joined = null;
    if (before) before.#followDeafness();
    this.#followDeafness();
    if (other && other.#joined !== this) other.join(this);
  }

  /**
   * Puts the person on hold: they hear a sound over and over, and what they say or press meanwhile is not taken. Null
   * ends that.
   */
  hold(sound: Int16Array | null): void {
    this.#hold = sound && sound.length > 0 ? new LoopedSound(sound) : null;
    this.#followDeafness();
  }

  /** Adds somebody who listens in. */
  addSupervisor(supervisor: Supervisor): void {
    this.#supervisors.add(supervisor);
  }

  /** Takes them out again. */
  removeSupervisor(supervisor: Supervisor): void {
    this.#supervisors.delete(supervisor);
  }

  /** A key that the person pressed. */
  hearDigit(digit: string): void {
    if (this.#joined) return this.#joined.sendDigits(digit);
    if (this.#deafSinceMs !== null) return;
    this.#parts.onEvent({ kind: "DIGIT", digit, atMs: this.nowMs });
  }

  /** Drops what was not played yet. */
  clear(): void {
    this.#playout.clear(this.#frames * FRAME_SAMPLES);
  }

  /** Sends keypad tones. */
  sendDigits(digits: string): void {
    this.#parts.transport.sendDigits(digits);
  }

  /** Ends the media; `by` tells who did, unless it was us. */
  close(by: "REMOTE" | "LOST" | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.clear();
    this.join(null);
    this.#parts.transport.close();
    if (by) this.#parts.onEvent({ kind: "CLOSED", atMs: this.nowMs, by });
  }

  /**
   * What others say to this person: who is joined to the call, and supervisors whom this person may hear. True when
   * the person has company.
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
    // Recognisers are given silence rather than nothing: some hang up on a line that stands still.
    if (this.#deafSinceMs === null) this.#chunk.set(this.#heard, at * FRAME_SAMPLES);
    if (at < CHUNK_FRAMES - 1) return;
    this.#parts.onEvent({ kind: "AUDIO", samples: this.#chunk, atMs });
  }

  /** Tells the turns when our own speech begins and when it is over. */
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

  /** On hold, and when joined to another call, the person does not speak to us; what was begun before still counts. */
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

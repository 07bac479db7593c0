import { FRAME_MS } from "#src/audio/codec/frame.ts";
import type { AnswerClass, AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { HELD_FRAMES } from "#src/audio/tones/tone-meter.ts";
import type { AnswerEvent, AnswerReason } from "./amd-events.ts";
import { classifyWords } from "./machine-words.ts";
import { ToneWatch } from "./tone-watch.ts";

/** Settings of the answering machine detection (AMD) of one call. */
export interface AmdDetectorOptions {
  /** BCP 47. */
  language: string;
  /** Called synchronously from within the detector's methods; must not throw. */
  onEvent: (event: AnswerEvent) => void;
}

/** Call time in which a verdict may be revised; a person says "leave a message" later than a machine. */
const WATCH_MS = 30_000;
/** Call time in which a voicemail's beep is still expected: longer, because greetings may be long. */
const MESSAGE_WATCH_MS = 90_000;
const NO_SOUND_MS = 5_000;
/** Longest greeting of a person, who says hello and then waits. */
const GREETING_MS = 2_500;
const SHORT_GREETING_MS = 1_200;
const GREETING_QUIET_MS = 600;
const GREETING_LEAST_MS = 100;
const LONG_GREETING_MS = 4_000;
/** Total duration of held sound after which it is music or tones and no greeting. */
const HELD_MS = 1_800;
/** Least speech before a voicemail's beep. */
const BEEP_SPEECH_MS = 700;
/** Silence that follows a voicemail's beep; in music the next note follows sooner. */
const BEEP_QUIET_MS = 240;
const BEEP_MAX_MS = 2_500;
/** Silence after the greeting at which the message is due when no beep came. */
const MESSAGE_QUIET_MS = 2_500;
/** Length of final text after which no more is judged: machines say what they are within it. */
const TEXT_CHARS = 800;

/**
 * Judges who answered a call while the conversation goes on: nothing waits for it, and a verdict may be revised. It
 * takes 20 ms frames from the answer on with the turn engine's speech flag, and the carrier's verdict and the
 * transcribed words where there are any.
 */
export class AmdDetector {
  readonly #language: string;
  readonly #emit: (event: AnswerEvent) => void;
  readonly #tones = new ToneWatch();
  #answeredBy: AnswerClass | null = null;
  #confidence = 0;
  #reason: AnswerReason | null = null;
  #revision = 0;
  #nowMs = 0;
  #firstSpeechMs = -1;
  #lastSpeechMs = -1;
  #speechMs = 0;
  /** End of the last frame that the VAD took for speech, held sounds included. */
  #lastSoundMs = 0;
  #heldMs = 0;
  /** The last frames, one bit each: speech, unless it turns out to be a held sound. */
  #doubtful = 0;
  #final = "";
  #messageAfter: "BEEP" | "SILENCE" | null = null;
  #hasOpenBeep = false;

  constructor(options: AmdDetectorOptions) {
    this.#language = options.language;
    this.#emit = options.onEvent;
  }

  /** True while the detector listens; after that it need not be fed. */
  get isWatching(): boolean {
    if (this.#nowMs < WATCH_MS) return true;
    return this.#answeredBy === "MACHINE_VOICEMAIL" && this.#messageAfter !== "BEEP" && this.#nowMs < MESSAGE_WATCH_MS;
  }

  /** Takes the next frame of the person's audio; `isSpeech` comes from the voice activity detector. */
  frame(samples: Int16Array, isSpeech: boolean, atMs: number): void {
    this.#nowMs = atMs;
    if (!this.isWatching) return;
    if (isSpeech) this.#lastSoundMs = atMs;
    const hasEnded = this.#tones.hear(samples, atMs);
    const { isHeld, frequencyHz } = this.#tones.meter;
    if (isHeld) this.#hearHeld();
    this.#hearSpeech(isSpeech && !isHeld && frequencyHz === 0);
    if (this.#tones.hz > 0) this.#weighTone();
    if (hasEnded) this.#weighEndedTone();
    if (this.#hasOpenBeep) this.#weighBeep(isSpeech || frequencyHz > 0);
    this.#weighGreeting();
    if (this.#answeredBy === "MACHINE_VOICEMAIL" && this.#messageAfter === null) this.#weighQuiet();
  }

  /** Takes an event of the speech-to-text (STT) stream. */
  hearWords(event: SpeechEvent): void {
    if (event.kind === "FAILED" || this.#nowMs >= WATCH_MS || this.#final.length > TEXT_CHARS) return;
    // After a screening assistant the person may take the call, so only the newest words can be theirs.
    const isAfterMachine = this.#answeredBy === "MACHINE_SCREENING";
    const text = `${this.#final} ${event.text}`.trim();
    if (event.kind === "FINAL") this.#final = text;
    const verdict = classifyWords(isAfterMachine ? event.text : text, this.#language);
    if (!verdict) return;
    if (isAfterMachine && verdict.answeredBy === "HUMAN") {
      this.#confidence = 0;
      this.#final = "";
    }
    this.#decide(verdict.answeredBy, verdict.confidence, "WORDS");
  }

  /** Takes the carrier's own verdict. */
  takeCarrierVerdict(answeredBy: AnsweredBy, atMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs);
    if (answeredBy !== "UNCERTAIN") this.#decide(answeredBy, 0.88, "CARRIER");
  }

  /** Counts a speech frame once it is known not to be the beginning of a tone, which takes HELD_FRAMES frames. */
  #hearSpeech(isSpeech: boolean): void {
    this.#doubtful = ((this.#doubtful << 1) | (isSpeech ? 1 : 0)) & ((2 << HELD_FRAMES) - 1);
    if ((this.#doubtful & (1 << HELD_FRAMES)) === 0) return;
    const endMs = this.#nowMs - HELD_FRAMES * FRAME_MS;
    if (this.#firstSpeechMs < 0) this.#firstSpeechMs = endMs - FRAME_MS;
    this.#lastSpeechMs = endMs;
    this.#speechMs += FRAME_MS;
  }

  #hearHeld(): void {
    this.#heldMs += FRAME_MS;
    this.#doubtful = 0;
  }

  /** Decides FAX while a fax machine's answer tone (CED, 2100 Hz) still sounds. */
  #weighTone(): void {
    const { hz, lengthMs } = this.#tones;
    if (Math.abs(hz - 2_100) < 30 && lengthMs >= 700) this.#decide("FAX", 0.96, "FAX_TONE");
  }

  #weighEndedTone(): void {
    const { ended } = this.#tones;
    const tone = ended.at(-1);
    if (!tone) return;
    const lengthMs = tone.endMs - tone.startMs;
    if (isRefusal(ended)) {
      this.#hasOpenBeep = false;
      this.#decide("MACHINE_UNAVAILABLE", 0.95, "REFUSAL_TONE");
    } else if (isFaxCall(tone, lengthMs) && this.#speechMs < BEEP_SPEECH_MS) {
      // A fax machine that calls (CNG): 0.5 s of 1100 Hz every 3.5 s. Twice is proof.
      const isRepeated = ended.some((other) => other !== tone && isFaxCall(other, other.endMs - other.startMs));
      this.#decide("FAX", isRepeated ? 0.96 : 0.8, "FAX_TONE");
    } else this.#hasOpenBeep = this.#isBeep(tone, lengthMs);
  }

  /**
   * True when the tone may be a voicemail's beep. A tone near 425 Hz without a greeting before it is a network tone.
   */
  #isBeep(tone: { hz: number; startMs: number }, lengthMs: number): boolean {
    if (tone.hz < 350 || tone.hz > 2_200 || lengthMs > BEEP_MAX_MS) return false;
    const before = this.#tones.ended.at(-2);
    if (before && tone.startMs - before.endMs < 1_000) return false;
    return this.#speechMs >= BEEP_SPEECH_MS;
  }

  #weighBeep(isSound: boolean): void {
    const tone = this.#tones.ended.at(-1);
    if (!tone) return;
    if (isSound) {
      if (this.#nowMs - tone.endMs > 60) this.#hasOpenBeep = false;
    } else if (this.#nowMs - tone.endMs >= BEEP_QUIET_MS) {
      this.#hasOpenBeep = false;
      // A screening assistant beeps before it records a name.
      if (this.#answeredBy !== "MACHINE_SCREENING") this.#decide("MACHINE_VOICEMAIL", 0.97, "BEEP");
      this.#emit({ kind: "BEEP", atMs: this.#nowMs, endMs: tone.endMs, frequencyHz: Math.round(tone.hz) });
      if (this.#answeredBy === "MACHINE_VOICEMAIL" && this.#messageAfter !== "BEEP") this.#callForMessage("BEEP");
    }
  }

  #weighGreeting(): void {
    if (this.#answeredBy !== null && this.#answeredBy !== "SILENCE" && this.#answeredBy !== "UNCERTAIN") return;
    if (this.#firstSpeechMs < 0 || this.#heldMs >= HELD_MS) this.#weighNoGreeting();
    else if (this.#lastSpeechMs - this.#firstSpeechMs > LONG_GREETING_MS)
      this.#decide("MACHINE_VOICEMAIL", 0.6, "LONG_GREETING");
    else if (this.#nowMs - this.#lastSoundMs >= GREETING_QUIET_MS) this.#endGreeting();
  }

  #endGreeting(): void {
    const lengthMs = this.#lastSpeechMs - this.#firstSpeechMs;
    if (this.#speechMs < GREETING_LEAST_MS) {
      this.#firstSpeechMs = -1;
      this.#speechMs = 0;
    } else if (lengthMs <= GREETING_MS) {
      this.#decide("HUMAN", lengthMs <= SHORT_GREETING_MS ? 0.8 : 0.7, "SHORT_GREETING");
    } else if (this.#nowMs - this.#lastSoundMs >= 2 * GREETING_QUIET_MS) {
      this.#decide("MACHINE_VOICEMAIL", 0.5, "LONG_GREETING");
    }
  }

  #weighNoGreeting(): void {
    if (this.#heldMs >= HELD_MS) this.#decide("UNCERTAIN", 0.6, "TONES_OR_MUSIC");
    else if (this.#nowMs >= NO_SOUND_MS) this.#decide("SILENCE", 0.7, "NO_SOUND");
  }

  #weighQuiet(): void {
    if (this.#lastSpeechMs < 0 || this.#tones.hz > 0 || this.#hasOpenBeep) return;
    if (this.#nowMs - this.#lastSoundMs >= MESSAGE_QUIET_MS) this.#callForMessage("SILENCE");
  }

  #callForMessage(after: "BEEP" | "SILENCE"): void {
    this.#messageAfter = after;
    this.#emit({ kind: "MESSAGE_DUE", atMs: this.#nowMs, after });
  }

  /**
   * Takes a verdict unless the present one is stronger. SILENCE and UNCERTAIN give way to any verdict. Between verdicts
   * from words with equal confidence the later one wins: "after the tone" may go on with "say your name".
   */
  #decide(answeredBy: AnswerClass, confidence: number, reason: AnswerReason): void {
    const isOpen = this.#answeredBy === null || this.#answeredBy === "SILENCE" || this.#answeredBy === "UNCERTAIN";
    if (answeredBy === this.#answeredBy && confidence <= this.#confidence) return;
    const isLaterWord = reason === "WORDS" && this.#reason === "WORDS" && confidence === this.#confidence;
    if (!isOpen && confidence <= this.#confidence && !isLaterWord) return;
    this.#answeredBy = answeredBy;
    this.#confidence = confidence;
    this.#reason = reason;
    const revision = this.#revision++;
    this.#emit({ kind: "VERDICT", answeredBy, confidence, decidedAfterMs: this.#nowMs, reason, revision });
  }
}

function isFaxCall(tone: { hz: number }, lengthMs: number): boolean {
  return Math.abs(tone.hz - 1_100) < 40 && lengthMs >= 380 && lengthMs <= 720;
}

/** True for the network's three rising tones (SIT), which precede "the number you have dialled". */
function isRefusal(tones: { hz: number; startMs: number; endMs: number }[]): boolean {
  const [low, middle, high] = tones.slice(-3);
  if (!low || !middle || !high || high.startMs - low.endMs > 700) return false;
  return low.hz > 880 && low.hz < 1_010 && middle.hz > 1_340 && middle.hz < 1_450 && high.hz > 1_740 && high.hz < 1_820;
}

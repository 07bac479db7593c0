import type { Persona, Reaction, SettledReaction, Thinking } from "#src/engine/personas/reaction.ts";
import { answerAsFax, greetWithBeep, keepQuiet, sayReaction } from "./audio-sounds.ts";
import type { AcceptedBehaviour } from "./behaviour.ts";
import type { DialogueEnd } from "./dialogue.ts";
import { PersonAudioSink } from "./person-audio-sink.ts";
import { PersonAudioSource } from "./person-audio-source.ts";

const FRAME_MS = 20;
const DIGIT_MS = 250;
/** After a pause of the agent of this length, its next words are another turn. */
const TURN_GAP_MS = 1_500;
/**
 * Least share of an utterance before an interruption: nobody interrupts before half of it, and by then its first part
 * allows a better guess at the rest.
 */
const LEAST_SHARE = 0.5;
/** Time between the last word and hanging up. */
const LEAVING_MS = 1_500;

type Act = Exclude<SettledReaction, { kind: "SILENCE" }>;
type Reason = "PICKED_UP" | "HEARD" | "AGENT_WAITS" | "LEAVING";

/** An action that the person is about to take. */
interface Plan {
  act: Act;
  reason: Reason;
  delayMs: number;
  dueMs: number;
}

/** The person behind an audio call, and the events of the call that do not depend on what is said. */
export interface AudioPersonOptions {
  persona: Persona;
  behaviour: Pick<AcceptedBehaviour & { kind: "ANSWERS" }, "dropAtMs" | "endsAtMs">;
  /** Called when the person presses a key. */
  onKey: (key: string) => void;
  /** Called once. */
  onEnd: (end: DialogueEnd) => void;
}

/**
 * The person or machine behind a call, in audio: each frame of the agent advances the call by 20 ms and is answered by
 * one frame. The agent's tone speech reaches the persona turn by turn, as on a text line.
 */
export class AudioPerson {
  readonly #persona: Persona;
  readonly #behaviour: AudioPersonOptions["behaviour"];
  readonly #onKey: (key: string) => void;
  readonly #onEnd: (end: DialogueEnd) => void;
  readonly #source = new PersonAudioSource();
  readonly #sink: PersonAudioSink;
  #nowMs = 0;
  #end: DialogueEnd | undefined;
  #plan: Plan | undefined;
  /** Aborts the reply that the person is still thinking about. */
  #thought: AbortController | undefined;
  /** Action or machine sound in progress. */
  #doing: Act | "MACHINE_SOUND" | undefined;
  #hasBegun = false;
  #keys: { left: string[]; nextMs: number } = { left: [], nextMs: 0 };
  #turn = 0;
  /** The agent's words in this turn; undefined before the first. */
  #said: string | undefined;
  /** True when the agent has finished an utterance while the person spoke. */
  #hasHeardMeanwhile = false;
  /** True when the person has interrupted and does not hear the rest. */
  #ignoresRest = false;
  #waits = false;

  constructor({ persona, behaviour, onKey, onEnd }: AudioPersonOptions) {
    this.#persona = persona;
    this.#behaviour = behaviour;
    this.#onKey = onKey;
    this.#onEnd = onEnd;
    this.#sink = new PersonAudioSink({
      onPartial: (text, share) => this.#hearPartial(text, share),
      onUtterance: (text) => this.#hearUtterance(text),
    });
    if (persona.kind === "FAX") {
      this.#doing = "MACHINE_SOUND";
      this.#source.play(answerAsFax());
    } else this.#expect(persona.open(), "PICKED_UP");
  }

  /** Call time in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** True while somebody else is being rung: the person waits, says nothing new and is not addressed. */
  set waits(waits: boolean) {
    this.#waits = waits;
  }

  /** Hears 20 ms and returns the person's 20 ms; null once the call is over. */
  pass(frame: Uint8Array): Uint8Array | null {
    if (this.#end !== undefined) return null;
    this.#sink.hear(frame);
    this.#nowMs += FRAME_MS;
    this.#live();
    // The audio sink or the plan may have ended the call.
    return this.#end === undefined ? this.#source.read() : null;
  }

  /** Receives keypad tones; a machine may answer them, and stops its current speech. */
  hearDigits(digits: string): void {
    if (this.#end !== undefined || this.#plan?.reason === "LEAVING") return;
    const reaction = this.#persona.hearDigits(digits);
    if (!reaction) return;
    this.#source.stop();
    this.#doing = undefined;
    this.#hasBegun = true;
    this.#expect(reaction, "HEARD", digits.length * DIGIT_MS);
  }

  /** Ends the call; the first end counts. */
  finish(end: DialogueEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#thought?.abort();
    this.#onEnd(end);
  }

  #live(): void {
    const { dropAtMs = Infinity, endsAtMs = Infinity } = this.#behaviour;
    if (this.#nowMs >= dropAtMs) return this.finish("CARRIER");
    if (this.#nowMs >= endsAtMs) return this.finish("CUSTOMER");
    if (this.#sink.isOver) this.#ignoresRest = false;
    if (this.#sink.quietMs >= TURN_GAP_MS && this.#doing === undefined) this.#said = undefined;
    this.#pressKeys();
    if (this.#doing !== undefined && !this.#source.isPlaying) this.#endDoing(this.#doing);
    if (this.#doing === undefined && this.#plan && !this.#waits) this.#follow(this.#plan);
  }

  #pressKeys(): void {
    if (this.#nowMs < this.#keys.nextMs) return;
    const key = this.#keys.left.shift();
    this.#keys.nextMs = this.#nowMs + DIGIT_MS;
    if (key !== undefined) this.#onKey(key);
  }

  /** Begins an action that is due; a polite person waits for the agent's silence and thinks first. */
  #follow(plan: Plan): void {
    if (this.#sink.quietMs === 0 && this.#isHeldBack(plan)) plan.dueMs = this.#nowMs + plan.delayMs;
    else if (this.#nowMs >= plan.dueMs) this.#begin(plan.act);
  }

  #isHeldBack({ act, reason }: Plan): boolean {
    if (reason === "LEAVING") return false;
    if (act.kind === "HANG_UP") return reason === "AGENT_WAITS";
    return !(reason === "PICKED_UP" && this.#isMachine());
  }

  #begin(act: Act): void {
    const isGreeting = !this.#hasBegun;
    this.#thought?.abort();
    this.#plan = undefined;
    this.#said = undefined;
    this.#hasBegun = true;
    if (act.kind === "HANG_UP") return this.finish("CUSTOMER");
    this.#doing = act;
    if (act.kind === "DIGITS") {
      this.#keys = { left: act.digits.split(""), nextMs: this.#nowMs };
      this.#source.play(keepQuiet(act.digits.length * DIGIT_MS));
    } else {
      const beeps = isGreeting && this.#persona.kind === "VOICEMAIL";
      this.#source.play(beeps ? greetWithBeep(act.text) : sayReaction(act));
    }
  }

  #endDoing(done: Act | "MACHINE_SOUND"): void {
    this.#doing = undefined;
    const said = this.#hasHeardMeanwhile ? this.#said : undefined;
    this.#hasHeardMeanwhile = false;
    if (done !== "MACHINE_SOUND" && done.kind === "SPEAK" && done.thenHangsUp) {
      const act = { kind: "HANG_UP", delayMs: LEAVING_MS } as const;
      this.#plan = { act, reason: "LEAVING", delayMs: LEAVING_MS, dueMs: this.#nowMs + LEAVING_MS };
    } else if (said !== undefined) this.#expect(this.#persona.hear(said, this.#turn), "HEARD");
    else this.#expect(this.#persona.goOn(), "AGENT_WAITS");
  }

  #expect(reaction: Reaction, reason: Reason, laterMs = 0): void {
    this.#thought?.abort();
    if (reaction.kind === "THINKING") {
      this.#plan = undefined;
      void this.#think(reaction, reason);
      return;
    }
    if (reaction.kind === "SILENCE") {
      this.#plan = undefined;
      if (reason !== "AGENT_WAITS") this.#expect(this.#persona.goOn(), "AGENT_WAITS");
      return;
    }
    const delayMs = (interruptionOf(reaction) === undefined ? reaction.delayMs : 0) + laterMs;
    this.#plan = { act: reaction, reason, delayMs, dueMs: this.#nowMs + delayMs };
  }

  /** Awaits a reply while the call goes on; whatever else is heard or done aborts it. */
  async #think(thinking: Thinking, reason: Reason): Promise<void> {
    const thought = new AbortController();
    this.#thought = thought;
    const reaction = await thinking.settle(thought.signal).catch(() => null);
    if (reaction && !thought.signal.aborted) this.#expect(reaction, reason);
  }

  #hearPartial(text: string, share: number): void {
    if (share < LEAST_SHARE || this.#doing !== undefined || this.#isDeaf() || this.#isMachine()) return;
    const words = text.slice(0, text.lastIndexOf(" "));
    if (words === "") return;
    const turn = this.#said === undefined ? this.#turn + 1 : this.#turn;
    const reaction = this.#persona.hear(this.#join(words), turn);
    // A reply that takes thought cannot interrupt, and its thinking has not been started.
    if (reaction.kind === "THINKING") return;
    const fraction = interruptionOf(reaction);
    if (reaction.kind === "SILENCE" || fraction === undefined || share < fraction) return;
    this.#turn = turn;
    this.#ignoresRest = true;
    this.#begin(reaction);
  }

  /** Takes one utterance. A turn of the agent may have several: the persona receives all so far as one text. */
  #hearUtterance(text: string): void {
    const isIgnored = this.#ignoresRest || this.#isDeaf();
    this.#ignoresRest = false;
    if (isIgnored) return;
    if (this.#said === undefined) this.#turn++;
    this.#said = this.#join(text);
    if (this.#doing === undefined) this.#expect(this.#persona.hear(this.#said, this.#turn), "HEARD");
    else this.#hasHeardMeanwhile = true;
  }

  #join(text: string): string {
    return this.#said === undefined ? text : `${this.#said} ${text}`;
  }

  /** True while the person does not listen: when leaving or waiting, or as a machine that plays something. */
  #isDeaf(): boolean {
    if (this.#plan?.reason === "LEAVING" || this.#waits) return true;
    return this.#isMachine() && (this.#doing !== undefined || !this.#hasBegun);
  }

  #isMachine(): boolean {
    return this.#persona.outcome() !== "ANSWERED";
  }
}

function interruptionOf(reaction: SettledReaction): number | undefined {
  return "interruptsAfterFraction" in reaction ? reaction.interruptsAfterFraction : undefined;
}

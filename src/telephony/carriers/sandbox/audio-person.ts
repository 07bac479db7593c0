import type { Persona, Reaction, SettledReaction, Thinking } from "#src/engine/personas/reaction.ts";
import { answerAsFax, greetWithBeep, keepQuiet, sayReaction } from "./audio-sounds.ts";
import type { AcceptedBehaviour } from "./behaviour.ts";
import type { DialogueEnd } from "./dialogue.ts";
import { PersonAudioSink } from "./person-audio-sink.ts";
import { PersonAudioSource } from "./person-audio-source.ts";

const FRAME_MS = 20;
const DIGIT_MS = 250;
/** After so long a pause of the agent its next words are another turn. */
const TURN_GAP_MS = 1_500;
/** Nobody interrupts sooner than half-way, and what was said until then tells more about the rest. */
const LEAST_SHARE = 0.5;
/** Between the last word and hanging up. */
const LEAVING_MS = 1_500;

type Act = Exclude<SettledReaction, { kind: "SILENCE" }>;
type Reason = "PICKED_UP" | "HEARD" | "AGENT_WAITS" | "LEAVING";

/** Something the person is about to do. */
interface Plan {
  act: Act;
  reason: Reason;
  delayMs: number;
  dueMs: number;
}

/** Who is behind an audio call, and what happens to it by itself. */
export interface AudioPersonOptions {
  persona: Persona;
  behaviour: Pick<AcceptedBehaviour & { kind: "ANSWERS" }, "dropAtMs" | "endsAtMs">;
  /** The person presses a key. */
  onKey: (key: string) => void;
  /** Called once. */
  onEnd: (end: DialogueEnd) => void;
}

/**
 * The person or machine behind a call, in audio: each frame of the agent lets 20 ms of the call pass and is answered by
 * one. What the agent says in tone speech reaches the persona turn by turn, as it does on a text line.
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
  /** Aborts what the person is thinking about. */
  #thought: AbortController | undefined;
  /** What is being said or pressed right now. */
  #doing: Act | "MACHINE_SOUND" | undefined;
  #hasBegun = false;
  #keys: { left: string[]; nextMs: number } = { left: [], nextMs: 0 };
  #turn = 0;
  /** What the agent has said in this turn; undefined until it says something. */
  #said: string | undefined;
  /** The agent has finished an utterance while the person spoke. */
  #hasHeardMeanwhile = false;
  /** The person has interrupted, and does not hear the rest. */
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

  /** While somebody else is being rung the person waits: says nothing new and is not addressed. */
  set waits(waits: boolean) {
    this.#waits = waits;
  }

  /** Hears 20 ms, and gives what it sounds meanwhile; null once the call is over. */
  pass(frame: Uint8Array): Uint8Array | null {
    if (this.#end !== undefined) return null;
    this.#sink.hear(frame);
    this.#nowMs += FRAME_MS;
    this.#live();
    // The ears or the plan may have ended it.
    return this.#end === undefined ? this.#source.read() : null;
  }

  /** Hears keypad tones; a machine may answer them, and stops what it was saying. */
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

  /** Somebody polite begins when the agent is silent, and thinks first. */
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

  /** The call goes on meanwhile; whatever else is heard or done puts an end to the thought. */
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
    // What takes thought is no interruption, and has not been asked for yet.
    if (reaction.kind === "THINKING") return;
    const fraction = interruptionOf(reaction);
    if (reaction.kind === "SILENCE" || fraction === undefined || share < fraction) return;
    this.#turn = turn;
    this.#ignoresRest = true;
    this.#begin(reaction);
  }

  /** One turn of the agent may come as several utterances: the persona hears it as one text, once more each time. */
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

  /** Whoever leaves, or waits, does not listen, nor does a machine that plays something. */
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

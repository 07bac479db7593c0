import { cutText } from "#src/audio/line/cut-text.ts";
import type { Heard, Line, Spoken, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import {
  type Persona,
  type Reaction,
  type SettledReaction,
  speechMs,
  type Thinking,
} from "#src/engine/personas/reaction.ts";
import { nextTurn, type CallClock } from "./call-clock.ts";
import { LINE_LOST, ringTarget } from "./transfer-target.ts";

/** End of a dialogue, as our side learns of it. */
export type DialogueEnd = "CUSTOMER" | "AGENT" | "CARRIER";

/** A decided reaction of the persona, and the call time at which it begins. */
interface Pending {
  kind: "DECIDED";
  reaction: SettledReaction;
  dueMs: number;
}

const DIGIT_MS = 250;
/** One reason for all dialogues: an error of its own would record the stack of each. */
const OVER = new Error("The dialogue is over.");

/**
 * The dialogue of one answered call, between the persona and the `Line`. Everything happens on the call's clock. An
 * aborted `say` or `listen` resolves with the result up to then.
 */
export class SandboxDialogue implements Line {
  readonly #persona: Persona;
  readonly #clock: CallClock;
  readonly #dropAtMs: number;
  readonly #onEnd: (end: DialogueEnd) => void;
  /** Aborts when the dialogue ends. */
  readonly #over = new AbortController();
  #pending: Pending | Thinking | undefined;
  #end: DialogueEnd | undefined;
  #turn = 0;
  /** The agent's words in this turn; undefined while it is the person's turn. */
  #saidInTurn: string | undefined;

  constructor(persona: Persona, clock: CallClock, dropAtMs: number | undefined, onEnd: (end: DialogueEnd) => void) {
    this.#persona = persona;
    this.#clock = clock;
    this.#dropAtMs = dropAtMs ?? Infinity;
    this.#onEnd = onEnd;
    this.#expect(persona.open());
  }

  /** Call time since the answer. */
  elapsedMs(): number {
    return this.#clock.nowMs;
  }

  /** Says one utterance; see `Line`. */
  async say(text: string, signal: AbortSignal): Promise<Spoken> {
    const startMs = this.#clock.nowMs;
    const lengthMs = speechMs(text);
    const leavesAtMs = this.#leavesAtMs();
    let cutAtMs = leavesAtMs === undefined ? lengthMs : Math.max(0, leavesAtMs - startMs);
    if (this.#end === undefined && cutAtMs >= lengthMs) cutAtMs = this.#react(text, lengthMs);
    const passedMs = await this.#pass(cutAtMs, signal);
    const interrupted = passedMs < lengthMs;
    const byPersona = interrupted && passedMs >= cutAtMs && this.#end === undefined;
    if (byPersona && this.#leavesAtMs() !== undefined) this.finish("CUSTOMER");
    const heard = interrupted ? cutText(text, passedMs / lengthMs) : text;
    return { heard, startMs, endMs: this.#clock.nowMs, interrupted, hungUp: this.#end === "CUSTOMER" };
  }

  /** Waits for the person; see `Line`. Speech that began in time is heard to its end. */
  async listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal): Promise<Heard> {
    this.#saidInTurn = undefined;
    await nextTurn();
    if (this.#end === undefined && this.#pending === undefined) this.#expect(this.#persona.goOn());
    const pending = await this.#decide(signal, wake);
    const waitMs = Math.max(0, (pending?.dueMs ?? Infinity) - this.#clock.nowMs);
    const isDue = pending !== undefined && waitMs <= timeoutMs;
    const passedMs = isDue
      ? await this.#pass(waitMs, wake ? AbortSignal.any([signal, wake]) : signal)
      : await this.#passUntil(timeoutMs, signal, wake);
    if (this.#end !== undefined) return endOf(this.#end, this.#clock.nowMs);
    if (!isDue || passedMs < waitMs) {
      if (pending?.reaction.kind === "SILENCE") this.#pending = undefined;
      return { kind: "SILENCE", endMs: this.#clock.nowMs };
    }
    this.#pending = undefined;
    return this.#hearOut(pending.reaction, signal);
  }

  /** Sends keypad tones; a machine may answer them. */
  async sendDigits(digits: string, signal: AbortSignal): Promise<void> {
    await this.#pass(digits.length * DIGIT_MS, signal);
    const reaction = this.#end === undefined ? this.#persona.hearDigits(digits) : null;
    if (reaction) this.#expect(reaction);
  }

  /** Rings the target; once it has answered as the order requires, the call belongs to the carrier alone. */
  async transfer(order: TransferOrder, signal: AbortSignal): Promise<TransferResult> {
    const rung = ringTarget(order);
    await this.#pass(rung.ringMs, signal);
    if (this.#end !== undefined) return this.#end === "CARRIER" ? LINE_LOST : { kind: "HUNG_UP" };
    if (rung.result.kind === "TRANSFERRED") this.finish("AGENT");
    return rung.result;
  }

  /** The agent hangs up. */
  async hangUp(): Promise<void> {
    this.finish("AGENT");
  }

  /** Ends the dialogue; the first end counts. */
  finish(end: DialogueEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#over.abort(OVER);
    this.#clock.stop();
    this.#onEnd(end);
  }

  /** Call time at which the person hangs up; undefined unless that is the pending reaction. */
  #leavesAtMs(): number | undefined {
    const pending = this.#pending;
    return pending?.kind === "DECIDED" && pending.reaction.kind === "HANG_UP" ? pending.dueMs : undefined;
  }

  /** Waits for a thinking persona; the clock counts only the pause after it. Undefined: not decided in time. */
  async #decide(signal: AbortSignal, wake: AbortSignal | undefined): Promise<Pending | undefined> {
    const thinking = this.#pending;
    if (thinking?.kind !== "THINKING") return thinking;
    const signals = [signal, this.#over.signal, ...(wake ? [wake] : [])];
    const reaction = await thinking.settle(AbortSignal.any(signals)).catch(() => null);
    if (reaction && this.#pending === thinking) this.#expect(reaction);
    return this.#pending?.kind === "DECIDED" ? this.#pending : undefined;
  }

  async #hearOut(reaction: SettledReaction, signal: AbortSignal): Promise<Heard> {
    const startMs = this.#clock.nowMs;
    if (reaction.kind === "HANG_UP") {
      this.finish("CUSTOMER");
      return endOf(this.#end, this.#clock.nowMs);
    }
    if (reaction.kind === "SILENCE") return { kind: "SILENCE", endMs: startMs };
    const isSpeech = reaction.kind === "SPEAK";
    const lengthMs = isSpeech ? (reaction.durationMs ?? speechMs(reaction.text)) : reaction.digits.length * DIGIT_MS;
    const passedMs = await this.#pass(lengthMs, signal);
    const endMs = this.#clock.nowMs;
    if (!isSpeech) return { kind: "DIGITS", digits: reaction.digits, startMs, endMs };
    const text = passedMs < lengthMs ? cutText(reaction.text, passedMs / lengthMs) : reaction.text;
    if (text === "") return this.#end === undefined ? { kind: "SILENCE", endMs } : endOf(this.#end, this.#clock.nowMs);
    if (reaction.thenHangsUp) this.finish("CUSTOMER");
    return { kind: "SPEECH", text, startMs, endMs };
  }

  // A turn of the agent may have several utterances: the persona receives all so far as one text. Returns the
  // milliseconds of the utterance that the persona lets pass before it reacts.
  #react(text: string, lengthMs: number): number {
    if (this.#saidInTurn === undefined) this.#turn++;
    this.#saidInTurn = this.#saidInTurn === undefined ? text : `${this.#saidInTurn} ${text}`;
    const reaction = this.#persona.hear(this.#saidInTurn, this.#turn);
    const interruptsAfter = "interruptsAfterFraction" in reaction ? reaction.interruptsAfterFraction : undefined;
    const cutAtMs = interruptsAfter === undefined ? lengthMs : Math.round(interruptsAfter * lengthMs);
    this.#expect(reaction, cutAtMs, interruptsAfter !== undefined);
    return cutAtMs;
  }

  #expect(reaction: Reaction, afterMs = 0, isInterruption = false): void {
    if (reaction.kind === "THINKING") {
      this.#pending = reaction;
      return;
    }
    const delayMs = reaction.kind === "SILENCE" ? Infinity : isInterruption ? 0 : reaction.delayMs;
    this.#pending = { kind: "DECIDED", reaction, dueMs: this.#clock.nowMs + afterMs + delayMs };
  }

  // Passes time in which nothing is said. A wait that can be woken runs in real time, even where call time costs none.
  async #passUntil(timeoutMs: number, signal: AbortSignal, wake: AbortSignal | undefined): Promise<number> {
    if (!wake) return this.#pass(timeoutMs, signal);
    const either = AbortSignal.any([signal, wake]);
    if (!this.#clock.isInstant) return this.#pass(timeoutMs, either);
    const startedAt = performance.now();
    if (!either.aborted) await new Promise((resolve) => either.addEventListener("abort", resolve, { once: true }));
    return this.#pass(Math.min(timeoutMs, Math.round(performance.now() - startedAt)), signal);
  }

  // Lets time pass, up to the moment at which the media path of this call breaks.
  async #pass(ms: number, signal: AbortSignal): Promise<number> {
    const leftMs = this.#dropAtMs - this.#clock.nowMs;
    const passedMs = await this.#clock.pass(Math.min(ms, leftMs), signal);
    if (this.#clock.nowMs >= this.#dropAtMs) this.finish("CARRIER");
    return passedMs;
  }
}

function endOf(end: DialogueEnd | undefined, endMs: number): Heard {
  return { kind: end === "CARRIER" ? "DROPPED" : "HUNG_UP", endMs };
}

import type { FilledOutput, Turn } from "#src/engine/conversation/plan.ts";
import type { SessionWatch } from "#src/engine/conversation/ports.ts";
import { Mood } from "#src/engine/sentiment/judge.ts";
import type { AlertKind } from "#src/interactions/calls/alerts.ts";
import { OptOutWatch } from "./opt-out-watch.ts";
import { Silence } from "./silence.ts";
import { type CallTile, cutFields, cutLine, fieldsOf } from "./tile.ts";

/** Milliseconds of call time without a word of the person that are a long silence. */
const LONG_SILENCE_MS = 15_000;
/** Failures of tools in a row that are worth an alert. */
const FAILURES = 2;

/** Parts of a call that its watch needs. */
export interface WatchedCall {
  /** BCP 47. */
  language: string;
  isText: boolean;
  /** Number of fields that the flow asks for. */
  wanted: number;
  /** Milliseconds of call time since the answer. */
  elapsedMs: () => number;
  /** True while the person is heard speaking, where that is known before their words are. */
  isHearing: () => boolean;
  /** True while a supervisor speaks in the agent's place. */
  isHeld: () => boolean;
  /** Called when an alert is raised or cleared. */
  onAlert: (kind: AlertKind, isOpen: boolean) => void;
}

/** Follows one conversation for supervisors: what its tile shows, and which alerts are open. */
export class CallWatch implements SessionWatch {
  readonly #call: WatchedCall;
  readonly #mood = new Mood();
  readonly #silence = new Silence();
  readonly #optOut: OptOutWatch;
  readonly #open = new Set<AlertKind>();
  #seen = 0;
  #failures = 0;
  #turns: readonly Turn[] = [];
  #fields: Record<string, unknown> = {};

  constructor(call: WatchedCall) {
    this.#call = call;
    this.#optOut = new OptOutWatch(call.language);
  }

  /** The tile of the call now. */
  get tile(): CallTile {
    const last = this.#turns.findLast(({ role, whisper }) => (role === "USER" || role === "ASSISTANT") && !whisper);
    const answer = this.#turns.findLast(({ latency }) => latency !== undefined);
    const { isText, wanted } = this.#call;
    return {
      role: last ? (last.role as "USER" | "ASSISTANT") : null,
      text: last ? cutLine(last.content) : "",
      latencyMs: answer?.latency ? Math.round(answer.latency.totalMs) : null,
      tone: this.#mood.tone,
      fields: cutFields(this.#fields),
      wanted,
      isText,
    };
  }

  /** Takes the transcript after each change. */
  noteTurns(turns: readonly Turn[]): void {
    this.#turns = turns;
    for (; this.#seen < turns.length; this.#seen++) {
      const turn = turns[this.#seen] as Turn;
      this.#optOut.note(turn);
      if (turn.role !== "USER") continue;
      this.#mood.hear(turn.content, this.#call.language);
      this.#silence.end(turn.endMs);
    }
    this.#judge();
  }

  /** Takes outputs that were filled during the call. */
  noteOutputs(outputs: Record<string, FilledOutput>): void {
    this.noteFields(fieldsOf(outputs));
  }

  noteFields(fields: Record<string, unknown>): void {
    this.#fields = { ...this.#fields, ...fields };
  }

  noteBusy(isBusy: boolean): void {
    const { elapsedMs } = this.#call;
    this.#judgeSilence();
    this.#silence.setBusy(isBusy, elapsedMs());
  }

  noteTool(isFailed: boolean): void {
    this.#failures = isFailed ? this.#failures + 1 : 0;
    this.#set("TOOL_FAILING", this.#failures >= FAILURES);
  }

  /** Judges what time alone changes; called once a second. */
  tick(): void {
    this.#judgeSilence();
  }

  /** Clears all alerts at the end of the call. */
  close(): void {
    for (const kind of this.#open) this.#set(kind, false);
  }

  #judge(): void {
    this.#judgeSilence();
    const { tone } = this.#mood;
    if (tone === "ANGRY") this.#set("ANGER", true);
    else if (tone !== "NEGATIVE") this.#set("ANGER", false);
    this.#set("OPT_OUT_DOUBTFUL", this.#optOut.isDoubtful(this.#turns));
  }

  #judgeSilence(): void {
    const { elapsedMs, isHearing, isHeld } = this.#call;
    const atMs = elapsedMs();
    if (isHearing() || isHeld()) this.#silence.end(atMs);
    this.#set("LONG_SILENCE", this.#silence.at(atMs) >= LONG_SILENCE_MS);
  }

  #set(kind: AlertKind, isOpen: boolean): void {
    if (this.#open.has(kind) === isOpen) return;
    if (isOpen) this.#open.add(kind);
    else this.#open.delete(kind);
    this.#call.onAlert(kind, isOpen);
  }
}

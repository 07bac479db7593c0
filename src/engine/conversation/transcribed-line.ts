import type { Heard, Line, Spoken, SpokenLatency, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { JsonSchema, ModelMessage, ToolCall } from "#src/engine/models/models.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";
import type { MachineWatch } from "./machine-watch.ts";
import type { Citation, Turn, TurnLatency } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";
import type { GrantedTool } from "./tool-port.ts";

/** How long a line may take to tell what was heard after the session has been stopped. */
const STOP_GRACE_MS = 250;

const WHISPER =
  "Your supervisor tells you, and the person does not hear it (heed it from your next sentence on, and do not speak of it):";

/** How to listen. */
interface ListenOptions {
  ofMachine?: boolean;
  /** It is our turn: the person waits for us all the while. */
  isOurTurn?: boolean;
  wake?: AbortSignal | undefined;
  /** Whoever spoke and was silent for so long has finished, though their words are not known yet. */
  quietMs?: number;
}

/** The session was stopped from outside. */
export class StoppedError extends Error {
  constructor() {
    super("The session was stopped.");
    this.name = "StoppedError";
  }
}

/** Nothing can be heard, or said, on this line any more. */
export class LineFaultError extends Error {
  readonly code: string;
  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.name = "LineFaultError";
    this.code = code;
  }
}

/**
 * The line together with its records: whatever is said or heard goes into the transcript, and into the messages
 * the model sees. Both grow in place; nothing is copied from turn to turn.
 */
export class TranscribedLine {
  readonly turns: Turn[] = [];
  readonly messages: ModelMessage[] = [];
  /** Those of the turns that a machine spoke. */
  readonly machineTurns = new Set<Turn>();
  /** What came from the person last. */
  lastHeard: Heard | null = null;
  readonly #ports: SessionPorts;
  readonly #signal: AbortSignal;
  readonly #keepsAll: boolean;
  readonly #stopped: Promise<never>;
  readonly #onAbort: () => void;
  #machines: MachineWatch | null = null;
  #toolsMs = 0;

  /** `keepsAll`: the transcript is what the agent will remember, so it holds what readers may not see, marked. */
  constructor(ports: SessionPorts, signal: AbortSignal, keepsAll = false) {
    this.#ports = ports;
    this.#keepsAll = keepsAll;
    this.#signal = signal;
    const { promise, reject } = Promise.withResolvers<never>();
    // Nobody may be waiting when it rejects.
    promise.catch(() => undefined);
    this.#stopped = promise;
    this.#onAbort = () => void setTimeout(() => reject(new StoppedError()), STOP_GRACE_MS);
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** From now on saying and listening throw `MachineAnswered` when a machine turns out to be on the line. */
  watchMachines(machines: MachineWatch | null): void {
    this.#machines = machines;
  }

  /** The agent waited so long for its tools since the person spoke. */
  noteTools(ms: number): void {
    this.#toolsMs += ms;
  }

  /** Begins to make the sound of what is said next, on lines where that takes time. */
  get prepare(): ((text: string) => void) | undefined {
    const { line } = this.#ports;
    return line.prepare && ((text) => line.prepare?.(text));
  }

  /** The person waits for us since this call time; null: they do not. */
  setCallerWaitingSince(sinceMs: number | null): void {
    this.#ports.line.setCallerWaitingSince?.(sinceMs);
  }

  /** Tells the line what is asked for (JSON Schema); null: anything. */
  expect(schema: JsonSchema | null): void {
    this.#ports.line.expect?.(schema);
  }

  /** Lets go of the signal, which outlives the session. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  /**
   * Says something. Only what was heard is kept, because that is all the person knows of it. `goesOn` adds it to what
   * was said last, as one turn.
   */
  async say(text: string, goesOn = false, citations: Citation[] = []): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#use((line, signal) => line.say(text, signal));
    if (!goesOn) this.#keepGreetings(spoken);
    if (spoken.heard !== "") this.#keepSpoken(spoken, goesOn, citations);
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Says the flow's first words from this character on, and keeps how much of all of them was heard. */
  async sayOpening(whole: string, from: number): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#use((line, signal) => line.say(whole.slice(from), signal));
    const openingHeard = Math.round(((from + spoken.heard.length) / whole.length) * 100) / 100;
    this.#keepGreetings(spoken);
    if (spoken.heard !== "") this.#keepSpoken(spoken, false, [], { openingHeard });
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Says something of which the model is told in another way. */
  async sayAside(text: string): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#use((line, signal) => line.say(text, signal));
    this.#keepAside(spoken);
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Says goodbye on a line of which something is broken; where its words are not heard whole, a sound ends the call. */
  async signOff(text: string | null): Promise<void> {
    const spoken = text === null ? null : await this.#use((line, signal) => line.say(text, signal));
    if (spoken) this.#keepAside(spoken);
    if (!spoken || spoken.heard === "" || spoken.interrupted)
      await this.#use(async (line, signal) => line.signOff?.(signal));
  }

  #keepAside(spoken: Spoken): void {
    const { heard: content, startMs, endMs, interrupted } = spoken;
    const waited = this.#toLatency(spoken.latency);
    if (content !== "") {
      this.#record({ role: "ASSISTANT", content, startMs, endMs, interrupted, toolCallId: null, ...waited });
    }
  }

  /** What the person said when they picked up stands before what it was said under. */
  #keepGreetings({ greetings = [] }: Spoken): void {
    for (const { text: content, startMs, endMs } of greetings) {
      this.#record({ role: "USER", content, startMs, endMs, interrupted: false, toolCallId: null });
      this.messages.push({ role: "USER", content });
    }
  }

  #keepSpoken(
    { heard, startMs, endMs, interrupted, latency }: Spoken,
    goesOn: boolean,
    citations: Citation[],
    mark: Pick<Turn, "openingHeard"> = {},
  ): void {
    const turn = this.turns.at(-1);
    const message = this.messages.at(-1);
    if (goesOn && turn?.role === "ASSISTANT" && message?.role === "ASSISTANT") {
      turn.content += ` ${heard}`;
      turn.endMs = endMs;
      turn.interrupted = interrupted;
      message.content += ` ${heard}`;
      this.#ports.onTurn(this.turns);
      return;
    }
    const more = { ...mark, ...(citations.length > 0 ? { citations } : {}), ...this.#toLatency(latency) };
    this.#record({ role: "ASSISTANT", content: heard, startMs, endMs, interrupted, toolCallId: null, ...more });
    this.messages.push({ role: "ASSISTANT", content: heard });
  }

  /** Adds the tool calls of the agent's turn to what it said, or as a turn of their own. */
  rememberCalls(toolCalls: ToolCall[]): void {
    const last = this.messages.at(-1);
    if (last?.role === "ASSISTANT" && !last.toolCalls) last.toolCalls = toolCalls;
    else this.messages.push({ role: "ASSISTANT", content: "", toolCalls });
  }

  /**
   * Listens for at most `timeoutMs` of call time, less when `wake` aborts. `ofMachine` keeps what is heard from the
   * model. Speech of which no word was recognised is given, and not kept.
   */
  async listen(timeoutMs: number, options: ListenOptions = {}): Promise<Heard> {
    const { ofMachine = false, isOurTurn = false, wake, quietMs } = options;
    this.#refuseWhenUseless();
    if (!isOurTurn) this.setCallerWaitingSince(null);
    const heard = await this.#use((line, signal) => line.listen(timeoutMs, signal, wake, quietMs));
    this.lastHeard = heard;
    if (!isOurTurn && !ofMachine) this.setCallerWaitingSince(heard.endMs);
    this.#toolsMs = 0;
    if ((heard.kind === "SPEECH" && heard.text !== "") || heard.kind === "DIGITS") {
      const content = heard.kind === "SPEECH" ? heard.text : heard.digits;
      const { startMs, endMs } = heard;
      const turn = this.#record({ role: "USER", content, startMs, endMs, interrupted: false, toolCallId: null });
      if (ofMachine) this.machineTurns.add(turn);
      else this.messages.push({ role: "USER", content });
    }
    this.#refuseWhenUseless();
    return heard;
  }

  /** Presses keys. */
  async press(digits: string): Promise<void> {
    const startMs = this.elapsedMs();
    await Promise.race([this.#ports.line.sendDigits(digits, this.#signal), this.#stopped]);
    const endMs = this.elapsedMs();
    this.#record({
      role: "SYSTEM",
      content: `Pressed ${digits}`,
      startMs,
      endMs,
      interrupted: false,
      toolCallId: null,
    });
    this.#refuseWhenStopped();
  }

  /**
   * Waits until what the person said last is final, and gives what it became; null when it is still open. It takes the
   * place of what was heard before.
   */
  async confirm(timeoutMs: number): Promise<{ text: string; changed: boolean } | null> {
    const { line } = this.#ports;
    const turn = this.turns.findLast(({ role }) => role === "USER");
    const message = this.messages.findLast(({ role }) => role === "USER");
    if (!line.confirm || !turn || !message) return { text: turn?.content ?? "", changed: false };
    const text = await Promise.race([line.confirm(timeoutMs, this.#signal), this.#stopped]);
    if (text === null) return null;
    const changed = text !== turn.content;
    if (changed) {
      turn.content = text;
      message.content = text;
      this.#ports.onTurn(this.turns);
    }
    return { text, changed };
  }

  /** Takes down what whoever supervises the talk tells the agent; the person does not hear it. */
  noteWhispers(): void {
    for (const content of this.#ports.notes?.take() ?? []) {
      const atMs = this.elapsedMs();
      const turn = {
        role: "SYSTEM",
        content,
        startMs: atMs,
        endMs: atMs,
        interrupted: false,
        toolCallId: null,
      } as const;
      this.#record({ ...turn, whisper: true });
      this.messages.push({ role: "SYSTEM", content: `${WHISPER} ${content}` });
    }
  }

  /** Hands the call over. */
  async transfer(order: TransferOrder): Promise<TransferResult> {
    this.#refuseWhenStopped();
    const { line } = this.#ports;
    if (!line.transfer) return { kind: "FAILED", reason: "UNREACHABLE", message: "This line cannot be handed over." };
    const startMs = this.elapsedMs();
    const result = await Promise.race([line.transfer(order, this.#signal), this.#stopped]);
    const content = `Transfer to ${order.destination}: ${result.kind === "FAILED" ? result.reason : result.kind}`;
    this.#record({
      role: "SYSTEM",
      content,
      startMs,
      endMs: this.elapsedMs(),
      interrupted: false,
      toolCallId: null,
    });
    return result;
  }

  /**
   * Records a call of a tool and its answer: the model gets the answer, a reader of the transcript what `disclosure`
   * lets them see.
   */
  recordTool(call: ToolCall, result: string, disclosure: GrantedTool["disclosure"] = "FULL"): void {
    const { id: toolCallId, name, input } = call;
    const endMs = this.elapsedMs();
    const isWhole = disclosure === "FULL" || this.#keepsAll;
    const content = JSON.stringify(isWhole ? { name, input, result } : maskCall(name));
    const mark = this.#keepsAll && disclosure !== "FULL" ? { disclosure } : {};
    if (disclosure !== "HIDDEN" || this.#keepsAll) {
      this.#record({ role: "TOOL", content, startMs: endMs, endMs, interrupted: false, toolCallId, ...mark });
    }
    this.messages.push({ role: "TOOL", content: result, toolCallId });
  }

  /** Milliseconds of call time since the answer. */
  elapsedMs(): number {
    return this.#ports.line.elapsedMs();
  }

  /** Uses the line until it is done; a stopped session or a machine's verdict cuts that short. */
  #use<Result>(work: (line: Line, signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { line } = this.#ports;
    const machines = this.#machines;
    if (!machines) return Promise.race([work(line, this.#signal), this.#stopped]);
    const signal = AbortSignal.any([this.#signal, machines.signal]);
    return Promise.race([work(line, signal), this.#stopped, machines.answered]);
  }

  /** The line's stages, with the tools' part of the thinking told apart from the model's. */
  #toLatency(latency: SpokenLatency | undefined): { latency?: TurnLatency } {
    if (!latency) return {};
    const { thinkingMs, ...stages } = latency;
    const toolsMs = Math.min(thinkingMs, Math.round(this.#toolsMs * 10) / 10);
    return { latency: { ...stages, modelMs: Math.round((thinkingMs - toolsMs) * 10) / 10, toolsMs } };
  }

  #record(turn: Omit<Turn, "index">): Turn {
    const kept = { index: this.turns.length, ...turn, content: toStorableText(turn.content) };
    this.turns.push(kept);
    this.#ports.onTurn(this.turns);
    return kept;
  }

  #refuseWhenStopped(): void {
    if (this.#signal.aborted) throw new StoppedError();
  }

  /** Throws when the session is stopped, a machine has shown itself, or the line is of no use any more. */
  #refuseWhenUseless(): void {
    const { fault } = this.#ports.line;
    this.#refuseWhenStopped();
    this.#machines?.signal.throwIfAborted();
    if (fault) throw new LineFaultError(fault);
  }
}

/** What is shown of a call that a reader may know of, but not with what it was made and answered. */
export function maskCall(name: string): { name: string; input: object; result: string } {
  return { name, input: {}, result: "(hidden)" };
}

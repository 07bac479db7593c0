import type { Heard, Line, Spoken, SpokenLatency, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { JsonSchema, ModelMessage, ToolCall } from "#src/engine/models/models.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";
import type { MachineWatch } from "./machine-watch.ts";
import type { Citation, Turn, TurnLatency } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";
import { joinParts } from "./sentence-ends.ts";
import { SessionTrace } from "./session-trace.ts";
import type { GrantedTool } from "./tool-port.ts";
import { isFailure } from "./tool-results.ts";

/** Milliseconds that a line may take to return what was heard after the session has been stopped. */
const STOP_GRACE_MS = 250;

/** Milliseconds that a transfer may take to end after the session has been stopped. */
const HAND_OVER_GRACE_MS = 5_000;

const WHISPER =
  "Your supervisor tells you, and the person does not hear it (heed it from your next sentence on, and do not speak of it):";

/** Options of `listen`. */
interface ListenOptions {
  ofMachine?: boolean;
  /** It is the agent's turn, and the person waits all the while. */
  isOurTurn?: boolean;
  wake?: AbortSignal | undefined;
  /**
   * Milliseconds of silence after which a person who spoke has finished, even when STT has not returned the words yet.
   */
  quietMs?: number;
}

/** The session was stopped from outside. */
export class StoppedError extends Error {
  constructor() {
    super("The session was stopped.");
    this.name = "StoppedError";
  }
}

/** The line can no longer hear, or no longer speak. */
export class LineFaultError extends Error {
  readonly code: string;
  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.name = "LineFaultError";
    this.code = code;
  }
}

/**
 * The line with its records: everything said or heard goes into the transcript and into the model's messages. Both grow
 * in place; nothing is copied from turn to turn.
 */
export class TranscribedLine {
  readonly turns: Turn[] = [];
  readonly messages: ModelMessage[] = [];
  /** Turns that a machine spoke. */
  readonly machineTurns = new Set<Turn>();
  /** Last result of listening to the person. */
  lastHeard: Heard | null = null;
  /** Null: this session is not traced. */
  readonly trace: SessionTrace | null;
  readonly #ports: SessionPorts;
  readonly #signal: AbortSignal;
  readonly #keepsAll: boolean;
  readonly #stopped: Promise<never>;
  readonly #onAbort: () => void;
  #machines: MachineWatch | null = null;
  #toolsMs = 0;

  /** `keepsAll`: the transcript is also the agent's memory, so it holds calls that readers may not see, marked. */
  constructor(ports: SessionPorts, signal: AbortSignal, keepsAll = false) {
    this.#ports = ports;
    this.trace = ports.trace ? new SessionTrace(ports.trace, ports.line) : null;
    this.#keepsAll = keepsAll;
    this.#signal = signal;
    const { promise, reject } = Promise.withResolvers<never>();
    // Prevents an unhandled rejection when nothing awaits it.
    promise.catch(() => undefined);
    this.#stopped = promise;
    this.#onAbort = () => void setTimeout(() => reject(new StoppedError()), STOP_GRACE_MS);
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Makes saying and listening throw `MachineAnswered` when AMD finds a machine; null turns that off. */
  watchMachines(machines: MachineWatch | null): void {
    this.#machines = machines;
  }

  /** Adds the time that the agent waited for its tools since the person spoke. */
  noteTools(ms: number): void {
    this.#toolsMs += ms;
  }

  /** Starts the synthesis of the next words, on lines where it takes time. */
  get prepare(): ((text: string) => void) | undefined {
    const { line } = this.#ports;
    return line.prepare && ((text) => line.prepare?.(text));
  }

  /** Sets the call time since which the person waits for the agent; null: they do not. */
  setCallerWaitingSince(sinceMs: number | null): void {
    this.#ports.line.setCallerWaitingSince?.(sinceMs);
  }

  /** Passes the schema of the expected answer to the line; null: anything. */
  expect(schema: JsonSchema | null): void {
    this.#ports.line.expect?.(schema);
  }

  /** Removes the listener from the signal, which outlives the session. */
  close(): void {
    this.trace?.close();
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  /**
   * Says something. Only what was heard is recorded, because that is all the person knows of it. `goesOn` appends it to
   * the previous turn.
   */
  async say(text: string, goesOn = false, citations: Citation[] = []): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#say(text);
    if (!goesOn) this.#keepGreetings(spoken);
    if (spoken.heard !== "") this.#keepSpoken(spoken, goesOn, citations);
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Says the flow's first message from a character on, and records the share of the whole that was heard. */
  async sayOpening(whole: string, from: number): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#say(whole.slice(from));
    const openingHeard = Math.round(((from + spoken.heard.length) / whole.length) * 100) / 100;
    this.#keepGreetings(spoken);
    if (spoken.heard !== "") this.#keepSpoken(spoken, false, [], { openingHeard });
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Says words that a supervisor typed; the agent knows them as its own. */
  async sayForSupervisor(text: string): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#say(text);
    this.#keepGreetings(spoken);
    if (spoken.heard !== "") this.#keepSpoken(spoken, false, [], { supervisor: "TYPED" });
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Records what a supervisor said to the person. */
  #noteSupervisor(): void {
    for (const { text, startMs, endMs } of this.#ports.notes?.takeSpoken() ?? []) {
      const turn = { role: "ASSISTANT", content: text, startMs, endMs, interrupted: false, toolCallId: null } as const;
      this.#record({ ...turn, supervisor: "SPOKEN" });
      this.messages.push({ role: "SYSTEM", content: `A colleague of yours said to the person: ${text}` });
    }
  }

  /** Says something that goes into the transcript but not into the model's messages. */
  async sayAside(text: string): Promise<Spoken> {
    this.#refuseWhenUseless();
    const spoken = await this.#say(text);
    this.#keepAside(spoken);
    this.#refuseWhenUseless();
    return spoken;
  }

  /** Says goodbye on a line that is partly broken. When the words are not heard whole, a tone ends the call. */
  async signOff(text: string | null): Promise<void> {
    const spoken = text === null ? null : await this.#say(text);
    if (spoken) this.#keepAside(spoken);
    if (!spoken || spoken.heard === "" || spoken.interrupted)
      await this.#use(async (line, signal) => line.signOff?.(signal));
  }

  /** Says words on a session that was stopped, until `signal` aborts; a tone if they cannot be heard. */
  async sayLast(text: string, signal: AbortSignal): Promise<void> {
    const { line } = this.#ports;
    const spoken = await line.say(text, signal);
    this.#keepAside(spoken);
    if (spoken.heard === "") await line.signOff?.(signal);
  }

  #keepAside(spoken: Spoken): void {
    const { heard: content, startMs, endMs, interrupted } = spoken;
    const waited = this.#toLatency(spoken.latency);
    if (content !== "") {
      this.#record({ role: "ASSISTANT", content, startMs, endMs, interrupted, toolCallId: null, ...waited });
    }
  }

  /** Records what the person said when they picked up, before the agent's turn that it overlapped. */
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
    mark: Pick<Turn, "openingHeard" | "supervisor"> = {},
  ): void {
    const turn = this.turns.at(-1);
    const message = this.messages.at(-1);
    if (goesOn && turn?.role === "ASSISTANT" && message?.role === "ASSISTANT") {
      turn.content = joinParts(turn.content, heard);
      turn.endMs = endMs;
      turn.interrupted = interrupted;
      message.content = joinParts(message.content, heard);
      this.#ports.onTurn(this.turns);
      return;
    }
    const more = { ...mark, ...(citations.length > 0 ? { citations } : {}), ...this.#toLatency(latency) };
    this.#record({ role: "ASSISTANT", content: heard, startMs, endMs, interrupted, toolCallId: null, ...more });
    this.messages.push({ role: "ASSISTANT", content: heard });
  }

  /** Adds the tool calls of the agent's turn to its text, or as a message of their own. */
  rememberToolCalls(toolCalls: ToolCall[]): void {
    const last = this.messages.at(-1);
    if (last?.role === "ASSISTANT" && !last.toolCalls) last.toolCalls = toolCalls;
    else this.messages.push({ role: "ASSISTANT", content: "", toolCalls });
  }

  /**
   * Listens for at most `timeoutMs` of call time, less when `wake` aborts. `ofMachine` keeps the words from the model.
   * Speech in which no word was recognised is returned, but not recorded.
   */
  async listen(timeoutMs: number, options: ListenOptions = {}): Promise<Heard> {
    const { ofMachine = false, isOurTurn = false, wake, quietMs } = options;
    this.#refuseWhenUseless();
    if (!isOurTurn) this.setCallerWaitingSince(null);
    const heard = await this.#use((line, signal) => line.listen(timeoutMs, signal, wake, quietMs));
    this.#noteSupervisor();
    this.lastHeard = heard;
    if (!isOurTurn && !ofMachine) this.setCallerWaitingSince(heard.endMs);
    this.#toolsMs = 0;
    if ((heard.kind === "SPEECH" && heard.text !== "") || heard.kind === "DIGITS") {
      const content = heard.kind === "SPEECH" ? heard.text : heard.digits;
      const { startMs, endMs } = heard;
      const turn = this.#record({ role: "USER", content, startMs, endMs, interrupted: false, toolCallId: null });
      if (ofMachine) this.machineTurns.add(turn);
      else {
        this.messages.push({ role: "USER", content });
        this.trace?.heard(endMs);
      }
    }
    this.#refuseWhenUseless();
    return heard;
  }

  /** Sends DTMF digits. */
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
   * Waits until the person's last words are final and returns them, null when they are still open. The final words
   * replace those recorded before.
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

  /** Records the supervisor's notes to the agent; the person does not hear them. */
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

  /** Transfers the call. */
  async transfer(order: TransferOrder): Promise<TransferResult> {
    this.#refuseWhenStopped();
    const { line } = this.#ports;
    if (!line.transfer) return { kind: "FAILED", reason: "UNREACHABLE", message: "This line cannot be handed over." };
    const startMs = this.elapsedMs();
    // A stopped transfer says whether the parties had been joined, once it has hung up.
    const late = this.#stopped.catch(() => sleep(HAND_OVER_GRACE_MS)).then(() => Promise.reject(new StoppedError()));
    const result = await this.#busy(Promise.race([line.transfer(order, this.#signal), late]));
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
   * Records a tool call and its result: the model gets the result, a reader of the transcript what `disclosure` allows.
   */
  recordTool(call: ToolCall, result: string, disclosure: GrantedTool["disclosure"] = "FULL"): void {
    const { id: toolCallId, name, input } = call;
    this.#ports.watch?.noteTool(isFailure(result));
    const endMs = this.elapsedMs();
    const isWhole = disclosure === "FULL" || this.#keepsAll;
    const content = JSON.stringify(isWhole ? { name, input, result } : maskCall(name, result));
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

  #say(text: string): Promise<Spoken> {
    this.trace?.asked();
    return this.#busy(this.#use((line, signal) => line.say(text, signal)));
  }

  /** Notes for supervisors that the person hears us while the work lasts. */
  async #busy<Result>(work: Promise<Result>): Promise<Result> {
    const { watch } = this.#ports;
    watch?.noteBusy(true);
    try {
      return await work;
    } finally {
      watch?.noteBusy(false);
    }
  }

  /** Runs an operation on the line; a stopped session or an AMD verdict cuts it short. */
  #use<Result>(work: (line: Line, signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { line } = this.#ports;
    const machines = this.#machines;
    if (!machines) return Promise.race([work(line, this.#signal), this.#stopped]);
    const signal = AbortSignal.any([this.#signal, machines.signal]);
    return Promise.race([work(line, signal), this.#stopped, machines.answered]);
  }

  /** Splits the line's thinking time into the share of the tools and that of the model. */
  #toLatency(latency: SpokenLatency | undefined): { latency?: TurnLatency } {
    if (!latency) return {};
    const { thinkingMs, ...stages } = latency;
    const toolsMs = Math.min(thinkingMs, Math.round(this.#toolsMs * 10) / 10);
    return { latency: { ...stages, modelMs: Math.round((thinkingMs - toolsMs) * 10) / 10, toolsMs } };
  }

  #record(turn: Omit<Turn, "index">): Turn {
    const kept = { index: this.turns.length, ...turn, content: toStorableText(turn.content) };
    this.turns.push(kept);
    if (kept.role === "ASSISTANT" && kept.supervisor !== "SPOKEN") this.trace?.answered(kept);
    this.#ports.onTurn(this.turns);
    return kept;
  }

  #refuseWhenStopped(): void {
    if (this.#signal.aborted) throw new StoppedError();
  }

  /** Throws when the session is stopped, AMD found a machine, or the line has failed. */
  #refuseWhenUseless(): void {
    const { fault } = this.#ports.line;
    this.#refuseWhenStopped();
    this.#machines?.signal.throwIfAborted();
    if (fault) throw new LineFaultError(fault);
  }
}

/** Returns the visible part of a NAME_ONLY call: its name, and whether it failed. */
export function maskCall(name: string, result: string): { name: string; input: object; result: string } {
  return { name, input: {}, result: isFailure(result) ? "failed: (hidden)" : "(hidden)" };
}

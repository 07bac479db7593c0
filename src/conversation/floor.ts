import type { Heard, Spoken } from "#src/media/line.ts";
import type { ModelMessage, ToolCall } from "#src/models/models.ts";
import type { Turn } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";

/** How long a line may take to tell what was heard after the session has been stopped. */
const STOP_GRACE_MS = 250;

/** The session was stopped from outside. */
export class StoppedError extends Error {
  constructor() {
    super("The session was stopped.");
    this.name = "StoppedError";
  }
}

/**
 * The line together with its records: whatever is said or heard goes into the transcript, and into the messages
 * the model sees. Both grow in place; nothing is copied from turn to turn.
 */
export class Floor {
  readonly turns: Turn[] = [];
  readonly messages: ModelMessage[] = [];
  readonly #ports: SessionPorts;
  readonly #signal: AbortSignal;
  readonly #stopped: Promise<never>;
  readonly #onAbort: () => void;

  constructor(ports: SessionPorts, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
    const { promise, reject } = Promise.withResolvers<never>();
    // Nobody may be waiting when it rejects.
    promise.catch(() => undefined);
    this.#stopped = promise;
    this.#onAbort = () => void setTimeout(() => reject(new StoppedError()), STOP_GRACE_MS);
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Lets go of the signal, which outlives the session. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  /** Says something. Only what was heard is kept, because that is all the person knows of it. */
  async say(text: string): Promise<Spoken> {
    this.#refuseWhenStopped();
    const spoken = await Promise.race([this.#ports.line.say(text, this.#signal), this.#stopped]);
    const { heard, startMs, endMs, interrupted } = spoken;
    if (heard !== "") {
      this.#record({ role: "ASSISTANT", content: heard, startMs, endMs, interrupted, toolCallId: null });
      this.messages.push({ role: "ASSISTANT", content: heard });
    }
    this.#refuseWhenStopped();
    return spoken;
  }

  /** Adds the tool calls of the agent's turn to what it said, or as a turn of their own. */
  rememberCalls(toolCalls: ToolCall[]): void {
    const last = this.messages.at(-1);
    if (last?.role === "ASSISTANT" && !last.toolCalls) last.toolCalls = toolCalls;
    else this.messages.push({ role: "ASSISTANT", content: "", toolCalls });
  }

  /** Listens for at most `timeoutMs` of call time. `ofMachine` keeps what is heard from the model. */
  async listen(timeoutMs: number, ofMachine = false): Promise<Heard> {
    this.#refuseWhenStopped();
    const heard = await Promise.race([this.#ports.line.listen(timeoutMs, this.#signal), this.#stopped]);
    if (heard.kind === "SPEECH" || heard.kind === "DIGITS") {
      const content = heard.kind === "SPEECH" ? heard.text : heard.digits;
      const { startMs, endMs } = heard;
      this.#record({ role: "USER", content, startMs, endMs, interrupted: false, toolCallId: null });
      if (!ofMachine) this.messages.push({ role: "USER", content });
    }
    this.#refuseWhenStopped();
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

  /** Records a call of a tool and its answer; the model gets the answer, a reader of the transcript both. */
  recordTool(call: ToolCall, result: string): void {
    const { id: toolCallId, name, input } = call;
    const endMs = this.elapsedMs();
    const content = JSON.stringify({ name, input, result });
    this.#record({ role: "TOOL", content, startMs: endMs, endMs, interrupted: false, toolCallId });
    this.messages.push({ role: "TOOL", content: result, toolCallId });
  }

  /** Milliseconds of call time since the answer. */
  elapsedMs(): number {
    return this.#ports.line.elapsedMs();
  }

  #record(turn: Omit<Turn, "index">): void {
    this.turns.push({ index: this.turns.length, ...turn });
    this.#ports.onTurn(this.turns);
  }

  #refuseWhenStopped(): void {
    if (this.#signal.aborted) throw new StoppedError();
  }
}

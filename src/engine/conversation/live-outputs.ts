import { addUsage } from "#src/engine/models/models.ts";
import { type Extraction, extractOutputs, selectOutputs } from "./extraction.ts";
import { zoneOf } from "./local-clock.ts";
import type { SessionState } from "./session-state.ts";

/**
 * Fills the outputs marked `fillDuring` while the session goes on: one run at a time, and one more after it when the
 * person spoke meanwhile. Results become `extracted` in templates and are emitted through `onOutputs`.
 */
export class LiveOutputs {
  readonly #session: SessionState;
  #running = false;
  #again = false;

  constructor(session: SessionState) {
    this.#session = session;
  }

  /** Starts a run after something the person said; during a run it marks that another one is due. */
  note(): void {
    if (!this.#session.plan.outputs.some(({ fillDuring }) => fillDuring === true)) return;
    this.#again = true;
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#again && !this.#session.toolsStop.signal.aborted) {
      this.#again = false;
      this.#keep(await this.#fill());
    }
    this.#running = false;
  }

  #fill(): Promise<Extraction> {
    const { plan, ports, transcribed, limits, modelLimits, variables, toolsStop } = this.#session;
    return extractOutputs({
      model: ports.model,
      messages: [...transcribed.messages],
      maxHistoryTokens: limits.maxHistoryTokens,
      outputs: selectOutputs(plan, variables, null).filter(({ fillDuring }) => fillDuring === true),
      language: plan.flow.language,
      validate: ports.validate,
      now: () => ports.now(),
      zone: zoneOf(plan),
      timeoutMs: modelLimits.totalMs,
      signal: toolsStop.signal,
      trace: transcribed.trace,
      ...(this.#session.stages ? { recorded: this.#session.stages.state.fields } : {}),
    });
  }

  #keep(extraction: Extraction): void {
    const { usage, ports, toolsStop } = this.#session;
    addUsage(usage, extraction);
    if (toolsStop.signal.aborted) return;
    this.#session.variables.extracted = extraction.extractedFields;
    ports.onOutputs?.(extraction.outputs);
  }
}

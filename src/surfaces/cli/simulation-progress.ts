import type { SimulationEntry } from "@parley/sdk";
import { renderBar } from "./progress.ts";
import type { Run } from "./run.ts";
import { printable } from "./table.ts";

const BAR_CELLS = 15;
const LINE_EVERY_MS = 5_000;

/** Returns one line about a run: bar, counts. */
export function renderSimulation({ suite, state, progress }: SimulationEntry): string {
  const { done, total, failed } = progress;
  const counts = [
    `${done}/${total}`,
    failed > 0 ? `failed ${failed}` : "",
    state === "RUNNING" ? "" : state.toLowerCase(),
  ];
  return `${printable(suite).slice(0, 40)}  ${renderBar(done, total, BAR_CELLS)} ${counts.filter(Boolean).join(" ")}`;
}

/** Shows a run's progress on standard error: one line redrawn on a terminal, else a line every few seconds. */
export class SimulationProgress {
  readonly #run: Run;
  #lastLineMs: number;
  #isDrawn = false;

  constructor(run: Run) {
    this.#run = run;
    this.#lastLineMs = run.system.nowMs();
  }

  /** Shows the current state of the run. */
  show(simulation: SimulationEntry): void {
    const { system, options } = this.#run;
    if (options.quiet || options.json) return;
    const nowMs = system.nowMs();
    if (!system.isTerminal && nowMs - this.#lastLineMs < LINE_EVERY_MS) return;
    this.#lastLineMs = nowMs;
    const line = renderSimulation(simulation).slice(0, system.columns() - 1);
    system.writeErr(system.isTerminal ? `\r\u001b[2K${line}` : `${line}\n`);
    this.#isDrawn = system.isTerminal;
  }

  /** Clears the drawn line, so that the report starts on a line of its own. */
  end(): void {
    if (this.#isDrawn) this.#run.system.writeErr("\r\u001b[2K");
    this.#isDrawn = false;
  }
}

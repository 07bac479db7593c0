import type { Parley, Simulation } from "@parley/sdk";
import { EXIT } from "./exit-codes.ts";
import type { Run } from "./run.ts";
import { SimulationProgress } from "./simulation-progress.ts";
import { printable } from "./table.ts";

/** Follows a run to its end and prints the result. Ctrl-C cancels it on the server too. */
export async function followSimulation(run: Run, client: Parley, id: string, signal: AbortSignal): Promise<Simulation> {
  const display = new SimulationProgress(run);
  let ended: Simulation;
  try {
    ended = await client.simulations.wait(id, { signal, onProgress: (seen) => display.show(seen) });
  } catch (error) {
    if (signal.aborted) await client.simulations.cancel(id).catch(() => undefined);
    throw error;
  } finally {
    display.end();
  }
  await run.print(ended, await renderEnd(run, ended));
  run.hint(`Run ${ended.id}${ended.comparedWith ? `, compared with ${ended.comparedWith}` : ""}.`);
  return ended;
}

async function renderEnd(run: Run, { suite, state, report, comparison, error }: Simulation): Promise<string> {
  if (report === null)
    return `${printable(suite)}  ${run.system.style("red", state, "OUT")}  ${printable(error?.message ?? "")}`;
  const { renderReport } = await import("#src/workbench/simulations/render-report.ts");
  return renderReport(report as never, comparison as never, (style, text) => run.system.style(style, text, "OUT"));
}

/** Returns 0 when all runs passed, 6 when something failed, 1 when a run did not reach its end. */
export function exitCodeOf(runs: Simulation[]): number {
  if (runs.some(({ state }) => state === "ERROR" || state === "CANCELLED")) return EXIT.ERROR;
  return runs.every(({ state }) => state === "PASSED") ? EXIT.OK : EXIT.ENDED_WITH_FAILURES;
}

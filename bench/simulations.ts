import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSuite } from "#src/workbench/simulations/run-suite.ts";
import { trialFlow } from "#src/workbench/simulations/trial-flow.ts";
import { type Figures, readBenchSuite } from "./simulations-process.ts";

const ROUNDS = 3;
const ENTRY = new URL("./simulations-process.ts", import.meta.url);

async function measure(way: "suite" | "here" | "bare", scriptFile: string): Promise<Figures> {
  const child = fork(ENTRY, [way, scriptFile]);
  const [figures] = (await once(child, "message")) as [Figures];
  if (child.exitCode === null) await once(child, "exit");
  return figures;
}

function keep(best: Figures, found: Figures): void {
  best.wallMs = Math.min(best.wallMs, found.wallMs);
  best.cpuMs = Math.min(best.cpuMs, found.cpuMs);
  best.peakMb = Math.max(best.peakMb, found.peakMb);
}

/** A suite of 1,000 conversations as its users run it, beside the same words in a bare loop of the engine. */
export async function benchSimulations(print: (line: string) => void): Promise<void> {
  const suite = readBenchSuite();
  const conversations = suite.scenarios.reduce((sum, { repeat }) => sum + repeat, 0);
  print(
    `Simulations: ${conversations} conversations (${suite.scenarios.length} people) in text at instant speed, scripted model; best of ${ROUNDS} rounds each, taken in turns, each in a process of its own, memory the highest; time from the loaded program to the report, CPU of all threads.`,
  );
  print(
    "Suite: people who listen and answer, mocks, expectations and all checks, full report, threads as by default (their start counts). Bare loop: the engine's session on a line that says the recorded words, one after the other in one thread, nothing judged or kept.",
  );
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  try {
    const script = await runSuite(suite, { flow: trialFlow(), personaModel: null }, { workers: 0 });
    if (!script.passed) throw new Error("The suite of the benchmark fails.");
    const scriptFile = join(folder, "script.json");
    writeFileSync(scriptFile, JSON.stringify(script));
    const best = new Map((["bare", "here", "suite"] as const).map((way) => [way, newFigures()]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [way, figures] of best) keep(figures, await measure(way, scriptFile));
    }
    const { bare = newFigures(), here = newFigures(), suite: own = newFigures() } = Object.fromEntries(best);
    for (const [name, figures] of Object.entries({ Suite: own, "Suite, no threads": here, "Bare loop": bare }))
      print(show(name, figures, conversations));
    print(
      `  ratio ${ratio(own.wallMs, bare.wallMs)} of its time, ${ratio(own.cpuMs, bare.cpuMs)} of its CPU; without threads ${ratio(here.wallMs, bare.wallMs)} and ${ratio(here.cpuMs, bare.cpuMs)}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function newFigures(): Figures {
  return { wallMs: Infinity, cpuMs: Infinity, peakMb: 0 };
}

function ratio(own: number, other: number): string {
  return (own / other).toFixed(2);
}

function show(name: string, { wallMs, cpuMs, peakMb }: Figures, conversations: number): string {
  const times = `${(wallMs / 1_000).toFixed(2)} s, ${(cpuMs / 1_000).toFixed(2)} s of CPU, ${(cpuMs / conversations).toFixed(2)} ms each`;
  return `  ${name.padEnd(20)} ${times}, peak memory of the process ${peakMb.toFixed(0)} MiB`;
}

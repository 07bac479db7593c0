import { parentPort, workerData } from "node:worker_threads";
import type { ConversationPorts, ScenarioJob } from "./hold-conversation.ts";
import type { ConversationReport } from "./report.ts";
import { SharedProgress } from "./shared-progress.ts";

/** Data that a worker is started with. */
export interface WorkerData {
  jobs: ScenarioJob[];
  progress: SharedArrayBuffer;
}

/** One conversation to hold. */
export interface WorkerTask {
  job: number;
  seed: number;
}

/** Holds conversations in a worker thread, one after the other, on request. */
export function serveConversations(
  run: (job: ScenarioJob, seed: number, ports: ConversationPorts, signal: AbortSignal) => Promise<ConversationReport>,
): void {
  const port = parentPort;
  if (!port) throw new Error("This file is the entry of a worker thread.");
  const data = workerData as WorkerData;
  const progress = new SharedProgress(data.progress);
  const never = new AbortController().signal;
  const ports: ConversationPorts = { model: null, personaModel: null, onTurn: (turns) => progress.note(turns) };
  port.on("message", ({ job: at, seed }: WorkerTask) => {
    const job = data.jobs[at];
    if (!job) throw new Error(`There is no scenario ${at}.`);
    progress.reset();
    void run(job, seed, ports, never).then((report) => port.postMessage(report));
  });
}

import { cpus, totalmem } from "node:os";

/** One line that says on what a figure was measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} x ${cpu?.model ?? "unknown CPU"}, ${memory} GiB, Node ${process.versions.node}, ${process.platform}`;
}

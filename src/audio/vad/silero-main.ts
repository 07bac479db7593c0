import { setPriority } from "node:os";
import { toError } from "#src/platform/kernel/errors.ts";
import { loadSilero } from "./load-silero.ts";
import type { FromSilero, WindowOrder } from "./silero-process.ts";

/* The entry of the model's process. */
const [modelPath] = process.argv.slice(2);
if (!modelPath || !process.send) throw new Error("This file is the entry of a process that the media thread starts.");
const notify = (message: FromSilero) => void process.send?.(message);
const fail = (error: unknown) => notify({ kind: "FAILED", message: toError(error).message });
process.once("disconnect", () => process.exit());
// Lower priority: calls can do without this process, but not without the media thread.
setPriority(5);
try {
  const session = await loadSilero(modelPath);
  process.on("message", ({ count, windows, states }: WindowOrder) => {
    const probabilities = new Float32Array(count);
    const judged = session.judge({ count, windows, states, probabilities });
    judged.then(() => notify({ kind: "JUDGED", states, probabilities }), fail);
  });
  notify({ kind: "READY" });
} catch (error) {
  fail(error);
}

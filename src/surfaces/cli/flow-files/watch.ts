import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { FOLDERS, type Kind } from "./folder.ts";

const SETTLE_MS = 200;

/**
 * Calls `work` now and after each change of a folder's definitions, one call after the other, until the signal aborts;
 * then rejects with its reason.
 */
export async function onEachChange(
  root: string,
  kinds: readonly Kind[],
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<never> {
  let wake: () => void = () => undefined;
  const folders = kinds.map((kind) => join(root, FOLDERS[kind])).filter((folder) => existsSync(folder));
  let isDirty = true;
  const watchers = folders.map((folder) =>
    watch(folder, (_event, name) => {
      // A draft is renamed when it is complete.
      if (name?.endsWith(".draft")) return;
      isDirty = true;
      wake();
    }),
  );
  try {
    for (;;) {
      signal.throwIfAborted();
      if (isDirty) {
        isDirty = false;
        await work();
      } else {
        await untilCalled(signal, (call) => (wake = call));
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      }
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

function untilCalled(signal: AbortSignal, take: (call: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    take(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

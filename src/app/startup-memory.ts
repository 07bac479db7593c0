import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { keepCompiled } from "./compiled-code.ts";

/** Milliseconds after a start, and between two looks for a moment without calls. */
const WAIT_MS = 3_000;

/**
 * Gives back once what the start took, as soon as no call is live: loading grows V8's space of new objects to 30 MB, which
 * it keeps however little is then needed. It stops the process for some 140 ms.
 */
export function freeStartupMemory(isBusy: () => boolean, waitMs: number = WAIT_MS): void {
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    // The collection forgets most of it, and the first requests have added to it.
    keepCompiled();
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as NodeJS.GCFunction;
    setFlagsFromString("--no-expose-gc");
    // Only this kind of collection makes the spaces smaller.
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
  }, waitMs);
  timer.unref();
}

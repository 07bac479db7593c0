import type { Line } from "#src/audio/line/line.ts";

/**
 * Returns the line of an answered call that was over before its audio was opened: nothing is said and nothing is heard.
 * `hungUp`: the call is known to have ended; otherwise its audio was lost.
 */
export function createEndedLine(hungUp: boolean): Line {
  return {
    say: () => Promise.resolve({ heard: "", startMs: 0, endMs: 0, interrupted: true, hungUp }),
    listen: () => Promise.resolve({ kind: hungUp ? "HUNG_UP" : "DROPPED", endMs: 0 }),
    sendDigits: () => Promise.resolve(),
    hangUp: () => Promise.resolve(),
    elapsedMs: () => 0,
  };
}

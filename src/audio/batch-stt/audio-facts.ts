import { runOffThread } from "#src/platform/kernel/off-thread.ts";
import { cleanText, readSeconds } from "./provider-reply.ts";

const WORKER = new URL("./audio-facts-worker.ts", import.meta.url);
const LIMITS = { timeoutMs: 10_000, maxHeapMb: 64 };
const MAX_FORMAT_CHARACTERS = 100;

/** Properties read from an audio file's headers. */
export interface AudioFacts {
  /** Container and codec, such as "WAVE, PCM"; null when they are not recognised. */
  format: string | null;
  durationSeconds: number | null;
}

/** Reads a file's headers in a worker thread. Never fails: an unrecognised file is left to the provider. */
export async function readAudioFacts(path: string, signal: AbortSignal): Promise<AudioFacts> {
  try {
    const found = (await runOffThread(WORKER, { path }, LIMITS, signal)) as Record<string, unknown>;
    const names = [found.container, found.codec].filter((name): name is string => typeof name === "string");
    const format = cleanText(names.join(", ")).slice(0, MAX_FORMAT_CHARACTERS) || null;
    return { format, durationSeconds: readSeconds(found.duration) };
  } catch {
    return { format: null, durationSeconds: null };
  }
}

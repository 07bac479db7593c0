import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { resample } from "#src/audio/codec/resample.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";

/** Largest file: half a minute in CD quality and two channels. More would block this thread while it is resampled. */
const MAX_BYTES = 6 * 1_024 * 1_024;
const MAX_SECONDS = 30;
const MIN_SECONDS = 0.1;
const TIMEOUT_MS = 10_000;
const MAX_RATE_HZ = 96_000;
/** Time that a fetched sound is reused, and that a failed one is not fetched again. */
const KEPT_MS = 600_000;
const MAX_KEPT = 20;

interface Kept {
  sound: Promise<Int16Array | null>;
  untilMs: number;
}

/** Hold sounds that flows name, fetched once and cached for a while. */
export class HoldSounds {
  readonly #fetch: SafeFetch;
  readonly #log: Log;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: { safeFetch: SafeFetch; log: Log }) {
    this.#fetch = parts.safeFetch;
    this.#log = parts.log;
  }

  /** Returns the sound at a URL as samples of 8 kHz; null when it is unavailable. Never rejects. */
  load(url: string): Promise<Int16Array | null> {
    const nowMs = performance.now();
    const kept = this.#kept.get(url);
    if (kept && kept.untilMs > nowMs) return kept.sound;
    const sound = this.#read(url);
    this.#kept.delete(url);
    this.#kept.set(url, { sound, untilMs: nowMs + KEPT_MS });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return sound;
  }

  async #read(url: string): Promise<Int16Array | null> {
    try {
      const headers = { accept: "audio/wav, audio/*;q=0.5" };
      const reply = await this.#fetch(url, {
        method: "GET",
        headers,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      });
      if (reply.status !== 200) throw new Error(`The address answered ${reply.status}.`);
      if (reply.truncated) throw new Error(`The file is larger than ${MAX_BYTES} bytes.`);
      return readHoldSound(reply.body);
    } catch (error) {
      this.#log.warn("The sound of hold could not be had; callers hear the chime.", { error: toError(error).message });
      return null;
    }
  }
}

/**
 * Reads a WAV file as one channel of 8 kHz, at most half a minute. Throws when it is none, or too short for a sound.
 */
export function readHoldSound(bytes: Uint8Array): Int16Array {
  const { sampleRateHz, channels } = parseWav(bytes);
  if (sampleRateHz < VOICE_RATE_HZ || sampleRateHz > MAX_RATE_HZ) {
    throw new Error(`Samples come at ${VOICE_RATE_HZ} to ${MAX_RATE_HZ} Hz.`);
  }
  const kept = channels.slice(0, 2).map((channel) => channel.subarray(0, MAX_SECONDS * sampleRateHz));
  const sound = resample(mixDown(kept), sampleRateHz, VOICE_RATE_HZ);
  if (sound.length < MIN_SECONDS * VOICE_RATE_HZ) throw new Error("The file holds no sound.");
  return sound;
}

function mixDown([left, right]: Int16Array[]): Int16Array {
  if (!left || !right) return left ?? new Int16Array(0);
  return left.map((sample, i) => Math.round((sample + (right[i] ?? 0)) / 2));
}

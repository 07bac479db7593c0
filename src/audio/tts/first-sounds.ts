import type { OnProviderRequest } from "#src/platform/kernel/provider-request.ts";

/** Sentences of a provider whose time to the first sound is kept. */
const KEPT = 100;

/** Times to the first sound of the latest sentences, by TTS provider. */
export class FirstSounds {
  readonly #times = new Map<string, number[]>();

  /** Notes a request that was answered with sound. */
  readonly note: OnProviderRequest = ({ kind, provider, result, firstMs }) => {
    if (kind !== "TTS" || result !== "OK" || firstMs === null) return;
    const times = this.#times.get(provider) ?? [];
    times.push(firstMs);
    if (times.length > KEPT) times.shift();
    this.#times.set(provider, times);
  };

  /** Returns the median of a provider's latest sentences; null before the first. */
  of(provider: string): { medianMs: number; sentences: number } | null {
    const times = (this.#times.get(provider) ?? []).toSorted((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    return median === undefined ? null : { medianMs: Math.round(median), sentences: times.length };
  }
}

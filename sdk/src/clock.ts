/** Time and chance, passed in so that waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const timer = setTimeout(done, ms);
      function done(): void {
        signal?.removeEventListener("abort", stop);
        resolve();
      }
      function stop(): void {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      }
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Latencies of the requests in one span. */
export interface Span {
  requests: number;
  p50: number;
  p99: number;
  max: number;
  /** Answers of 500 and above, and requests without an answer. */
  broken: number;
  /** Method, path and status of the slowest request. */
  slowest: string;
}

/** Collects the latencies and outcomes of requests. */
export class Latencies {
  #times: number[] = [];
  #broken = 0;
  #slowest = { ms: -1, what: "" };

  /** Records an answer; status 0 means that none came. */
  note(what: string, status: number, ms: number): void {
    this.#times.push(ms);
    if (status === 0 || status >= 500) this.#broken++;
    if (ms > this.#slowest.ms) this.#slowest = { ms, what };
  }

  /** Returns the records since the last call, and starts anew. */
  take(): Span {
    const times = this.#times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    const span = {
      requests: times.length,
      p50: at(0.5),
      p99: at(0.99),
      max: times.at(-1) ?? 0,
      broken: this.#broken,
      slowest: this.#slowest.what,
    };
    this.#times = [];
    this.#broken = 0;
    this.#slowest = { ms: -1, what: "" };
    return span;
  }
}

/** Returns a span as one line, in milliseconds. */
export function describeSpan({ requests, p50, p99, max, broken, slowest }: Span): string {
  const ms = (value: number) => value.toFixed(0).padStart(5);
  return `${String(requests).padStart(6)} requests  p50 ${ms(p50)}  p99 ${ms(p99)}  max ${ms(max)} ms (${slowest})  5xx or none: ${broken}`;
}

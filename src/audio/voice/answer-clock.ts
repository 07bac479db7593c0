import type { SpokenLatency } from "#src/audio/line/line.ts";
import type { MediaEvent } from "#src/audio/worker/media-call.ts";

type Turn = MediaEvent & { kind: "TURN" };

/** Measurement of one answer. */
export interface AnswerMeasure {
  /** Notes that the first piece of its audio has arrived. */
  hearFirst(): void;
  /** Returns the latency, given the call time at which its first sound was played. */
  measure(playedAtMs: number): SpokenLatency;
}

/**
 * Measures how long people wait for answers, by stage. The total comes from the call's own clock, which counts the
 * samples heard and played; the stages on this side come from the wall clock; the rest is transport.
 */
export class AnswerClock {
  #turn: Turn | null = null;
  #endedAt = 0;

  /** Notes that the person has finished. */
  endTurn(turn: Turn): void {
    this.#turn = turn;
    this.#endedAt = performance.now();
  }

  /** Drops the measurement, because the person is on hold and waits for no answer. */
  forget(): void {
    this.#turn = null;
  }

  /** Begins a measurement when the text of an answer is there; null when nobody waits for one. */
  ask(): AnswerMeasure | null {
    const turn = this.#turn;
    if (!turn) return null;
    this.#turn = null;
    const askedAt = performance.now();
    const thinkingMs = askedAt - this.#endedAt;
    let firstAt: number | null = null;
    return {
      hearFirst: () => void (firstAt ??= performance.now()),
      measure: (playedAtMs) => {
        const totalMs = Math.max(0, playedAtMs - turn.endMs + turn.heldMs);
        const ttsMs = (firstAt ?? askedAt) - askedAt;
        const known = turn.endpointingMs + thinkingMs + ttsMs;
        return {
          endpointingMs: round(turn.endpointingMs - turn.sttMs),
          sttMs: round(turn.sttMs),
          thinkingMs: round(thinkingMs),
          ttsMs: round(ttsMs),
          transportMs: round(Math.max(0, totalMs - known)),
          totalMs: round(totalMs),
        };
      },
    };
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

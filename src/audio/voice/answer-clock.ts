import type { SpokenLatency } from "#src/audio/line/line.ts";
import type { MediaEvent } from "#src/audio/worker/media-call.ts";

type Turn = MediaEvent & { kind: "TURN" };

/** What is measured of one answer. */
export interface AnswerMeasure {
  /** The first of its sound is there. */
  hearFirst(): void;
  /** Its first sound was played at this call time. */
  measure(playedAtMs: number): SpokenLatency;
}

/**
 * Measures how long people wait for answers, by stage. The whole is taken from the call's own clock, which counts the
 * samples that were heard and played; the stages on this side of it by the wall's; the rest is transport.
 */
export class AnswerClock {
  #turn: Turn | null = null;
  #endedAt = 0;

  /** The person has finished. */
  endTurn(turn: Turn): void {
    this.#turn = turn;
    this.#endedAt = performance.now();
  }

  /** Nobody waits for an answer any more: the person is on hold. */
  forget(): void {
    this.#turn = null;
  }

  /** The text of an answer is there; null when nobody waits for one. */
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

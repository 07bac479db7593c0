import type { Line } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import { now } from "#src/platform/kernel/clock.ts";
import type { AskedAttempt, Carrier, DialResult, LookUpResult, ShownTurn } from "#src/telephony/carriers/carrier.ts";
import type { WebCallMedia } from "./web-call-media.ts";

const REFUSED: DialResult = {
  kind: "REFUSED",
  then: "TERMINAL",
  outcome: "UNREACHABLE",
  code: "NOT_DIALLED",
  message: "A page is not dialled: it comes by itself, or accepts a ring.",
};

/**
 * Carrier adapter for pages, for calls that are already answered. A call lives in the process that has its socket, so
 * an attempt of a dead process has ended in the middle of the conversation.
 */
export class WebCarrier implements Carrier {
  readonly name = "web";
  readonly capabilities = { dedupe: null, looksUpBy: "ATTEMPT_ID", absenceIsProof: false, horizonMs: 0 } as const;
  readonly #callMedias = new Map<string, WebCallMedia>();

  /** Registers a call's media under its attempt. */
  add(attemptId: string, callMedia: WebCallMedia): void {
    this.#callMedias.set(attemptId, callMedia);
  }

  dial(): Promise<DialResult> {
    return Promise.resolve(REFUSED);
  }

  async lookUp({ attemptId }: AskedAttempt): Promise<LookUpResult> {
    return {
      kind: "ENDED",
      event: {
        type: "ENDED",
        eventKey: attemptId,
        attemptId,
        providerCallId: attemptId,
        at: now().toISOString(),
        outcome: "ANSWERED",
        hungUpBy: "CARRIER",
        sipCode: null,
        reason: "The process that held the page's connection stopped.",
      },
    };
  }

  async hangUp(attemptId: string): Promise<void> {
    this.#callMedias.get(attemptId)?.hangUp();
    this.#callMedias.delete(attemptId);
  }

  openLine(attemptId: string): Line {
    const line = this.#callMedias.get(attemptId)?.line;
    if (!line) throw new Error("There is no such talk, or it has audio that this process cannot hear.");
    return line;
  }

  openMedia(attemptId: string): MediaSource | null {
    return this.#callMedias.get(attemptId)?.source ?? null;
  }

  showTurns(attemptId: string, turns: readonly ShownTurn[]): void {
    this.#callMedias.get(attemptId)?.showTurns(turns);
  }
}

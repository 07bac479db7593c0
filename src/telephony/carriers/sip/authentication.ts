import { randomBytes } from "node:crypto";
import { answerChallenge, chooseChallenge, type DigestChallenge } from "./digest.ts";
import type { SipRequest, SipResponse } from "./sip-message.ts";

/** A user name and its password. */
export interface Credentials {
  username: string;
  password: string;
}

/** Headers of a proxy and of the far end itself; both may ask. */
const KINDS = [
  { status: 401, asks: "WWW-Authenticate", answers: "Authorization" },
  { status: 407, asks: "Proxy-Authenticate", answers: "Proxy-Authorization" },
] as const;

interface Lesson {
  challenge: DigestChallenge;
  /** How often its nonce was used. */
  count: number;
}

/**
 * Answers the challenges of one call, or of one registration (RFC 3261, 22). What was asked once is answered from the
 * first request on, with a count that grows.
 */
export class Authentication {
  readonly #credentials: Credentials | null;
  readonly #lessons = new Map<string, Lesson>();

  /** Null: nothing can be answered. */
  constructor(credentials: Credentials | null) {
    this.#credentials = credentials;
  }

  /** Puts credentials into a request that is about to leave, as far as they were asked for. */
  sign(request: SipRequest): void {
    if (!this.#credentials) return;
    for (const { answers } of KINDS) {
      const lesson = this.#lessons.get(answers);
      if (!lesson) continue;
      const { method, uri, body } = request;
      const cnonce = randomBytes(16).toString("hex");
      const question = { challenge: lesson.challenge, method, uri, body, nonceCount: ++lesson.count, cnonce };
      request.headers.set(answers, answerChallenge({ ...question, ...this.#credentials }));
    }
  }

  /**
   * Learns from a 401 or 407; true when the request is to be sent again. Credentials that were refused are not tried
   * again, unless only the nonce was too old.
   */
  learn(request: SipRequest, response: SipResponse): boolean {
    const kind = KINDS.find(({ status }) => status === response.status);
    if (!kind || !this.#credentials) return false;
    const challenge = chooseChallenge(response.headers.getAll(kind.asks));
    if (!challenge) return false;
    const wasSigned = request.headers.get(kind.answers) !== undefined;
    const isSameNonce = this.#lessons.get(kind.answers)?.challenge.nonce === challenge.nonce;
    // A nonce that lived in an earlier request may have ended without the server saying so.
    const mayBeOld = challenge.stale || (this.#lessons.get(kind.answers)?.count ?? 0) > 1;
    if (wasSigned && (isSameNonce || !mayBeOld)) return false;
    this.#lessons.set(kind.answers, { challenge, count: 0 });
    return true;
  }
}

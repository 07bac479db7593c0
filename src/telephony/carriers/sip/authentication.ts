import { randomBytes } from "node:crypto";
import { answerChallenge, chooseChallenge, type DigestChallenge } from "./digest.ts";
import type { SipRequest, SipResponse } from "./sip-message.ts";

/** A user name and its password. */
export interface Credentials {
  username: string;
  password: string;
}

/** Challenge and answer headers of the far end itself and of a proxy; both may challenge. */
const KINDS = [
  { status: 401, asks: "WWW-Authenticate", answers: "Authorization" },
  { status: 407, asks: "Proxy-Authenticate", answers: "Proxy-Authorization" },
] as const;

interface Lesson {
  challenge: DigestChallenge;
  /** Number of times that its nonce was used. */
  count: number;
}

/**
 * Answers the challenges of one call, or of one registration (RFC 3261, 22). After a challenge, every request is signed
 * from the start, with a growing nonce count.
 */
export class Authentication {
  readonly #credentials: Credentials | null;
  readonly #lessons = new Map<string, Lesson>();

  /** Null: no challenge can be answered. */
  constructor(credentials: Credentials | null) {
    this.#credentials = credentials;
  }

  /** Adds credentials to a request about to be sent, for each challenge received so far. */
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
   * Stores the challenge of a 401 or 407; true when the request is to be sent again. Refused credentials are not tried
   * again, unless only the nonce was too old.
   */
  learn(request: SipRequest, response: SipResponse): boolean {
    const kind = KINDS.find(({ status }) => status === response.status);
    if (!kind || !this.#credentials) return false;
    const challenge = chooseChallenge(response.headers.getAll(kind.asks));
    if (!challenge) return false;
    const wasSigned = request.headers.get(kind.answers) !== undefined;
    const isSameNonce = this.#lessons.get(kind.answers)?.challenge.nonce === challenge.nonce;
    // A nonce used in an earlier request may have expired without the server saying so.
    const mayBeOld = challenge.stale || (this.#lessons.get(kind.answers)?.count ?? 0) > 1;
    if (wasSigned && (isSameNonce || !mayBeOld)) return false;
    this.#lessons.set(kind.answers, { challenge, count: 0 });
    return true;
  }
}

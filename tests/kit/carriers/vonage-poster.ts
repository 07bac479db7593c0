import { createHash, createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import type { DialPlan } from "./fake-carrier.ts";

/** Identity for which a Vonage webhook is signed. */
export interface VonageIdentity {
  apiKey: string;
  applicationId: string;
  signatureSecret: string;
}

/** Answer to a webhook. */
export interface PosterReply {
  status: number;
  body: string;
}

const LATE_MS = 2_000;

/** Returns a token as Vonage signs its webhooks: HS256 over the hash of the body. `claims` replaces some claims. */
export function signWebhook(identity: VonageIdentity, body: string, claims: Record<string, unknown> = {}): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const payload = {
    iat: Math.floor(Date.now() / 1_000),
    jti: randomUUID(),
    iss: "Vonage",
    payload_hash: createHash("sha256").update(body).digest("hex"),
    api_key: identity.apiKey,
    application_id: identity.applicationId,
    ...claims,
  };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(payload)}`;
  return `${signed}.${createHmac("sha256", identity.signatureSecret).update(signed).digest("base64url")}`;
}

/** Posts webhooks, each in the way that a plan says, in the order given. */
export class VonagePoster {
  /** All answers, in order. */
  readonly replies: PosterReply[] = [];
  readonly #identity: VonageIdentity;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(identity: VonageIdentity) {
    this.#identity = identity;
  }

  /** Posts one event in the way of `mode`. */
  async post(url: string, event: object, mode: DialPlan["webhooks"]): Promise<void> {
    if (mode === "LOST" || this.#isClosed) return;
    if (mode === "LATE") await this.#sleep(LATE_MS);
    const identity = mode === "FORGED" ? { ...this.#identity, signatureSecret: "another-secret" } : this.#identity;
    for (let count = mode === "TWICE" ? 2 : 1; count > 0; count--) await this.send(url, event, identity);
  }

  /** Posts once and returns the answer; a receiver that is down is status 0. */
  async send(url: string, event: object, identity = this.#identity): Promise<PosterReply> {
    if (this.#isClosed) return { status: 0, body: "" };
    const body = JSON.stringify(event);
    const authorization = `Bearer ${signWebhook(identity, body)}`;
    const reply = await postJson(url, body, authorization);
    this.replies.push(reply);
    return reply;
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }
}

function postJson(url: string, body: string, authorization: string): Promise<PosterReply> {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), authorization };
  return new Promise((resolve) => {
    const call = request(url, { method: "POST", headers, timeout: 5_000 }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on("data", (piece: Buffer) => pieces.push(piece));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
      reply.on("error", () => resolve({ status: 0, body: "" }));
    });
    call.on("error", () => resolve({ status: 0, body: "" }));
    call.on("timeout", () => call.destroy());
    call.end(body);
  });
}

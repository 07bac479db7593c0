import { WebhookVerificationError } from "./errors.ts";
import { parseExactly } from "./exact-json.ts";
import type { WebhookEvent } from "./webhook-types.ts";

/** The secret that `authMode` adds to the signature, as set on the job or the session webhook. */
export type WebhookAuth =
  | { mode: "BEARER"; secret: string }
  | { mode: "CUSTOM_HEADER"; headerName: string; headerValue: string };

/** Headers as a `Request` or as Node's `IncomingMessage` has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** Body of a request as it arrived, before anything parsed it: any other text has another signature. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Secrets and limits for verifying a delivery. */
export interface VerifyOptions {
  /** `whsec_…`, shown once when the webhook was set; several while one replaces another: any of them is accepted. */
  signingSecret: string | readonly string[];
  /** Required in addition where `authMode` is BEARER or CUSTOM_HEADER. */
  auth?: WebhookAuth;
  /** Largest difference in seconds between the signature's time and this machine's clock; 300 when left out. */
  toleranceSeconds?: number;
  /** The time to compare with; now when left out. */
  now?: Date;
}

/** Facts about a delivery that a receiver needs before it reads the body. */
export interface WebhookDelivery {
  eventType: string;
  /** The same for every attempt: store it, and drop an event that was handled before. */
  eventId: string;
  /** 1 for the first. */
  attempt: number;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const SIGNATURE_BYTES = 32;
const encoder = new TextEncoder();

/**
 * Verifies a delivery by Standard Webhooks 1.0 (HMAC-SHA256 of id, time and raw body) and resolves to its event. An event
 * type that this SDK does not know is given as it came. Rejects with WebhookVerificationError when the signature, its
 * time or the agreed secret is missing or wrong: answer that with a 401. Throws TypeError at once when it is not given a
 * signing secret or the raw body: that is a fault of the receiver, and no delivery passes.
 */
export function verify(headers: WebhookHeaders, body: RawBody, options: VerifyOptions): Promise<WebhookEvent> {
  const keys = readSecrets(options);
  const bytes = readBody(body);
  checkAuth(options.auth);
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options;
  if (!(toleranceSeconds >= 0)) throw new TypeError("toleranceSeconds must be a number of seconds, 0 or more.");
  return verifyWith(headers, bytes, { keys, auth: options.auth, toleranceSeconds, nowMs: now.getTime() });
}

interface Checks {
  keys: Bytes[];
  auth: WebhookAuth | undefined;
  toleranceSeconds: number;
  nowMs: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

async function verifyWith(headers: WebhookHeaders, body: Bytes, checks: Checks): Promise<WebhookEvent> {
  const id = need(headers, "webhook-id");
  const time = need(headers, "webhook-timestamp");
  const signatures = need(headers, "webhook-signature");
  checkTime(time, checks);
  const signed = join(encoder.encode(`${id}.${time}.`), body);
  if (!(await isSigned(signed, readSignatures(signatures), checks.keys))) {
    throw new WebhookVerificationError("The signature does not fit the body and the signing secret.");
  }
  if (checks.auth && !carriesSecret(headers, checks.auth)) {
    throw new WebhookVerificationError("The webhook does not carry the agreed secret.");
  }
  return readEvent(body);
}

/** Returns the delivery's event type, event id and attempt from its headers, without verifying them. */
export function delivery(headers: WebhookHeaders): WebhookDelivery {
  return {
    eventType: read(headers, "x-service-event-type"),
    eventId: read(headers, "x-service-event-id"),
    attempt: Number(read(headers, "x-service-delivery-attempt")),
  };
}

function readSecrets(options: VerifyOptions | undefined): Bytes[] {
  const given = options?.signingSecret;
  const secrets = typeof given === "string" ? [given] : (given ?? []);
  const keys = secrets.map((secret) => decode(secret.startsWith(SECRET_PREFIX) ? secret.slice(6) : secret));
  const isUsable = keys.length > 0 && keys.every((key) => key !== null && key.length >= 24 && key.length <= 64);
  if (!isUsable) {
    throw new TypeError("signingSecret must be the whsec_… secret that was shown when the webhook was set.");
  }
  return keys as Bytes[];
}

function readBody(body: RawBody): Bytes {
  if (typeof body === "string") return encoder.encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError("body must be the raw body, as text or bytes; what JSON.parse made of it has another signature.");
}

function checkAuth(auth: WebhookAuth | undefined): void {
  const value = auth?.mode === "BEARER" ? auth.secret : auth?.mode === "CUSTOM_HEADER" ? auth.headerValue : undefined;
  if (auth !== undefined && !value) {
    throw new TypeError("auth must be { mode: BEARER, secret } or { mode: CUSTOM_HEADER, headerName, headerValue }.");
  }
}

function checkTime(time: string, { toleranceSeconds, nowMs }: Checks): void {
  if (!/^\d{1,12}$/.test(time)) throw new WebhookVerificationError("webhook-timestamp is no time in seconds.");
  if (Math.abs(nowMs / 1_000 - Number(time)) <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    `webhook-timestamp is more than ${toleranceSeconds} s from this machine's clock: a replay, or a wrong clock.`,
  );
}

/** Returns the v1 signatures of the header; other versions are not made with a shared secret. */
function readSignatures(header: string): Bytes[] {
  return header.split(" ").flatMap((one) => {
    const bytes = one.startsWith("v1,") ? decode(one.slice(3)) : null;
    return bytes?.length === SIGNATURE_BYTES ? [bytes] : [];
  });
}

/** Compares with WebCrypto, in constant time. */
async function isSigned(signed: Bytes, signatures: Bytes[], keys: Bytes[]): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  let isRight = false;
  for (const key of keys) {
    const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", imported, signature, signed)) isRight = true;
    }
  }
  return isRight;
}

function carriesSecret(headers: WebhookHeaders, auth: WebhookAuth): boolean {
  if (auth.mode === "BEARER") return isSame(read(headers, "authorization"), `Bearer ${auth.secret}`);
  return isSame(read(headers, auth.headerName), auth.headerValue);
}

function readEvent(body: Bytes): WebhookEvent {
  try {
    const event = parseExactly(new TextDecoder().decode(body)) as WebhookEvent | null;
    if (typeof event?.eventType === "string" && typeof event.eventId === "string") return event;
  } catch {
    // Told below like every other body that is no event.
  }
  throw new WebhookVerificationError("The signed body is not an event of the service.");
}

function need(headers: WebhookHeaders, name: string): string {
  const value = read(headers, name);
  if (value === "") throw new WebhookVerificationError(`The header ${name} is missing: the webhook is not signed.`);
  return value;
}

function read(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === wanted) return (Array.isArray(value) ? value[0] : value) ?? "";
  }
  return "";
}

function join(head: Uint8Array, tail: Uint8Array): Bytes {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

/** Returns the bytes of a base64 text; null for any other text. */
function decode(text: string): Bytes | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * Compares in time that reveals only the secret's length: every byte of `given` is looked at. Not taken from
 * node:crypto, so that the SDK also runs outside Node.
 */
function isSame(given: string, expected: string): boolean {
  const left = encoder.encode(given);
  const right = encoder.encode(expected);
  let difference = left.length ^ right.length;
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i % right.length] as number);
  return difference === 0;
}

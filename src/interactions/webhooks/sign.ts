import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** The standard asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{32,88}={0,2}$/;

/** What a webhook is signed over. The body is signed as the exact bytes that are sent. */
export interface SignedParts {
  /** `whsec_` and base64, as `createSigningSecret` makes it; the prefix may be missing. */
  secret: string;
  /** The event's id: the same for every attempt. */
  id: string;
  /** Seconds since 1970 of this attempt; receivers refuse what is too old. */
  timestampSeconds: number;
  body: string | Uint8Array;
}

/** The three headers of Standard Webhooks. */
export interface SignatureHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/** A new secret to share with a receiver: `whsec_` and 32 random bytes in base64. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** True for a text that can be used as a signing secret: 24 to 64 bytes in base64, with or without the prefix. */
export function isSigningSecret(text: string): boolean {
  const encoded = withoutPrefix(text);
  if (!BASE64.test(encoded)) return false;
  const key = Buffer.from(encoded, "base64");
  return key.length >= 24 && key.length <= 64 && key.toString("base64") === encoded;
}

/**
 * Signs one delivery as Standard Webhooks 1.0 asks (HMAC-SHA256 over `id.timestamp.body`, scheme v1). Throws
 * when the secret is not one or the id holds a dot, which would make the signed text ambiguous.
 */
export function signWebhook({ secret, id, timestampSeconds, body }: SignedParts): SignatureHeaders {
  if (!isSigningSecret(secret)) throw new Error("The signing secret must be 24 to 64 bytes in base64.");
  if (id.includes(".")) throw new Error("A webhook id must not hold a dot.");
  const timestamp = String(Math.floor(timestampSeconds));
  const hmac = createHmac("sha256", Buffer.from(withoutPrefix(secret), "base64"));
  const signature = hmac.update(`${id}.${timestamp}.`).update(body).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

function withoutPrefix(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}

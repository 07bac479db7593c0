import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** Length of a new secret; the standard requires 24 to 64 random bytes. */
const SECRET_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{32,88}={0,2}$/;

/** Input of a webhook's signature. The body is signed as the exact bytes that are sent. */
export interface SignedParts {
  /** `whsec_` and base64, as `createSigningSecret` makes it; the prefix may be missing. */
  secret: string;
  /** The event's id: the same for every attempt. */
  id: string;
  /** Time of this attempt in seconds since 1970; receivers refuse old ones. */
  timestampSeconds: number;
  body: string | Uint8Array;
}

/** The three headers of Standard Webhooks. */
export interface SignatureHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/** Creates a secret to share with a receiver: `whsec_` and 32 random bytes in base64. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** True for a text that is a valid signing secret: 24 to 64 bytes in base64, with or without the prefix. */
export function isSigningSecret(text: string): boolean {
  const encoded = withoutPrefix(text);
  if (!BASE64.test(encoded)) return false;
  const key = Buffer.from(encoded, "base64");
  return key.length >= 24 && key.length <= 64 && key.toString("base64") === encoded;
}

/**
 * Signs one delivery by Standard Webhooks 1.0 (HMAC-SHA256 over `id.timestamp.body`, scheme v1). Throws when the secret
 * is invalid or the id contains a dot, which would make the signed text ambiguous.
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

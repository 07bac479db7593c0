import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { toError } from "#src/platform/kernel/errors.ts";

/** Telnyx signs the second of sending; its own SDK accepts a signature for five minutes. */
const TOLERANCE_SECONDS = 300;
/** Prefix of the 32 bytes of an Ed25519 key in DER (RFC 8410, section 4). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** With its padding, as the SDK requires. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Returns why a webhook is not Telnyx's; null when it is genuine and fresh. */
export type VerifyTelnyx = (headers: Headers, body: Buffer, nowMs: number) => string | null;

/**
 * Creates a verifier for webhooks with the public key of one account (base64, as the portal shows it): Ed25519 over the
 * timestamp, a bar and the exact bytes of the body. An invalid key refuses every webhook.
 */
export function createTelnyxVerifier(publicKey: string): VerifyTelnyx {
  const key = readKey(publicKey);
  return (headers, body, nowMs) => {
    if (typeof key === "string") return key;
    const timestamp = headers["telnyx-timestamp"];
    const signature = headers["telnyx-signature-ed25519"];
    if (typeof timestamp !== "string" || typeof signature !== "string") return "It is not signed.";
    if (!/^\d{1,15}$/.test(timestamp)) return "Its timestamp is no number of seconds.";
    if (Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) > TOLERANCE_SECONDS) {
      return "Its timestamp is more than five minutes away from this server's clock.";
    }
    const bytes = BASE64.test(signature) ? Buffer.from(signature, "base64") : Buffer.alloc(0);
    if (bytes.length !== SIGNATURE_BYTES) return "Its signature is not one of Ed25519.";
    const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body]);
    return verify(null, signed, key, bytes) ? null : "Its signature is not of this account's key, or it was changed.";
  };
}

function readKey(text: string): KeyObject | string {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== KEY_BYTES) return "The account's public key is not 32 bytes in base64.";
  try {
    return createPublicKey({ format: "der", type: "spki", key: Buffer.concat([SPKI_PREFIX, bytes]) });
  } catch (error) {
    return `The account's public key cannot be used: ${toError(error).message}`;
  }
}

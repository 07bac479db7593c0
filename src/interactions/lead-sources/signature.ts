import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSigningSecret, signWebhook } from "#src/interactions/webhooks/sign.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { isSameBytes } from "#src/platform/kernel/same-bytes.ts";

/** Ways in which a sender may sign what it sends. */
export const SIGNATURE_KINDS = ["NONE", "HMAC_SHA256", "STANDARD_WEBHOOKS"] as const;
export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** Greatest age of a Standard Webhooks delivery, and greatest lead of its sender's clock. */
const TOLERANCE_MS = 300_000;

/** A delivery whose signature is to be checked, as its bytes arrived. */
export interface SignedDelivery {
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * Returns why the signature of a delivery is not its sender's; null for a good one. HMAC_SHA256 takes the digest of the
 * body in hex or base64, also behind `sha256=`.
 */
export function findSignatureFault(
  kind: SignatureKind,
  header: string | null,
  secret: string,
  { headers, bytes }: SignedDelivery,
): string | null {
  if (kind === "NONE") return null;
  if (kind === "STANDARD_WEBHOOKS") return findStandardFault(secret, headers, bytes);
  const name = (header ?? "").toLowerCase();
  const sent = textOf(headers[name]).replace(/^sha256=/i, "");
  if (sent === "") return `The header ${name} is missing.`;
  const digest = createHmac("sha256", secret).update(bytes).digest();
  const isHex = /^[0-9a-f]{64}$/i.test(sent);
  return isSameBytes(Buffer.from(sent, isHex ? "hex" : "base64"), digest) ? null : `The signature in ${name} is wrong.`;
}

function findStandardFault(secret: string, headers: IncomingHttpHeaders, bytes: Buffer): string | null {
  const id = textOf(headers["webhook-id"]);
  const timestamp = textOf(headers["webhook-timestamp"]);
  if (id === "" || id.includes(".") || !/^\d{1,12}$/.test(timestamp)) {
    return "webhook-id or webhook-timestamp is missing or malformed.";
  }
  const timestampSeconds = Number(timestamp);
  if (Math.abs(nowMs() - timestampSeconds * 1000) > TOLERANCE_MS)
    return "webhook-timestamp is not within five minutes.";
  const expected = signWebhook({ secret, id, timestampSeconds, body: bytes })["webhook-signature"];
  const sent = textOf(headers["webhook-signature"]).split(" ");
  const isGood = sent.some((one) => isSameBytes(Buffer.from(one), Buffer.from(expected)));
  return isGood ? null : "webhook-signature is wrong.";
}

/** True for a secret that this kind of signature can use. */
export function fitsSignature(kind: SignatureKind, secret: string): boolean {
  return kind !== "STANDARD_WEBHOOKS" || isSigningSecret(secret);
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

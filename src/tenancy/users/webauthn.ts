import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { isIP } from "node:net";
import { type Static, Type } from "#src/platform/http/schemas.ts";
import { isSameBytes } from "#src/platform/kernel/same-bytes.ts";

/** This server to an authenticator: passkeys are bound to the host name, and answers name the origin. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the relying party of a public address; null where browsers offer no passkeys: at a bare IP address, and over
 * plain http from other machines.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isBare = isIP(hostname) !== 0 || hostname.startsWith("[");
  const isSecure = protocol === "https:" || /(^|\.)localhost$/.test(hostname);
  return isBare || !isSecure ? null : { id: hostname, origin };
}

const Bytes = Type.String({ maxLength: 4_000, pattern: "^[A-Za-z0-9_-]*$", description: "base64url." });

/** Answer of an authenticator that made a passkey: parts of RegistrationResponseJSON (WebAuthn, 5.1). */
export const NewPasskeyAnswer = Type.Object({
  id: Bytes,
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    publicKey: Bytes,
    transports: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 }),
  }),
});
export type NewPasskeyAnswer = Static<typeof NewPasskeyAnswer>;

/** Answer of an authenticator that signed a challenge: parts of AuthenticationResponseJSON (WebAuthn, 5.1). */
export const PasskeyAnswer = Type.Object({
  id: Bytes,
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.Optional(Bytes),
  }),
});
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** Expectations that an answer is checked against. */
export interface Expected {
  party: RelyingParty;
  /** base64url, as it was sent. */
  challenge: string;
}

/** A passkey as it was made. */
export interface MadePasskey {
  credentialId: Buffer;
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Buffer;
  signCount: number;
  isBackedUp: boolean;
}

/** Algorithms by COSE number, best first: Ed25519, ES256, RS256 (Windows Hello). */
export const ALGORITHMS = [-8, -7, -257];
const MIN_RSA_BITS = 2_048;

/** Flags of authenticator data (WebAuthn, 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;
const HEAD_BYTES = 37;
const AAGUID_BYTES = 16;

/**
 * Checks the answer to a request for a new passkey (WebAuthn, 7.1); null when anything about it is wrong. No
 * attestation is asked for, so nothing here is signed: the page itself names the key that the person will show, and
 * the DER form that browsers give is as good as the CBOR of the authenticator.
 */
export function checkNewPasskey({ id, response }: NewPasskeyAnswer, expected: Expected): MadePasskey | null {
  if (!isClientData(response.clientDataJSON, "webauthn.create", expected)) return null;
  const data = readAuthenticatorData(response.authenticatorData, expected.party);
  if (!data?.credentialId || !data.credentialId.equals(fromBase64Url(id))) return null;
  const publicKey = fromBase64Url(response.publicKey);
  if (!readKey(publicKey)) return null;
  return { credentialId: data.credentialId, publicKey, signCount: data.signCount, isBackedUp: data.isBackedUp };
}

/** Checks a signed challenge (WebAuthn, 7.2); null when anything about it is wrong, else the authenticator's counter. */
export function checkPasskey(
  { response }: PasskeyAnswer,
  publicKey: Buffer,
  expected: Expected,
): { signCount: number; isBackedUp: boolean } | null {
  if (!isClientData(response.clientDataJSON, "webauthn.get", expected)) return null;
  const data = readAuthenticatorData(response.authenticatorData, expected.party);
  const key = readKey(publicKey);
  if (!data || !key) return null;
  const signed = Buffer.concat([
    fromBase64Url(response.authenticatorData),
    sha256(fromBase64Url(response.clientDataJSON)),
  ]);
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return verify(digest, signed, key, fromBase64Url(response.signature)) ? data : null;
}

/** Returns the bytes of a base64url text. */
export function fromBase64Url(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

function isClientData(encoded: string, type: string, { party, challenge }: Expected): boolean {
  let data: Record<string, unknown>;
  try {
    data = (JSON.parse(fromBase64Url(encoded).toString("utf8")) ?? {}) as Record<string, unknown>;
  } catch {
    return false;
  }
  if (data.type !== type || data.origin !== party.origin || data.crossOrigin === true) return false;
  return isSameBytes(Buffer.from(String(data.challenge)), Buffer.from(challenge));
}

interface AuthenticatorData {
  signCount: number;
  isBackedUp: boolean;
  credentialId: Buffer | null;
}

/** Reads authenticator data; null for another relying party, or unless the person was there and was verified. */
function readAuthenticatorData(encoded: string, { id }: RelyingParty): AuthenticatorData | null {
  const bytes = fromBase64Url(encoded);
  if (bytes.length < HEAD_BYTES || !bytes.subarray(0, 32).equals(sha256(Buffer.from(id)))) return null;
  const flags = bytes.readUInt8(32);
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) return null;
  const credentialId =
    (flags & HAS_CREDENTIAL) === 0 ? null : readCredentialId(bytes.subarray(HEAD_BYTES + AAGUID_BYTES));
  return { signCount: bytes.readUInt32BE(33), isBackedUp: (flags & BACKED_UP) !== 0, credentialId };
}

function readCredentialId(bytes: Buffer): Buffer | null {
  const length = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  return length > 0 && length <= 1_023 && bytes.length >= 2 + length ? bytes.subarray(2, 2 + length) : null;
}

/** Returns a key of one of the algorithms that were asked for; null for any other and for bytes that are no key. */
function readKey(der: Buffer): KeyObject | null {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return null;
  }
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "ed25519":
      return key;
    case "ec":
      return namedCurve === "prime256v1" ? key : null;
    case "rsa":
      return modulusLength >= MIN_RSA_BITS ? key : null;
    default:
      return null;
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

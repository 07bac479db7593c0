import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** Parts of an authenticator's answer; a test replaces what a hostile page would. */
export interface Twist {
  origin?: string;
  type?: string;
  rpId?: string;
  flags?: number;
  crossOrigin?: boolean;
  signCount?: number;
}

interface Options {
  challenge: string;
  user?: { id: string };
}

const PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

/** A security key in software: one passkey, made and shown as WebAuthn, section 6 says. */
export class Authenticator {
  readonly id = randomBytes(24);
  handle = "";
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  readonly #origin: string;
  #count = 0;

  constructor(origin: string, kind: "ec" | "ed25519" | "rsa" | "p384" = "ec") {
    this.#origin = origin;
    const { privateKey, publicKey } = makeKeys(kind);
    this.#key = privateKey;
    this.#publicKey = publicKey.export({ format: "der", type: "spki" });
  }

  /** Makes the passkey. */
  create({ challenge, user }: Options, twist: Twist = {}): object {
    this.handle = user?.id ?? "";
    const flags = (twist.flags ?? PRESENT_AND_VERIFIED) | HAS_CREDENTIAL;
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id]);
    return {
      id: this.id.toString("base64url"),
      response: {
        clientDataJSON: this.#clientData("webauthn.create", challenge, twist),
        authenticatorData: Buffer.concat([this.#head({ ...twist, flags }), attested]).toString("base64url"),
        publicKey: this.#publicKey.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Signs a challenge. */
  get({ challenge }: Options, twist: Twist = {}): { id: string; response: Record<string, string> } {
    const clientDataJSON = this.#clientData("webauthn.get", challenge, twist);
    const data = this.#head({ signCount: ++this.#count, ...twist });
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    const digest = this.#key.asymmetricKeyType === "ed25519" ? null : "sha256";
    return {
      id: this.id.toString("base64url"),
      response: {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature: sign(digest, signed, this.#key).toString("base64url"),
        userHandle: this.handle,
      },
    };
  }

  #clientData(
    type: string,
    challenge: string,
    { origin = this.#origin, crossOrigin = false, ...twist }: Twist,
  ): string {
    const data = { type: twist.type ?? type, challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(data)).toString("base64url");
  }

  #head({ rpId = new URL(this.#origin).hostname, flags = PRESENT_AND_VERIFIED, signCount = 0 }: Twist): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count]);
  }
}

function makeKeys(kind: "ec" | "ed25519" | "rsa" | "p384") {
  if (kind === "ed25519") return generateKeyPairSync("ed25519");
  if (kind === "rsa") return generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return generateKeyPairSync("ec", { namedCurve: kind === "p384" ? "P-384" : "P-256" });
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

import { createHash, createHmac } from "node:crypto";
import { isSameBytes } from "#src/platform/kernel/same-bytes.ts";
import { asJson, asText, type Json } from "./vonage-json.ts";

/** Inputs of a signature check. */
export interface SignatureCheck {
  /** The Authorization header as received. */
  authorization: string | string[] | undefined;
  /** The exact bytes. */
  body: Buffer;
  signatureSecret: string;
  apiKey: string;
  applicationId: string;
  nowMs: number;
}

/** The verdict; `message` says what is wrong, and holds no secret. */
export type SignatureVerdict = { isGenuine: true } | { isGenuine: false; message: string };

/** Vonage signs each request again when it sends it, so an older token is a replay. */
const MAX_AGE_SECONDS = 300;
const MAX_AHEAD_SECONDS = 60;
const HOW_TO_MEND =
  "Switch signed webhooks on for the application in the Vonage dashboard, and enter the signature secret of its API settings.";

/**
 * Verifies a signed webhook: a JWT (HS256) with the account's signature secret over the hash of the body. It is bound
 * to the account and the application, but not to the URL: the effects of a body must therefore depend on its own ids.
 */
export function verifySignature(check: SignatureCheck): SignatureVerdict {
  const header = typeof check.authorization === "string" ? check.authorization : "";
  const [, head, payload, signature] = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i.exec(header.trim()) ?? [];
  if (!head || !payload || !signature || check.signatureSecret === "")
    return forged(`The webhook is not signed. ${HOW_TO_MEND}`);
  if (decode(head).alg !== "HS256") return forged("The webhook's token is not of the kind HS256.");
  const wanted = createHmac("sha256", check.signatureSecret).update(`${head}.${payload}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (!isSameBytes(given, wanted)) {
    return forged(`The webhook is not signed with the account's signature secret. ${HOW_TO_MEND}`);
  }
  return checkClaims(decode(payload), check);
}

function checkClaims(claims: Json, check: SignatureCheck): SignatureVerdict {
  const { iat, exp, nbf, iss, payload_hash: hash } = claims;
  const now = check.nowMs / 1_000;
  if (iss !== "Vonage") return forged("The webhook's token was not issued by Vonage.");
  if (typeof iat !== "number" || iat < now - MAX_AGE_SECONDS || iat > now + MAX_AHEAD_SECONDS) {
    return forged("The webhook's token is too old or from the future. Check this server's clock.");
  }
  if (typeof exp === "number" && exp < now - MAX_AHEAD_SECONDS) return forged("The webhook's token has expired.");
  if (typeof nbf === "number" && nbf > now + MAX_AHEAD_SECONDS) return forged("The webhook's token is not valid yet.");
  const isOurs =
    (claims.api_key === undefined || claims.api_key === check.apiKey) &&
    (claims.application_id === undefined || asText(claims.application_id)?.toLowerCase() === check.applicationId);
  if (!isOurs) return forged("The webhook is another account's or application's.");
  const wanted = createHash("sha256").update(check.body).digest("hex");
  if (typeof hash !== "string" || hash.toLowerCase() !== wanted) {
    return forged("The webhook's body is not the one that was signed.");
  }
  return { isGenuine: true };
}

function decode(part: string): Json {
  try {
    return asJson(JSON.parse(Buffer.from(part, "base64url").toString()));
  } catch {
    return {};
  }
}

function forged(message: string): SignatureVerdict {
  return { isGenuine: false, message };
}

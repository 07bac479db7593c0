import { createHmac } from "node:crypto";
import { isSameBytes } from "#src/platform/kernel/same-bytes.ts";

/**
 * True when Twilio signed a request: HMAC-SHA1 over the address and the fields of the form, by name. The signature
 * holds no time, so a replayed request is valid too; its events have a key and count once.
 */
export function isSignedByTwilio(
  authToken: string,
  signature: string,
  url: string,
  form: URLSearchParams | null,
): boolean {
  const given = Buffer.from(signature);
  const fields = form ? writeFields(form) : "";
  return spellingsOf(url).some((spelling) => {
    const wanted = Buffer.from(
      createHmac("sha1", authToken)
        .update(spelling + fields)
        .digest("base64"),
    );
    return isSameBytes(given, wanted);
  });
}

/** Writes the fields; a repeated field is written once for each distinct value. */
function writeFields(form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  return names
    .map((name) =>
      [...new Set(form.getAll(name))]
        .sort()
        .map((value) => name + value)
        .join(""),
    )
    .join("");
}

/** Returns the address with and without its port: Twilio signs either form. */
function spellingsOf(url: string): string[] {
  const parts = /^(https?:\/\/)([^/?#]*?)(:\d+)?([/?#].*)?$/i.exec(url);
  if (!parts) return [url];
  const [, scheme = "", host = "", port = "", rest = ""] = parts;
  const usual = scheme.toLowerCase() === "https://" ? ":443" : ":80";
  return [url, scheme + host + rest, scheme + host + (port || usual) + rest];
}

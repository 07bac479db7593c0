import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Whether Twilio signed a request: HMAC-SHA1 over the address and the fields of the form, by name. There is no time in
 * it, so a copy of a request is as good as the request: what it tells has a key, and counts once.
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
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
}

/** A field that comes several times counts once for each value it has. */
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

/** Twilio signs the address it was given, or the same with or without its port. */
function spellingsOf(url: string): string[] {
  const parts = /^(https?:\/\/)([^/?#]*?)(:\d+)?([/?#].*)?$/i.exec(url);
  if (!parts) return [url];
  const [, scheme = "", host = "", port = "", rest = ""] = parts;
  const usual = scheme.toLowerCase() === "https://" ? ":443" : ":80";
  return [url, scheme + host + rest, scheme + host + (port || usual) + rest];
}

import { createHash, createHmac, randomBytes } from "node:crypto";

/** Returns an id in Twilio's format: two letters and 32 hexadecimal digits. */
export function newSid(prefix: string): string {
  return prefix + randomBytes(16).toString("hex");
}

/** Returns the id that a number has in every run. */
export function sidOfNumber(number: string): string {
  return `PN${createHash("md5").update(number).digest("hex")}`;
}

/** Signs a form as Twilio does. */
export function signForm(authToken: string, url: string, form: Record<string, string>): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => name + form[name])
    .join("");
  return createHmac("sha1", authToken)
    .update(url + fields)
    .digest("base64");
}

/** Returns a date in Twilio's format: RFC 2822, whole seconds. */
export function writeDate(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}

/** A webhook as it was posted, and its answer. */
export interface PostedForm {
  url: string;
  form: Record<string, string>;
  status: number;
  answer: string;
}

/** Posts a signed form; a server that is not there answers 0. */
export async function postForm(authToken: string, url: string, form: Record<string, string>): Promise<PostedForm> {
  const body = new URLSearchParams(form).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    "x-twilio-signature": signForm(authToken, url, form),
    "user-agent": "TwilioProxy/1.1",
  };
  try {
    const reply = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(15_000) });
    return { url, form, status: reply.status, answer: await reply.text() };
  } catch {
    return { url, form, status: 0, answer: "" };
  }
}

/** Returns an attribute of the first such element in Twilio's markup; null when it is absent. */
export function readAttribute(markup: string, element: string, attribute: string): string | null {
  const tag = new RegExp(`<${element}\\b([^>]*)>`).exec(markup)?.[1] ?? "";
  const value = new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined
    ? null
    : value
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&apos;", "'")
        .replaceAll("&amp;", "&");
}

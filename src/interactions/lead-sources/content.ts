import type { IncomingHttpHeaders } from "node:http";
import { assertPlainText, mediaType } from "#src/platform/http/body.ts";
import { parseJson } from "#src/platform/http/json.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";
import { type Refusal, refuse } from "./lead.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = /^application\/([\w.-]+\+)?json$/;

/** A delivery's body: as text that can be stored, and as the value that paths lead through. */
export interface LeadContent {
  text: string | null;
  body: unknown;
}

/** Reads the body of a delivery as JSON or form fields, or says why it is neither. The text is kept in both cases. */
export function readContent(headers: IncomingHttpHeaders, bytes: Buffer): LeadContent | (LeadContent & Refusal) {
  const nothing = { text: null, body: null };
  const type = mediaType(headers["content-type"]);
  if (!JSON_TYPE.test(type) && type !== FORM) {
    return { ...nothing, ...refuse("CONTENT_TYPE", `Send Content-Type application/json or ${FORM}.`) };
  }
  let text: string | null = null;
  try {
    assertPlainText(headers);
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text: toStorableText(text), body: type === FORM ? readForm(text) : parseJson(text) };
  } catch (error) {
    const kept = { text: text === null ? null : toStorableText(text), body: null };
    if (text === null && !(error instanceof AppError)) return { ...kept, ...refuse("BODY", "It is not valid UTF-8.") };
    if (!(error instanceof AppError)) throw error;
    return { ...kept, ...refuse(error.status === 415 ? "CONTENT_TYPE" : "BODY", toStorableText(error.message)) };
  }
}

/** Returns form fields by their names; a name that comes more than once has a list. */
export function readForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const key = toStorableText(name);
    if (key === "__proto__") continue;
    const values = fields.get(key);
    if (values) values.push(toStorableText(value));
    else fields.set(key, [toStorableText(value)]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  );
}

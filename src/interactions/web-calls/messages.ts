import { parseObject } from "#src/platform/kernel/json-object.ts";

/** Mode of a call over the web: with microphone and loudspeaker, or by typing. */
export type WebCallMode = "AUDIO" | "TEXT";

/** Text messages from a page. Binary messages are audio frames. */
export type FromPage =
  | { type: "hello"; token: string }
  | { type: "accept"; mode: WebCallMode }
  | { type: "decline" }
  | { type: "text"; text: string }
  | { type: "digits"; digits: string }
  | { type: "hangup" };

/** Reasons that a page gets for the end of a call, or for one that did not start. */
export type EndCause = "AGENT" | "PERSON" | "DECLINED" | "MISSED" | "GONE" | "BUSY" | "FULL";

/** Text messages to a page. */
export type ToPage =
  | { type: "ready"; kind: "CALL" | "PHONE"; name: string | null; audio: boolean; audioReason: string | null }
  | { type: "ringing"; callRowId: string; displayName: string | null; expiresAt: string }
  | { type: "started"; callRowId: string; mode: WebCallMode }
  | { type: "text"; text: string }
  | { type: "transcript"; index: number; role: "ASSISTANT" | "USER"; text: string }
  | { type: "digits"; digits: string }
  | { type: "ended"; callRowId: string; reason: EndCause }
  | { type: "error"; code: "MALFORMED" | "NOT_NOW"; message: string };

/** Bytes of a frame: 20 ms of mu-law at 8 kHz. */
export const FRAME_BYTES = 160;
/** Maximum characters of one typed message. */
export const MAX_TEXT = 2_000;

const TOKEN = /^w[cp]t_[0-9A-Za-z]{44}$/;
const DIGITS = /^[0-9*#]{1,32}$/;

/** Parses a page's message; null when it is malformed. */
export function readMessage(json: string): FromPage | null {
  const message = parseObject(json);
  switch (message?.type) {
    case "hello":
      return isText(message.token, TOKEN) ? { type: "hello", token: message.token } : null;
    case "accept":
      return message.mode === "AUDIO" || message.mode === "TEXT" ? { type: "accept", mode: message.mode } : null;
    case "text": {
      if (!isText(message.text, /\S/) || message.text.length > MAX_TEXT) return null;
      return { type: "text", text: message.text.toWellFormed().replaceAll("\u0000", "").trim() };
    }
    case "digits":
      return isText(message.digits, DIGITS) ? { type: "digits", digits: message.digits } : null;
    case "decline":
    case "hangup":
      return { type: message.type };
    default:
      return null;
  }
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}

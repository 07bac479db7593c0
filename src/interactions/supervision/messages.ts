import { parseObject } from "#src/platform/kernel/json-object.ts";

/**
 * Audience of a supervisor: nobody, the agent's side alone, or everybody. TAKE_OVER: everybody, and the agent is
 * silent.
 */
export const SUPERVISION_MODES = ["LISTEN", "WHISPER", "BARGE", "TAKE_OVER"] as const;
export type SupervisionMode = (typeof SUPERVISION_MODES)[number];

/** Bytes of a supervisor's frame: 20 ms of mu-law at 8 kHz. */
export const FRAME_BYTES = 160;

/** Text messages from a supervisor. Binary messages are audio frames. */
export type FromSupervisor = { type: "hello"; token: string } | { type: "mode"; mode: SupervisionMode };

/** Text messages to a supervisor. */
export type ToSupervisor =
  | { type: "ready"; callRowId: string; mode: SupervisionMode }
  | { type: "mode"; mode: SupervisionMode }
  | { type: "ended"; callRowId: string }
  | { type: "error"; code: "MALFORMED" | "NOT_NOW"; message: string };

const TOKEN = /^csv_[0-9A-Za-z]{44}$/;

/** Parses a supervisor's message; null when it is malformed. */
export function readMessage(json: string): FromSupervisor | null {
  const message = parseObject(json);
  if (message === null) return null;
  const { token } = message;
  if (message.type === "hello") return typeof token === "string" && TOKEN.test(token) ? { type: "hello", token } : null;
  const mode = SUPERVISION_MODES.find((one) => one === message.mode);
  return mode ? { type: "mode", mode } : null;
}

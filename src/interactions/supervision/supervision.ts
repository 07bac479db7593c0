import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents, type EventType } from "#src/platform/events/events.ts";
import { type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";

/** Path of the WebSocket that supervisors open. */
export const SUPERVISION_PATH = "/api/call-supervision/socket";
const MAX_NOTE_CHARACTERS = 1_000;

/** Reply of POST /call-rows/{rowId}/supervise. */
export const Supervision = Type.Object(
  {
    token: Type.String({ description: "For the first message of the WebSocket; good for one connection." }),
    socketUrl: Type.String(),
    expiresAt: Timestamp,
  },
  { $id: "Supervision" },
);
export type Supervision = Static<typeof Supervision>;

/** Body of POST /call-rows/{rowId}/whisper. */
export const Whisper = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: MAX_NOTE_CHARACTERS, description: "What the agent is to know." }) },
  { $id: "Whisper" },
);

/** Reply of POST /call-rows/{rowId}/whisper. */
export const Whispered = Type.Object(
  { callRowId: Uuid, text: Type.String({ description: "As the agent reads it." }) },
  { $id: "Whispered" },
);

/** Body of POST /call-rows/{rowId}/say. */
export const SaidWords = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: MAX_NOTE_CHARACTERS, description: "What the person is to hear." }) },
  { $id: "SaidWords" },
);

/** Reply of POST /call-rows/{rowId}/say. */
export const AcceptedWords = Type.Object(
  { callRowId: Uuid, text: Type.String({ description: "As the agent's voice says it." }) },
  { $id: "AcceptedWords" },
);

/** Reply of POST /call-rows/{rowId}/end. */
export const EndedCall = Type.Object(
  { callRowId: Uuid, ending: Type.Boolean({ description: "The call ends now; read its row for what came of it." }) },
  { $id: "EndedCall" },
);

/** A supervisor and the call. */
export interface Supervised {
  workspaceId: string;
  rowId: string;
  /** Id of a key, a client, or a user account. */
  credentialId: string;
  /** Session of a user, which must last as long as they listen. */
  sessionId: string | null;
}

/** Records a supervisor's action in the call's events, in the caller's transaction. */
export function noteSupervision(
  tx: Executor,
  { workspaceId, rowId, credentialId }: Omit<Supervised, "sessionId">,
  type: Extract<EventType, `call.supervision_${string}` | "call.whispered" | "call.words_said" | "call.end_requested">,
  more: Record<string, unknown> = {},
): Promise<void> {
  return appendEvents(tx, workspaceId, [{ type, subjectId: rowId, data: { credentialId, ...more } }]);
}

/** Returns the text of a note to the agent; 422 when it is empty. */
export function readNote(text: string): string {
  const note = text.replaceAll("\u0000", "").toWellFormed().trim();
  if (note === "") throw fieldError("text", "EMPTY", "must say something.");
  return note;
}

const WHY = {
  OVER: "The call is over.",
  UNANSWERED: "The call has not been answered. Ask again when its status is IN_PROGRESS.",
  TEXT: "The call is held in text, so there is nothing to hear. Send its agent a note with POST /whisper, or have your words said with POST /say.",
  FULL: "Ten texts wait to be said already. Ask again when one was said.",
  WAITS: "The call has not been dialled yet, or waits for its next attempt.",
  NOT_THERE: "The call is just being dialled, or just ended. Read its row, and ask again if it goes on.",
  GONE: "The server that held the call is gone. What became of the call is being found out: read its row in a moment.",
  WITHDRAWN: "The server that holds the call did not answer in time. Nothing was done: ask again.",
  LOST: "The server that held the call stopped, and the call with it. Read its row for what came of it.",
} as const;

/** Reason why a call cannot be supervised now. */
export type Refusal = keyof typeof WHY;

/** Returns the refusal as an API error. */
export function refusal(why: Refusal): AppError {
  return new AppError("CONFLICT", WHY[why]);
}

/** Returns the refusal with this stored name. */
export function readRefusal(name: string | null): Refusal {
  return name !== null && name in WHY ? (name as Refusal) : "NOT_THERE";
}

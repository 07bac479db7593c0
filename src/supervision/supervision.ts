import type { Executor } from "#src/db/database.ts";
import type { LiveCalls } from "#src/dispatch/live-calls.ts";
import { appendEvents, type EventType } from "#src/events/events.ts";
import { type Static, Timestamp, Type, Uuid } from "#src/http/schemas.ts";
import { AppError, fieldError } from "#src/kernel/errors.ts";
import { findSupervised } from "./store.ts";

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

/** Who supervises, and which call. */
export interface Supervised {
  workspaceId: string;
  rowId: string;
  credentialId: string;
}

/** Notes in the call's events what somebody who supervises it did, in the caller's transaction. */
export function noteSupervision(
  tx: Executor,
  { workspaceId, rowId, credentialId }: Supervised,
  type: Extract<EventType, `call.supervision_${string}` | "call.whispered" | "call.end_requested">,
  more: Record<string, unknown> = {},
): Promise<void> {
  return appendEvents(tx, workspaceId, [{ type, subjectId: rowId, data: { credentialId, ...more } }]);
}

/** Gives a note to the agent of a call. 404 for no call of the workspace, 409 where no agent talks here. */
export async function whisper(
  tx: Executor,
  live: LiveCalls,
  who: Supervised,
  text: string,
): Promise<Static<typeof Whispered>> {
  const note = text.replaceAll("\u0000", "").toWellFormed().trim();
  if (note === "") throw fieldError("text", "EMPTY", "must say something.");
  await refuseUnless(tx, who, () => live.findNotes(who.workspaceId, who.rowId) !== undefined);
  await noteSupervision(tx, who, "call.whispered");
  const notes = live.findNotes(who.workspaceId, who.rowId);
  if (!notes) throw new AppError("CONFLICT", OVER);
  notes.add(note);
  return { callRowId: who.rowId, text: note };
}

/** Reply of POST /call-rows/{rowId}/end. */
export const EndedCall = Type.Object(
  { callRowId: Uuid, ending: Type.Boolean({ description: "The call ends now; read its row for what came of it." }) },
  { $id: "EndedCall" },
);

/** Ends a call that is ringing or under way. 404 for no call of the workspace, 409 for one that is not live here. */
export async function endCall(tx: Executor, live: LiveCalls, who: Supervised): Promise<Static<typeof EndedCall>> {
  const { workspaceId, rowId } = who;
  const row = await findSupervised(tx, workspaceId, rowId);
  if (!row) throw new AppError("NOT_FOUND");
  if (row.ended_at) throw new AppError("CONFLICT", OVER);
  await noteSupervision(tx, who, "call.end_requested");
  if (!live.end(workspaceId, rowId)) throw new AppError("CONFLICT", row.attempt_id === null ? WAITS : ELSEWHERE);
  return { callRowId: rowId, ending: true };
}

/** Refuses to let somebody hear a call that has no audio here: 404 for no call of the workspace, else 409. */
export async function assertAudible(db: Executor, live: LiveCalls, who: Supervised): Promise<void> {
  const { workspaceId, rowId } = who;
  const isAudible = (): boolean => live.find(workspaceId, rowId) !== undefined;
  await refuseUnless(db, who, isAudible, () => live.findNotes(workspaceId, rowId) !== undefined);
}

const OVER = "The call is over.";
const UNANSWERED = "The call has not been answered. Ask again when its status is IN_PROGRESS.";
const TEXT = "The call is held in text, so there is nothing to hear. Tell its agent something with POST /whisper.";
const WAITS = "The call has not been dialled yet, or waits for its next attempt.";
const ELSEWHERE = "This server does not hold the call. Ask the server that holds it.";

async function refuseUnless(
  db: Executor,
  { workspaceId, rowId }: Supervised,
  isHere: () => boolean,
  isText: () => boolean = () => false,
): Promise<void> {
  const row = await findSupervised(db, workspaceId, rowId);
  if (!row) throw new AppError("NOT_FOUND");
  if (isHere()) return;
  const why = row.ended_at ? OVER : isText() ? TEXT : row.answered_at ? ELSEWHERE : UNANSWERED;
  throw new AppError("CONFLICT", why);
}

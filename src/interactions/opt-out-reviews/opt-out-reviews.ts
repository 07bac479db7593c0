import { DOUBT_REASONS, findDoubt, type SessionLine } from "#src/engine/opt-out/doubt.ts";
import { releaseHeldRows } from "#src/interactions/calls/queue-rows.ts";
import { noteRefusal } from "#src/interactions/contacts/contacts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";
import { OPT_OUT_REVIEW_STATES } from "#src/tenancy/compliance/opt-out-hold.ts";
import { findReview, insertChatReview, lockOpenReviews, type ReviewRow, setDecided } from "./store.ts";

/** Decisions on a review. */
export const DECISIONS = ["CONFIRM", "DISMISS"] as const;
const STATE_AFTER = { CONFIRM: "CONFIRMED", DISMISS: "DISMISSED" } as const;

/** A session in which the person may have asked for no more contact. */
export const OptOutReview = Type.Object(
  {
    id: Uuid,
    state: oneOf(OPT_OUT_REVIEW_STATES, "OPEN: the person is neither called nor written to until it is decided."),
    reason: oneOf(
      DOUBT_REASONS,
      "UNHEEDED: words that may ask for no more contact. UNANSWERED: the person was asked whether they do, and gave no clear answer. NOT_RECORDED: they do, and the do-not-call list could not be written.",
    ),
    number: nullable(Type.String({ description: "Whom it holds; null where only the contact is known." })),
    contactId: nullable(Uuid),
    callRowId: nullable(Uuid),
    chatSessionId: nullable(Uuid),
    sessionId: Uuid,
    language: nullable(Type.String({ description: "ISO 639-1, of the words." })),
    quotes: Type.Array(
      Type.Object({
        text: Type.String({ description: "The first 500 characters." }),
        startMs: nullable(Type.Number({ description: "In a call: milliseconds of call time since the answer." })),
        at: nullable(Type.String({ format: "date-time", description: "In a chat: when it was written." })),
      }),
      { description: "The first five of the words, or what the person said last; empty once the talk is forgotten." },
    ),
    note: nullable(Type.String({ description: "Why it was decided so." })),
    decidedBy: nullable(Type.String()),
    decidedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: "OptOutReview" },
);
export type OptOutReview = Static<typeof OptOutReview>;

/** The review as the API shows it. */
export function toReview(row: ReviewRow): OptOutReview {
  return {
    id: row.id,
    state: row.state,
    reason: row.reason,
    number: row.number,
    contactId: row.contact_id,
    callRowId: row.subject_type === "CALL" ? row.subject_id : null,
    chatSessionId: row.subject_type === "CHAT" ? row.subject_id : null,
    sessionId: row.session_id,
    language: row.language,
    quotes: row.quotes,
    note: row.note,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

/** One review; 404 when there is none. */
export async function getReview(db: Executor, workspaceId: string, id: string): Promise<OptOutReview> {
  const row = await findReview(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toReview(row);
}

/** A chat that ends, with all its messages. */
export interface EndedChat {
  id: string;
  phone: string | null;
  contactId: string | null;
  /** BCP 47 tag. */
  language: string;
  lines: readonly SessionLine[];
}

/**
 * Opens a review of a chat in the transaction that ends it, when it is in doubt and the ledger does not settle the
 * doubt. Calls open theirs in the statement that ends them (OPEN_REVIEWS_SQL).
 */
export async function reviewChat(tx: Executor, workspaceId: string, chat: EndedChat): Promise<void> {
  if (chat.phone === null && chat.contactId === null) return;
  const doubt = findDoubt(chat.lines, chat.language);
  if (doubt === null) return;
  const id = uuidv7();
  if (!(await insertChatReview(tx, workspaceId, { ...chat, id, chatId: chat.id, doubt }))) return;
  await appendEvents(tx, workspaceId, [{ type: "opt_out_review.opened", subjectId: id, data: { chatId: chat.id } }]);
}

/** A decision on a review: its author, its result and its reason. */
export interface Decision {
  decision: (typeof DECISIONS)[number];
  note: string | null;
  actor: Actor;
}

/**
 * Decides a review in the caller's transaction. CONFIRM writes the ledger and decides the person's other open reviews
 * alike; DISMISS decides this one alone. Once no review of the person is open, the rows that waited are due now, and
 * the gate skips those of a confirmed opt-out. The same decision again changes nothing; another one is a 409.
 */
export async function decideReview(
  tx: Executor,
  workspaceId: string,
  id: string,
  { decision, note, actor }: Decision,
): Promise<OptOutReview> {
  const known = await findReview(tx, workspaceId, id);
  if (!known) throw new AppError("NOT_FOUND");
  const open = await lockOpenReviews(tx, workspaceId, known);
  const state = STATE_AFTER[decision];
  if (!open.includes(id)) return assertDecided(tx, workspaceId, id, state);
  const { number, contact_id: contactId } = known;
  if (decision === "CONFIRM") await noteRefusal(tx, workspaceId, { phone: number, contactId });
  const decided = decision === "CONFIRM" ? open : [id];
  await setDecided(tx, workspaceId, decided, { state, note, decidedBy: actor.name });
  if (number !== null && decided.length === open.length) await releaseHeldRows(tx, workspaceId, number);
  for (const target of decided) {
    const action = decision === "CONFIRM" ? "opt_out_review.confirmed" : "opt_out_review.dismissed";
    await recordAudit(tx, { workspaceId, actor, action, target, details: { reason: known.reason } });
  }
  const events = decided.map((subjectId) => ({ type: "opt_out_review.decided", subjectId, data: { state } }) as const);
  await appendEvents(tx, workspaceId, events);
  return getReview(tx, workspaceId, id);
}

async function assertDecided(tx: Executor, workspaceId: string, id: string, state: string): Promise<OptOutReview> {
  const review = await getReview(tx, workspaceId, id);
  if (review.state === state) return review;
  throw new AppError("CONFLICT", `The review was decided already; its state is ${review.state}.`);
}

import { nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";

/**
 * SQL condition that the number of `r` (call_rows) is held: its person may have asked for no more contact, and nobody
 * has decided yet if they did, or a task erases them. It is checked beside the gate (gate.ts) at every dial and message,
 * in every mode.
 */
export const HELD_SQL = `exists (select 1 from opt_out_reviews v
  where v.workspace_id = r.workspace_id and v.number = r.customer_number and v.state = 'OPEN'
  union all
  select 1 from contact_erasures e where e.workspace_id = r.workspace_id and e.phone = r.customer_number)`;

/** States of a review. */
export const OPT_OUT_REVIEW_STATES = ["OPEN", "CONFIRMED", "DISMISSED"] as const;
export type OptOutReviewState = (typeof OPT_OUT_REVIEW_STATES)[number];

/** Reasons for holding a number, in words for the row's `error`; they stand in SQL, so none holds an apostrophe. */
export const HOLD_REASONS = {
  OPT_OUT_REVIEW:
    "The person may have asked for no more contact, or is being erased. Nobody dials or writes to them until the opt-out review is decided and the erasure is done.",
} as const;

export type HoldReason = keyof typeof HOLD_REASONS;

/** Code of the `error` of a row or message that waits for a review. */
export const HELD: HoldReason = "OPT_OUT_REVIEW";

/** The review of a session, as the session's record shows it. */
export const OptOutReviewRef = Type.Object(
  { id: Uuid, state: oneOf(OPT_OUT_REVIEW_STATES, "OPEN: the person is left alone until it is decided.") },
  { $id: "OptOutReviewRef", description: "The person may have asked for no more contact." },
);

/**
 * SQL expression: the newest review of a call's row or of a chat, as JSON; null without a review. Both parameters are
 * SQL expressions.
 */
export function reviewRefSql(workspaceId: string, subjectId: string): string {
  return `(select json_build_object('id', v.id, 'state', v.state) from opt_out_reviews v
    where v.workspace_id = ${workspaceId} and v.subject_id = ${subjectId} order by v.id desc limit 1)`;
}

/** The field of a session's record that shows its review. */
export const optOutReviewField = nullable(OptOutReviewRef);

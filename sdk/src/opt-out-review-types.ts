/** OPEN: nobody has decided yet, and the person is neither called nor written to. */
export type OptOutReviewState = "OPEN" | "CONFIRMED" | "DISMISSED";

/** The review of a session, as the session's record names it. */
export interface OptOutReviewRef {
  id: string;
  state: OptOutReviewState;
}

/** Words that may ask for no more contact. */
export interface OptOutQuote {
  text: string;
  /** In a call: milliseconds of call time since the answer. */
  startMs: number | null;
  /** In a chat: when it was written. */
  at: string | null;
}

/** A session in which somebody may have asked for no more contact. */
export interface OptOutReview {
  id: string;
  state: OptOutReviewState;
  reason: "NOT_RECORDED" | "UNANSWERED" | "UNHEEDED";
  number: string | null;
  contactId: string | null;
  callRowId: string | null;
  chatSessionId: string | null;
  sessionId: string;
  /** ISO 639-1, of the words. */
  language: string | null;
  quotes: OptOutQuote[];
  note: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  createdAt: string;
}

/** Decides a review: CONFIRM lists the person, DISMISS lifts the hold. */
export interface OptOutReviewDecision {
  decision: "CONFIRM" | "DISMISS";
  note?: string | null;
}

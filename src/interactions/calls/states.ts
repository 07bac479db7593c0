import { CALL_OUTCOMES } from "#src/telephony/carriers/carrier.ts";

/**
 * The states of a call row and of an attempt, in one place. A row that an opt-out review holds stays QUEUED or
 * WAITING_FOR_RETRY, with OPT_OUT_REVIEW as its error.
 *
 * Row (what the API shows as `status`):
 *
 * | status            | meaning                                               | leads to                                    |
 * |-------------------|-------------------------------------------------------|---------------------------------------------|
 * | QUEUED            | due now or at nextAttemptAt, waits for a slot         | DIALING, SKIPPED, CANCELLED                 |
 * |                   | (a call over the web: for its page)                   | IN_PROGRESS, FAILED                         |
 * | DIALING           | claimed under a lease; the carrier is being asked     | RINGING, IN_PROGRESS, UNKNOWN, any terminal |
 * | RINGING           | shown while the live attempt rings                    | IN_PROGRESS, UNKNOWN, any terminal          |
 * | IN_PROGRESS       | shown while the person is on the line                 | UNKNOWN, COMPLETED, FAILED                  |
 * | UNKNOWN           | a dial may have left; the carrier is asked about it   | the true state, QUEUED on proof of absence, |
 * |                   |                                                       | UNCONFIRMED past the carrier's horizon      |
 * | WAITING_FOR_WINDOW| shown while due, but outside the calling window, or   | QUEUED, WAITING_FOR_RETRY, CANCELLED        |
 * |                   | too soon after other dials of the number (`error`)    |                                             |
 * | WAITING_FOR_RETRY | ended in a way that is retried, waits until due       | DIALING, SKIPPED, CANCELLED                 |
 * | COMPLETED         | a conversation, or a voicemail where the flow wants it| terminal, successful                        |
 * | FAILED            | no conversation after the last attempt                | terminal, error                             |
 * | SKIPPED           | the compliance gate forbade the dial                  | terminal, error                             |
 * | CANCELLED         | cancelled before it was dialled, or while it rang     | terminal, error                             |
 * | UNCONFIRMED       | nobody can tell whether it rang; never dialled again  | terminal, error                             |
 *
 * Attempt (`attempts[].state`), and the events that move it. Events may come twice, late or out of order: a
 * state only ever moves to one of a higher rank (reliability 2.1).
 *
 * | state       | rank | entered by                                            | row shows     |
 * |-------------|------|-------------------------------------------------------|---------------|
 * | CLAIMED     | 0    | the claim; nothing has left                           | DIALING       |
 * | SUBMITTING  | 0    | the fence, committed right before the first byte      | DIALING       |
 * | UNKNOWN     | 0    | a time-out, a 5xx, or the death of the node           | UNKNOWN       |
 * | ACCEPTED    | 1    | the carrier's answer to the dial                      | DIALING       |
 * | RINGING     | 2    | event RINGING                                         | RINGING       |
 * | IN_PROGRESS | 3    | event ANSWERED                                        | IN_PROGRESS   |
 * | ENDED       | 4    | event ENDED                                           | by outcome    |
 * | REFUSED     | 4    | a refusal that proves nobody was rung                 | by outcome    |
 * | ABSENT      | 4    | proof that the carrier never had it: by look-up, or   | QUEUED        |
 * |             |      | because it never passed the fence                     |               |
 * | UNCONFIRMED | 4    | no proof either way within the carrier's horizon      | UNCONFIRMED   |
 */
export const ROW_STATUSES = [
  "QUEUED",
  "DIALING",
  "RINGING",
  "IN_PROGRESS",
  "UNKNOWN",
  "WAITING_FOR_RETRY",
  "WAITING_FOR_WINDOW",
  "COMPLETED",
  "FAILED",
  "SKIPPED",
  "CANCELLED",
  "UNCONFIRMED",
] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** Actions on a call, each a request of the API. */
export const CALL_ACTIONS = ["cancel", "end"] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];

/** Actions that each status permits. The replies, the live stream and the checks of the requests all read this table. */
const ACTIONS: Record<RowStatus, readonly CallAction[]> = {
  QUEUED: ["cancel"],
  DIALING: ["end"],
  RINGING: ["end"],
  IN_PROGRESS: ["end"],
  UNKNOWN: ["end"],
  WAITING_FOR_RETRY: ["cancel"],
  WAITING_FOR_WINDOW: ["cancel"],
  COMPLETED: [],
  FAILED: [],
  SKIPPED: [],
  CANCELLED: [],
  UNCONFIRMED: [],
};

/** Returns the actions that a call permits. `isImporting`: its job's list is still being read, so it permits none. */
export function callActions(status: RowStatus, isImporting: boolean): CallAction[] {
  return isImporting ? [] : [...ACTIONS[status]];
}

/** True when the status permits the action. */
export function allowsOnCall(status: RowStatus, action: CallAction): boolean {
  return ACTIONS[status].includes(action);
}

/** Direction of a call from our side. */
export const DIRECTIONS = ["OUTBOUND", "INBOUND"] as const;

export const TERMINAL_STATUSES = ["COMPLETED", "FAILED", "SKIPPED", "CANCELLED", "UNCONFIRMED"] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const ATTEMPT_STATES = [
  "CLAIMED",
  "SUBMITTING",
  "UNKNOWN",
  "ACCEPTED",
  "RINGING",
  "IN_PROGRESS",
  "ENDED",
  "REFUSED",
  "ABSENT",
  "UNCONFIRMED",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** Outcomes of a row: the carrier's own and ours. */
export const ROW_OUTCOMES = [
  ...CALL_OUTCOMES,
  "OPTED_OUT",
  "TRANSFERRED",
  "INTERRUPTED",
  "INTERRUPTED_BY_OPERATOR",
  "BLOCKED",
  "CANCELLED",
  "UNCONFIRMED",
  "FLOW_MISSING",
] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** Outcomes that a job may ask to retry. A retry never dials a person who was reached. */
export const RETRYABLE_OUTCOMES = ["BUSY", "NO_ANSWER", "VOICEMAIL", "UNREACHABLE", "CARRIER_FAILURE"] as const;
export type RetryableOutcome = (typeof RETRYABLE_OUTCOMES)[number];

const RANK: Record<AttemptState, number> = {
  CLAIMED: 0,
  SUBMITTING: 0,
  UNKNOWN: 0,
  ACCEPTED: 1,
  RINGING: 2,
  IN_PROGRESS: 3,
  ENDED: 4,
  REFUSED: 4,
  ABSENT: 4,
  UNCONFIRMED: 4,
};

const STATE_OF_EVENT = { RINGING: "RINGING", ANSWERED: "IN_PROGRESS", ENDED: "ENDED" } as const;

/** Returns the state after an event. It never moves back, whatever the order of the events. */
export function foldEvent(state: AttemptState, event: keyof typeof STATE_OF_EVENT): AttemptState {
  const next = STATE_OF_EVENT[event];
  return RANK[next] > RANK[state] ? next : state;
}

/** Returns the status that a row shows: its stored one, or that of its live attempt. */
export function shownStatus(stored: RowStatus, attempt: AttemptState | null): RowStatus {
  if (stored !== "DIALING" || attempt === null) return stored;
  if (attempt === "RINGING" || attempt === "IN_PROGRESS" || attempt === "UNKNOWN") return attempt;
  return "DIALING";
}

/** True for the statuses that a row never leaves. */
export function isTerminal(status: RowStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

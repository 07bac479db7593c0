/** Tone of a state, from good to bad. */
export type Tone = "good" | "bad" | "busy" | "waiting" | "neutral" | "warning";

/** The colour of each tone. */
export const TONE_COLOR: Record<Tone, string> = {
  good: "green",
  bad: "red",
  busy: "parley",
  waiting: "yellow",
  neutral: "gray",
  warning: "orange",
};

/** The colour of a dot or a bar in a tone, as CSS. */
export function markOf(tone: Tone): string {
  return `var(--mantine-color-${TONE_COLOR[tone]}-6)`;
}

const TONES: Record<Tone, string> = {
  good: "CONNECTED COMPLETED PASSED ACTIVE READY DELIVERED SENT READ SUCCEEDED ANSWERED ENABLED PUBLISHED HUMAN VOICEMAIL_LEFT TRANSFERRED OPEN HEALTHY INDEXED REACHED_CUSTOMER",
  bad: "NEEDS_SIGN_IN FAILED ERROR REJECTED INVALID_NUMBER CARRIER_ERROR BLOCKED FLOW_MISSING CARRIER_FAILURE DEAD EXHAUSTED UNDELIVERED REFUSED",
  busy: "DIALING RINGING IN_PROGRESS RUNNING IMPORTING PROCESSING SENDING DELIVERING CONNECTING INDEXING HANDED_OFF TRANSCRIBING",
  waiting: "QUEUED WAITING_FOR_RETRY WAITING_FOR_WINDOW SCHEDULED PENDING PAUSED RETRYING WAITING ACCEPTED",
  warning:
    "UNCONFIRMED UNKNOWN SUSPENDED CANCELLING NO_ANSWER BUSY UNREACHABLE CALL_SCREENED IVR FAX VOICEMAIL DEGRADED INTERRUPTED INTERRUPTED_BY_OPERATOR EXPIRED OPTED_OUT SKIPPED EXPIRING",
  neutral: "CANCELLED CLOSED DUPLICATE DRAFT DISABLED REVOKED ABSENT ENDED ARCHIVED",
};

const TONE_OF = new Map<string, Tone>(
  Object.entries(TONES).flatMap(([tone, names]) => names.split(" ").map((name) => [name, tone as Tone] as const)),
);

/** Tone of any state of calls, jobs, chats, numbers and deliveries; neutral when it is unknown. */
export function toneOf(status: string): Tone {
  // An end reported by the carrier has the tone of its outcome.
  return TONE_OF.get(status) ?? TONE_OF.get(status.replace(/^CARRIER_/, "")) ?? "neutral";
}

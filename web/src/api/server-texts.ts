import { LANGUAGE } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";

/*
 * Texts of the server, which speaks English, by their stable codes. The English dashboard shows the server's own; a code
 * that is not here keeps it in every language.
 */

/** Why a call, a row or a chat is not as it should be. */
const REASONS: Record<string, string> = {
  ATTEMPTS_PER_DAY: t`The number has been called as often as the workspace allows in a day.`,
  ATTEMPT_GAP: t`The number was called a short time ago and is left alone for now.`,
  BALANCE_EXHAUSTED: t`The workspace's credit is used up.`,
  CARRIER_NOT_CONFIGURED: t`The workspace has no account with this carrier.`,
  CARRIER_SILENT: t`The carrier accepted the call and reported nothing more.`,
  COUNTRY_NOT_ENABLED: t`The number's country is not enabled for this workspace.`,
  DO_NOT_CALL: t`The number is on this workspace's do-not-call list.`,
  EMERGENCY_NUMBER: t`Emergency numbers are never dialled.`,
  FLOW_MISSING: t`The flow was deleted before the call was placed.`,
  INTERNAL: t`Something went wrong on our side.`,
  INTERRUPTED: t`The server stopped during the call.`,
  INVALID_NUMBER: t`The number does not exist in its country's numbering plan.`,
  MEDIA_BUSY: t`This server carries as many calls as it can; the call waits.`,
  MODEL_BROKE_OFF: t`The model broke off in the middle of its answer.`,
  MODEL_STALLED: t`The model did not answer in time.`,
  OPT_OUT_REVIEW: t`The person may have opted out, and nobody has decided that yet.`,
  PREMIUM_NUMBER: t`Premium-rate and shared-cost numbers are never dialled.`,
  SATELLITE_NUMBER: t`Satellite and global-network numbers are never dialled.`,
  TEMPLATE_INVALID: t`A template cannot be filled in.`,
  TIME_ZONE_UNKNOWN: t`The calling window cannot be kept: nobody can tell what time it is at the number.`,
  UNCONFIRMED: t`The carrier never said what became of the call. It is not dialled again.`,
  WINDOW_NEVER_OPENS: t`The calling hours never open at the number.`,
};

/** Faults of one field or cell. The server's text follows where it has more, such as the values allowed. */
const FAULTS: Record<string, { text: string; hasMore?: true }> = {
  COLUMN_COUNT: { text: t`The line has another number of cells than the header.` },
  DUPLICATE: { text: t`The value is there already.`, hasMore: true },
  DUPLICATE_COLUMN: { text: t`The header names a column twice.`, hasMore: true },
  EMPTY: { text: t`It is empty.` },
  FORMAT: { text: t`The form is wrong.`, hasMore: true },
  IMMUTABLE: { text: t`This cannot be changed any more.` },
  JSON: { text: t`It must be a JSON object.` },
  LENGTH: { text: t`The length is not allowed.`, hasMore: true },
  MAXIMUM: { text: t`The number is too large.`, hasMore: true },
  MAXITEMS: { text: t`There are too many items.`, hasMore: true },
  MAXLENGTH: { text: t`The text is too long.`, hasMore: true },
  MINIMUM: { text: t`The number is too small.`, hasMore: true },
  MINITEMS: { text: t`There are too few items.`, hasMore: true },
  MINLENGTH: { text: t`The text is too short.`, hasMore: true },
  MISSING_COLUMN: { text: t`A column is missing.`, hasMore: true },
  NOT_ALLOWED: { text: t`The value is not allowed.`, hasMore: true },
  RANGE: { text: t`The value is out of range.`, hasMore: true },
  REQUIRED: { text: t`This is required.` },
  STALE: { text: t`Another person saved first.` },
  TAKEN: { text: t`It is taken.` },
  TIME_ZONE: { text: t`There is no such time zone.` },
  TOO_LARGE: { text: t`It is too large.`, hasMore: true },
  TYPE: { text: t`The value has the wrong type.`, hasMore: true },
  UNKNOWN: { text: t`There is no such thing.`, hasMore: true },
  UNKNOWN_FIELD: { text: t`There is no such field.`, hasMore: true },
};

/** Why a request failed. The server's text follows, except where it says the same. */
const ERRORS: Record<string, { text: string; hasMore?: true }> = {
  CONFLICT: { text: t`The present state does not allow this.`, hasMore: true },
  FORBIDDEN: { text: t`Your role does not allow this.` },
  INTERNAL: { text: t`Something went wrong on our side.` },
  INVALID_BODY: { text: t`Something in the form is not valid.` },
  NOT_FOUND: { text: t`There is no such thing, or it was deleted.` },
  PAYLOAD_TOO_LARGE: { text: t`This is larger than the server takes.` },
  RATE_LIMITED: { text: t`Too many requests at once. Wait a few seconds and try again.` },
  STORAGE_FULL: { text: t`The server's disk is full. Free some space and try again.` },
  UNAUTHORIZED: { text: t`This is not valid, or you are signed out.`, hasMore: true },
  UNAVAILABLE: { text: t`The database cannot be reached. Try again in a moment.` },
  UNKNOWN_VARIABLES: { text: t`Templates of the flow name variables that nothing declares.`, hasMore: true },
  VALIDATION_FAILED: { text: t`Something in the form is not valid.` },
};

/** Says why a call, a row or a chat is not as it should be, in the page's language. */
export function sayReason({ code, message }: { code: string; message: string }, language = LANGUAGE): string {
  return language === "en" ? message : (REASONS[code] ?? message);
}

/** Says what is wrong with a field or a line, in the page's language. */
export function sayFault({ code, message }: { code: string; message: string }, language = LANGUAGE): string {
  if (language === "en") return message;
  const reason = REASONS[code];
  return say(FAULTS[code] ?? (reason === undefined ? undefined : { text: reason }), message);
}

/** Says why a request failed, in the page's language; `hasFaults`: what is wrong with its fields is said as well. */
export function sayError(code: string, message: string, hasFaults: boolean, language = LANGUAGE): string {
  const known = ERRORS[code];
  if (language === "en" || !known) return message;
  return say(hasFaults ? { text: known.text } : known, message);
}

function say(known: { text: string; hasMore?: true } | undefined, message: string): string {
  if (!known) return message;
  return known.hasMore ? `${known.text} (${message})` : known.text;
}

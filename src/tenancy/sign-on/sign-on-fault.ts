/** Reasons for which a sign-in by an identity provider ends. The sign-in page has the words for each. */
export type SignOnFaultCode =
  | "EXPIRED"
  | "REFUSED"
  | "UNREACHABLE"
  | "INVALID_ANSWER"
  | "NO_ACCOUNT"
  | "NO_EMAIL"
  | "WRONG_DOMAIN"
  | "EMAIL_TAKEN"
  | "EMAIL_UNVERIFIED"
  | "DISABLED"
  | "GROUPS_NOT_SENT"
  | "UNSAFE";

/** A sign-in by an identity provider that ended without a session. */
export class SignOnFault extends Error {
  readonly code: SignOnFaultCode;

  constructor(code: SignOnFaultCode, cause?: unknown) {
    super(`The sign-in ended: ${code}.`, { cause });
    this.code = code;
  }
}

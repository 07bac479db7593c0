import { t } from "#web/i18n/t.ts";

/** Words for the reasons with which the server ends a sign-in by an identity provider. */
const FAULTS: Record<string, string> = {
  EXPIRED: t`This sign-in was used, took more than ten minutes, or began in another browser. Begin again.`,
  REFUSED: t`The identity provider did not sign you in. If you did not cancel, ask its administrator for access.`,
  UNREACHABLE: t`The identity provider does not answer. Try again in a moment; if it lasts, ask an owner.`,
  INVALID_ANSWER: t`The answer of the identity provider could not be trusted. The server's log says why; an owner can look it up.`,
  NO_ACCOUNT: t`You have no account here, and sign-ins make none. Ask an owner for one.`,
  NO_EMAIL: t`The identity provider names no e-mail address for you. Its administrator can add one.`,
  WRONG_DOMAIN: t`Your e-mail address is in none of the domains that may sign in this way.`,
  EMAIL_TAKEN: t`Your e-mail address has an account here that is not linked to this provider. Ask an owner to link it.`,
  EMAIL_UNVERIFIED: t`The identity provider has not verified your e-mail address.`,
  DISABLED: t`Your account is disabled. Ask an owner to let you in again.`,
  GROUPS_NOT_SENT: t`You are in so many groups that the identity provider leaves them out. Its administrator can send only those that count here.`,
  UNSAFE: t`Sign-ins are not taken over plain http from other machines. The server needs https.`,
};

/** Returns the words for a reason; null when there is none. */
export function wordsOf(fault: string | null): string | null {
  return fault === null ? null : (FAULTS[fault] ?? t`The sign-in did not work. Begin again.`);
}

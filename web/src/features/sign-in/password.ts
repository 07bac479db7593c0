import { t } from "#web/i18n/t.ts";

/** Rule of the server for passwords. */
export const PASSWORD_RULE = t`10 characters or more.`;

/** Returns the fault of a password; null when it is valid. */
export function checkPassword(password: string): string | null {
  return password.length < 10 ? PASSWORD_RULE : password.length > 200 ? t`200 characters at most.` : null;
}

/** What the server asks of a password. */
export const PASSWORD_RULE = "10 characters or more.";

/** What is wrong with a password; null when nothing is. */
export function checkPassword(password: string): string | null {
  return password.length < 10 ? PASSWORD_RULE : password.length > 200 ? "200 characters at most." : null;
}

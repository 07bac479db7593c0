import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";

/**
 * Throws a 403 for an e-mail address whose domain signs in by an identity provider alone. It depends on the domain only,
 * so it does not show whether the address has an account.
 */
export async function assertPasswordsAllowed(db: Executor, email: string): Promise<void> {
  const provider = await first<{ name: string }>(
    db,
    sql`select name from identity_providers where refuses_passwords and ${domainOf(email)} = any(domains) limit 1`,
  );
  if (!provider) return;
  throw new AppError(
    "FORBIDDEN",
    `Passwords and passkeys are off for ${domainOf(email)}. Sign in with ${provider.name}.`,
  );
}

/** Returns the domain of an e-mail address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

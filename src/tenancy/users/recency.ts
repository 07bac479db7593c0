import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { isConfirmed } from "./factor-store.ts";

/** Seconds after showing who they are in which a person may change how they sign in. */
const RECENT_SECONDS = 600;

/** Throws 409 unless the person of a session showed within ten minutes who they are: a session may be a stolen one. */
export async function assertRecent(db: Executor, sessionId: string): Promise<void> {
  if (await isConfirmed(db, sessionId, RECENT_SECONDS)) return;
  const message = "Confirm that it is you first: enter your password, or show a passkey.";
  throw new AppError("CONFLICT", message, [{ path: "", code: "NOT_RECENT", message }]);
}

import type { Caller, Person } from "#src/http/route.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor } from "./audit.ts";

/** Who is signed in. */
export function personOf(caller: Caller): Person {
  if (!caller.person) throw new AppError("UNAUTHORIZED", "Sign in first.");
  return caller.person;
}

/** The person behind a request as the one who acts. */
export function actorOf({ caller, address, requestId }: { caller: Caller; address: string; requestId: string }): Actor {
  const { userId, email } = personOf(caller);
  return { kind: "USER", userId, name: email, address, requestId };
}

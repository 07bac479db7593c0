import type { Caller, Person } from "#src/platform/http/route.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Actor } from "./audit.ts";

/** Who is signed in. */
export function personOf(caller: Caller): Person {
  if (!caller.person) throw new AppError("UNAUTHORIZED", "Sign in first.");
  return caller.person;
}

/** Names who sent a request as the one who acts: a person, or the key or client of a program. */
export function actorBehind({ person, kind, credentialId }: Caller, address: string): Actor {
  if (person) return { kind: "USER", userId: person.userId, name: person.email, address, requestId: null };
  const name = `${kind === "API_KEY" ? "API key" : "OAuth client"} ${credentialId}`;
  return { kind: "SYSTEM", userId: null, name, address, requestId: null };
}

/** The person behind a request as the one who acts. */
export function actorOf({ caller, address, requestId }: { caller: Caller; address: string; requestId: string }): Actor {
  const { userId, email } = personOf(caller);
  return { kind: "USER", userId, name: email, address, requestId };
}

import type { Caller, Person } from "#src/platform/http/route.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Actor } from "./audit.ts";

/** Returns the signed-in person; 401 when there is none. */
export function personOf(caller: Caller): Person {
  if (!caller.person) throw new AppError("UNAUTHORIZED", "Sign in first.");
  return caller.person;
}

/** Returns the actor behind a request: a person, or the key or client of a program. */
export function actorBehind({ person, kind, credentialId }: Caller, address: string): Actor {
  if (person) return { kind: "USER", userId: person.userId, name: person.email, address, requestId: null };
  const name = `${kind === "API_KEY" ? "API key" : "OAuth client"} ${credentialId}`;
  return { kind: "SYSTEM", userId: null, name, address, requestId: null };
}

/** Returns the signed-in person behind a request as an actor. */
export function actorOf({ caller, address, requestId }: { caller: Caller; address: string; requestId: string }): Actor {
  const { userId, email } = personOf(caller);
  return { kind: "USER", userId, name: email, address, requestId };
}

import type { Actor } from "#src/audit/audit.ts";
import type { Caller, Person, RequestOf } from "#src/http/route.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Visitor } from "#src/users/sign-in.ts";

type AnyRequest = Pick<RequestOf<unknown, unknown, unknown>, "caller" | "address" | "requestId" | "headers">;

/** Who is signed in. */
export function personOf(caller: Caller): Person {
  if (!caller.person) throw new AppError("UNAUTHORIZED", "Sign in first.");
  return caller.person;
}

/** The person behind a request as the one who acts. */
export function actorOf({ caller, address, requestId }: Pick<AnyRequest, "caller" | "address" | "requestId">): Actor {
  const { userId, email } = personOf(caller);
  return { kind: "USER", userId, name: email, address, requestId };
}

/** Where a request comes from. */
export function visitorOf({ address, requestId, headers }: Omit<AnyRequest, "caller">): Visitor {
  const agent = headers["user-agent"];
  return { address, requestId, userAgent: agent === undefined ? null : agent.slice(0, 300) };
}

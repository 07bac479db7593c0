import type { FastifyReply } from "fastify";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type Admission, KEY_PREFIX, type Presented } from "./admission.ts";
import { EXTERNAL_API, type Caller, type Route } from "./route.ts";

/** Throws unless a signed-in person may use a route of the dashboard. */
export function assertPerson({ access }: Route, caller: Caller | null): void {
  if (access === "PUBLIC") return;
  if (!caller) throw new AppError("UNAUTHORIZED", "Sign in first.");
  if (access === "ANY" || access.some((name) => caller.permissions.has(name))) return;
  throw new AppError("FORBIDDEN", `Your role lacks ${access.join(" or ")}.`);
}

/** A request with what its admission decided. `presented` is its credential as it was sent. */
export interface Asked {
  publicUrl: string;
  admission: Admission | undefined;
  reply: FastifyReply;
  presented: Presented;
}

/** Throws unless the credential of a request may use a route; the reply gets the challenge of RFC 6750. */
export function assertAccess({ access, resource = EXTERNAL_API }: Route, asked: Asked): void {
  if (access === "PUBLIC") return;
  const { admission, reply } = asked;
  const presented = asked.presented.apiKey ?? asked.presented.bearer;
  const pointer = `${asked.publicUrl}/.well-known/oauth-protected-resource${resource}`;
  const caller = admission?.caller;
  if (!caller) {
    const refusal = admission?.refusal;
    if (refusal?.code === "FORBIDDEN") throw new AppError("FORBIDDEN", refusal.message);
    const words = refusal ? "The credential has expired" : "The credential is not valid";
    const fault = presented === undefined ? "" : `, error="invalid_token", error_description="${words}"`;
    reply.header("www-authenticate", `Bearer resource_metadata="${pointer}"${fault}`);
    if (presented !== undefined) throw new AppError("UNAUTHORIZED", refusal?.message ?? explainBearer(asked.presented));
    throw new AppError("UNAUTHORIZED", "Missing API key. Use X-API-Key header.");
  }
  const needed = access === "ANY" ? [] : access;
  const granted = access === "ANY" ? caller.permissions.size > 0 : needed.some((name) => caller.permissions.has(name));
  if (granted) return;
  // Without a scope to name, an MCP client would only ask for the same token again.
  if (needed.length > 0) {
    const fault = `error="insufficient_scope", scope="${needed.join(" ")}"`;
    reply.header("www-authenticate", `Bearer resource_metadata="${pointer}", ${fault}`);
  }
  throw new AppError("FORBIDDEN", `This credential lacks ${needed.join(" or ") || "every permission"}.`);
}

/** Explains the refusal of an API key that came as an access token, as other services take theirs. */
function explainBearer({ bearer }: Presented): string | undefined {
  if (!bearer?.startsWith(KEY_PREFIX)) return undefined;
  return "This is an API key. Send it in the X-API-Key header; Authorization takes access tokens.";
}

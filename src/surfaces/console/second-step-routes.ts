import type { Executor } from "#src/platform/db/database.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyObject, Type } from "#src/platform/http/schemas.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { beginPasskeySignIn, requireParty, signInByPasskey } from "#src/tenancy/users/passkeys.ts";
import { finishSignIn } from "#src/tenancy/users/second-factor.ts";
import { STEP_SECONDS } from "#src/tenancy/users/second-step.ts";
import { visitorOf } from "#src/tenancy/users/sign-in.ts";
import { PasskeyAnswer, type RelyingParty } from "#src/tenancy/users/webauthn.ts";
import { type CookieStyle, keepToken, readToken, stepCookie } from "./cookie.ts";
import { replySignedIn, Session } from "./session-view.ts";
import { assertSafe } from "./sign-in-routes.ts";

/** Dependencies of second factors and passkeys. */
export interface FactorParts {
  db: Executor;
  box: SecretBox;
  cookie: CookieStyle;
  isSafe: boolean;
  /** Null: browsers offer no passkeys at the server's address. */
  party: RelyingParty | null;
}

const PATH = "/api/console/sign-in";
const open = { audience: "console", access: "PUBLIC", tag: "Sign-in", method: "POST" } as const;

/** Options of a passkey request, for the browser. */
export const PasskeyOptions = anyObject("Options in JSON for `parse…OptionsFromJSON` of the browser (WebAuthn, 5.1).");

/** Returns the routes that finish a sign-in by a code, and those that sign in by a passkey without a password. */
export function secondStepRoutes(parts: FactorParts): Route[] {
  const { db, box, cookie } = parts;
  return [
    route({
      ...open,
      path: `${PATH}/code`,
      summary: "Finish a sign-in by the code of an authenticator app, or a recovery code",
      body: Type.Object({ code: Type.String({ maxLength: 100 }) }),
      replies: { 200: Session },
      async run(request) {
        assertSafe(parts);
        const token = readToken(request.headers, stepCookie(cookie, "second"));
        return replySignedIn(db, await finishSignIn(db, box, token, request.body.code, visitorOf(request)), cookie);
      },
    }),
    route({
      ...open,
      path: `${PATH}/passkey/options`,
      summary: "Begin a sign-in by a passkey; the challenge is bound to this browser",
      replies: { 200: PasskeyOptions },
      async run() {
        const { options, stepToken } = await beginPasskeySignIn(db, requireParty(parts.party));
        return new Reply(200, options, keepToken(stepToken, stepCookie(cookie, "passkey"), STEP_SECONDS));
      },
    }),
    route({
      ...open,
      path: `${PATH}/passkey`,
      summary: "Sign in by a passkey",
      body: PasskeyAnswer,
      replies: { 200: Session },
      async run(request) {
        const token = readToken(request.headers, stepCookie(cookie, "passkey"));
        const party = requireParty(parts.party);
        return replySignedIn(db, await signInByPasskey(db, party, token, request.body, visitorOf(request)), cookie);
      },
    }),
  ];
}

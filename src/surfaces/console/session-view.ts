import type { Executor } from "#src/platform/db/database.ts";
import { type Caller, Reply } from "#src/platform/http/route.ts";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { type SecondStep, STEP_SECONDS, STEP_WAYS } from "#src/tenancy/users/second-step.ts";
import type { OpenedSession } from "#src/tenancy/users/sign-in.ts";
import { getAccess, getUser, needsSetup, User, WorkspaceAccess } from "#src/tenancy/users/users.ts";
import { type CookieStyle, csrfTokenOf, keepToken, stepCookie } from "./cookie.ts";

/** The person who is signed in, and the workspaces open to them. */
export const Session = Type.Object(
  {
    needsSetup: Type.Boolean({ description: "Nobody has an account yet: use the link that the server printed." }),
    user: nullable(User),
    csrfToken: nullable(Type.String({ description: "To send as X-CSRF-Token with each POST, PUT, PATCH and DELETE." })),
    workspaces: Type.Array(WorkspaceAccess),
    secondStep: nullable(
      Type.Array(oneOf(STEP_WAYS), {
        description: "The password was right, and one of these is still needed; null: nothing is.",
      }),
    ),
  },
  { $id: "Session" },
);
export type Session = Static<typeof Session>;

const NOBODY = { user: null, csrfToken: null, workspaces: [], secondStep: null };

/** Returns the session of a request, also of one without a session. */
export async function showSession(db: Executor, caller: Caller | undefined): Promise<Session> {
  const person = caller?.person;
  if (!person) return { needsSetup: await needsSetup(db), ...NOBODY };
  const [user, workspaces] = await Promise.all([getUser(db, person.userId), getAccess(db, person)]);
  return { needsSetup: false, user, csrfToken: person.csrfToken, workspaces, secondStep: null };
}

/**
 * Returns the reply to a person who has just signed in: the session, with its token in the browser's cookie. After the
 * first of two steps it is no session yet, and another cookie stands for the right password.
 */
export async function replySignedIn(
  db: Executor,
  opened: OpenedSession | SecondStep,
  cookie: CookieStyle,
): Promise<Reply> {
  if ("stepToken" in opened) {
    const session: Session = { needsSetup: false, ...NOBODY, secondStep: opened.ways };
    return new Reply(200, session, keepToken(opened.stepToken, stepCookie(cookie, "second"), STEP_SECONDS));
  }
  const user = await getUser(db, opened.userId);
  const { userId, sessionId } = opened;
  const workspaces = await getAccess(db, { userId, isInstallationOwner: user.isInstallationOwner, sessionId });
  const csrfToken = csrfTokenOf(opened.token);
  const session: Session = { needsSetup: false, user, csrfToken, workspaces, secondStep: null };
  return new Reply(200, session, keepToken(opened.token, cookie));
}

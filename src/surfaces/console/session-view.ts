import type { Executor } from "#src/platform/db/database.ts";
import { type Caller, Reply } from "#src/platform/http/route.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import type { OpenedSession } from "#src/tenancy/users/sign-in.ts";
import { getAccess, getUser, needsSetup, User, WorkspaceAccess } from "#src/tenancy/users/users.ts";
import { type CookieStyle, csrfTokenOf, keepToken } from "./cookie.ts";

/** The person who is signed in, and the workspaces open to them. */
export const Session = Type.Object(
  {
    needsSetup: Type.Boolean({ description: "Nobody has an account yet: use the link that the server printed." }),
    user: nullable(User),
    csrfToken: nullable(Type.String({ description: "To send as X-CSRF-Token with each POST, PUT, PATCH and DELETE." })),
    workspaces: Type.Array(WorkspaceAccess),
  },
  { $id: "Session" },
);
export type Session = Static<typeof Session>;

/** Returns the session of a request, also of one without a session. */
export async function showSession(db: Executor, caller: Caller | undefined): Promise<Session> {
  const person = caller?.person;
  if (!person) return { needsSetup: await needsSetup(db), user: null, csrfToken: null, workspaces: [] };
  const [user, workspaces] = await Promise.all([getUser(db, person.userId), getAccess(db, person)]);
  return { needsSetup: false, user, csrfToken: person.csrfToken, workspaces };
}

/** Returns the reply to a person who has just signed in: the session, with its token in the browser's cookie. */
export async function replySignedIn(db: Executor, opened: OpenedSession, cookie: CookieStyle): Promise<Reply> {
  const user = await getUser(db, opened.userId);
  const workspaces = await getAccess(db, { userId: user.id, isInstallationOwner: user.isInstallationOwner });
  const session: Session = { needsSetup: false, user, csrfToken: csrfTokenOf(opened.token), workspaces };
  return new Reply(200, session, keepToken(opened.token, cookie));
}

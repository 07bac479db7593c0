import type { Executor } from "#src/platform/db/database.ts";
import { SIGNED_IN } from "#src/platform/http/console-access.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { actorOf, personOf } from "#src/tenancy/audit/actor.ts";
import { findProviderSignOut } from "#src/tenancy/sign-on/sign-on.ts";
import { endOtherSessions, endSession, getSessions, signOut, UserSession } from "#src/tenancy/users/sessions.ts";
import { changePassword, Password, PersonName, renameUser, User } from "#src/tenancy/users/users.ts";
import { type CookieStyle, forgetToken } from "./cookie.ts";

const common = { audience: "console", access: [SIGNED_IN], tag: "Account" } as const;
const PATH = "/api/console";

/** Returns the routes of a person's own account: name, password, sessions. */
export function accountRoutes(db: Executor, box: SecretBox, cookie: CookieStyle): Route[] {
  return [...selfRoutes(db, box, cookie), ...sessionRoutes(db)];
}

function selfRoutes(db: Executor, box: SecretBox, cookie: CookieStyle): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/sign-out`,
      summary: "Sign out: the session ends",
      replies: {
        200: Type.Object({ url: Type.String({ description: "Ends the identity provider's own session." }) }),
        204: null,
      },
      async run(request) {
        const { userId, sessionId } = personOf(request.caller);
        const url = await findProviderSignOut(db, box, sessionId);
        await db.transaction().execute((tx) => signOut(tx, userId, sessionId, actorOf(request)));
        return url === null ? new Reply(204, null, forgetToken(cookie)) : new Reply(200, { url }, forgetToken(cookie));
      },
    }),
    route({
      ...common,
      method: "PATCH",
      path: `${PATH}/profile`,
      summary: "Change one's own name",
      body: Type.Object({ name: PersonName }),
      replies: { 200: User },
      run: ({ caller, body }) => renameUser(db, personOf(caller).userId, body.name),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/password`,
      summary: "Change one's own password; all other sessions end",
      body: Type.Object({ currentPassword: Password, newPassword: Password }),
      replies: { 204: null },
      async run(request) {
        const { userId, sessionId } = personOf(request.caller);
        await changePassword(db, { userId, sessionId, actor: actorOf(request) }, request.body);
      },
    }),
  ];
}

function sessionRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/sessions`,
      summary: "List one's own sessions",
      replies: { 200: Type.Array(UserSession) },
      run({ caller }) {
        const { userId, sessionId } = personOf(caller);
        return getSessions(db, userId, sessionId);
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/sessions`,
      summary: "End all of one's own other sessions",
      replies: { 204: null },
      async run(request) {
        const { userId, sessionId } = personOf(request.caller);
        await db.transaction().execute((tx) => endOtherSessions(tx, userId, sessionId, actorOf(request)));
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/sessions/{sessionId}`,
      summary: "End one of one's own sessions",
      params: Type.Object({ sessionId: Uuid }),
      replies: { 204: null },
      async run(request) {
        const { userId } = personOf(request.caller);
        await db
          .transaction()
          .execute((tx) => endSession(tx, userId, request.params.sessionId.toLowerCase(), actorOf(request)));
      },
    }),
  ];
}

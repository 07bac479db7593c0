import type { Executor } from "#src/platform/db/database.ts";
import { SIGNED_IN } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type DemoParts, fillDemo } from "#src/surfaces/operator/demo.ts";
import { actorOf } from "#src/tenancy/audit/actor.ts";
import { recordAudit } from "#src/tenancy/audit/audit.ts";
import { TimeZoneName } from "#src/tenancy/compliance/calling-window.ts";
import {
  acceptInvitation,
  joinByInvitation,
  LinkInfo,
  lookUpLink,
  resetPassword,
  setUp,
} from "#src/tenancy/users/links.ts";
import { signIn, visitorOf } from "#src/tenancy/users/sign-in.ts";
import { Email, Password, PersonName } from "#src/tenancy/users/users.ts";
import { createWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import type { CookieStyle } from "./cookie.ts";
import { replySignedIn, Session, showSession } from "./session-view.ts";

const PATH = "/api/console";
const open = { audience: "console", access: "PUBLIC", tag: "Sign-in" } as const;
const Token = Type.String({ maxLength: 100, description: "Of the link." });
const accountFields = { token: Token, name: PersonName, email: Email, password: Password };

/** Fields of a workspace created in the dashboard. */
export const workspaceFields = {
  mode: Type.Optional(oneOf(["SANDBOX", "LIVE"], "SANDBOX never reaches a carrier; fixed for good. Default SANDBOX.")),
  timeZone: Type.Optional(TimeZoneName),
  sample: Type.Optional(Type.Boolean({ description: "Fill it with a working example of each thing. Default false." })),
};

/** Dependencies of signing in. */
export interface SignInParts {
  db: Executor;
  cookie: CookieStyle;
  /** False at a plain http address that is not this machine's own. */
  isSafe: boolean;
  demo: DemoParts;
}

/** Returns the routes for signing in and for the pages of links, which need no session. */
export function signInRoutes(parts: SignInParts): Route[] {
  const { db } = parts;
  return [
    route({
      ...open,
      method: "GET",
      path: `${PATH}/session`,
      summary: "Who is signed in; 200 also when nobody is",
      replies: { 200: Session },
      run: ({ caller }) => showSession(db, caller ?? undefined),
    }),
    route({
      ...open,
      method: "POST",
      path: `${PATH}/sign-in`,
      summary: "Sign in with e-mail address and password",
      body: Type.Object({ email: Email, password: Password }),
      replies: { 200: Session },
      async run(request) {
        assertSafe(parts);
        return replySignedIn(db, await signIn(db, request.body, visitorOf(request)), parts.cookie);
      },
    }),
    ...linkRoutes(parts),
    setupRoute(parts),
  ];
}

function linkRoutes(parts: SignInParts): Route[] {
  const { db, cookie } = parts;
  return [
    route({
      ...open,
      method: "POST",
      path: `${PATH}/links/look-up`,
      summary: "What a link is for",
      body: Type.Object({ token: Token }),
      replies: { 200: LinkInfo },
      run: ({ body }) => lookUpLink(db, body.token),
    }),
    route({
      ...open,
      method: "POST",
      path: `${PATH}/invitations/accept`,
      summary: "Make the account of somebody who was invited, and sign in",
      body: Type.Object(accountFields),
      replies: { 200: Session },
      async run(request) {
        assertSafe(parts);
        return replySignedIn(db, await acceptInvitation(db, request.body, visitorOf(request)), cookie);
      },
    }),
    route({
      ...open,
      access: [SIGNED_IN],
      method: "POST",
      path: `${PATH}/invitations/join`,
      summary: "Join one more workspace by its invitation",
      body: Type.Object({ token: Token }),
      replies: { 200: Session },
      async run(request) {
        await joinByInvitation(db, request.body.token, actorOf(request));
        return showSession(db, request.caller);
      },
    }),
    route({
      ...open,
      method: "POST",
      path: `${PATH}/password/reset`,
      summary: "Set a new password by its link, and sign in; all earlier sessions end",
      body: Type.Object({ token: Token, password: Password }),
      replies: { 200: Session },
      async run(request) {
        assertSafe(parts);
        return replySignedIn(db, await resetPassword(db, request.body, visitorOf(request)), cookie);
      },
    }),
  ];
}

function setupRoute(parts: SignInParts): Route {
  const { db, cookie } = parts;
  return route({
    ...open,
    method: "POST",
    path: `${PATH}/setup`,
    summary: "Make the first account, which owns the installation, and its workspace",
    body: Type.Object({
      ...accountFields,
      workspaceName: Type.Optional(Type.String({ maxLength: 200, pattern: "\\S", description: "Absent: makes none." })),
      ...workspaceFields,
    }),
    replies: { 200: Session },
    async run(request) {
      assertSafe(parts);
      const { workspaceName, mode, timeZone, sample = false } = request.body;
      const opened = await setUp(db, request.body, visitorOf(request), async (tx, actor) => {
        if (workspaceName === undefined) return;
        const workspace = await createWorkspace(tx, {
          name: workspaceName,
          ...(mode ? { mode } : {}),
          ...(timeZone === undefined ? {} : { timeZone }),
        });
        if (sample) await fillDemo(tx, parts.demo, workspace);
        await recordAudit(tx, { workspaceId: workspace.id, actor, action: "workspace.created", target: workspace.id });
      });
      return replySignedIn(db, opened, cookie);
    },
  });
}

/** Throws 403 where passwords and codes would cross a network unencrypted. */
export function assertSafe({ isSafe }: Pick<SignInParts, "isSafe">): void {
  if (isSafe) return;
  throw new AppError(
    "FORBIDDEN",
    "Passwords are not taken over plain http from other machines. Serve https and set PARLEY_URL to it, or set ALLOW_INSECURE_SIGN_IN=1.",
  );
}

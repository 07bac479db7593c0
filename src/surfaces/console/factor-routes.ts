import { SIGNED_IN } from "#src/platform/http/console-access.ts";
import { type Caller, type Route, route } from "#src/platform/http/route.ts";
import { nullable, Type } from "#src/platform/http/schemas.ts";
import { actorOf, personOf } from "#src/tenancy/audit/actor.ts";
import {
  beginTotp,
  confirmSelf,
  confirmTotp,
  getSecondFactors,
  removeTotp,
  renewRecoveryCodes,
  SecondFactors,
  type Self,
  showFactor,
} from "#src/tenancy/users/second-factor.ts";
import { Password } from "#src/tenancy/users/users.ts";
import type { FactorParts } from "./second-step-routes.ts";
import { assertSafe } from "./sign-in-routes.ts";

const common = { audience: "console", access: [SIGNED_IN], tag: "Account" } as const;
const PATH = "/api/console/second-factor";
const Code = Type.String({
  maxLength: 100,
  description: "Six digits of the app; where one signs in, or a recovery code.",
});

/** Recovery codes, which are shown this once. */
export const RecoveryCodes = Type.Array(Type.String(), { description: "Shown this once; each works once." });

/** Returns the person of a request to the routes of their own account. */
export function selfOf(request: { caller: Caller; address: string; requestId: string }): Self {
  const { userId, sessionId } = personOf(request.caller);
  return { userId, sessionId, actor: actorOf(request) };
}

/** Returns the routes of a person's own second factors: authenticator app, recovery codes, confirmation. */
export function factorRoutes(parts: FactorParts): Route[] {
  const { db } = parts;
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      summary: "One's own second factors",
      replies: { 200: SecondFactors },
      run: ({ caller }) => getSecondFactors(db, personOf(caller).userId, parts.party !== null),
    }),
    ...totpRoutes(parts),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/recovery-codes`,
      summary: "Make new recovery codes; the earlier ones end",
      replies: { 200: Type.Object({ recoveryCodes: RecoveryCodes }) },
      run: async (request) => ({ recoveryCodes: await renewRecoveryCodes(db, selfOf(request)) }),
    }),
    confirmRoute(parts),
    showRoute(parts),
  ];
}

function totpRoutes({ db, box }: FactorParts): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/totp`,
      summary: "Begin to set up an authenticator app; it counts once a code has confirmed it",
      replies: { 200: Type.Object({ secret: Type.String(), uri: Type.String({ description: "For a QR code." }) }) },
      run: (request) => beginTotp(db, box, selfOf(request)),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/totp/confirm`,
      summary: "Confirm the authenticator app by a code; the first second factor brings recovery codes",
      body: Type.Object({ code: Code }),
      replies: { 200: Type.Object({ recoveryCodes: nullable(RecoveryCodes) }) },
      async run(request) {
        const { body, address } = request;
        return { recoveryCodes: await confirmTotp(db, box, selfOf(request), body.code, address) };
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/totp`,
      summary: "Remove one's authenticator app",
      replies: { 204: null },
      run: (request) => removeTotp(db, selfOf(request)),
    }),
  ];
}

function showRoute(parts: FactorParts): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/show`,
    summary: "Show a second factor by a code, where the company's provider asked for one factor alone",
    body: Type.Object({ code: Code }),
    replies: { 204: null },
    run(request) {
      assertSafe(parts);
      return showFactor(parts.db, parts.box, selfOf(request), request.body.code);
    },
  });
}

function confirmRoute(parts: FactorParts): Route {
  return route({
    ...common,
    method: "POST",
    path: "/api/console/confirm",
    summary: "Confirm that it is oneself, for ten minutes, by password and, with a second factor, a code",
    body: Type.Object({ password: Password, code: Type.Optional(Code) }),
    replies: { 204: null },
    run(request) {
      assertSafe(parts);
      return confirmSelf(parts.db, parts.box, selfOf(request), request.body);
    },
  });
}

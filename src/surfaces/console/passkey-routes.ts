import { SIGNED_IN } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, Type, Uuid } from "#src/platform/http/schemas.ts";
import { Passkey } from "#src/tenancy/users/passkey.ts";
import {
  beginPasskey,
  beginPasskeyConfirmation,
  confirmByPasskey,
  createPasskey,
  deletePasskey,
  renamePasskey,
  requireParty,
} from "#src/tenancy/users/passkeys.ts";
import { PersonName } from "#src/tenancy/users/users.ts";
import { NewPasskeyAnswer, PasskeyAnswer } from "#src/tenancy/users/webauthn.ts";
import { RecoveryCodes, selfOf } from "./factor-routes.ts";
import { type FactorParts, PasskeyOptions } from "./second-step-routes.ts";

const common = { audience: "console", access: [SIGNED_IN], tag: "Account" } as const;
const PATH = "/api/console/passkeys";
const CONFIRM = "/api/console/confirm/passkey";
const params = Type.Object({ passkeyId: Uuid });

/** Returns the routes of a person's own passkeys. */
export function passkeyRoutes({ db, party }: FactorParts): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/options`,
      summary: "Begin to make a passkey; the challenge is bound to the session",
      replies: { 200: PasskeyOptions },
      run: (request) => beginPasskey(db, requireParty(party), selfOf(request)),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      summary: "Store the passkey that the browser made; the first second factor brings recovery codes",
      body: Type.Object({ name: PersonName, answer: NewPasskeyAnswer }),
      replies: { 201: Type.Object({ passkey: Passkey, recoveryCodes: nullable(RecoveryCodes) }) },
      run: (request) => createPasskey(db, requireParty(party), selfOf(request), request.body),
    }),
    route({
      ...common,
      method: "PATCH",
      path: `${PATH}/{passkeyId}`,
      summary: "Rename one of one's own passkeys",
      params,
      body: Type.Object({ name: PersonName }),
      replies: { 200: Passkey },
      run: (request) =>
        db
          .transaction()
          .execute((tx) => renamePasskey(tx, selfOf(request), request.params.passkeyId, request.body.name)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{passkeyId}`,
      summary: "Delete one of one's own passkeys",
      params,
      replies: { 204: null },
      run: (request) => deletePasskey(db, selfOf(request), request.params.passkeyId),
    }),
    route({
      ...common,
      method: "POST",
      path: `${CONFIRM}/options`,
      summary: "Begin to confirm by a passkey that it is oneself",
      replies: { 200: PasskeyOptions },
      run: (request) => beginPasskeyConfirmation(db, requireParty(party), selfOf(request)),
    }),
    route({
      ...common,
      method: "POST",
      path: CONFIRM,
      summary: "Confirm by a passkey that it is oneself, for ten minutes",
      body: PasskeyAnswer,
      replies: { 204: null },
      run: (request) => confirmByPasskey(db, requireParty(party), selfOf(request), request.body),
    }),
  ];
}

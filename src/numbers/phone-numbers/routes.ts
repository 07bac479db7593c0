import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { askCarrier, type CarrierOffer } from "./carrier-offer.ts";
import {
  CreatePhoneNumberRequest,
  listCarriers,
  PhoneNumberResponse,
  UpdatePhoneNumberRequest,
} from "./number-fields.ts";
import { assertReal, assertTrunk, changeNumber, createNumber, getNumbers, removeNumber } from "./phone-numbers.ts";
import { type SealPassword, trunkPasswordPlace } from "./sip-trunk.ts";

const PATH = "/api/external/v1/phone-numbers";
const common = { audience: "external", tag: "Phone numbers" } as const;
const WRITE = ["PHONE_NUMBERS_WRITE"];
const params = Type.Object({ id: Uuid });

/** Dependencies of the routes. */
interface NumberParts {
  box: SecretBox;
  accounts: CarrierAccountCache;
}

/** The carrier's answer before a number is added. An error is kept, and thrown where the number would be stored. */
type Asked = { offer: CarrierOffer | null } | { error: unknown };

/** Routes of phone numbers. */
export function phoneNumberRoutes({ db }: Database, parts: NumberParts): Route[] {
  const sealFor = (workspaceId: string) => (password: string, id: string) =>
    parts.box.seal(password, trunkPasswordPlace(workspaceId, id));
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: ["PHONE_NUMBERS_READ"],
      summary: "List phone numbers",
      replies: { 200: Type.Array(PhoneNumberResponse) },
      run: ({ caller }) => getNumbers(db, caller.workspaceId),
    }),
    additionRoute(db, parts, sealFor),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Change a phone number",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: UpdatePhoneNumberRequest,
      replies: { 200: PhoneNumberResponse },
      run: ({ caller: { workspaceId }, params: { id }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeNumber(tx, workspaceId, id, body, sealFor(workspaceId), ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Release a phone number",
      description:
        "Refused with 409 while calls are live or queued on it. A number that was bought here is given back to its carrier.",
      params,
      replies: { 200: null },
      run: ({ caller, params: { id } }) => db.transaction().execute((tx) => removeNumber(tx, caller.workspaceId, id)),
    }),
  ];
}

function additionRoute(db: Executor, { accounts }: NumberParts, sealFor: (workspaceId: string) => SealPassword): Route {
  const ask = async (
    workspaceId: string,
    body: Static<typeof CreatePhoneNumberRequest>,
  ): Promise<CarrierOffer | null> => {
    if (body.provider === "SANDBOX" || body.provider === "BYO_SIP") return null;
    if ((await getWorkspace(db, workspaceId)).mode === "SANDBOX") return null;
    assertTrunk(body);
    return askCarrier({ db, accounts, assertNumber: assertReal }, workspaceId, body);
  };
  return route({
    ...common,
    method: "POST",
    path: PATH,
    access: WRITE,
    summary: "Add a phone number",
    description:
      `Required: provider; phoneNumber and sipTrunk for BYO_SIP. From the sandbox, ${listCarriers()}, or from a SIP trunk of your own (BYO_SIP). ` +
      "In a SANDBOX workspace every provider is simulated. In a LIVE one a carrier is asked first, and the number is PENDING until the carrier has given it: then ACTIVE, or FAILED with a statusMessage.",
    idempotent: true,
    body: CreatePhoneNumberRequest,
    replies: { 200: PhoneNumberResponse },
    prepare: ({ caller, body }): Promise<Asked> =>
      ask(caller.workspaceId, body).then(
        (offer) => ({ offer }),
        (error: unknown) => ({ error }),
      ),
    async run({ tx, caller, body, prepared }) {
      const asked = prepared as Asked;
      if ("error" in asked) throw asked.error;
      return createNumber(tx, caller.workspaceId, body, { seal: sealFor(caller.workspaceId), offer: asked.offer });
    },
  });
}

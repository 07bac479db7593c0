import type { Database } from "#src/db/database.ts";
import { type Route, route } from "#src/http/route.ts";
import { Type, Uuid } from "#src/http/schemas.ts";
import type { SecretBox } from "#src/kernel/secret-box.ts";
import {
  changeNumber,
  CreatePhoneNumberRequest,
  createNumber,
  getNumbers,
  PhoneNumberResponse,
  removeNumber,
  UpdatePhoneNumberRequest,
} from "./phone-numbers.ts";
import { trunkPasswordPlace } from "./sip-trunk.ts";

const PATH = "/api/external/v1/phone-numbers";
const common = { audience: "external", tag: "Phone numbers" } as const;
const WRITE = ["PHONE_NUMBERS_WRITE"];
const params = Type.Object({ id: Uuid });

/** Phone numbers (spec, "Phone numbers"). */
export function phoneNumberRoutes({ db }: Database, { box }: { box: SecretBox }): Route[] {
  const sealFor = (workspaceId: string) => (password: string, id: string) =>
    box.seal(password, trunkPasswordPlace(workspaceId, id));
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
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Add a phone number",
      description:
        "From the sandbox, TWILIO, TELNYX or VONAGE, or from a SIP trunk of your own (BYO_SIP, with sipTrunk). In a SANDBOX workspace every provider is simulated.",
      idempotent: true,
      body: CreatePhoneNumberRequest,
      replies: { 200: PhoneNumberResponse },
      run: ({ tx, caller, body }) => createNumber(tx, caller.workspaceId, body, sealFor(caller.workspaceId)),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Change a phone number",
      params,
      body: UpdatePhoneNumberRequest,
      replies: { 200: PhoneNumberResponse },
      run: ({ caller, params: { id }, body }) =>
        db.transaction().execute((tx) => changeNumber(tx, caller.workspaceId, id, body, sealFor(caller.workspaceId))),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Release a phone number",
      description: "Refused with 409 while calls are live or queued on it.",
      params,
      replies: { 200: null },
      run: ({ caller, params: { id } }) => db.transaction().execute((tx) => removeNumber(tx, caller.workspaceId, id)),
    }),
  ];
}

import type { CarrierAccountParts } from "#src/numbers/carrier-accounts/account-input.ts";
import { getAccountRow, getAccounts, removeAccount } from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_ADMIN, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";
import { addAccount, changeAccount, checkAccount } from "./account-changes.ts";

const PATH = `${WORKSPACE_PATH}/carrier-accounts`;
const common = { audience: "console", access: [WORKSPACE_ADMIN], tag: "Carrier accounts" } as const;
const workspaceParams = Type.Object({ workspaceId: Uuid });
const params = Type.Object({ workspaceId: Uuid, accountId: Uuid });

const Texts = Type.Record(Type.String({ maxLength: 100 }), nullable(Type.String({ maxLength: 16_384 })));

const Input = {
  label: Type.Optional(Type.String({ maxLength: 200 })),
  callsPerSecond: Type.Optional(Type.Number()),
  settings: Type.Optional(Texts),
  secrets: Type.Optional(Texts),
  unchecked: Type.Optional(Type.Boolean({ description: "Store it though its carrier cannot be reached now." })),
};
const ChangeInput = Type.Object(Input, { $id: "CarrierAccountChange" });

const Account = {
  id: Uuid,
  workspaceId: Uuid,
  provider: Type.String(),
  label: Type.String(),
  status: oneOf(["ACTIVE", "FAILED"]),
  statusMessage: nullable(Type.String()),
  settings: Type.Record(Type.String(), Type.String()),
  callsPerSecond: Type.Number(),
  phoneNumbers: Type.Integer({ description: "Numbers that use it." }),
  checkedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
const CarrierAccount = Type.Object(Account, { $id: "CarrierAccount" });

const Check = Type.Object({
  kind: oneOf(["WORKS", "REFUSED", "UNREACHABLE"]),
  code: Type.Optional(Type.String()),
  message: Type.String(),
});
const CheckedAccount = Type.Object(
  { ...Account, check: Check, numbersResumed: Type.Optional(Type.Integer()) },
  { $id: "CheckedCarrierAccount" },
);

const Provider = Type.Object(
  {
    provider: Type.String(),
    callsPerSecond: Type.Number(),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        isSecret: Type.Boolean(),
        isRequired: Type.Boolean(),
        pattern: Type.String({ description: "What a value must look like, as a whole." }),
      }),
    ),
    webhooksByHand: Type.Array(Type.Object({ label: Type.String(), path: Type.String() }), {
      description: "Webhooks to enter at the carrier, below the account's own address.",
    }),
  },
  { $id: "CarrierProvider" },
);

/** Routes of carrier accounts, for the owners of a workspace. Secrets can be written, but never read. */
export function carrierAccountRoutes(parts: CarrierAccountParts): Route[] {
  return [...readingRoutes(parts), ...writingRoutes(parts)];
}

function readingRoutes(parts: CarrierAccountParts): Route[] {
  const { providers = CARRIER_PROVIDERS } = parts;
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: `${WORKSPACE_PATH}/carrier-providers`,
      summary: "List the carriers that an account can be with, and what each asks for",
      params: workspaceParams,
      replies: { 200: Type.Array(Provider) },
      run: async () =>
        providers.map(({ name: provider, callsPerSecond, fields, webhooksByHand = [] }) => ({
          provider,
          callsPerSecond,
          webhooksByHand: [...webhooksByHand],
          fields: fields.map(({ pattern, ...field }) => ({ ...field, pattern: pattern.source })),
        })),
    }),
    route({
      ...common,
      method: "GET",
      path: PATH,
      summary: "List the accounts with carriers",
      params: workspaceParams,
      replies: { 200: Type.Array(CarrierAccount) },
      run: ({ caller }) => getAccounts(parts.db, caller.workspaceId),
    }),
  ];
}

function writingRoutes(parts: CarrierAccountParts): Route[] {
  const { db } = parts;
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      summary: "Add an account with a carrier, which is asked about it first",
      params: workspaceParams,
      body: Type.Object({ provider: Type.String({ maxLength: 100 }), ...Input }),
      replies: { 201: CheckedAccount },
      run: ({ caller, body }) =>
        addAccount(parts, caller.workspaceId, { provider: body.provider, ...readChange(body) }),
    }),
    route({
      ...common,
      method: "PATCH",
      path: `${PATH}/{accountId}`,
      summary: "Change an account; what is absent stays, null takes a setting or secret away",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: ChangeInput,
      replies: { 200: CheckedAccount },
      run: async ({ caller, params: { accountId }, query, body }) =>
        changeAccount(parts, await ownId(db, caller.workspaceId, accountId), { ...readChange(body), ...query }),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{accountId}/check`,
      summary: "Ask the carrier about an account now",
      params,
      replies: { 200: CheckedAccount },
      run: async ({ caller, params: { accountId } }) =>
        checkAccount(parts, await ownId(db, caller.workspaceId, accountId)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{accountId}`,
      summary: "Remove an account; 409 while numbers use it",
      params,
      replies: { 204: null },
      async run({ caller, params: { accountId } }) {
        const id = await ownId(db, caller.workspaceId, accountId);
        await db.transaction().execute((tx) => removeAccount(tx, id));
      },
    }),
  ];
}

function readChange({ unchecked = false, ...given }: Static<typeof ChangeInput>) {
  const { label, callsPerSecond, settings = {}, secrets = {} } = given;
  return { input: { label, callsPerSecond, settings, secrets }, mayBeUnchecked: unchecked };
}

/** Returns 404 for an account of another workspace, as for one that does not exist. */
async function ownId(db: Executor, workspaceId: string, id: string): Promise<string> {
  const row = await getAccountRow(db, id);
  if (row.workspace_id !== workspaceId) throw new AppError("NOT_FOUND", `There is no carrier account ${id}.`);
  return row.id;
}

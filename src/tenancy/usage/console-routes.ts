import type { Executor } from "#src/platform/db/database.ts";
import { INSTALLATION_OWNER, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { ifUnchangedBody } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, Type, Uuid } from "#src/platform/http/schemas.ts";
import { Balance, BookedTopUp, changeBilling, getBilling, getTopUps, topUp } from "./balance.ts";

const PATH = `${WORKSPACE_PATH}/billing`;
const common = { audience: "console", tag: "Billing", params: Type.Object({ workspaceId: Uuid }) } as const;
const Decimal = Type.String({ maxLength: 40 });

const Billing = Type.Object(
  {
    workspaceId: Uuid,
    currency: Type.String(),
    creditLimit: nullable(Type.String({ description: "Null: unlimited." })),
    lowBalanceThreshold: nullable(Type.String()),
    prices: Type.Record(Type.String(), Type.String(), { description: "Unit price by kind of usage." }),
  },
  { $id: "Billing" },
);

/**
 * Routes of a workspace's billing. Every member reads it. Limits, prices and top-ups are set by the owners of the
 * installation, who run it, as the operator does.
 */
export function billingRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: PATH,
      summary: "Read prices, currency and credit limit",
      replies: { 200: Billing },
      run: ({ caller }) => getBilling(db, caller.workspaceId),
    }),
    route({
      ...common,
      access: [INSTALLATION_OWNER],
      method: "PATCH",
      path: PATH,
      summary: "Change prices, currency or limits; null takes a limit away, or a price back to its default",
      body: Type.Object({
        currency: Type.Optional(Type.String({ maxLength: 3 })),
        creditLimit: Type.Optional(nullable(Decimal)),
        lowBalanceThreshold: Type.Optional(nullable(Decimal)),
        prices: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), nullable(Decimal))),
        ...ifUnchangedBody,
      }),
      replies: { 200: Billing },
      run: ({ caller, body }) => db.transaction().execute((tx) => changeBilling(tx, caller.workspaceId, body)),
    }),
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: `${PATH}/top-ups`,
      summary: "List the latest thousand top-ups, newest first",
      replies: { 200: Type.Array(BookedTopUp) },
      run: ({ caller }) => getTopUps(db, caller.workspaceId),
    }),
    route({
      ...common,
      access: [INSTALLATION_OWNER],
      method: "POST",
      path: `${PATH}/top-ups`,
      summary: "Add to the balance; a correction is negative, and a repeated reference adds nothing",
      body: Type.Object({
        amount: Decimal,
        note: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
        reference: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
      }),
      idempotent: true,
      replies: { 200: Type.Object({ ...Balance.properties, workspaceId: Uuid, repeated: Type.Boolean() }) },
      run: ({ tx, caller, body: { amount, note = null, reference = null } }) =>
        topUp(tx, caller.workspaceId, { amount, note, reference }),
    }),
  ];
}

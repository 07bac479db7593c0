import type { Executor } from "#src/platform/db/database.ts";
import { assertBefore } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { isDecimal, toMoney } from "./money.ts";
import { DEFAULT_PRICES, USAGE_KINDS, type UsageKind } from "./prices.ts";
import {
  hasAmounts,
  insertTopUp,
  listPrices,
  listTopUps,
  lockAccount,
  readAccount,
  savePrice,
  updateAccount,
} from "./store.ts";

const money = (description: string) => Type.String({ description });

/** Credit of a workspace. Amounts are decimal texts and never rounded. */
export const Balance = Type.Object(
  {
    balance: money("Top-ups less what was billed."),
    currency: Type.String({ description: "ISO 4217." }),
    creditLimit: nullable(money("How far below zero the balance may go; null: no limit.")),
    availableCredit: nullable(money("Balance and limit less pending; null: no limit. At zero no call is placed.")),
    pending: money("What the calls now on the line have come to; billed when they end."),
    lowBalanceThreshold: nullable(money("Below it, lowBalance is true.")),
    lowBalance: Type.Boolean(),
    unlimited: Type.Boolean({ description: "True until the operator sets a limit." }),
    toppedUpTotal: money("All top-ups."),
    billedTotal: money("Everything billed."),
    simulatedTotal: money("What the calls and chats of the sandbox would have cost; never billed."),
    asOf: Timestamp,
  },
  { $id: "Balance" },
);
export type Balance = Static<typeof Balance>;

/** Returns the balance at this moment, with every call that has ended. */
export async function getBalance(tx: Executor, workspaceId: string): Promise<Balance> {
  const row = await readAccount(tx, workspaceId);
  const orNull = (decimal: string | null) => (decimal === null ? null : toMoney(decimal));
  return {
    balance: toMoney(row.balance),
    currency: row.currency,
    creditLimit: orNull(row.credit_limit),
    availableCredit: orNull(row.available_credit),
    pending: toMoney(row.pending),
    lowBalanceThreshold: orNull(row.low_balance_threshold),
    lowBalance: row.is_low,
    unlimited: row.credit_limit === null,
    toppedUpTotal: toMoney(row.topped_up),
    billedTotal: toMoney(row.billed),
    simulatedTotal: toMoney(row.simulated),
    asOf: row.as_of.toISOString(),
  };
}

/** A payment, or with a negative amount a correction. */
export interface TopUp {
  amount: string;
  note: string | null;
  /** The payer's own id of the payment: a repeat changes nothing. */
  reference: string | null;
}

/** Adds a top-up and returns the balance after it. For the operator. */
export async function topUp(
  tx: Executor,
  workspaceId: string,
  input: TopUp,
): Promise<Balance & { workspaceId: string; repeated: boolean }> {
  assertDecimal("amount", input.amount);
  if (Number(input.amount) === 0) throw fieldError("amount", "RANGE", "must not be zero.");
  await lockAccount(tx, workspaceId);
  const isNew = await insertTopUp(tx, workspaceId, { id: uuidv7(), ...input });
  return { workspaceId, repeated: !isNew, ...(await getBalance(tx, workspaceId)) };
}

/** A top-up as it was booked. */
export const BookedTopUp = Type.Object(
  {
    id: Uuid,
    amount: money("Negative: a correction."),
    note: nullable(Type.String()),
    reference: nullable(Type.String()),
    createdAt: Timestamp,
  },
  { $id: "BookedTopUp" },
);

const TOP_UPS_SHOWN = 1_000;

/** The latest thousand top-ups, the newest first. */
export async function getTopUps(tx: Executor, workspaceId: string): Promise<Static<typeof BookedTopUp>[]> {
  return (await listTopUps(tx, workspaceId, TOP_UPS_SHOWN)).map(({ id, amount, note, reference, created_at: at }) => ({
    id,
    amount: toMoney(amount),
    note,
    reference,
    createdAt: at.toISOString(),
  }));
}

/** Billing settings of a workspace. */
export interface Billing {
  workspaceId: string;
  currency: string;
  creditLimit: string | null;
  lowBalanceThreshold: string | null;
  prices: Record<UsageKind, string>;
}

/** Changes of billing settings by the operator; null removes a limit, or resets a price to its default. */
export interface BillingChange {
  currency?: string | undefined;
  creditLimit?: string | null | undefined;
  lowBalanceThreshold?: string | null | undefined;
  prices?: Record<string, string | null> | undefined;
  /** Settings as they were read: 409 when one of them has changed since. */
  before?: Record<string, unknown> | undefined;
}

/** Applies the given changes, and returns the billing settings from now on. For the operator. */
export async function changeBilling(tx: Executor, workspaceId: string, change: BillingChange): Promise<Billing> {
  assertChange(change);
  const { currency, creditLimit, lowBalanceThreshold, prices = {}, before } = change;
  const account = await lockAccount(tx, workspaceId);
  if (before) assertBefore(await getBilling(tx, workspaceId), before);
  if (currency !== undefined && currency !== account.currency && (await hasAmounts(tx, workspaceId))) {
    throw new AppError("CONFLICT", `The ledger already holds amounts in ${account.currency}.`);
  }
  await updateAccount(tx, workspaceId, { currency, creditLimit, lowBalanceThreshold });
  for (const [kind, price] of Object.entries(prices)) await savePrice(tx, workspaceId, kind as UsageKind, price);
  return getBilling(tx, workspaceId);
}

/** Returns the billing settings of a workspace. */
export async function getBilling(tx: Executor, workspaceId: string): Promise<Billing> {
  const { currency, creditLimit, lowBalanceThreshold } = await getBalance(tx, workspaceId);
  const own = await listPrices(tx, workspaceId);
  const prices = { ...DEFAULT_PRICES };
  for (const { kind, unit_price: price } of own) prices[kind] = price;
  return { workspaceId, currency, creditLimit, lowBalanceThreshold, prices };
}

function assertChange({ currency, creditLimit, lowBalanceThreshold, prices }: BillingChange): void {
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    throw fieldError("currency", "FORMAT", "must be an ISO 4217 code such as USD or EUR.");
  }
  if (typeof creditLimit === "string") assertDecimal("creditLimit", creditLimit);
  if (creditLimit?.startsWith("-")) throw fieldError("creditLimit", "RANGE", "must not be negative.");
  if (typeof lowBalanceThreshold === "string") assertDecimal("lowBalanceThreshold", lowBalanceThreshold);
  for (const [kind, price] of Object.entries(prices ?? {})) {
    if (!(USAGE_KINDS as readonly string[]).includes(kind)) {
      throw fieldError(`prices.${kind}`, "NOT_ALLOWED", `must be one of ${USAGE_KINDS.join(", ")}.`);
    }
    if (price === null) continue;
    assertDecimal(`prices.${kind}`, price);
    if (price.startsWith("-")) throw fieldError(`prices.${kind}`, "RANGE", "must not be negative.");
  }
}

function assertDecimal(field: string, text: string): void {
  if (!isDecimal(text)) throw fieldError(field, "FORMAT", "must be a decimal text such as 12.50.");
}

import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import { chooseAccount, holdAccount } from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import type { CarrierAccount } from "#src/telephony/carriers/account.ts";
import type {
  NumberProvisioning,
  NumberResult,
  OfferedNumber,
  OwnedNumber,
} from "#src/telephony/carriers/number-provisioning.ts";
import { sandboxNumberProvisioning } from "#src/telephony/carriers/sandbox/sandbox-number-provisioning.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { findByNumbers, type NumberToInsert } from "./store.ts";

/** A carrier's answer about a number to be added: the number, and whether the account holds it already. */
export interface CarrierOffer {
  accountId: string;
  /** E.164. */
  number: string;
  owned: OwnedNumber | null;
}

/** A wanted number, or its country and area, with its carrier. */
export interface NumberOrder {
  provider: string;
  phoneNumber?: string | null;
  countryCode?: string | null;
  areaCode?: string | null;
  carrierAccountId?: string | null;
}

/** Dependencies for asking a carrier. */
export interface OfferParts {
  db: Executor;
  accounts: CarrierAccountCache;
  /** Throws for a number from which no call can be placed. */
  assertNumber: (number: string) => void;
}

const SEARCH_LIMIT = 20;
const ASK_TIMEOUT_MS = 20_000;

/**
 * Asks a carrier for the named number, or for one of a country; buys nothing. A refusal of the carrier is a 422 or 409
 * with its own message; 503 when it could not be reached.
 */
export async function askCarrier(
  { db, accounts, assertNumber }: OfferParts,
  workspaceId: string,
  order: NumberOrder,
): Promise<CarrierOffer> {
  const { id, account } = await openAccount({ db, accounts }, workspaceId, order);
  if (order.phoneNumber) assertNumber(order.phoneNumber);
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  if (!order.phoneNumber) {
    return { accountId: id, number: await pickNumber(db, workspaceId, account, order, signal), owned: null };
  }
  const found = await account.numbers.findOwned(order.phoneNumber, signal);
  if (found.kind === "ABSENT") return { accountId: id, number: order.phoneNumber, owned: null };
  return { accountId: id, number: order.phoneNumber, owned: valueOf(found, "phoneNumber") };
}

function brokenAccount(provider: string, id: string, why: string): AppError {
  const what = `The workspace's ${provider} account does not work: ${why}.`;
  return new AppError("CONFLICT", `${what} Once it is mended, its operator runs: parley carrier check ${id}`);
}

async function pickNumber(
  db: Executor,
  workspaceId: string,
  account: CarrierAccount,
  order: NumberOrder,
  signal: AbortSignal,
): Promise<string> {
  const [free] = await findFree(db, workspaceId, account.numbers, order, signal);
  if (free) return free.number;
  const countryCode = order.countryCode ?? "US";
  const where = order.areaCode ? `${countryCode}, area ${order.areaCode}` : countryCode;
  const path = order.areaCode ? "areaCode" : "countryCode";
  throw fieldError(path, "NO_NUMBERS", `The carrier has no number for sale in ${where} that can call.`);
}

async function findFree(
  db: Executor,
  workspaceId: string,
  provisioning: Pick<NumberProvisioning, "search">,
  { countryCode, areaCode }: NumberOrder,
  signal: AbortSignal,
): Promise<OfferedNumber[]> {
  const wish = { countryCode: countryCode ?? "US", areaCode: areaCode ?? null, limit: SEARCH_LIMIT };
  const found = await provisioning.search(wish, signal);
  const offered = found.kind === "ABSENT" ? [] : valueOf(found, "countryCode");
  const numbers = offered.map((one) => one.number);
  const known = new Set((await findByNumbers(db, workspaceId, numbers)).map((row) => row.number));
  return offered.filter(({ number, capabilities }) => capabilities.includes("VOICE") && !known.has(number));
}

/**
 * Returns the numbers that a carrier has for sale, without those of the workspace; orders nothing. Errors as in
 * `askCarrier`.
 */
export async function searchOffers(
  { db, accounts }: Omit<OfferParts, "assertNumber">,
  workspaceId: string,
  order: NumberOrder,
): Promise<OfferedNumber[]> {
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  const { mode } = await getWorkspace(db, workspaceId);
  if (mode === "SANDBOX" || order.provider === "SANDBOX") {
    return findFree(db, workspaceId, sandboxNumberProvisioning, order, signal);
  }
  const { account } = await openAccount({ db, accounts }, workspaceId, order);
  return findFree(db, workspaceId, account.numbers, order, signal);
}

async function openAccount(
  { db, accounts }: Omit<OfferParts, "assertNumber">,
  workspaceId: string,
  { provider, carrierAccountId }: NumberOrder,
): Promise<{ id: string; account: CarrierAccount }> {
  const { id, status, statusMessage } = await chooseAccount(db, workspaceId, provider, carrierAccountId ?? null);
  if (status === "FAILED") throw brokenAccount(provider, id, statusMessage ?? "its carrier refuses it");
  const account = await accounts.open(workspaceId, id);
  if (!account) throw brokenAccount(provider, id, "its secrets do not open with the key of this server");
  return { id, account };
}

function valueOf<T>(found: Exclude<NumberResult<T>, { kind: "ABSENT" }>, path: string): T {
  if (found.kind === "DONE") return found.value;
  if (found.kind === "UNCERTAIN") throw new AppError("UNAVAILABLE", `${found.message} Nothing was ordered. Try again.`);
  if (found.blame === "ACCOUNT") throw new AppError("CONFLICT", found.message);
  throw fieldError(path, "CARRIER_REFUSED", found.message);
}

/**
 * Returns the columns of a new number from an offer, and protects its account from removal until the transaction ends.
 */
export async function takeOffer(
  tx: Executor,
  workspaceId: string,
  { accountId, number, owned }: CarrierOffer,
): Promise<
  Pick<
    NumberToInsert,
    "number" | "status" | "status_message" | "carrier_account_id" | "external_id" | "capabilities" | "suspended_by"
  >
> {
  if (!(await holdAccount(tx, workspaceId, accountId))) {
    throw new AppError("CONFLICT", "The carrier account was removed meanwhile.");
  }
  return {
    number,
    status: "PENDING",
    status_message: owned ? "The carrier is told where its calls go." : "The number is ordered from the carrier.",
    carrier_account_id: accountId,
    external_id: owned?.externalId ?? null,
    capabilities: owned?.capabilities ?? null,
    suspended_by: null,
  };
}

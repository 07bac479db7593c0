import type { AccountBook } from "#src/carrier-accounts/account-book.ts";
import { chooseAccount, holdAccount } from "#src/carrier-accounts/carrier-accounts.ts";
import type { CarrierAccount } from "#src/carriers/account.ts";
import type { NumberResult, OwnedNumber } from "#src/carriers/number-desk.ts";
import type { Executor } from "#src/db/database.ts";
import { AppError, fieldError } from "#src/kernel/errors.ts";
import { findByNumbers, type NumberToInsert } from "./store.ts";

/** What a carrier says of a number that is to be added: which it is, and whether the account holds it already. */
export interface CarrierOffer {
  accountId: string;
  /** E.164. */
  number: string;
  owned: OwnedNumber | null;
}

/** Which number of which carrier somebody wants. */
export interface NumberOrder {
  provider: string;
  phoneNumber?: string | null;
  countryCode?: string | null;
  areaCode?: string | null;
  carrierAccountId?: string | null;
}

/** What asking takes. */
export interface OfferParts {
  db: Executor;
  accounts: AccountBook;
  /** Throws for a number that nobody can call from. */
  assertNumber: (number: string) => void;
}

const SEARCH_LIMIT = 20;
const ASK_TIMEOUT_MS = 20_000;

/**
 * Asks a carrier for the number that is named, or for one of a country; nothing is bought. What the carrier refuses is a
 * 422 or 409 with its own words; 503 when it could not be asked.
 */
export async function askCarrier(
  { db, accounts, assertNumber }: OfferParts,
  workspaceId: string,
  order: NumberOrder,
): Promise<CarrierOffer> {
  const { id, status, statusMessage } = await chooseAccount(
    db,
    workspaceId,
    order.provider,
    order.carrierAccountId ?? null,
  );
  if (order.phoneNumber) assertNumber(order.phoneNumber);
  if (status === "FAILED") throw brokenAccount(order.provider, id, statusMessage ?? "its carrier refuses it");
  const account = await accounts.open(workspaceId, id);
  if (!account) throw brokenAccount(order.provider, id, "its secrets do not open with the key of this server");
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
  { countryCode, areaCode }: NumberOrder,
  signal: AbortSignal,
): Promise<string> {
  const wish = { countryCode: countryCode ?? "US", areaCode: areaCode ?? null, limit: SEARCH_LIMIT };
  const found = await account.numbers.search(wish, signal);
  const offered = found.kind === "ABSENT" ? [] : valueOf(found, "countryCode");
  const known = await findByNumbers(
    db,
    workspaceId,
    offered.map((one) => one.number),
  );
  const free = offered.find(
    ({ number, capabilities }) => capabilities.includes("VOICE") && !known.some((row) => row.number === number),
  );
  if (free) return free.number;
  const where = areaCode ? `${wish.countryCode}, area ${areaCode}` : wish.countryCode;
  const path = areaCode ? "areaCode" : "countryCode";
  throw fieldError(path, "NO_NUMBERS", `The carrier has no number for sale in ${where} that can call.`);
}

function valueOf<T>(found: Exclude<NumberResult<T>, { kind: "ABSENT" }>, path: string): T {
  if (found.kind === "DONE") return found.value;
  if (found.kind === "UNCERTAIN") throw new AppError("UNAVAILABLE", `${found.message} Nothing was ordered. Try again.`);
  if (found.blame === "ACCOUNT") throw new AppError("CONFLICT", found.message);
  throw fieldError(path, "CARRIER_REFUSED", found.message);
}

/** What a number of an offer is stored with; its account is held against removal until the transaction ends. */
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

import type { Executor } from "#src/platform/db/database.ts";
import { AppError, fieldError, toError } from "#src/platform/kernel/errors.ts";
import { isUuid, uuidv7 } from "#src/platform/kernel/id.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { AccountCheck, AccountKeys } from "#src/telephony/carriers/account.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import {
  type CarrierAccountParts,
  type AccountInput,
  assertSecretsSent,
  type CheckedAccount,
  checkKeys,
  readAndCheck,
} from "./account-input.ts";
import { openKeys, sealSecrets } from "./account-secrets.ts";
import {
  type CarrierAccountRow,
  deleteAccount,
  findAccount,
  findAccountAnywhere,
  listAccounts,
  listAccountsWith,
  lockAccount,
  saveAccount,
  setAccountStatus,
  shareAccount,
} from "./store.ts";

/** An account as the API shows it, without its secrets. */
export interface ShownAccount {
  id: string;
  workspaceId: string;
  provider: string;
  label: string;
  status: "ACTIVE" | "FAILED";
  statusMessage: string | null;
  settings: Record<string, string>;
  callsPerSecond: number;
  /** Numbers that use it. */
  phoneNumbers: number;
  checkedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Returns a carrier by its name in any case; 422 names the known ones. */
export function findProvider({ providers = CARRIER_PROVIDERS }: Pick<CarrierAccountParts, "providers">, name: string) {
  const found = providers.find((provider) => provider.name === name.toUpperCase());
  if (found) return found;
  throw fieldError("provider", "UNKNOWN", `must be one of ${providers.map((one) => one.name).join(", ")}.`);
}

/** Reads a new account and checks it with its carrier; stores nothing. 409 in a SANDBOX workspace. */
export async function prepareAccount(
  parts: CarrierAccountParts,
  workspaceId: string,
  name: string,
  input: AccountInput,
): Promise<CheckedAccount> {
  const provider = findProvider(parts, name);
  const { mode } = await getWorkspace(parts.db, workspaceId);
  if (mode === "SANDBOX") {
    const why = "A SANDBOX workspace never reaches a carrier, so it takes no account. Make one with --mode LIVE.";
    throw new AppError("CONFLICT", why);
  }
  return readAndCheck(parts, provider, { workspaceId, id: uuidv7(), settings: {}, secrets: {} }, input);
}

/** Does the same for a change of a stored account. */
export async function prepareChange(
  parts: CarrierAccountParts,
  row: CarrierAccountRow,
  input: AccountInput,
): Promise<CheckedAccount> {
  const { label, calls_per_second: callsPerSecond } = row;
  const provider = findProvider(parts, row.provider);
  const before = openOrEmpty(parts, row);
  assertSecretsSent(before, input);
  return readAndCheck(parts, provider, before, { label, callsPerSecond, ...dropUnset(input) });
}

/** Returns no secrets when they were sealed with another key: they are lost, so all of them must be given again. */
function openOrEmpty({ box }: CarrierAccountParts, row: CarrierAccountRow): AccountKeys {
  try {
    return openKeys(box, row);
  } catch {
    return { workspaceId: row.workspace_id, id: row.id, settings: row.settings, secrets: {} };
  }
}

function dropUnset(input: AccountInput): AccountInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** Checks a stored account with its carrier. */
export async function checkStored(parts: CarrierAccountParts, row: CarrierAccountRow): Promise<AccountCheck> {
  let keys: AccountKeys;
  try {
    keys = openKeys(parts.box, row);
  } catch (thrown) {
    const message = `${toError(thrown).message} Give the secrets again: parley carrier update ${row.id}`;
    return { kind: "REFUSED", code: "SECRETS_UNREADABLE", message };
  }
  return checkKeys(parts, findProvider(parts, row.provider), keys);
}

/** Stores a checked account; 422 when its carrier refused it, 503 when the carrier could not be reached. */
export async function storeAccount(
  tx: Executor,
  box: SecretBox,
  { keys, provider, label, callsPerSecond, check }: CheckedAccount,
  mayBeUnchecked: boolean,
): Promise<ShownAccount> {
  if (check.kind === "REFUSED") {
    throw new AppError("VALIDATION_FAILED", check.message, [
      { path: "secrets", code: check.code, message: check.message },
    ]);
  }
  if (check.kind === "UNREACHABLE" && !mayBeUnchecked) {
    throw new AppError(
      "UNAVAILABLE",
      `${check.message} Nothing was stored. With --unchecked it is stored all the same.`,
    );
  }
  await saveAccount(tx, keys.workspaceId, {
    id: keys.id,
    provider: provider.name,
    label,
    settings: { ...keys.settings },
    secrets: sealSecrets(box, keys),
    calls_per_second: callsPerSecond,
    isChecked: check.kind === "WORKS",
  });
  return toShown(await getAccountRow(tx, keys.id));
}

/** Returns an account by its id, in any workspace; 404 when there is none. */
export async function getAccountRow(tx: Executor, id: string): Promise<CarrierAccountRow> {
  const row = isUuid(id) ? await findAccountAnywhere(tx, id) : undefined;
  if (!row) throw new AppError("NOT_FOUND", `There is no carrier account ${id}.`);
  return row;
}

/** Locks an account until the transaction ends, and returns its current row. */
export async function lockAccountRow(tx: Executor, row: CarrierAccountRow): Promise<CarrierAccountRow> {
  await lockAccount(tx, row.workspace_id, row.id);
  return getAccountRow(tx, row.id);
}

/** Returns the accounts of a workspace, or of all of them. */
export async function getAccounts(tx: Executor, workspaceId: string | null): Promise<ShownAccount[]> {
  return (await listAccounts(tx, workspaceId)).map(toShown);
}

/** Removes an account; 409 while numbers use it. */
export async function removeAccount(tx: Executor, id: string): Promise<void> {
  const { workspace_id: workspaceId } = await getAccountRow(tx, id);
  if (!(await lockAccount(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  const { numbers } = await getAccountRow(tx, id);
  if (numbers > 0) {
    throw new AppError("CONFLICT", `${numbers} phone number(s) use the account. Release them first.`);
  }
  await deleteAccount(tx, workspaceId, id);
}

/** Marks an account FAILED, with its carrier's message. */
export async function failAccount(tx: Executor, workspaceId: string, id: string, message: string): Promise<void> {
  await setAccountStatus(tx, workspaceId, id, "FAILED", message);
}

/** Marks an account ACTIVE, because its carrier accepts it. */
export async function reviveAccount(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await setAccountStatus(tx, workspaceId, id, "ACTIVE", null);
}

/** An account to which numbers are added. */
export interface ChosenAccount {
  id: string;
  status: "ACTIVE" | "FAILED";
  statusMessage: string | null;
}

/**
 * Returns the account for a new number of a carrier: the named one, or the workspace's only one. 422 says what to do
 * when there is none, or when it must be named.
 */
export async function chooseAccount(
  tx: Executor,
  workspaceId: string,
  provider: string,
  named: string | null,
): Promise<ChosenAccount> {
  const accounts = await listAccountsWith(tx, workspaceId, provider);
  const found = named === null ? accounts[0] : accounts.find((one) => one.id === named.toLowerCase());
  const add = `parley carrier add ${provider.toLowerCase()} --workspace ${workspaceId}`;
  if (accounts.length === 0) {
    const why = `The workspace has no ${provider} account. Its operator adds one: ${add}`;
    throw fieldError("provider", "CARRIER_NOT_CONFIGURED", why);
  }
  if (!found) throw fieldError("carrierAccountId", "NOT_FOUND", `is no ${provider} account of the workspace.`);
  if (named === null && accounts.length > 1) {
    throw fieldError(
      "carrierAccountId",
      "REQUIRED",
      `is required: the workspace has ${accounts.length} ${provider} accounts.`,
    );
  }
  return { id: found.id, status: found.status, statusMessage: found.status_message };
}

/** Returns the status of an account; undefined when the workspace has no such account. */
export async function findAccountState(
  tx: Executor,
  workspaceId: string,
  id: string,
): Promise<Omit<ChosenAccount, "id"> | undefined> {
  const row = await findAccount(tx, workspaceId, id);
  return row && { status: row.status, statusMessage: row.status_message };
}

/** True when an account was given new keys since a moment. */
export async function wasMended(tx: Executor, workspaceId: string, id: string, since: Date): Promise<boolean> {
  const row = await findAccount(tx, workspaceId, id);
  return row !== undefined && row.updated_at.getTime() > since.getTime();
}

/** Keeps an account from being removed until the transaction ends; false when it is gone. */
export function holdAccount(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  return shareAccount(tx, workspaceId, id);
}

function toShown(row: CarrierAccountRow): ShownAccount {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    provider: row.provider,
    label: row.label,
    status: row.status,
    statusMessage: row.status_message,
    settings: row.settings,
    callsPerSecond: row.calls_per_second,
    phoneNumbers: row.numbers,
    checkedAt: row.checked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

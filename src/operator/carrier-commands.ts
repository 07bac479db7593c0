import { type AccountDeskParts, type AccountInput } from "#src/carrier-accounts/account-input.ts";
import {
  checkStored,
  findProvider,
  getAccountRow,
  getAccounts,
  prepareAccount,
  prepareChange,
  removeAccount,
  storeAccount,
} from "#src/carrier-accounts/carrier-accounts.ts";
import { type Executor, retryDeadlocks } from "#src/db/database.ts";
import { fieldError } from "#src/kernel/errors.ts";
import { isUuid } from "#src/kernel/id.ts";
import { reviveNumbers, stopAccount } from "#src/phone-numbers/number-health.ts";
import type { Command } from "./command.ts";

/**
 * The commands that hold accounts of carriers. A carrier is asked before the transaction, which stays short; what it
 * refuses is not stored.
 */
export function createCarrierCommands(parts: AccountDeskParts): ReadonlyMap<string, Command> {
  const { db } = parts;
  return new Map<string, Command>([
    ["carrier.fields", async (body) => showFields(parts, requireText(body, "provider"))],
    ["carrier.add", (body) => addAccount(parts, body)],
    [
      "carrier.list",
      async (body) => getAccounts(db, body.workspaceId === undefined ? null : requireId(body, "workspaceId")),
    ],
    ["carrier.check", (body) => checkAccount(parts, requireText(body, "id"))],
    ["carrier.update", (body) => changeAccount(parts, body)],
    [
      "carrier.remove",
      async (body) => {
        const id = requireText(body, "id");
        await inTransaction(db, (tx) => removeAccount(tx, id));
        return { id, removed: true };
      },
    ],
  ]);
}

function inTransaction<T>(db: Executor, run: (tx: Executor) => Promise<T>): Promise<T> {
  return retryDeadlocks(() => db.transaction().execute(run));
}

async function showFields(parts: AccountDeskParts, name: string): Promise<unknown> {
  const { name: provider, callsPerSecond, fields } = findProvider(parts, name);
  const shown = fields.map(({ pattern, ...field }) => ({ ...field, pattern: pattern.source }));
  return { provider, callsPerSecond, fields: shown };
}

async function addAccount(parts: AccountDeskParts, body: Record<string, unknown>): Promise<unknown> {
  const name = requireText(body, "provider");
  const checked = await prepareAccount(parts, requireId(body, "workspaceId"), name, readInput(body));
  const account = await inTransaction(parts.db, (tx) => storeAccount(tx, parts.box, checked, body.unchecked === true));
  return { ...account, check: checked.check };
}

async function changeAccount(parts: AccountDeskParts, body: Record<string, unknown>): Promise<unknown> {
  const row = await getAccountRow(parts.db, requireText(body, "id"));
  const checked = await prepareChange(parts, row, readInput(body));
  return inTransaction(parts.db, async (tx) => {
    const account = await storeAccount(tx, parts.box, checked, body.unchecked === true);
    const numbersResumed = await reviveNumbers(tx, account.workspaceId, account.id);
    return { ...account, check: checked.check, numbersResumed };
  });
}

/** What the carrier says decides: WORKS gives numbers back, REFUSED stops them, UNREACHABLE leaves all as it is. */
async function checkAccount(parts: AccountDeskParts, id: string): Promise<unknown> {
  const row = await getAccountRow(parts.db, id);
  const check = await checkStored(parts, row);
  return inTransaction(parts.db, async (tx) => {
    let numbersResumed = 0;
    if (check.kind === "WORKS") numbersResumed = await reviveNumbers(tx, row.workspace_id, row.id);
    if (check.kind === "REFUSED") await stopAccount(tx, row.workspace_id, row.id, check);
    const [account] = (await getAccounts(tx, row.workspace_id)).filter((one) => one.id === row.id);
    return { ...account, check, numbersResumed };
  });
}

function readInput(body: Record<string, unknown>): AccountInput {
  const { label, callsPerSecond } = body;
  if (label !== undefined && typeof label !== "string") throw fieldError("label", "TYPE", "must be a text.");
  if (callsPerSecond !== undefined && typeof callsPerSecond !== "number")
    throw fieldError("callsPerSecond", "TYPE", "must be a number.");
  return { label, callsPerSecond, settings: readTexts(body, "settings"), secrets: readTexts(body, "secrets") };
}

function readTexts(body: Record<string, unknown>, name: string): Record<string, string | null> {
  const value = body[name] ?? {};
  const isObject = typeof value === "object" && !Array.isArray(value);
  const texts = isObject ? Object.entries(value as Record<string, unknown>) : [];
  if (!isObject || !texts.every(([, text]) => text === null || typeof text === "string"))
    throw fieldError(name, "TYPE", "must be an object of texts.");
  return Object.fromEntries(texts) as Record<string, string | null>;
}

function requireText(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw fieldError(name, "REQUIRED", "is required.");
}

function requireId(body: Record<string, unknown>, name: string): string {
  const value = requireText(body, name);
  if (isUuid(value)) return value;
  throw fieldError(name, "FORMAT", "must be a UUID.");
}

import { type CarrierAccountParts, type AccountInput } from "#src/numbers/carrier-accounts/account-input.ts";
import {
  findProvider,
  getAccountRow,
  getAccounts,
  removeAccount,
} from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import { addAccount, changeAccount, checkAccount } from "#src/numbers/phone-numbers/account-changes.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import type { AuditParts } from "#src/tenancy/audit/intents.ts";
import { announcedCommand } from "./audited-commands.ts";
import type { Command } from "./command.ts";

/**
 * Creates the commands that manage accounts of carriers. The carrier is asked before the transaction, which stays
 * short; an account that it refuses is not stored.
 */
export function createCarrierCommands(
  parts: CarrierAccountParts,
  auditParts: AuditParts,
): ReadonlyMap<string, Command> {
  const { db } = parts;
  const ofNew = async (body: Record<string, unknown>) => ({
    workspaceId: requireId(body, "workspaceId"),
    target: null,
  });
  const ofOne = async (body: Record<string, unknown>) => {
    const { id, workspace_id: workspaceId } = await getAccountRow(db, requireText(body, "id"));
    return { workspaceId, target: id };
  };
  return new Map<string, Command>([
    ["carrier.fields", async (body) => showFields(parts, requireText(body, "provider"))],
    [
      "carrier.add",
      announcedCommand(auditParts, "carrier_account.created", ofNew, (body) =>
        addAccount(parts, requireId(body, "workspaceId"), {
          provider: requireText(body, "provider"),
          ...readChange(body),
        }),
      ),
    ],
    [
      "carrier.list",
      async (body) => getAccounts(db, body.workspaceId === undefined ? null : requireId(body, "workspaceId")),
    ],
    [
      "carrier.check",
      announcedCommand(auditParts, "carrier_account.checked", ofOne, (body) =>
        checkAccount(parts, requireText(body, "id")),
      ),
    ],
    [
      "carrier.update",
      announcedCommand(auditParts, "carrier_account.changed", ofOne, (body) =>
        changeAccount(parts, requireText(body, "id"), readChange(body)),
      ),
    ],
    [
      "carrier.remove",
      announcedCommand(auditParts, "carrier_account.deleted", ofOne, async (body) => {
        const id = requireText(body, "id");
        await inTransaction(db, (tx) => removeAccount(tx, id));
        return { id, removed: true };
      }),
    ],
  ]);
}

function inTransaction<T>(db: Executor, run: (tx: Executor) => Promise<T>): Promise<T> {
  return db.transaction().execute(run);
}

async function showFields(parts: CarrierAccountParts, name: string): Promise<unknown> {
  const { name: provider, callsPerSecond, fields } = findProvider(parts, name);
  const shown = fields.map(({ pattern, ...field }) => ({ ...field, pattern: pattern.source }));
  return { provider, callsPerSecond, fields: shown };
}

function readChange(body: Record<string, unknown>): { input: AccountInput; mayBeUnchecked: boolean } {
  return { input: readInput(body), mayBeUnchecked: body.unchecked === true };
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

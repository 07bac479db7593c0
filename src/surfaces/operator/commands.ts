import { selectFlow } from "#src/authoring/flows/flows.ts";
import { endWaits } from "#src/interactions/calls/end-waits.ts";
import type { CarrierAccountParts } from "#src/numbers/carrier-accounts/account-input.ts";
import { selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import {
  changePermissions,
  createClient,
  createKey,
  getCredential,
  holdCredential,
  listAll,
  revoke,
} from "#src/tenancy/auth/credentials.ts";
import { changeLimits, type LimitsInput } from "#src/tenancy/auth/limits.ts";
import { PERMISSIONS } from "#src/tenancy/auth/permissions.ts";
import { MAX_OVERLAP_SECONDS, rotateCredential } from "#src/tenancy/auth/rotation.ts";
import { type CallingWindow, CallingWindowInput, readCallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { changeBilling, topUp } from "#src/tenancy/usage/balance.ts";
import {
  changeWorkspace,
  createWorkspace,
  getWorkspace,
  getWorkspaces,
  type RateLimit,
} from "#src/tenancy/workspaces/workspaces.ts";
import { announcedCommand, auditedCommand, type Done, namesOf } from "./audited-commands.ts";
import { createCarrierCommands } from "./carrier-commands.ts";
import type { Command } from "./command.ts";
import { sampleCsv } from "./sample-contacts.ts";
import { fillSample } from "./sample.ts";
import { createUserCommands } from "./user-commands.ts";

/** Dependencies of the commands. */
export interface OperatorParts {
  database: Database;
  /** This process, which announces changes of the installation in the audit log. */
  node: NodeIdentity;
  /** Base of the links in replies. */
  publicUrl: string;
  sandboxNumbers: unknown;
  /** Dependencies for opening and checking carrier accounts. */
  carrierAccountParts: CarrierAccountParts;
  doctor(): Promise<unknown>;
  /** The end of this process: `begin` takes the seconds that live calls may go on. */
  drain: { readonly status: unknown; begin(seconds?: number): unknown };
  /** Changes of the installation's secret; both return how far it is. */
  secrets: { rotate(): Promise<unknown>; status(): Promise<unknown> };
}

/**
 * Creates the commands of the operator's socket. They mint credentials, so no credential may call them: they are no
 * route of the API and no MCP tool.
 */
export function createCommands(parts: OperatorParts): ReadonlyMap<string, Command> {
  const { database, node } = parts;
  const { db } = database;
  const auditParts = { db, node };
  const ofInstallation = async () => ({ workspaceId: null, target: node.id });
  return new Map<string, Command>([
    ["workspace.create", auditedCommand(database, "workspace.created", createFilledWorkspace)],
    ["workspace.list", () => getWorkspaces(db)],
    ["workspace.update", auditedCommand(database, "workspace.changed", updateWorkspace)],
    ["workspace.topup", auditedCommand(database, "balance.topped_up", topUpWorkspace)],
    ["workspace.prices", auditedCommand(database, "prices.changed", changePrices)],
    ["key.create", auditedCommand(database, "key.created", createOneKey)],
    [
      "key.list",
      async (body) => (await listAll(db, requireText(body, "workspaceId"))).filter((one) => one.kind === "API_KEY"),
    ],
    ["key.limits", auditedCommand(database, "key.limits_changed", limitOne)],
    ["key.rotate", auditedCommand(database, "key.rotated", rotateOne)],
    ["key.revoke", auditedCommand(database, "key.revoked", (tx, body) => revokeOne(tx, requireText(body, "id")))],
    ["client.create", auditedCommand(database, "client.created", createOneClient)],
    [
      "client.list",
      async (body) =>
        (await listAll(db, requireText(body, "workspaceId"))).filter((one) => one.kind === "OAUTH_CLIENT"),
    ],
    ["client.permissions", auditedCommand(database, "client.permissions_changed", changeClient)],
    ["client.limits", auditedCommand(database, "client.limits_changed", limitOne)],
    ["client.rotate", auditedCommand(database, "client.rotated", rotateOne)],
    [
      "client.revoke",
      auditedCommand(database, "client.revoked", (tx, body) => revokeOne(tx, requireText(body, "clientId"))),
    ],
    ["sandbox.numbers", async () => parts.sandboxNumbers],
    ["sandbox.contacts", async () => ({ csv: sampleCsv() })],
    ["doctor", () => parts.doctor()],
    [
      "drain",
      announcedCommand(auditParts, "node.drained", ofInstallation, async (body) =>
        parts.drain.begin(readDrainSeconds(body)),
      ),
    ],
    ["drain.status", async () => parts.drain.status],
    ["secret.rotate", announcedCommand(auditParts, "secret.rotated", ofInstallation, () => parts.secrets.rotate())],
    ["secret.status", () => parts.secrets.status()],
    ...createUserCommands(parts),
    ...createCarrierCommands(parts.carrierAccountParts, auditParts),
  ]);
}

async function createFilledWorkspace(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const workspace = await createWorkspace(tx, {
    ...readSettings(body),
    name: requireText(body, "name"),
    ...readMode(body),
  });
  const key = await createKey(tx, workspace.id, { name: "First key" });
  const client = await createClient(tx, workspace.id, { name: "First client", permissions: [...PERMISSIONS] });
  const made = {
    workspaceId: workspace.id,
    name: workspace.name,
    mode: workspace.mode,
    apiKey: key.apiKey,
    client: { clientId: client.clientId, clientSecret: client.clientSecret },
  };
  const details = { key: key.keyId, client: client.clientId };
  return {
    result: body.sample === true ? { ...made, ...(await fillSample(tx, workspace)) } : made,
    entry: { workspaceId: workspace.id, target: workspace.id, details },
  };
}

async function updateWorkspace(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const id = requireText(body, "id");
  const flow =
    typeof body.defaultFlow === "string" ? await selectFlow(tx, id, { flowId: body.defaultFlow }) : undefined;
  const number =
    typeof body.defaultNumber === "string" ? await selectNumbers(tx, id, [body.defaultNumber], "defaultNumber") : [];
  const result = await changeWorkspace(tx, id, {
    ...readSettings(body),
    ...(typeof body.name === "string" ? { name: body.name } : {}),
    ...(flow?.flowId ? { defaultFlowId: flow.flowId } : {}),
    ...(number[0] ? { defaultPhoneNumberId: number[0].id } : {}),
  });
  if (body.callingWindow !== undefined) await endWaits(tx, id, { of: "DEFAULT_WINDOW" });
  if (body.maxAttemptsPerDay !== undefined || body.attemptGapMinutes !== undefined)
    await endWaits(tx, id, { of: "PACE" });
  return { result, entry: { workspaceId: id, target: id, details: namesOf(body, "id") } };
}

async function topUpWorkspace(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const { id } = await getWorkspace(tx, requireUuid(body, "id"));
  const amount = requireText(body, "amount");
  const reference = readText(body, "reference") ?? null;
  const result = await topUp(tx, id, { amount, note: readText(body, "note") ?? null, reference });
  return { result, entry: { workspaceId: id, target: id, details: { amount, reference } } };
}

async function changePrices(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const { id } = await getWorkspace(tx, requireUuid(body, "id"));
  const result = await changeBilling(tx, id, {
    currency: readText(body, "currency"),
    creditLimit: readDecimal(body, "creditLimit"),
    lowBalanceThreshold: readDecimal(body, "lowBalanceThreshold"),
    prices: readPrices(body.prices),
  });
  return { result, entry: { workspaceId: id, target: id, details: namesOf(body, "id") } };
}

async function createOneKey(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const workspaceId = requireText(body, "workspaceId");
  const result = await createKey(tx, workspaceId, readKeyInput(body));
  return { result, entry: { workspaceId, target: result.keyId } };
}

async function createOneClient(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const workspaceId = requireText(body, "workspaceId");
  const result = await createClient(tx, workspaceId, readClientInput(body));
  return { result, entry: { workspaceId, target: result.clientId } };
}

async function changeClient(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const clientId = requireText(body, "clientId");
  const names = readTexts(body, "permissions") ?? [];
  const { workspaceId, permissions } = await changePermissions(tx, clientId, names);
  return { result: { clientId, permissions }, entry: { workspaceId, target: clientId, details: { permissions } } };
}

async function limitOne(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const { id, workspaceId } = await findOne(tx, body);
  const held = await holdCredential(tx, workspaceId, id);
  const { expiresAt = held.expiresAt, allowedAddresses = held.allowedAddresses } = readLimitsInput(body);
  await changeLimits(tx, held, { expiresAt, allowedAddresses });
  const result = await getCredential(tx, workspaceId, id);
  return { result, entry: { workspaceId, target: requireText(body, "id"), details: { expiresAt, allowedAddresses } } };
}

async function rotateOne(tx: Executor, body: Record<string, unknown>): Promise<Done> {
  const { id, workspaceId } = await findOne(tx, body);
  const { overlapSeconds = 86_400 } = readSeconds(body, "overlapSeconds");
  if (overlapSeconds > MAX_OVERLAP_SECONDS) throw fieldError("overlapSeconds", "RANGE", "must be 30 days at most.");
  const result = await rotateCredential(tx, workspaceId, id, overlapSeconds);
  return { result, entry: { workspaceId, target: requireText(body, "id"), details: { overlapSeconds } } };
}

/** Finds a credential of a workspace by its id, or a client by its client id. */
async function findOne(tx: Executor, body: Record<string, unknown>) {
  const id = requireText(body, "id");
  const found = (await listAll(tx, requireUuid(body, "workspaceId"))).find((one) =>
    [one.id, one.clientId].includes(id),
  );
  if (!found) throw new AppError("NOT_FOUND", "There is no such credential.");
  return found;
}

async function revokeOne(tx: Executor, id: string): Promise<Done> {
  const workspaceId = await revoke(tx, id);
  return { result: { id, revoked: true }, entry: { workspaceId, target: id } };
}

function readSettings(body: Record<string, unknown>) {
  const speed = body.sandboxSpeed;
  return {
    ...(body.rateLimit === undefined ? {} : { rateLimit: readRateLimit(body.rateLimit) }),
    ...(speed === "instant" || typeof speed === "number" ? { sandboxSpeed: speed as number | "instant" } : {}),
    ...(body.countries === undefined ? {} : { countries: readTexts(body, "countries") ?? null }),
    ...(typeof body.timeZone === "string" ? { timeZone: body.timeZone } : {}),
    ...(body.callingWindow === undefined ? {} : { callingWindow: readWindow(body.callingWindow) }),
    ...readCount(body, "maxAttemptsPerDay"),
    ...readCount(body, "attemptGapMinutes"),
    ...readCount(body, "credentialDays"),
    ...(typeof body.requiresSecondFactor === "boolean" ? { requiresSecondFactor: body.requiresSecondFactor } : {}),
  };
}

/** Reads a count; null removes the limit. */
function readCount<Name extends string>(body: Record<string, unknown>, name: Name): { [Key in Name]?: number | null } {
  const value = body[name];
  if (value === undefined) return {};
  if (value !== null && typeof value !== "number") throw fieldError(name, "TYPE", "must be a whole number.");
  return { [name]: value } as { [Key in Name]?: number | null };
}

const checkWindow = compileCheck(CallingWindowInput, "INVALID_BODY", "VALIDATION_FAILED");

function readWindow(value: unknown): CallingWindow | null {
  if (value === null) return null;
  checkWindow(value);
  return readCallingWindow(value as CallingWindowInput);
}

function readMode(body: Record<string, unknown>): { mode?: "SANDBOX" | "LIVE" } {
  return body.mode === undefined ? {} : { mode: body.mode as "SANDBOX" | "LIVE" };
}

function readRateLimit(value: unknown): RateLimit {
  const { capacity, refill, periodSeconds } = (value ?? {}) as Partial<Record<keyof RateLimit, unknown>>;
  if (typeof capacity === "number" && typeof refill === "number" && typeof periodSeconds === "number") {
    return { capacity, refill, periodSeconds };
  }
  throw fieldError("rateLimit", "TYPE", "needs capacity, refill and periodSeconds as numbers.");
}

function readKeyInput(body: Record<string, unknown>) {
  const permissions = readTexts(body, "permissions");
  return {
    ...(typeof body.name === "string" ? { name: body.name } : {}),
    ...(permissions ? { permissions } : {}),
    ...readSeconds(body, "expiresInSeconds"),
    ...readLimitsInput(body),
  };
}

function readClientInput(body: Record<string, unknown>) {
  return {
    ...(typeof body.name === "string" ? { name: body.name } : {}),
    permissions: readTexts(body, "permissions") ?? [],
    ...readSeconds(body, "tokenLifetimeSeconds"),
    ...readLimitsInput(body),
  };
}

/** Reads when a credential expires and from where it is accepted; null removes a limit. */
function readLimitsInput(body: Record<string, unknown>): Pick<LimitsInput, "expiresAt" | "allowedAddresses"> {
  const expiresAt = body.expiresAt === null ? null : readText(body, "expiresAt");
  const allowedAddresses = body.allowedAddresses === null ? null : readTexts(body, "allowedAddresses");
  return {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(allowedAddresses === undefined ? {} : { allowedAddresses }),
  };
}

function readSeconds<Name extends string>(body: Record<string, unknown>, name: Name): { [Key in Name]?: number } {
  const value = body[name];
  if (value === undefined || value === null) return {};
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 315_360_000) {
    throw fieldError(name, "RANGE", "must be a whole number of seconds, at least 1.");
  }
  return { [name]: value } as { [Key in Name]?: number };
}

function readDrainSeconds({ seconds }: Record<string, unknown>): number | undefined {
  if (seconds === undefined || seconds === null) return undefined;
  if (typeof seconds === "number" && Number.isInteger(seconds) && seconds >= 0 && seconds <= 86_400) return seconds;
  throw fieldError("seconds", "RANGE", "must be a whole number of seconds from 0 to 86400.");
}

function requireText(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw fieldError(name, "REQUIRED", "is required.");
}

function requireUuid(body: Record<string, unknown>, name: string): string {
  const value = requireText(body, name);
  if (isUuid(value)) return value;
  throw fieldError(name, "FORMAT", "must be a UUID.");
}

function readText(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.length <= 1_000) return value;
  throw fieldError(name, "TYPE", "must be a text of at most 1,000 characters.");
}

/** Reads a decimal; null removes the setting. */
function readDecimal(body: Record<string, unknown>, name: string): string | null | undefined {
  return body[name] === null ? null : readText(body, name);
}

function readPrices(value: unknown): Record<string, string | null> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fieldError("prices", "TYPE", "must be an object of kinds and decimal texts.");
  }
  const prices = value as Record<string, unknown>;
  return Object.fromEntries(Object.keys(prices).map((kind) => [kind, readDecimal(prices, kind) ?? null]));
}

function readTexts(body: Record<string, unknown>, name: string): string[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new AppError("INVALID_BODY", `${name} must be a list of texts.`);
}

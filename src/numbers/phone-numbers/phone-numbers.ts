import { selectFlow } from "#src/authoring/flows/flows.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import type { Static } from "#src/platform/http/schemas.ts";
import { fictionalCode } from "#src/platform/kernel/e164.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { sandboxNumberProvisioning } from "#src/telephony/carriers/sandbox/sandbox-number-provisioning.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { type CarrierOffer, takeOffer } from "./carrier-offer.ts";
import {
  type CreatePhoneNumberRequest,
  type PhoneNumberResponse,
  toResponse,
  type UpdatePhoneNumberRequest,
} from "./number-fields.ts";
import { readStatus } from "./number-status.ts";
import { planProvision, planRelease } from "./provision.ts";
import { readTrunk, type SealPassword, type StoredTrunk } from "./sip-trunk.ts";
import {
  findByNumbers,
  findDefaultNumber,
  findNumber,
  insertNumber,
  isImportedFor,
  listNumbers,
  lockNumber,
  type NumberToInsert,
  type PhoneNumberRow,
  releaseNumber,
  setDefaultNumber,
  setInboundFlow,
  setPace,
  updateNumber,
} from "./store.ts";

/** Sandbox codes of calling numbers (docs/sandbox.md). */
const CONCURRENCY_ONE = 91;
const SUSPENDED = 92;
const MOST_FICTIONAL = 100;
/** The sandbox's provisioning is in this process and does not wait. */
const SEARCH_MS = 1_000;

/** Returns all numbers of a workspace. */
export async function getNumbers(tx: Executor, workspaceId: string): Promise<PhoneNumberResponse[]> {
  return (await listNumbers(tx, workspaceId)).map(toResponse);
}

type CreateBody = Static<typeof CreatePhoneNumberRequest>;

/** Parts for adding a number, besides its body. */
export interface AdditionParts {
  /** Seals a trunk's password. */
  seal?: SealPassword;
  /** The carrier's earlier answer; required for a number of a carrier in a LIVE workspace. */
  offer?: CarrierOffer | null;
}

/**
 * Adds a number. In a SANDBOX workspace every provider is simulated. Elsewhere the sandbox gives fictional numbers, a
 * trunk needs no account, and a carrier's number is PENDING until the carrier has provided it.
 */
export async function createNumber(
  tx: Executor,
  workspaceId: string,
  body: CreateBody,
  { seal, offer = null }: AdditionParts = {},
): Promise<PhoneNumberResponse> {
  const { mode } = await getWorkspace(tx, workspaceId);
  assertTrunk(body);
  const isReal = mode !== "SANDBOX" && body.provider !== "SANDBOX";
  const addition = isReal ? await readReal(tx, workspaceId, body, offer) : await readSimulated(tx, workspaceId, body);
  const inserted = await insertNumber(tx, workspaceId, {
    ...addition,
    id: uuidv7(),
    asked_provider: body.provider,
    label: body.label ?? null,
  });
  if (!inserted) throw new AppError("CONFLICT", `The workspace already has ${addition.number}.`);
  const { id } = inserted;
  if (addition.status === "PENDING") await planProvision(tx, workspaceId, id);
  if (body.sipTrunk) await changeNumber(tx, workspaceId, id, { sipTrunk: body.sipTrunk }, seal);
  if (body.callsPerSecond) await setPace(tx, workspaceId, id, body.callsPerSecond);
  if (body.inboundFlowId) await changeInboundFlow(tx, workspaceId, id, body.inboundFlowId);
  if (body.isDefault) await setDefaultNumber(tx, workspaceId, id);
  return readNumber(tx, workspaceId, id);
}

type Addition = Omit<NumberToInsert, "id" | "asked_provider" | "label">;

const NO_ACCOUNT = { carrier_account_id: null, external_id: null, capabilities: null, suspended_by: null } as const;

async function readSimulated(tx: Executor, workspaceId: string, body: CreateBody): Promise<Addition> {
  const number = body.phoneNumber ?? (await pickFictional(tx, workspaceId, body.countryCode ?? "US"));
  const code = readCallingNumber(number, body.provider);
  const isSuspended = code === SUSPENDED;
  return {
    ...NO_ACCOUNT,
    number,
    provider: "SANDBOX",
    status: isSuspended ? "SUSPENDED" : "ACTIVE",
    status_message: isSuspended ? "The sandbox keeps this number suspended." : null,
    suspended_by: isSuspended ? "CARRIER" : null,
    max_concurrent_calls: code === CONCURRENCY_ONE ? 1 : (body.maxConcurrentCalls ?? 10),
  };
}

async function readReal(
  tx: Executor,
  workspaceId: string,
  body: CreateBody,
  offer: CarrierOffer | null,
): Promise<Addition> {
  const shared = { provider: body.provider, max_concurrent_calls: body.maxConcurrentCalls ?? 10 };
  if (body.provider === "BYO_SIP") {
    const number = body.phoneNumber as string;
    assertReal(number);
    return { ...NO_ACCOUNT, ...shared, number, status: "ACTIVE", status_message: null };
  }
  if (!offer) throw new Error("The carrier was not asked.");
  return { ...(await takeOffer(tx, workspaceId, offer)), ...shared };
}

/** Throws 422 for a fictional number, from which no real call can be placed. */
export function assertReal(number: string): void {
  if (readCallingNumber(number, "") === null) return;
  throw fieldError("phoneNumber", "FICTIONAL", "is a fictional number, which only the provider SANDBOX has.");
}

/** Throws 422 when a trunk is missing, or given to a number that takes none. */
export function assertTrunk({ provider, sipTrunk, phoneNumber }: CreateBody): void {
  if (provider !== "BYO_SIP") {
    if (sipTrunk) throw fieldError("sipTrunk", "NOT_ALLOWED", "belongs to a number of provider BYO_SIP.");
    return;
  }
  if (!sipTrunk) throw fieldError("sipTrunk", "REQUIRED", "is required for BYO_SIP.");
  if (!phoneNumber) throw fieldError("phoneNumber", "REQUIRED", "is required for BYO_SIP: a trunk gives no numbers.");
}

/** Checks a number to call from and returns its sandbox code; null for one that is not fictional. */
function readCallingNumber(number: string, provider: string): number | null {
  const code = fictionalCode(number);
  if (code !== null) return code;
  if (provider === "SANDBOX") {
    throw fieldError("phoneNumber", "NOT_FICTIONAL", "must be one of +1 202 555 01nn or its twins.");
  }
  if (classifyNumber(number).numberClass !== "ALLOWED") {
    throw fieldError("phoneNumber", "NOT_ALLOWED", "is not a number that calls can be placed from.");
  }
  return null;
}

async function pickFictional(tx: Executor, workspaceId: string, countryCode: string): Promise<string> {
  const wish = { countryCode, areaCode: null, limit: MOST_FICTIONAL };
  const offered = await sandboxNumberProvisioning.search(wish, AbortSignal.timeout(SEARCH_MS));
  if (offered.kind !== "DONE") throw fieldError("countryCode", "NO_NUMBERS", offered.message);
  const taken = new Set((await listNumbers(tx, workspaceId)).map((row) => row.number));
  const free = offered.value.find(({ number }) => !taken.has(number));
  if (!free) throw fieldError("phoneNumber", "REQUIRED", "name one: the usual sandbox numbers are taken.");
  return free.number;
}

/** Changes the given members. A lower concurrency never ends live calls; it only delays new ones. */
export async function changeNumber(
  tx: Executor,
  workspaceId: string,
  id: string,
  body: Static<typeof UpdatePhoneNumberRequest>,
  seal?: SealPassword,
  ifUpdatedAt?: string,
): Promise<PhoneNumberResponse> {
  if (!(await lockNumber(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  const row = (await findNumber(tx, workspaceId, id)) as PhoneNumberRow;
  assertUnchanged(row.updated_at, ifUpdatedAt);
  if (body.sipTrunk && row.asked_provider !== "BYO_SIP")
    throw fieldError("sipTrunk", "NOT_ALLOWED", "belongs to a number of provider BYO_SIP.");
  if (body.sipTrunk === null && row.asked_provider === "BYO_SIP")
    throw fieldError("sipTrunk", "REQUIRED", "is required for BYO_SIP.");
  const before = row.sip_trunk ? { trunk: row.sip_trunk, secret: row.sip_secret } : undefined;
  const trunk: StoredTrunk | undefined =
    body.sipTrunk && seal ? readTrunk(body.sipTrunk, row.id, seal, before) : before;
  const state = await readStatus(tx, workspaceId, row, body.status);
  await updateNumber(tx, workspaceId, id, {
    label: body.label === undefined ? row.label : body.label,
    ...state.row,
    maxConcurrentCalls: body.maxConcurrentCalls ?? row.max_concurrent_calls,
    sip_trunk: trunk?.trunk ?? null,
    sip_secret: trunk?.secret ?? null,
  });
  if (state.isRetried) await planProvision(tx, workspaceId, id);
  if (body.callsPerSecond !== undefined) await setPace(tx, workspaceId, id, body.callsPerSecond);
  if (body.inboundFlowId !== undefined) await changeInboundFlow(tx, workspaceId, id, body.inboundFlowId);
  if (body.isDefault === true) await setDefaultNumber(tx, workspaceId, id);
  if (body.isDefault === false && row.is_default) await setDefaultNumber(tx, workspaceId, null);
  return readNumber(tx, workspaceId, id);
}

async function changeInboundFlow(tx: Executor, workspaceId: string, id: string, flowId: string | null): Promise<void> {
  const known = flowId === null ? null : (await selectFlow(tx, workspaceId, { flowId })).flowId;
  await setInboundFlow(tx, workspaceId, id, known);
}

/**
 * Releases a number; 409 while calls are live or queued on it, or a list is being read whose calls it will place,
 * because those could never run. A number bought here is returned to its carrier; one that the account held before stays
 * there.
 */
export async function removeNumber(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const locked = await lockNumber(tx, workspaceId, id);
  if (!locked) throw new AppError("NOT_FOUND");
  // Before the queue is counted, which has the rows of a list from the end of its import on.
  if (await isImportedFor(tx, workspaceId, id)) {
    throw new AppError("CONFLICT", "The list of a call job on the number is still being read. Ask again soon.");
  }
  const { queuedCalls } = await readNumber(tx, workspaceId, id);
  if (locked.active_calls > 0 || queuedCalls > 0) {
    throw new AppError(
      "CONFLICT",
      `The number has ${locked.active_calls} live and ${queuedCalls} queued calls. Let them end, or cancel their jobs.`,
    );
  }
  await planRelease(tx, workspaceId, id);
  await releaseNumber(tx, workspaceId, id);
}

async function readNumber(tx: Executor, workspaceId: string, id: string): Promise<PhoneNumberResponse> {
  const row = await findNumber(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toResponse(row);
}

/** A number from which calls may be placed. */
export interface CallingNumber {
  id: string;
  number: string;
}

/**
 * Returns the workspace's number that a person called or wrote to, suspended or not; undefined when it has no such
 * number.
 */
export async function findInboundNumber(
  tx: Executor,
  workspaceId: string,
  number: string,
): Promise<(CallingNumber & { inboundFlowId: string | null }) | undefined> {
  const [row] = await findByNumbers(tx, workspaceId, [number]);
  return row && { id: row.id, number: row.number, inboundFlowId: row.inbound_flow_id };
}

/** Returns the carrier account of a number; null for a number of the sandbox or a trunk, or for an unknown one. */
export async function findAccountId(tx: Executor, workspaceId: string, id: string): Promise<string | null> {
  return (await findNumber(tx, workspaceId, id))?.carrier_account_id ?? null;
}

/**
 * Returns the numbers to call from: those named, or the workspace's default. 404 for a number that the workspace does
 * not have (so that no caller id can be forged), 409 for a suspended one, 422 without a default.
 */
export async function selectNumbers(
  tx: Executor,
  workspaceId: string,
  named: string[],
  path: string,
): Promise<CallingNumber[]> {
  const found =
    named.length > 0 ? await findByNumbers(tx, workspaceId, named) : await defaultNumbers(tx, workspaceId, path);
  const lost = named.find((number) => !found.some((row) => row.number === number));
  if (lost !== undefined) throw missing(`Phone number ${lost}`);
  const suspended = found.find((row) => row.status !== "ACTIVE");
  if (suspended) {
    const { number, status, status_message: why } = suspended;
    throw new AppError("CONFLICT", `${number} is ${status}${why ? ` (${why})` : ""}. Call from another number.`);
  }
  return found.map((row) => ({ id: row.id, number: row.number }));
}

async function defaultNumbers(tx: Executor, workspaceId: string, path: string): Promise<PhoneNumberRow[]> {
  const row = await findDefaultNumber(tx, workspaceId);
  if (row) return [row];
  throw fieldError(path, "NO_DEFAULT_NUMBER", "name a number, or set the workspace's default number first.");
}

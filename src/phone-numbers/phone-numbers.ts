import type { Executor } from "#src/db/database.ts";
import { E164, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/http/schemas.ts";
import { fictionalCode } from "#src/kernel/e164.ts";
import { AppError, fieldError, missing } from "#src/kernel/errors.ts";
import { uuidv7 } from "#src/kernel/id.ts";
import {
  findByNumbers,
  findDefaultNumber,
  findNumber,
  insertNumber,
  listNumbers,
  lockNumber,
  type PhoneNumberRow,
  releaseNumber,
  setDefaultNumber,
  updateNumber,
} from "./store.ts";

/** Who carries a number. SANDBOX numbers are fictional and reach nobody. */
export const PROVIDERS = ["SANDBOX", "TWILIO", "TELNYX", "VONAGE", "BYO_SIP"] as const;
export const NUMBER_STATUSES = ["ACTIVE", "SUSPENDED"] as const;

/** Body of a number's creation (CreatePhoneNumberRequest of the spec). */
export const CreatePhoneNumberRequest = Type.Object(
  {
    provider: oneOf(PROVIDERS),
    phoneNumber: Type.Optional(nullable(E164)),
    label: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    maxConcurrentCalls: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 10_000, description: "Default 10." })),
    ),
    isDefault: Type.Optional(nullable(Type.Boolean())),
  },
  { $id: "CreatePhoneNumberRequest" },
);

/** Body of a number's change (UpdatePhoneNumberRequest of the spec): what is absent stays. */
export const UpdatePhoneNumberRequest = Type.Object(
  {
    label: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    status: Type.Optional(oneOf(NUMBER_STATUSES)),
    maxConcurrentCalls: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    isDefault: Type.Optional(Type.Boolean()),
  },
  { $id: "UpdatePhoneNumberRequest" },
);

/** A number as it is read, with what is going on on it (PhoneNumberResponse of the spec). */
export const PhoneNumberResponse = Type.Object(
  {
    id: Uuid,
    phoneNumber: E164,
    provider: oneOf(PROVIDERS),
    label: nullable(Type.String()),
    status: oneOf(NUMBER_STATUSES),
    statusMessage: nullable(Type.String()),
    providerInfo: Type.Object({
      name: Type.String(),
      externalId: nullable(Type.String()),
      region: nullable(Type.String()),
    }),
    maxConcurrentCalls: Type.Integer(),
    currentActiveCalls: Type.Integer({ description: "Calls that hold a slot right now." }),
    activeOutboundCalls: Type.Integer(),
    queuedCalls: Type.Integer(),
    isDefault: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "PhoneNumberResponse" },
);
export type PhoneNumberResponse = Static<typeof PhoneNumberResponse>;

/** Sandbox codes that stand for calling numbers (research, dx section 7). */
const CONCURRENCY_ONE = 91;
const SUSPENDED = 92;
const FIRST_SANDBOX_NUMBER = "+12025550190";

/** All numbers of a workspace. */
export async function getNumbers(tx: Executor, workspaceId: string): Promise<PhoneNumberResponse[]> {
  return (await listNumbers(tx, workspaceId)).map(toResponse);
}

/** Adds a number. The sandbox gives fictional ones; a carrier needs its account configured first. */
export async function createNumber(
  tx: Executor,
  workspaceId: string,
  body: Static<typeof CreatePhoneNumberRequest>,
): Promise<PhoneNumberResponse> {
  if (body.provider !== "SANDBOX") {
    throw fieldError("provider", "CARRIER_NOT_CONFIGURED", `No ${body.provider} account is configured on this server.`);
  }
  const number = body.phoneNumber ?? (await pickFictional(tx, workspaceId));
  const code = fictionalCode(number);
  if (code === null) throw fieldError("phoneNumber", "NOT_FICTIONAL", "must be one of +1 202 555 01nn or its twins.");
  const inserted = await insertNumber(tx, workspaceId, {
    id: uuidv7(),
    number,
    provider: body.provider,
    label: body.label ?? null,
    status: code === SUSPENDED ? "SUSPENDED" : "ACTIVE",
    status_message: code === SUSPENDED ? "The sandbox keeps this number suspended." : null,
    max_concurrent_calls: code === CONCURRENCY_ONE ? 1 : (body.maxConcurrentCalls ?? 10),
  });
  if (!inserted) throw new AppError("CONFLICT", `The workspace already has ${number}.`);
  if (body.isDefault) await setDefaultNumber(tx, workspaceId, inserted.id);
  return readNumber(tx, workspaceId, inserted.id);
}

async function pickFictional(tx: Executor, workspaceId: string): Promise<string> {
  const taken = new Set((await listNumbers(tx, workspaceId)).map((row) => row.number));
  const candidates = [FIRST_SANDBOX_NUMBER, ...Array.from({ length: 7 }, (_, i) => `+1202555019${i + 3}`)];
  const free = candidates.find((number) => !taken.has(number));
  if (!free) throw fieldError("phoneNumber", "REQUIRED", "name one: the usual sandbox numbers are taken.");
  return free;
}

/** Changes what is sent. A lower concurrency never cuts calls that are live; it only delays new ones. */
export async function changeNumber(
  tx: Executor,
  workspaceId: string,
  id: string,
  body: Static<typeof UpdatePhoneNumberRequest>,
): Promise<PhoneNumberResponse> {
  if (!(await lockNumber(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  const row = await readNumber(tx, workspaceId, id);
  await updateNumber(tx, workspaceId, id, {
    label: body.label === undefined ? row.label : body.label,
    status: body.status ?? row.status,
    maxConcurrentCalls: body.maxConcurrentCalls ?? row.maxConcurrentCalls,
  });
  if (body.isDefault) await setDefaultNumber(tx, workspaceId, id);
  return readNumber(tx, workspaceId, id);
}

/** Releases a number; 409 while calls are live or queued on it, since those could never run. */
export async function removeNumber(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const locked = await lockNumber(tx, workspaceId, id);
  if (!locked) throw new AppError("NOT_FOUND");
  const { queuedCalls } = await readNumber(tx, workspaceId, id);
  if (locked.active_calls > 0 || queuedCalls > 0) {
    throw new AppError(
      "CONFLICT",
      `The number has ${locked.active_calls} live and ${queuedCalls} queued calls. Let them end, or cancel their jobs.`,
    );
  }
  await releaseNumber(tx, workspaceId, id);
}

async function readNumber(tx: Executor, workspaceId: string, id: string): Promise<PhoneNumberResponse> {
  const row = await findNumber(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toResponse(row);
}

/** A number that calls may be placed from. */
export interface CallingNumber {
  id: string;
  number: string;
}

/**
 * The numbers to call from: those named, or the workspace's default. 404 for one the workspace does not
 * have (so that no caller id can be forged), 409 for one that is suspended, 422 without a default.
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
  if (suspended)
    throw new AppError("CONFLICT", `${suspended.number} is ${suspended.status}. Call from another number.`);
  return found.map((row) => ({ id: row.id, number: row.number }));
}

async function defaultNumbers(tx: Executor, workspaceId: string, path: string): Promise<PhoneNumberRow[]> {
  const row = await findDefaultNumber(tx, workspaceId);
  if (row) return [row];
  throw fieldError(path, "NO_DEFAULT_NUMBER", "name a number, or set the workspace's default number first.");
}

function toResponse(row: PhoneNumberRow): PhoneNumberResponse {
  return {
    id: row.id,
    phoneNumber: row.number,
    provider: row.provider as PhoneNumberResponse["provider"],
    label: row.label,
    status: row.status as PhoneNumberResponse["status"],
    statusMessage: row.status_message,
    providerInfo: { name: row.provider, externalId: null, region: null },
    maxConcurrentCalls: row.max_concurrent_calls,
    currentActiveCalls: row.active_calls,
    activeOutboundCalls: row.active_calls,
    queuedCalls: row.queued_calls,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

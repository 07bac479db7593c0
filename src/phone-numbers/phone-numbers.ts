import { classifyNumber } from "#src/compliance/numbers.ts";
import type { Executor } from "#src/db/database.ts";
import { selectFlow } from "#src/flows/flows.ts";
import { E164, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/http/schemas.ts";
import { fictionalCode } from "#src/kernel/e164.ts";
import { AppError, fieldError, missing } from "#src/kernel/errors.ts";
import { uuidv7 } from "#src/kernel/id.ts";
import { getWorkspace } from "#src/workspaces/workspaces.ts";
import { completeTrunk, readTrunk, type SealPassword, SipTrunk, SipTrunkInput, type StoredTrunk } from "./sip-trunk.ts";
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
  setInboundFlow,
  updateNumber,
} from "./store.ts";

/**
 * Where a number comes from: the sandbox, one of three carriers, or a SIP trunk of one's own. In a SANDBOX workspace
 * every one of them is simulated.
 */
export const PROVIDERS = ["SANDBOX", "TWILIO", "TELNYX", "VONAGE", "BYO_SIP"] as const;
export const NUMBER_STATUSES = ["ACTIVE", "SUSPENDED"] as const;

/** Body of a number's creation (CreatePhoneNumberRequest of the spec). */
export const CreatePhoneNumberRequest = Type.Object(
  {
    provider: oneOf(PROVIDERS),
    phoneNumber: Type.Optional(
      nullable(Type.String({ ...E164, description: "E.164 number you own, or want. Unset: one is picked for you." })),
    ),
    countryCode: Type.Optional(
      nullable(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166 code of a number to pick. Default US." })),
    ),
    label: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    sipTrunk: Type.Optional(nullable(SipTrunkInput)),
    maxConcurrentCalls: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 10_000, description: "Default 10." })),
    ),
    inboundFlowId: Type.Optional(
      nullable({ ...Uuid, description: "Flow that answers who writes to this number. Unset: the default flow." }),
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
    sipTrunk: Type.Optional(SipTrunkInput),
    maxConcurrentCalls: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    inboundFlowId: Type.Optional(
      nullable({ ...Uuid, description: "Flow that answers who writes to this number. Unset: the default flow." }),
    ),
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
      region: nullable(Type.String({ description: "ISO 3166 code of the number's country." })),
      simulated: Type.Boolean({ description: "True: calls from it stay in the sandbox." }),
    }),
    sipTrunk: nullable(SipTrunk),
    maxConcurrentCalls: Type.Integer(),
    currentActiveCalls: Type.Integer({ description: "Calls that hold a slot right now." }),
    activeInboundCalls: Type.Integer(),
    activeOutboundCalls: Type.Integer(),
    queuedCalls: Type.Integer(),
    inboundFlowId: nullable({ ...Uuid, description: "Null: the workspace's default flow answers who writes." }),
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
/** The usual calling numbers of the sandbox, by country: all but the last two digits. */
const SANDBOX_STEMS = new Map([
  ["US", "+120255501"],
  ["GB", "+4420794601"],
  ["AU", "+612555001"],
]);
const USUAL_CODES = [90, 93, 94, 95, 96, 97, 98, 99];

/** All numbers of a workspace. */
export async function getNumbers(tx: Executor, workspaceId: string): Promise<PhoneNumberResponse[]> {
  return (await listNumbers(tx, workspaceId)).map(toResponse);
}

type CreateBody = Static<typeof CreatePhoneNumberRequest>;

/**
 * Adds a number. In a SANDBOX workspace every provider is simulated; elsewhere the sandbox gives fictional numbers,
 * and a carrier or trunk is refused with 422 until its account is configured on this server. `seal` is needed for a
 * trunk's password.
 */
export async function createNumber(
  tx: Executor,
  workspaceId: string,
  body: CreateBody,
  seal?: SealPassword,
): Promise<PhoneNumberResponse> {
  const { mode } = await getWorkspace(tx, workspaceId);
  if (body.provider !== "SANDBOX" && mode !== "SANDBOX") {
    throw fieldError("provider", "CARRIER_NOT_CONFIGURED", `No ${body.provider} account is configured on this server.`);
  }
  assertTrunk(body);
  const number = body.phoneNumber ?? (await pickFictional(tx, workspaceId, body.countryCode ?? "US"));
  const code = readCallingNumber(number, body.provider);
  const inserted = await insertNumber(tx, workspaceId, {
    id: uuidv7(),
    number,
    provider: "SANDBOX",
    asked_provider: body.provider,
    label: body.label ?? null,
    status: code === SUSPENDED ? "SUSPENDED" : "ACTIVE",
    status_message: code === SUSPENDED ? "The sandbox keeps this number suspended." : null,
    max_concurrent_calls: code === CONCURRENCY_ONE ? 1 : (body.maxConcurrentCalls ?? 10),
  });
  if (!inserted) throw new AppError("CONFLICT", `The workspace already has ${number}.`);
  if (body.sipTrunk) await changeNumber(tx, workspaceId, inserted.id, { sipTrunk: body.sipTrunk }, seal);
  if (body.inboundFlowId) await changeInboundFlow(tx, workspaceId, inserted.id, body.inboundFlowId);
  if (body.isDefault) await setDefaultNumber(tx, workspaceId, inserted.id);
  return readNumber(tx, workspaceId, inserted.id);
}

function assertTrunk({ provider, sipTrunk, phoneNumber }: CreateBody): void {
  if (provider !== "BYO_SIP") {
    if (sipTrunk) throw fieldError("sipTrunk", "NOT_ALLOWED", "belongs to a number of provider BYO_SIP.");
    return;
  }
  if (!sipTrunk) throw fieldError("sipTrunk", "REQUIRED", "is required for BYO_SIP.");
  if (!phoneNumber) throw fieldError("phoneNumber", "REQUIRED", "is required for BYO_SIP: a trunk gives no numbers.");
}

/** Checks a number to call from; gives its sandbox code, null for one that is not fictional. */
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

async function pickFictional(tx: Executor, workspaceId: string, country: string): Promise<string> {
  const stem = SANDBOX_STEMS.get(country);
  if (!stem)
    throw fieldError(
      "countryCode",
      "NO_NUMBERS",
      `has no sandbox numbers; ${[...SANDBOX_STEMS.keys()].join(", ")} have.`,
    );
  const taken = new Set((await listNumbers(tx, workspaceId)).map((row) => row.number));
  const free = USUAL_CODES.map((code) => `${stem}${code}`).find((number) => !taken.has(number));
  if (!free) throw fieldError("phoneNumber", "REQUIRED", "name one: the usual sandbox numbers are taken.");
  return free;
}

/** Changes what is sent. A lower concurrency never cuts calls that are live; it only delays new ones. */
export async function changeNumber(
  tx: Executor,
  workspaceId: string,
  id: string,
  body: Static<typeof UpdatePhoneNumberRequest>,
  seal?: SealPassword,
): Promise<PhoneNumberResponse> {
  if (!(await lockNumber(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  const row = (await findNumber(tx, workspaceId, id)) as PhoneNumberRow;
  if (body.sipTrunk && row.asked_provider !== "BYO_SIP")
    throw fieldError("sipTrunk", "NOT_ALLOWED", "belongs to a number of provider BYO_SIP.");
  const before = row.sip_trunk ? { trunk: row.sip_trunk, secret: row.sip_secret } : undefined;
  const trunk: StoredTrunk | undefined =
    body.sipTrunk && seal ? readTrunk(body.sipTrunk, row.id, seal, before) : before;
  await updateNumber(tx, workspaceId, id, {
    label: body.label === undefined ? row.label : body.label,
    status: body.status ?? row.status,
    maxConcurrentCalls: body.maxConcurrentCalls ?? row.max_concurrent_calls,
    sip_trunk: trunk?.trunk ?? null,
    sip_secret: trunk?.secret ?? null,
  });
  if (body.inboundFlowId !== undefined) await changeInboundFlow(tx, workspaceId, id, body.inboundFlowId);
  if (body.isDefault === true) await setDefaultNumber(tx, workspaceId, id);
  if (body.isDefault === false && row.is_default) await setDefaultNumber(tx, workspaceId, null);
  return readNumber(tx, workspaceId, id);
}

async function changeInboundFlow(tx: Executor, workspaceId: string, id: string, flowId: string | null): Promise<void> {
  const known = flowId === null ? null : (await selectFlow(tx, workspaceId, { flowId })).flowId;
  await setInboundFlow(tx, workspaceId, id, known);
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

/** The workspace's own number that somebody wrote to, suspended or not; undefined when it has none such. */
export async function findInboundNumber(
  tx: Executor,
  workspaceId: string,
  number: string,
): Promise<(CallingNumber & { inboundFlowId: string | null }) | undefined> {
  const [row] = await findByNumbers(tx, workspaceId, [number]);
  return row && { id: row.id, number: row.number, inboundFlowId: row.inbound_flow_id };
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
    provider: row.asked_provider as PhoneNumberResponse["provider"],
    label: row.label,
    status: row.status as PhoneNumberResponse["status"],
    statusMessage: row.status_message,
    providerInfo: {
      name: row.asked_provider,
      externalId: null,
      region: classifyNumber(row.number).country,
      simulated: row.provider === "SANDBOX",
    },
    sipTrunk: row.sip_trunk && completeTrunk(row.sip_trunk),
    maxConcurrentCalls: row.max_concurrent_calls,
    currentActiveCalls: row.active_calls,
    activeInboundCalls: 0,
    activeOutboundCalls: row.active_calls,
    queuedCalls: row.queued_calls,
    inboundFlowId: row.inbound_flow_id,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

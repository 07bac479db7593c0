import { E164, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";
import { completeTrunk, SipTrunk, SipTrunkInput } from "./sip-trunk.ts";
import type { PhoneNumberRow } from "./store.ts";

/**
 * Sources of numbers: the sandbox, one of three carriers, or the customer's own SIP trunk. In a SANDBOX workspace all
 * of them are simulated.
 */
export const PROVIDERS: readonly string[] = ["SANDBOX", ...CARRIER_PROVIDERS.map(({ name }) => name), "BYO_SIP"];

/** Returns the names of the carriers with accounts, in words: `TWILIO, TELNYX or VONAGE`. */
export function listCarriers(): string {
  const names = CARRIER_PROVIDERS.map(({ name }) => name);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/**
 * PENDING: the order with the carrier is under way. FAILED: the carrier refused it, see `statusMessage`; setting ACTIVE
 * retries. Calls are placed only from an ACTIVE number.
 */
export const NUMBER_STATUSES = ["PENDING", "ACTIVE", "SUSPENDED", "FAILED"] as const;
const CAPABILITIES = ["VOICE", "SMS", "WHATSAPP"] as const;

const CallsPerSecond = Type.Number({
  minimum: 0.01,
  maximum: 1_000,
  description: "Calls a second from this number. Unset: as many as its carrier account.",
});

/** Body for creating a number (CreatePhoneNumberRequest). */
export const CreatePhoneNumberRequest = Type.Object(
  {
    provider: oneOf(PROVIDERS),
    phoneNumber: Type.Optional(
      nullable(Type.String({ ...E164, description: "E.164 number you own, or want. Unset: one is picked for you." })),
    ),
    countryCode: Type.Optional(
      nullable(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166 code of a number to pick. Default US." })),
    ),
    areaCode: Type.Optional(
      nullable(
        Type.String({ pattern: "^\\d{1,6}$", description: "Area of a number to pick, where the country has such." }),
      ),
    ),
    carrierAccountId: Type.Optional(
      nullable({ ...Uuid, description: "Account of the carrier. Unset: the only one that the workspace has." }),
    ),
    label: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    sipTrunk: Type.Optional(nullable(SipTrunkInput)),
    callsPerSecond: Type.Optional(nullable(CallsPerSecond)),
    maxConcurrentCalls: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 10_000, description: "Default 10." })),
    ),
    inboundFlowId: Type.Optional(
      nullable({
        ...Uuid,
        description: "Flow that answers who calls or writes to this number. Unset: the default flow.",
      }),
    ),
    isDefault: Type.Optional(nullable(Type.Boolean())),
  },
  { $id: "CreatePhoneNumberRequest" },
);

/** Body for changing a number (UpdatePhoneNumberRequest); absent members stay. */
export const UpdatePhoneNumberRequest = Type.Object(
  {
    label: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    status: Type.Optional(
      oneOf(
        NUMBER_STATUSES,
        "ACTIVE also tries again what a carrier refused: to set the number up, or to call. PENDING and FAILED are the service's to set: they are taken while the number has them, and change nothing.",
      ),
    ),
    sipTrunk: Type.Optional(nullable(SipTrunkInput)),
    callsPerSecond: Type.Optional(nullable(CallsPerSecond)),
    maxConcurrentCalls: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    inboundFlowId: Type.Optional(
      nullable({
        ...Uuid,
        description: "Flow that answers who calls or writes to this number. Unset: the default flow.",
      }),
    ),
    isDefault: Type.Optional(Type.Boolean()),
  },
  { $id: "UpdatePhoneNumberRequest" },
);

/** A number as the API returns it, with its current activity (PhoneNumberResponse). */
export const PhoneNumberResponse = Type.Object(
  {
    id: Uuid,
    phoneNumber: E164,
    provider: oneOf(PROVIDERS),
    label: nullable(Type.String()),
    status: oneOf(NUMBER_STATUSES),
    statusMessage: nullable(Type.String()),
    suspendedBy: nullable(oneOf(["OPERATOR", "CARRIER"], "Who made it stop; null while it is not SUSPENDED.")),
    carrierAccountId: nullable(Uuid),
    capabilities: Type.Array(oneOf(CAPABILITIES)),
    callsPerSecond: nullable(
      Type.Number({ description: "The number's own pace, else its account's; null: unlimited." }),
    ),
    answerRate7d: nullable(
      Type.Number({
        description:
          "Share of the dials of the last 7 days, retries as well, that a person answered, 0 to 1, as in GET /results.",
      }),
    ),
    machineRate7d: nullable(
      Type.Number({ description: "Share of the same dials that a machine answered, such as a voicemail." }),
    ),
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
    queuedCalls: Type.Integer({ description: "At most 1,000: more are not counted." }),
    inboundFlowId: nullable({
      ...Uuid,
      description: "Null: the workspace's default flow answers who calls or writes.",
    }),
    isDefault: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "PhoneNumberResponse" },
);
export type PhoneNumberResponse = Static<typeof PhoneNumberResponse>;

/** Converts a stored number to its API form. */
export function toResponse(row: PhoneNumberRow): PhoneNumberResponse {
  return {
    id: row.id,
    phoneNumber: row.number,
    provider: row.asked_provider as PhoneNumberResponse["provider"],
    label: row.label,
    status: row.status as PhoneNumberResponse["status"],
    statusMessage: row.status_message,
    suspendedBy: row.suspended_by,
    carrierAccountId: row.carrier_account_id,
    capabilities: row.capabilities ?? usualCapabilities(row.provider),
    callsPerSecond: row.pace,
    answerRate7d: row.answer_rate,
    machineRate7d: row.machine_rate,
    providerInfo: {
      name: row.asked_provider,
      externalId: row.external_id,
      region: classifyNumber(row.number).country,
      simulated: row.provider === "SANDBOX",
    },
    sipTrunk: row.sip_trunk && completeTrunk(row.sip_trunk),
    maxConcurrentCalls: row.max_concurrent_calls,
    currentActiveCalls: row.active_calls,
    activeInboundCalls: row.inbound_calls,
    activeOutboundCalls: row.active_calls - row.inbound_calls,
    queuedCalls: row.queued_calls,
    inboundFlowId: row.inbound_flow_id,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Returns the assumed capabilities of a number for which the carrier named none. */
function usualCapabilities(provider: string): (typeof CAPABILITIES)[number][] {
  if (provider === "SANDBOX") return ["VOICE", "SMS", "WHATSAPP"];
  return provider === "BYO_SIP" ? ["VOICE"] : ["VOICE", "SMS"];
}

import type {
  AccountField,
  AccountKeys,
  AccountParts,
  CarrierAccount,
  CarrierProvider,
} from "#src/telephony/carriers/account.ts";
import { VonageApi } from "./vonage-api.ts";
import { callsOf } from "./vonage-calls.ts";
import { VonageCarrier } from "./vonage-carrier.ts";
import { checkVonage } from "./vonage-check.ts";
import { answerInbound, declineInbound } from "./vonage-inbound.ts";
import { VonageMessenger } from "./vonage-messenger.ts";
import { VonageNumbers } from "./vonage-numbers.ts";
import type { VonageParts } from "./vonage-parts.ts";
import { readVonageWebhook } from "./vonage-webhooks.ts";

const FIELDS: readonly AccountField[] = [
  {
    name: "apiKey",
    label: "API key (dashboard, API settings)",
    isSecret: false,
    isRequired: true,
    pattern: /^[0-9A-Za-z]{4,16}$/,
  },
  {
    name: "apiSecret",
    label: "API secret (dashboard, API settings)",
    isSecret: true,
    isRequired: true,
    pattern: /^[\x21-\x7e]{6,128}$/,
  },
  {
    name: "applicationId",
    label: "Application id (dashboard, Applications)",
    isSecret: false,
    isRequired: true,
    pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  },
  {
    name: "privateKey",
    label: "Private key of the application (the private.key file, PEM)",
    isSecret: true,
    isRequired: true,
    pattern: /^\s*-----BEGIN (RSA )?PRIVATE KEY-----[0-9A-Za-z+/=\s\\]+-----END (RSA )?PRIVATE KEY-----\s*$/,
  },
  {
    name: "signatureSecret",
    label: "Signature secret (dashboard, API settings); the application must have signed webhooks on",
    isSecret: true,
    isRequired: true,
    pattern: /^[\x21-\x7e]{8,256}$/,
  },
  {
    name: "apiUrl",
    label: "Other address of the interface (regional host or emulator)",
    isSecret: false,
    isRequired: false,
    pattern: /^https?:\/\/[^\s?#]{1,200}$/,
  },
];

/** Provider of accounts with Vonage: calls, numbers, SMS and WhatsApp. */
export const vonageProvider: CarrierProvider = {
  name: "VONAGE",
  fields: FIELDS,
  callsPerSecond: 3,
  // `text` of POST /v1/messages.
  textLimit: (channel) => (channel === "SMS" ? 1_000 : 4_096),
  open: openVonage,
};

function openVonage(keys: AccountKeys, parts: AccountParts): CarrierAccount {
  const { fetch, media, now } = parts;
  const api = new VonageApi(keys, fetch, now);
  const { signatureSecret = "" } = keys.secrets;
  const own: VonageParts = { ...parts, accountId: keys.id, api, calls: callsOf(media), signatureSecret };
  return {
    id: keys.id,
    carrier: new VonageCarrier(own),
    messenger: new VonageMessenger(api),
    numbers: new VonageNumbers(own),
    check: (signal) => checkVonage(api, signal),
    readWebhook: (webhook) => readVonageWebhook(own, webhook),
    answerCall: (call, attemptId) => Promise.resolve(answerInbound(own, call, attemptId)),
    declineCall: (call, _why, signal) => declineInbound(own, call, signal),
  };
}

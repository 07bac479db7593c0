import type {
  AccountField,
  AccountKeys,
  AccountParts,
  CarrierAccount,
  CarrierProvider,
} from "#src/telephony/carriers/account.ts";
import { createTelnyxApi } from "./telnyx-api.ts";
import { callsOf } from "./telnyx-calls.ts";
import { TelnyxCarrier, type TelnyxCarrierParts } from "./telnyx-carrier.ts";
import { checkTelnyx } from "./telnyx-check.ts";
import { answerTelnyxCall, declineTelnyxCall } from "./telnyx-inbound.ts";
import { TelnyxLegs } from "./telnyx-legs.ts";
import { limitTelnyxText, TELNYX } from "./telnyx-messages.ts";
import { TelnyxMessenger } from "./telnyx-messenger.ts";
import { TelnyxNumbers } from "./telnyx-numbers.ts";
import { createTelnyxVerifier } from "./telnyx-signature.ts";
import { readTelnyxWebhook } from "./telnyx-webhooks.ts";

const FIELDS: readonly AccountField[] = [
  {
    name: "apiKey",
    label: "API key (V2), from the portal's page API Keys",
    isSecret: true,
    isRequired: true,
    pattern: /^KEY[A-Za-z0-9_.-]{8,200}$/,
  },
  {
    name: "publicKey",
    label: "Public key that webhooks are checked with, from the portal's page API Keys, Public Key",
    isSecret: false,
    isRequired: true,
    pattern: /^[A-Za-z0-9+/]{43}=$/,
  },
  {
    name: "connectionId",
    label: "Id of the Voice API application that calls go through, from Voice, Programmable Voice",
    isSecret: false,
    isRequired: true,
    pattern: /^\d{1,20}$/,
  },
  {
    name: "messagingProfileId",
    label: "Id of the messaging profile of SMS and WhatsApp, from Messaging; without it no messages come in",
    isSecret: false,
    isRequired: false,
    pattern: /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  },
  {
    name: "apiUrl",
    label: "Where requests go instead of https://api.telnyx.com/v2",
    isSecret: false,
    isRequired: false,
    pattern: /^https?:\/\/[^\s?#]{1,200}$/,
  },
];

/** Provider of accounts with Telnyx. */
export const telnyxProvider: CarrierProvider = {
  name: TELNYX,
  fields: FIELDS,
  // The documented limit of every account, over any five seconds.
  callsPerSecond: 30,
  textLimit: limitTelnyxText,
  open: openTelnyx,
};

function openTelnyx({ id, settings, secrets }: AccountKeys, account: AccountParts): CarrierAccount {
  const api = createTelnyxApi(account.fetch, secrets["apiKey"] ?? "", settings["apiUrl"]);
  const connectionId = settings["connectionId"] ?? "";
  const messagingProfileId = settings["messagingProfileId"] ?? null;
  const calls = callsOf(account.media);
  const legs = new TelnyxLegs({ accountId: id, connectionId, api, account });
  const parts: TelnyxCarrierParts = { accountId: id, connectionId, api, calls, legs, account };
  const verify = createTelnyxVerifier(settings["publicKey"] ?? "");
  const webhooks = {
    verify,
    calls,
    onLegEvent: legs.take.bind(legs),
    onEnded: (attemptId: string) => account.media.close(attemptId),
    log: account.log,
    now: account.now,
  };
  return {
    id,
    carrier: new TelnyxCarrier(parts),
    messenger: new TelnyxMessenger({ accountId: id, messagingProfileId, api, account }),
    numbers: new TelnyxNumbers({ accountId: id, connectionId, messagingProfileId, api, account }),
    check: (signal) => checkTelnyx(api, { connectionId, messagingProfileId }, signal),
    readWebhook: (webhook) => readTelnyxWebhook(webhooks, webhook),
    answerCall: (call, attemptId, signal) => answerTelnyxCall(parts, call, attemptId, signal),
    declineCall: (call, why, signal) => declineTelnyxCall(parts, call, why, signal),
  };
}

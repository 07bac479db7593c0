import type {
  AccountField,
  AccountKeys,
  AccountParts,
  CarrierAccount,
  CarrierProvider,
  InboundCall,
  WebhookAnswer,
} from "#src/telephony/carriers/account.ts";
import { openTwilioAccount, type TwilioAccount } from "./twilio-account.ts";
import { createTwilioCarrier } from "./twilio-carrier.ts";
import { checkTwilio } from "./twilio-check.ts";
import { TwilioLegs } from "./twilio-legs.ts";
import { toAnswer, writeReject } from "./twilio-markup.ts";
import { createTwilioMessenger } from "./twilio-messenger.ts";
import { createTwilioNumbers } from "./twilio-numbers.ts";
import { readTwilioWebhook } from "./twilio-webhooks.ts";

const setting = { isSecret: false, isRequired: false } as const;
const secret = { isSecret: true, isRequired: false } as const;
const SECRET = /^[\x21-\x7e]{8,200}$/;

const FIELDS: readonly AccountField[] = [
  {
    ...setting,
    name: "accountSid",
    label: "Account SID (Twilio Console, front page, Account Info)",
    isRequired: true,
    pattern: /^AC[0-9a-fA-F]{32}$/,
  },
  {
    ...secret,
    name: "authToken",
    label: "Auth Token (beside the Account SID); it also proves that webhooks are Twilio's",
    isRequired: true,
    pattern: SECRET,
  },
  {
    ...setting,
    name: "apiKeySid",
    label: "SID of an API key to make requests with (Account > API keys & tokens)",
    pattern: /^SK[0-9a-fA-F]{32}$/,
  },
  { ...secret, name: "apiKeySecret", label: "Secret of the API key, shown once when it is made", pattern: SECRET },
  {
    ...setting,
    name: "messagingServiceSid",
    label: "Messaging Service to send SMS with (Messaging > Services)",
    pattern: /^MG[0-9a-fA-F]{32}$/,
  },
  {
    ...setting,
    name: "machineDetection",
    label: "Whether Twilio also says who answered, which it bills: on (the default) or off",
    pattern: /^(on|off)$/,
  },
  {
    ...setting,
    name: "apiUrl",
    label: "Address of another region, such as https://api.dublin.ie1.twilio.com",
    pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
  },
];

/** Provider of accounts with Twilio: Programmable Voice with Media Streams, phone numbers, SMS and WhatsApp. */
export const twilioProvider: CarrierProvider = {
  name: "TWILIO",
  fields: FIELDS,
  webhooksByHand: [{ label: "WhatsApp senders: inbound URL", path: "messages" }],
  callsPerSecond: 1,
  // Body of POST /Messages.json, for both channels.
  textLimit: () => 1_600,
  open: openAccount,
};

function openAccount(keys: AccountKeys, parts: AccountParts): CarrierAccount {
  const twilio = openTwilioAccount(keys, parts);
  const legs = new TwilioLegs(twilio);
  return {
    id: keys.id,
    carrier: createTwilioCarrier(twilio, legs),
    messenger: createTwilioMessenger(twilio),
    numbers: createTwilioNumbers(twilio),
    check: (signal) => checkTwilio(twilio, signal),
    readWebhook: (webhook) => readTwilioWebhook(twilio, legs, webhook),
    answerCall: (call, attemptId) => Promise.resolve(answer(twilio, call, attemptId)),
    declineCall: (_call, why) => Promise.resolve(toAnswer(writeReject(why === "BUSY" ? "busy" : "rejected"))),
  };
}

/** Returns the response to the webhook, which answers the call. A repeat of the webhook gets the same. */
function answer(twilio: TwilioAccount, { providerCallId, from, to }: InboundCall, attemptId: string): WebhookAnswer {
  twilio.links.expect(attemptId, { own: to, person: from });
  twilio.links.link(providerCallId, attemptId);
  return toAnswer(twilio.stream(attemptId, `calls/${attemptId}`, () => undefined));
}

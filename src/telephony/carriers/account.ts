import type { OutgoingHttpHeaders } from "node:http";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Carrier, CarrierEvent } from "./carrier.ts";
import type { AccountMedia } from "./media-socket-gateway.ts";
import type { DeliveryReport, InboundMessage, MessageChannel, Messenger } from "./messages.ts";
import type { NumberProvisioning } from "./number-provisioning.ts";

/** One setting or key that a carrier account consists of. */
export interface AccountField {
  /** camelCase, as the command line and the API name it. */
  name: string;
  /** Name of the value and the place where the carrier shows it, for people. */
  label: string;
  /** Sealed at rest, and never shown again. */
  isSecret: boolean;
  isRequired: boolean;
  /** Format of a valid value; the whole value must match. */
  pattern: RegExp;
}

/** Contents of a carrier account when it is opened: public settings, and secrets in the clear. */
export interface AccountKeys {
  id: string;
  workspaceId: string;
  settings: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
}

/** Dependencies that a carrier account needs at run time. */
export interface AccountParts {
  /** The guarded fetch. */
  fetch: SafeFetch;
  /** Origin of this node, as carriers reach it; no slash at its end. */
  publicUrl: string;
  /** Receives the audio of calls. */
  media: AccountMedia;
  /** Delivers events that come by another way than a webhook: when its media socket opens, a call has been answered. */
  deliver: (event: CarrierEvent) => void;
  log: Log;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Result of asking a carrier whether an account works. `message` says in plain English what to do. */
export type AccountCheck =
  | { kind: "WORKS"; message: string }
  /** The carrier refuses the account: wrong or expired keys, a closed account. */
  | { kind: "REFUSED"; code: string; message: string }
  /** The carrier could not be reached, which says nothing about the keys. */
  | { kind: "UNREACHABLE"; code: string; message: string };

/** A request from a carrier to us, as received. */
export interface CarrierWebhook {
  method: "GET" | "POST";
  /** The public URL it was sent to, made of PARLEY_URL and never of the Host header. */
  url: string;
  /** Path behind the account's own, without a leading slash: `calls/ID`, `messages`, ... */
  path: string;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The exact bytes. */
  body: Buffer;
}

/** Response to a carrier's webhook. */
export interface WebhookAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** A call from a person to one of our numbers. */
export interface InboundCall {
  providerCallId: string;
  /** E.164, or the number as the network writes it; empty when it is withheld. */
  from: string;
  /** E.164, ours. */
  to: string;
}

/** One event that a webhook reports. */
export type CarrierWebhookEvent =
  | { kind: "CALL"; event: CarrierEvent }
  | { kind: "CALL_IN"; call: InboundCall }
  | { kind: "MESSAGE_IN"; message: InboundMessage }
  | { kind: "DELIVERY"; report: DeliveryReport };

/**
 * Result of reading a webhook. FORGED: the signature is missing, wrong or too old, so the contents must not be trusted.
 * `answer` is sent to the carrier once the events are stored; for a CALL_IN the result of `answerCall` is sent instead.
 */
export type WebhookReading =
  | { kind: "FORGED"; message: string }
  | { kind: "MALFORMED"; message: string }
  | { kind: "READ"; events: CarrierWebhookEvent[]; answer: WebhookAnswer };

/** An opened carrier account with all its operations. */
export interface CarrierAccount {
  readonly id: string;
  readonly carrier: Carrier;
  readonly messenger: Messenger;
  readonly numbers: NumberProvisioning;
  /** Asks the carrier whether the account works. Never throws. */
  check(signal: AbortSignal): Promise<AccountCheck>;
  /** Verifies and parses a webhook; never throws, whatever it contains. */
  readWebhook(webhook: CarrierWebhook): WebhookReading;
  /**
   * Accepts an inbound call as the attempt with this id, opens its audio like that of a dialled call, and returns the
   * response to the webhook. Never throws: a call that cannot be accepted ends with its ENDED event.
   */
  answerCall(call: InboundCall, attemptId: string, signal: AbortSignal): Promise<WebhookAnswer>;
  /** Declines an inbound call, as BUSY or as not answered. Never throws. */
  declineCall(call: InboundCall, why: "BUSY" | "UNAVAILABLE", signal: AbortSignal): Promise<WebhookAnswer>;
}

/** A carrier that sells accounts. A new one needs its own folder and a line in `registry.ts`. */
export interface CarrierProvider {
  /** Upper case, as in PhoneNumberResponse; the URLs of webhooks use it in lower case. */
  readonly name: string;
  readonly fields: readonly AccountField[];
  /** Webhooks that a person must enter at the carrier, as `CarrierWebhook.path`; the adapter sets all others itself. */
  readonly webhooksByHand?: readonly { label: string; path: string }[];
  /** Calls per second that the carrier allows a new account. */
  readonly callsPerSecond: number;
  /** Returns the UTF-16 units that one message with such characters may have. Absent: any number. */
  textLimit?(channel: MessageChannel, text: string): number;
  open(keys: AccountKeys, parts: AccountParts): CarrierAccount;
}

/** Returns the URL to which a carrier reports events of an account; `path` arrives as `CarrierWebhook.path`. */
export function webhookUrl(publicUrl: string, provider: string, accountId: string, path: string): string {
  return `${publicUrl}/api/webhooks/carriers/${provider.toLowerCase()}/${accountId}/${path}`;
}

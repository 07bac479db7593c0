import type { OutgoingHttpHeaders } from "node:http";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Carrier, CarrierEvent } from "./carrier.ts";
import type { AccountMedia } from "./media-socket-gateway.ts";
import type { DeliveryReport, InboundMessage, Messenger } from "./messages.ts";
import type { NumberProvisioning } from "./number-provisioning.ts";

/** One thing that an account of a carrier is made of. */
export interface AccountField {
  /** camelCase, as the command line and the API name it. */
  name: string;
  /** What it is and where the carrier shows it, for people. */
  label: string;
  /** Sealed at rest, and never shown again. */
  isSecret: boolean;
  isRequired: boolean;
  /** What a value must look like; matched whole. */
  pattern: RegExp;
}

/** An account as it is opened: settings anybody may read, and secrets in the clear. */
export interface AccountKeys {
  id: string;
  workspaceId: string;
  settings: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
}

/** What an account works with. */
export interface AccountParts {
  /** The guarded fetch. */
  fetch: SafeFetch;
  /** Origin of this node, as carriers reach it; no slash at its end. */
  publicUrl: string;
  /** Where the audio of calls arrives. */
  media: AccountMedia;
  /** Tells what became known of a call by another way than a webhook: its media socket came, so it was answered. */
  deliver: (event: CarrierEvent) => void;
  log: Log;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What came of asking a carrier whether an account works. `message` says in plain English what to do. */
export type AccountCheck =
  | { kind: "WORKS"; message: string }
  /** The carrier refuses the account: wrong or expired keys, a closed account. */
  | { kind: "REFUSED"; code: string; message: string }
  /** The carrier could not be reached, which says nothing about the keys. */
  | { kind: "UNREACHABLE"; code: string; message: string };

/** A request of a carrier to us, as it came. */
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

/** What is answered to a carrier. */
export interface WebhookAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** A person calls one of our numbers. */
export interface InboundCall {
  providerCallId: string;
  /** E.164, or what the network shows instead; empty when it is withheld. */
  from: string;
  /** E.164, ours. */
  to: string;
}

/** What a webhook tells. */
export type CarrierWebhookEvent =
  | { kind: "CALL"; event: CarrierEvent }
  | { kind: "CALL_IN"; call: InboundCall }
  | { kind: "MESSAGE_IN"; message: InboundMessage }
  | { kind: "DELIVERY"; report: DeliveryReport };

/**
 * A webhook as it was understood. FORGED: its signature is missing, wrong or too old, and nothing of it may be believed.
 * `answer` is what the carrier gets once the news are stored; a CALL_IN is answered with what `answerCall` gives.
 */
export type WebhookReading =
  | { kind: "FORGED"; message: string }
  | { kind: "MALFORMED"; message: string }
  | { kind: "READ"; events: CarrierWebhookEvent[]; answer: WebhookAnswer };

/** An account of a carrier, opened: everything one can do with it. */
export interface CarrierAccount {
  readonly id: string;
  readonly carrier: Carrier;
  readonly messenger: Messenger;
  readonly numbers: NumberProvisioning;
  /** Asks the carrier whether the account works. Never throws. */
  check(signal: AbortSignal): Promise<AccountCheck>;
  /** Verifies and understands a webhook; never throws, whatever comes. */
  readWebhook(webhook: CarrierWebhook): WebhookReading;
  /**
   * Takes a call that came in as the attempt with this id, whose audio is then opened like that of a dialled one, and
   * gives what is answered to the webhook. Never throws: a call that cannot be taken ends with its ENDED event.
   */
  answerCall(call: InboundCall, attemptId: string, signal: AbortSignal): Promise<WebhookAnswer>;
  /** Turns a call that came in away: BUSY, or as one that nobody answers. Never throws. */
  declineCall(call: InboundCall, why: "BUSY" | "UNAVAILABLE", signal: AbortSignal): Promise<WebhookAnswer>;
}

/** A carrier that sells accounts. A new one is a folder of its own and a line in `registry.ts`. */
export interface CarrierProvider {
  /** Upper case, as PhoneNumberResponse names it and webhooks' URLs in lower case. */
  readonly name: string;
  readonly fields: readonly AccountField[];
  /** Calls a second that the carrier allows a new account. */
  readonly callsPerSecond: number;
  open(keys: AccountKeys, parts: AccountParts): CarrierAccount;
}

/** Where a carrier reports of an account; `path` is what `CarrierWebhook.path` becomes. */
export function webhookUrl(publicUrl: string, provider: string, accountId: string, path: string): string {
  return `${publicUrl}/api/webhooks/carriers/${provider.toLowerCase()}/${accountId}/${path}`;
}

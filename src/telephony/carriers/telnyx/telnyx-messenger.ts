import type { JsonObject } from "#src/platform/kernel/json-object.ts";
import { type AccountParts, webhookUrl } from "#src/telephony/carriers/account.ts";
import { type CarrierReply, readDialFailure } from "#src/telephony/carriers/carrier-http.ts";
import type {
  AskedMessage,
  MessageLookUp,
  Messenger,
  OutgoingMessage,
  SendResult,
} from "#src/telephony/carriers/messages.ts";
import { asText } from "#src/telephony/carriers/socket-json.ts";
import { encodePart, isSuccess, readData, readFault, readList, type TelnyxApi } from "./telnyx-api.ts";
import { explainMessage, STOP_CODE } from "./telnyx-errors.ts";
import { readMessageId, readMessageState, readText, TELNYX } from "./telnyx-messages.ts";

/** Dependencies of an account's messages. */
export interface TelnyxMessengerParts {
  accountId: string;
  messagingProfileId: string | null;
  api: TelnyxApi;
  account: Pick<AccountParts, "publicUrl">;
}

/** Telnyx's clock and ours may differ. */
const CLOCK_SLACK_MS = 5_000;
const MAX_RECORDS = 50;
/** The documented filter takes days only. */
const DATE_LENGTH = "2026-11-21".length;
/** Temporary errors: too fast, the queue is full, the network is down. */
const PASSING = new Set(["10011", "40006", "40011", "40018", "40318", "40320"]);

/** SMS and WhatsApp of a Telnyx account. */
export class TelnyxMessenger implements Messenger {
  readonly name = TELNYX;
  /** Reports carry our id in their address; the detail records that the look-up reads are written minutes later. */
  readonly horizonMs = 300_000;
  /** A message not yet in the records may still have been sent. */
  readonly absenceIsProof = false;
  readonly assumesOpenWindow = false;
  readonly #parts: TelnyxMessengerParts;

  constructor(parts: TelnyxMessengerParts) {
    this.#parts = parts;
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const isSms = message.channel === "SMS";
    const path = isSms ? "/messages" : "/messages/whatsapp";
    const body = isSms ? this.#toSms(message) : this.#toWhatsApp(message);
    const reply = await this.#parts.api({ method: "POST", path, body, signal, beforeSend: message.assertMayLeave });
    const providerMessageId = asText(readData(reply)?.["id"]);
    if (isSuccess(reply) && providerMessageId) return { kind: "ACCEPTED", providerMessageId };
    if (isSuccess(reply)) {
      return { kind: "UNCERTAIN", code: "BAD_ANSWER", message: "Telnyx took the message without telling its id." };
    }
    return toSendResult(reply);
  }

  #toSms({ from, to, text, messageId }: OutgoingMessage): object {
    return { from, to, text, type: "SMS", webhook_url: this.#url(messageId), use_profile_webhooks: false };
  }

  #toWhatsApp(message: OutgoingMessage): object {
    const { from, to, messageId } = message;
    const { messagingProfileId } = this.#parts;
    return {
      from,
      to,
      type: "WHATSAPP",
      ...(messagingProfileId ? { messaging_profile_id: messagingProfileId } : {}),
      webhook_url: this.#url(messageId),
      whatsapp_message: { ...toContent(message), biz_opaque_callback_data: messageId },
    };
  }

  #url(messageId: string): string {
    const { account, accountId } = this.#parts;
    return webhookUrl(account.publicUrl, TELNYX, accountId, `messages/${messageId}`);
  }

  async lookUp(asked: AskedMessage, signal: AbortSignal): Promise<MessageLookUp> {
    if (asked.providerMessageId) return this.#lookUpById(asked.providerMessageId, signal);
    if (!asked.sentAt) return { kind: "ABSENT" };
    const listed = await this.#listSince(asked, asked.sentAt, signal);
    if (!Array.isArray(listed)) return listed;
    for (const id of listed) {
      const reply = await this.#read(id, signal);
      const message = readData(reply);
      if (!isSuccess(reply) || !message) return unclear(reply);
      if (isSame(asked, message)) return { kind: "FOUND", providerMessageId: id, ...readMessageState(message) };
    }
    return { kind: "ABSENT" };
  }

  #read(id: string, signal: AbortSignal): Promise<CarrierReply> {
    return this.#parts.api({ method: "GET", path: `/messages/${encodePart(id)}`, signal });
  }

  async #lookUpById(id: string, signal: AbortSignal): Promise<MessageLookUp> {
    const reply = await this.#read(id, signal);
    if (reply.kind === "ANSWER" && reply.status === 404) return { kind: "ABSENT" };
    const message = readData(reply);
    if (!isSuccess(reply) || !message) return unclear(reply);
    return { kind: "FOUND", providerMessageId: id, ...readMessageState(message) };
  }

  /** Returns the ids of messages between both numbers since then. The records hold no text, so each message is read. */
  async #listSince(asked: AskedMessage, sentAt: Date, signal: AbortSignal): Promise<string[] | MessageLookUp> {
    const since = new Date(sentAt.getTime() - CLOCK_SLACK_MS);
    const query = {
      "filter[record_type]": "messaging",
      "filter[direction]": "outbound",
      "filter[cli]": asked.from,
      "filter[cld]": asked.to,
      "filter[created_at][gte]": since.toISOString().slice(0, DATE_LENGTH),
      sort: "-created_at",
      "page[size]": String(MAX_RECORDS),
    };
    const reply = await this.#parts.api({ method: "GET", path: "/detail_records", query, signal });
    if (!isSuccess(reply)) return unclear(reply);
    const isNew = (record: JsonObject) => !(Date.parse(String(record["created_at"])) < since.getTime());
    return readList(reply)
      .filter(isNew)
      .flatMap((record) => asText(record["uuid"]) ?? []);
  }
}

function toContent({ template, text }: OutgoingMessage): object {
  if (!template) return { type: "text", text: { body: text, preview_url: false } };
  const { name, language, variables } = template;
  // Parameters are positional: numbered names are sorted by number, others stay in order.
  const names = Object.keys(variables).toSorted((a, b) => (Number(a) || 0) - (Number(b) || 0));
  const parameters = names.map((key) => ({ type: "text", text: variables[key] ?? "" }));
  return {
    type: "template",
    template: {
      name,
      language: { policy: "deterministic", code: language },
      ...(parameters.length > 0 ? { components: [{ type: "body", parameters }] } : {}),
    },
  };
}

function toSendResult(reply: CarrierReply): SendResult {
  const fault = readFault(reply);
  const general = readDialFailure(reply, "Telnyx", fault);
  if (general?.kind === "UNCERTAIN") {
    return { kind: "UNCERTAIN", code: general.code, message: general.message.replace("the dial", "the message") };
  }
  const isRefusal = reply.kind === "ANSWER" && reply.status >= 400;
  const code = fault?.code ?? (isRefusal ? `HTTP_${reply.status}` : "UNREACHABLE");
  const message = fault ? explainMessage(fault) : general?.kind === "REFUSED" ? general.message : `Telnyx: ${code}`;
  if (code === STOP_CODE) return { kind: "REFUSED", code, message, retryable: false, optedOut: true };
  const isPassing = reply.kind === "FAILED" || reply.status === 429 || PASSING.has(code);
  return { kind: "REFUSED", code, message, retryable: isPassing };
}

/** True for the message looked up: by our id in its report address, or by its text where Telnyx returns none. */
function isSame({ messageId, text }: AskedMessage, message: JsonObject): boolean {
  const ours = readMessageId(message);
  return ours === null ? readText(message) === text : ours === messageId;
}

function unclear(reply: CarrierReply): MessageLookUp {
  const why = reply.kind === "FAILED" ? reply.message : (readFault(reply)?.message ?? `HTTP ${reply.status}`);
  return { kind: "UNCERTAIN", message: `Telnyx could not be asked about the message: ${why}` };
}

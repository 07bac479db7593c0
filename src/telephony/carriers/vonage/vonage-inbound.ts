import { type InboundCall, type WebhookAnswer, webhookUrl } from "#src/telephony/carriers/account.ts";
import { connectSocket } from "./vonage-ncco.ts";
import type { VonageParts } from "./vonage-parts.ts";
import { VonageMediaSocket } from "./vonage-socket.ts";

/** Accepts an inbound call: the response to its webhook orders Vonage to connect it to our socket. */
export function answerInbound(parts: VonageParts, call: InboundCall, attemptId: string): WebhookAnswer {
  const { calls, media, deliver, now, publicUrl, accountId } = parts;
  const { providerCallId, from, to } = call;
  calls.add(attemptId, to, from);
  calls.link(attemptId, providerCallId);
  const socketUrl = media.expect(
    attemptId,
    () => new VonageMediaSocket(),
    () => {
      const at = new Date(now()).toISOString();
      const shared = { eventKey: `socket-${attemptId}`, attemptId, providerCallId, at };
      deliver({ ...shared, type: "ANSWERED", answeredBy: "HUMAN" });
    },
  );
  const eventsUrl = webhookUrl(publicUrl, "VONAGE", accountId, `calls/${attemptId}/media`);
  return toAnswer([connectSocket({ socketUrl, from: to, eventsUrl, headers: { attemptId, uuid: providerCallId } })]);
}

/**
 * Declines a call. Vonage has no busy signal before the answer, so both reasons end the call alike: by the order to
 * hang up, and by a response without further actions.
 */
export async function declineInbound(
  parts: VonageParts,
  call: InboundCall,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const path = `/v1/calls/${encodeURIComponent(call.providerCallId)}`;
  const body = { action: "hangup" };
  await parts.api.call({ method: "PUT", host: "api", path, proof: "APPLICATION", body }, signal);
  return toAnswer([]);
}

function toAnswer(orders: object[]): WebhookAnswer {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(orders) };
}

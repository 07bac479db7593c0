import { type InboundCall, type WebhookAnswer, webhookUrl } from "#src/telephony/carriers/account.ts";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import { encodePart, isSuccess, readFault } from "./telnyx-api.ts";
import { answeredByAudio, expectAudio, streamTo } from "./telnyx-audio.ts";
import { writeClientState } from "./telnyx-calls.ts";
import type { TelnyxCarrierParts } from "./telnyx-carrier.ts";
import { hangUpCall } from "./telnyx-hang-up.ts";
import { TELNYX } from "./telnyx-messages.ts";
import { TAKEN } from "./telnyx-webhooks.ts";

/** Accepts an inbound call; one that cannot be accepted ends with its event. Never throws. */
export async function answerTelnyxCall(
  parts: TelnyxCarrierParts,
  call: InboundCall,
  attemptId: string,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const { account, accountId, api, calls } = parts;
  const { providerCallId, from, to } = call;
  calls.learn(providerCallId, { attemptId, ours: to, theirs: from });
  const stream = expectAudio(account.media, attemptId, () => {
    calls.markAnswered(providerCallId);
    account.deliver(answeredByAudio(attemptId, providerCallId, account.now()));
  });
  const body = {
    command_id: attemptId,
    client_state: writeClientState({ attemptId, direction: "INBOUND" }),
    webhook_url: webhookUrl(account.publicUrl, TELNYX, accountId, `calls/${attemptId}`),
    webhook_url_method: "POST",
    ...streamTo(stream),
  };
  const path = `/calls/${encodePart(providerCallId)}/actions/answer`;
  let reply = await api({ method: "POST", path, body, signal });
  // A command that repeats its command_id is not executed twice, so a repeat is safe here.
  if (!isSuccess(reply) && (reply.kind === "FAILED" || reply.status >= 500)) {
    reply = await api({ method: "POST", path, body, signal });
  }
  if (!isSuccess(reply)) await endUnanswered(parts, call, attemptId, reply);
  return TAKEN;
}

async function endUnanswered(
  { account, api, calls }: TelnyxCarrierParts,
  { providerCallId }: InboundCall,
  attemptId: string,
  reply: CarrierReply,
): Promise<void> {
  calls.forget(providerCallId);
  account.media.close(attemptId);
  const fault = readFault(reply);
  // 90018: the caller has already hung up.
  const isGone = fault?.code === "90018" || fault?.code === "90015";
  const why = fault?.message ?? (reply.kind === "FAILED" ? reply.message : `HTTP ${reply.status}`);
  // The call may have been answered after all, with nobody to speak.
  if (!isGone) await hangUpCall(api, providerCallId);
  account.deliver({
    type: "ENDED",
    eventKey: `unanswered:${attemptId}`,
    attemptId,
    providerCallId,
    at: new Date(account.now()).toISOString(),
    outcome: isGone ? "NO_ANSWER" : "CARRIER_FAILURE",
    hungUpBy: isGone ? "CUSTOMER" : "CARRIER",
    sipCode: null,
    reason: `Telnyx did not let the call be answered: ${why}`,
  });
}

/** Declines an inbound call. Telnyx's other cause, CALL_REJECTED, looks like an unavailable line. */
export async function declineTelnyxCall(
  { api }: TelnyxCarrierParts,
  { providerCallId }: InboundCall,
  why: "BUSY" | "UNAVAILABLE",
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const path = `/calls/${encodePart(providerCallId)}/actions/reject`;
  const body = { cause: why === "BUSY" ? "USER_BUSY" : "CALL_REJECTED" };
  await api({ method: "POST", path, body, signal });
  return TAKEN;
}

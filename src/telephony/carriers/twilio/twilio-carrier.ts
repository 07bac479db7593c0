import { toError } from "#src/platform/kernel/errors.ts";
import type { Carrier, CarrierCapabilities, DialRequest, DialResult } from "#src/telephony/carriers/carrier.ts";
import { createEndedLine } from "#src/telephony/carriers/ended-line.ts";
import type { TwilioAccount } from "./twilio-account.ts";
import { readDial, writeDial } from "./twilio-dial.ts";
import { endCall } from "./twilio-hang-up.ts";
import type { TwilioLegs } from "./twilio-legs.ts";
import { lookUpCall } from "./twilio-look-up.ts";

/**
 * Twilio has no idempotency key for a dial, and no searchable field for an id of ours: a call whose answer was lost is
 * found by its numbers and its time. A dial still on its way appears in no list, so absence never proves anything;
 * after two minutes every call that was placed is listed.
 */
const CAPABILITIES: CarrierCapabilities = {
  dedupe: null,
  looksUpBy: "NUMBERS_AND_TIME",
  absenceIsProof: false,
  horizonMs: 120_000,
};

/** Creates the carrier for the calls of one account. */
export function createTwilioCarrier(twilio: TwilioAccount, legs: TwilioLegs): Carrier {
  const { parts, links, api } = twilio;
  return {
    name: "twilio",
    capabilities: CAPABILITIES,
    dial: (request, signal) => dial(twilio, request, signal),
    async lookUp(attempt, signal) {
      const found = await lookUpCall(api, links, attempt, signal);
      // It may have been dialled by a process that is gone, so this process expects its audio.
      if (found.kind === "RINGING") expectAudio(twilio, attempt);
      return found;
    },
    async hangUp(providerCallId) {
      const call = links.find(providerCallId);
      if (call) parts.media.close(call.attemptId);
      await endCall(twilio, providerCallId);
    },
    openLine: (providerCallId) => createEndedLine(links.hasEnded(providerCallId)),
    openMedia(providerCallId) {
      const call = links.find(providerCallId);
      return call ? parts.media.sourceOf(call.attemptId) : null;
    },
    dialLeg: (providerCallId, order, signal) => legs.dial(providerCallId, order, signal),
  };
}

async function dial(twilio: TwilioAccount, request: DialRequest, signal: AbortSignal): Promise<DialResult> {
  const { parts, links, api, keys, hook } = twilio;
  const { attemptId } = request;
  if (signal.aborted) {
    const message = toError(signal.reason).message;
    return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code: "ABORTED", message };
  }
  const markup = expectAudio(twilio, request);
  const isAsked = keys.settings.machineDetection !== "off";
  const statusUrl = hook(`calls/${attemptId}`);
  const answeredByUrl = isAsked ? `${statusUrl}/answered-by` : null;
  const fields = writeDial(request, { markup, statusUrl, answeredByUrl });
  const result = readDial(
    await api.send({ method: "POST", path: "/Calls.json", fields, signal, beforeSend: request.assertMayLeave }),
  );
  if (result.kind === "REFUSED") parts.media.close(attemptId);
  if (result.kind === "ACCEPTED") links.link(result.providerCallId, attemptId);
  return result;
}

/** Expects the audio of an attempt, which starts with the answer; returns the markup that makes Twilio stream it. */
function expectAudio(
  twilio: TwilioAccount,
  { attemptId, from, to }: Pick<DialRequest, "attemptId" | "from" | "to">,
): string {
  const { parts, links } = twilio;
  links.expect(attemptId, { own: from, person: to });
  return twilio.stream(attemptId, `calls/${attemptId}`, (providerCallId) => {
    links.link(providerCallId, attemptId);
    const at = new Date(parts.now()).toISOString();
    const eventKey = `${providerCallId}:media`;
    parts.deliver({ type: "ANSWERED", eventKey, attemptId, providerCallId, at, answeredBy: "UNCERTAIN" });
  });
}

import { randomBytes } from "node:crypto";
import type { TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg } from "#src/audio/line/media-source.ts";
import { isE164 } from "#src/platform/kernel/e164.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { CallMedia, type MediaRules, type MediaSockets } from "./call-media.ts";
import { DialledCall } from "./dialled-call.ts";
import type { Hop } from "./flow.ts";
import type { Locator } from "./locate.ts";
import { OutgoingCall } from "./outgoing-call.ts";
import type { SipAgent } from "./sip-agent.ts";
import type { Trunk } from "./trunk.ts";

/** Dependencies of a call over a trunk. */
export interface CallParts {
  agent: SipAgent;
  locator: Locator;
  trunk: Trunk;
  sockets: MediaSockets;
  rules: MediaRules;
}

/** A call to the target of a transfer. */
export interface LegDial {
  uri: string;
  order: TransferOrder;
  /** E.164 of the person who is to be transferred, or empty. */
  person: string;
}

/**
 * Calls the target of a transfer beside the call to be transferred. A trunk that lets no number but ours out refuses the
 * person's with 403 before anybody is rung; ours is shown then. Never rejects.
 */
export async function dialLegTo(parts: CallParts, dial: LegDial, signal: AbortSignal): Promise<DialledLeg> {
  const own = parts.trunk.keys.number;
  const isShown = dial.order.callerId === "CUSTOMER" && isE164(dial.person);
  const { leg, isBarred } = await dialFrom(parts, isShown ? dial.person : own, dial, signal);
  if (!isShown || !isBarred || signal.aborted) return leg;
  return (await dialFrom(parts, own, dial, signal)).leg;
}

/** `isBarred`: refused with 403, and nobody was rung. */
interface Dialled {
  leg: DialledLeg;
  isBarred: boolean;
}

async function dialFrom(
  parts: CallParts,
  from: string,
  { uri, order }: LegDial,
  signal: AbortSignal,
): Promise<Dialled> {
  const prepared = await prepareCall(parts).catch((error: unknown) => toError(error));
  if (prepared instanceof Error) return failed("UNREACHABLE", prepared.message);
  const { hops, media } = prepared;
  const { agent, locator, trunk } = parts;
  const { promise, resolve } = Promise.withResolvers<Dialled>();
  const { number } = trunk.keys;
  const leg = new DialledCall(
    { attemptId: "", providerCallId: randomBytes(16).toString("hex"), person: "" },
    media,
    () => undefined,
  );
  let rang = false;
  const outgoing = new OutgoingCall({
    agent,
    locator,
    media,
    credentials: trunk.credentials,
    hops,
    callId: leg.providerCallId,
    uri,
    from: `<sip:${from}@${trunk.domain}>`,
    user: number,
    headers: [["P-Asserted-Identity", `<sip:${number}@${trunk.domain}>`], ...safeHeaders(order.sipHeaders)],
    ringTimeoutMs: order.ringTimeoutSeconds * 1_000,
    events: {
      onTrying: () => leg.hearTrying(),
      onRinging: () => {
        rang = true;
        leg.hearRinging();
      },
      onAnswered: (session) => {
        leg.hearAnswer(session);
        const source = leg.takeMedia();
        if (!source) return resolve(failed("UNREACHABLE", "The target answered without audio."));
        const hangUp = async (): Promise<void> => leg.hangUp("Parley hung up.");
        resolve({ leg: { kind: "ANSWERED", source, hangUp }, isBarred: false });
      },
      onFailed: (failure) => {
        leg.hearFailure(failure);
        const described = leg.describe();
        const outcome = described.kind === "ENDED" ? described.event.outcome : "UNREACHABLE";
        resolve(failed(outcome, failure.message, failure.response?.status === 403 && !rang));
      },
      onEnded: (end) => leg.hearEnd(end),
      onDeadHop: (hop) => trunk.noteDead(hop, `${hop.host} does not answer.`),
    },
  });
  leg.dial(outgoing);
  const abort = (): void => leg.hangUp("Nobody waits for the target any more.");
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", abort));
}

/** Finds the hops, and opens the socket of the audio. Rejects with an Error for people. */
export async function prepareCall({ trunk, sockets, rules }: CallParts): Promise<{ hops: Hop[]; media: CallMedia }> {
  const hops = await trunk.findHops();
  return { hops, media: await CallMedia.open(sockets, rules) };
}

function failed(outcome: string, message: string, isBarred = false): Dialled {
  return { leg: { kind: "FAILED", reason: toReason(outcome), message }, isBarred };
}

function toReason(outcome: string): "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE" {
  return outcome === "BUSY" || outcome === "NO_ANSWER" || outcome === "REJECTED" ? outcome : "UNREACHABLE";
}

/** Keeps the X- headers of a flow and drops all others, which could change the call itself. */
function safeHeaders(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers).filter(
    ([name, value]) => /^X-[A-Za-z0-9-]{1,60}$/i.test(name) && /^[^\r\n\0]{0,500}$/.test(value),
  );
}

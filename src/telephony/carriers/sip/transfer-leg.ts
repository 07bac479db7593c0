import { randomBytes } from "node:crypto";
import type { TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg } from "#src/audio/line/media-source.ts";
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

/** Calls the target of a transfer beside the call to be transferred. Never rejects. */
export async function dialLegTo(
  parts: CallParts,
  uri: string,
  order: TransferOrder,
  signal: AbortSignal,
): Promise<DialledLeg> {
  const prepared = await prepareCall(parts).catch((error: unknown) => toError(error));
  if (prepared instanceof Error) return { kind: "FAILED", reason: "UNREACHABLE", message: prepared.message };
  const { hops, media } = prepared;
  const { agent, locator, trunk } = parts;
  const { promise, resolve } = Promise.withResolvers<DialledLeg>();
  const { number } = trunk.keys;
  const leg = new DialledCall(
    { attemptId: "", providerCallId: randomBytes(16).toString("hex") },
    media,
    () => undefined,
  );
  const fail = (outcome: string, message: string): void =>
    resolve({ kind: "FAILED", reason: toReason(outcome), message });
  const outgoing = new OutgoingCall({
    agent,
    locator,
    media,
    credentials: trunk.credentials,
    hops,
    callId: leg.providerCallId,
    uri,
    from: `<sip:${number}@${trunk.domain}>`,
    user: number,
    headers: [["P-Asserted-Identity", `<sip:${number}@${trunk.domain}>`], ...safeHeaders(order.sipHeaders)],
    ringTimeoutMs: order.ringTimeoutSeconds * 1_000,
    events: {
      onTrying: () => leg.hearTrying(),
      onRinging: () => leg.hearRinging(),
      onAnswered: (session) => {
        leg.hearAnswer(session);
        const source = leg.takeMedia();
        if (!source) return fail("UNREACHABLE", "The target answered without audio.");
        resolve({ kind: "ANSWERED", source, hangUp: async () => leg.hangUp("Parley hung up.") });
      },
      onFailed: (failure) => {
        leg.hearFailure(failure);
        const described = leg.describe();
        const outcome = described.kind === "ENDED" ? described.event.outcome : "UNREACHABLE";
        fail(outcome, failure.message);
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

function toReason(outcome: string): "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE" {
  return outcome === "BUSY" || outcome === "NO_ANSWER" || outcome === "REJECTED" ? outcome : "UNREACHABLE";
}

/** Keeps the X- headers of a flow and drops all others, which could change the call itself. */
function safeHeaders(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers).filter(
    ([name, value]) => /^X-[A-Za-z0-9-]{1,60}$/i.test(name) && /^[^\r\n\0]{0,500}$/.test(value),
  );
}

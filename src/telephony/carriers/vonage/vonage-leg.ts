import { randomUUID } from "node:crypto";
import type { TransferFailure, TransferOrder } from "#src/audio/line/line.ts";
import type { DialledLeg } from "#src/audio/line/media-source.ts";
import { webhookUrl } from "#src/telephony/carriers/account.ts";
import { toVonageNumber } from "./vonage-api.ts";
import type { LegEvent } from "./vonage-calls.ts";
import { readDialReply } from "./vonage-errors.ts";
import { findNumbers } from "./vonage-look-up.ts";
import { connectSocket } from "./vonage-ncco.ts";
import type { VonageParts } from "./vonage-parts.ts";
import { VonageMediaSocket } from "./vonage-socket.ts";

const HANG_UP_MS = 10_000;

/** Rings the target of a transfer as a separate call, whose audio also comes to us. Never rejects. */
export async function dialLeg(
  parts: VonageParts,
  providerCallId: string,
  order: TransferOrder,
  signal: AbortSignal,
): Promise<DialledLeg> {
  const { api, media, calls } = parts;
  const numbers = calls.byCall(providerCallId) ?? (await findNumbers(api, providerCallId, signal));
  // A withheld number is shown as ours.
  const from = (order.callerId === "CUSTOMER" && numbers?.theirs) || numbers?.ours;
  if (!from) return failed("UNREACHABLE", "The number to call the target from is not known.");
  if (order.destinationType === "FLOW") return failed("UNREACHABLE", "A flow is not called over a carrier.");
  const legId = randomUUID();
  const { promise: events, resolve } = Promise.withResolvers<LegEvent>();
  const unwatch = calls.watchLeg(legId, resolve);
  const socketUrl = media.expect(
    legId,
    () => new VonageMediaSocket(),
    () => resolve({ kind: "ANSWERED" }),
  );
  const body = createLegBody(parts, legId, { order, from, socketUrl });
  const request = { method: "POST", host: "api", path: "/v1/calls", proof: "APPLICATION", body } as const;
  // Not cancelled half-way: a call placed after all could not be hung up without its id.
  const result = readDialReply(await api.call(request, new AbortController().signal));
  const hangUp = async () => {
    unwatch();
    media.close(legId);
    if (result.kind === "ACCEPTED") await hangUpLeg(parts, result.providerCallId);
  };
  if (result.kind !== "ACCEPTED") {
    await hangUp();
    return failed("UNREACHABLE", result.message);
  }
  signal.addEventListener("abort", () => resolve(GIVEN_UP), { once: true });
  const ending = signal.aborted ? GIVEN_UP : await events;
  const source = ending.kind === "ANSWERED" ? media.sourceOf(legId) : null;
  if (source) return { kind: "ANSWERED", source, hangUp };
  await hangUp();
  return ending.kind === "ENDED" ? failed(ending.reason, ending.message) : failed("UNREACHABLE", "No audio came.");
}

const GIVEN_UP: LegEvent = { kind: "ENDED", reason: "NO_ANSWER", message: "The transfer was given up." };

function failed(reason: TransferFailure["reason"], message: string): TransferFailure {
  return { kind: "FAILED", reason, message };
}

interface LegOrder {
  order: TransferOrder;
  from: string;
  socketUrl: string;
}

function createLegBody(parts: VonageParts, legId: string, { order, from, socketUrl }: LegOrder): object {
  const eventsUrl = webhookUrl(parts.publicUrl, "VONAGE", parts.accountId, `legs/${legId}`);
  const { destination } = order;
  const isSip = order.destinationType === "SIP";
  return {
    to: [
      isSip
        ? { type: "sip", uri: destination, ...headersOf(order) }
        : { type: "phone", number: toVonageNumber(destination) },
    ],
    from: { type: "phone", number: toVonageNumber(from) },
    ncco: [connectSocket({ socketUrl, from, eventsUrl: `${eventsUrl}/media`, headers: { legId } })],
    event_url: [eventsUrl],
    event_method: "POST",
    ringing_timer: Math.min(120, Math.max(1, Math.round(order.ringTimeoutSeconds))),
  };
}

/** Returns the SIP headers without "X-", which Vonage adds before each name itself. */
function headersOf({ sipHeaders }: TransferOrder): object {
  const entries = Object.entries(sipHeaders).map(([name, value]) => [name.replace(/^X-/i, ""), value]);
  return entries.length > 0 ? { headers: Object.fromEntries(entries) as Record<string, string> } : {};
}

async function hangUpLeg({ api }: VonageParts, callId: string): Promise<void> {
  const path = `/v1/calls/${encodeURIComponent(callId)}`;
  const order = { method: "PUT", host: "api", path, proof: "APPLICATION", body: { action: "hangup" } } as const;
  await api.call(order, AbortSignal.timeout(HANG_UP_MS));
}

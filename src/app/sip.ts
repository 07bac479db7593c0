import { readFileSync } from "node:fs";
import type { MediaHost } from "#src/audio/worker/media-host.ts";
import type { ClaimedRow } from "#src/interactions/dispatch/claim.ts";
import type { Inbox } from "#src/interactions/dispatch/inbox.ts";
import type { InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import { noteRefusal, resumeNumber } from "#src/numbers/phone-numbers/number-health.ts";
import { readTrunks } from "#src/numbers/phone-numbers/trunks.ts";
import type { Config } from "#src/platform/config/config.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { WebhookAnswer } from "#src/telephony/carriers/account.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import { type IncomingSipCall, SipTrunks } from "#src/telephony/carriers/sip/sip-trunks.ts";
import type { SipTrunkKeys } from "#src/telephony/carriers/sip/trunk.ts";
import type { Core } from "./core.ts";

/** Milliseconds between two rounds that open new trunks and close removed ones. */
const REFRESH_MS = 10_000;
const PROVIDER = "BYO_SIP";
const TAKEN: WebhookAnswer = { status: 200, headers: {}, body: "" };

/** Dependencies of the SIP trunks. */
export interface SipContext extends Core {
  host: MediaHost;
  inbox: Inbox;
}

/** The SIP trunks of a process. */
export interface SipTrunkManager {
  /** Returns the carrier for a row's call over its number's trunk; rejects when the trunk cannot be opened. */
  carrierOf(row: ClaimedRow): Promise<Carrier>;
  /**
   * Opens every stored trunk, so that it is registered and reachable, and repeats that. Calls that come in go to
   * `inbound`, which is given only here: it answers through the dispatcher, which dials over these trunks.
   */
  start(inbound: InboundCallHandler): void;
  /** Sends callers elsewhere from now on: trunks are unregistered, and calls that come in all the same get 503. */
  drain(): void;
  close(): Promise<void>;
}

/** Creates the manager of trunks. No socket is bound before the first trunk. */
export function openSipTrunkManager({ sip }: Config, context: SipContext): SipTrunkManager {
  const { rtpPorts, caFile, ...place } = sip;
  const { databases, box, guard, log, host, inbox } = context;
  let handler: InboundCallHandler | undefined;
  const trunks = new SipTrunks({
    place: { ...place, ports: rtpPorts, ca: caFile === null ? null : readFileSync(caFile) },
    guard,
    sockets: host,
    deliver: (event) => inbox.receive(PROVIDER, event).then(() => undefined),
    onCall: (call) => (isDraining ? call.decline("ELSEWHERE") : void takeCall(handler, log, call)),
    log,
  });
  const parts = { db: databases.dispatch.db, box };
  let timer: NodeJS.Timeout | undefined;
  let isDraining = false;
  const opened = new Map<string, string | null>();
  const refresh = async (): Promise<void> => {
    const there = await readTrunks(parts, null);
    for (const keys of there) await openOne(context, trunks, keys, opened);
    const ids = new Set(there.map(({ id }) => id));
    for (const id of opened.keys()) {
      if (ids.has(id)) continue;
      opened.delete(id);
      await trunks.close(id);
    }
  };
  const run = async (): Promise<void> => {
    await refresh().catch((error: unknown) => log.warn("SIP trunks were not read.", { error: toError(error).message }));
    if (timer) timer = setTimeout(() => void run(), REFRESH_MS).unref();
  };
  return {
    async carrierOf(row) {
      const [keys] = await readTrunks(parts, row.phone_number_id);
      if (!keys) throw new Error("The number has no SIP trunk any more.");
      if (!opened.has(keys.id)) opened.set(keys.id, null);
      return trunks.open(keys);
    },
    start(inbound) {
      handler = inbound;
      timer = setTimeout(() => void run(), 0).unref();
    },
    drain() {
      isDraining = true;
      clearTimeout(timer);
      timer = undefined;
      trunks.unregister();
    },
    close() {
      clearTimeout(timer);
      timer = undefined;
      return trunks.closeAll();
    },
  };
}

/**
 * Opens one trunk. When it refuses to register, its number is suspended and the rows wait; when it registers after all,
 * the number is resumed. A failure does not affect other trunks. `opened` holds the message with which each was
 * suspended.
 */
async function openOne(
  { databases, log }: SipContext,
  trunks: SipTrunks,
  keys: SipTrunkKeys,
  opened: Map<string, string | null>,
): Promise<void> {
  const { id, workspaceId } = keys;
  try {
    const stoppedWith = opened.get(id) ?? null;
    opened.set(id, stoppedWith);
    await trunks.open(keys);
    const status = trunks.statusOf(id);
    const number = { workspaceId, phoneNumberId: id, carrierAccountId: null };
    if (status?.registration === "REFUSED") {
      const message = status.message ?? "The trunk refuses to register this number.";
      await noteRefusal(databases.dispatch, number, { blame: "NUMBER", code: "SIP_NOT_REGISTERED", message });
      opened.set(id, message);
    } else if (status?.registration === "REGISTERED" && stoppedWith !== null) {
      await resumeNumber(databases.dispatch, number, stoppedWith);
      opened.set(id, null);
    }
  } catch (error) {
    log.warn("A SIP trunk was not opened.", { numberId: keys.id, error: toError(error).message });
  }
}

async function takeCall(handler: InboundCallHandler | undefined, log: Log, call: IncomingSipCall): Promise<void> {
  const { workspaceId, providerCallId, from, to } = call;
  if (!handler) return call.decline("BUSY");
  const account = {
    id: null,
    async answerCall(_call: unknown, attemptId: string): Promise<WebhookAnswer> {
      await call.answer(attemptId);
      return TAKEN;
    },
    async declineCall(_call: unknown, why: "BUSY" | "UNAVAILABLE"): Promise<WebhookAnswer> {
      call.decline(why);
      return TAKEN;
    },
  };
  call.ring();
  try {
    await handler.take({ workspaceId, account, call: { providerCallId, from, to } });
  } catch (error) {
    log.warn("A call over SIP could not be taken.", { workspaceId, error: toError(error).message });
    call.decline("UNAVAILABLE");
  }
}

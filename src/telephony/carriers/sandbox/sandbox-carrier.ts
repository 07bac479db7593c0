import { sleep } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Carrier, CarrierCapabilities, DialRequest, DialResult } from "#src/telephony/carriers/carrier.ts";
import { nextTurn } from "./call-clock.ts";
import type { SandboxExchange } from "./exchange.ts";
import type { SandboxDial } from "./sandbox-dial.ts";

/** Capabilities of the sandbox: it finds every attempt by its id, bars unknown ones, and is sure 30 s after a dial. */
export const SANDBOX_CAPABILITIES: CarrierCapabilities = {
  dedupe: { key: "attemptId", windowMs: Number.POSITIVE_INFINITY },
  looksUpBy: "ATTEMPT_ID",
  absenceIsProof: true,
  horizonMs: 30_000,
};

/** Result of a dial that the carrier accepted but answered with a 500. */
export const ERROR_AFTER_ACCEPT: DialResult = {
  kind: "UNCERTAIN",
  code: "HTTP_500",
  message: "The carrier answered 500 to the dial.",
};

/** Result of a dial that was never answered. */
export const NO_DIAL_ANSWER: DialResult = {
  kind: "UNCERTAIN",
  code: "TIMEOUT",
  message: "The carrier did not answer the dial in time.",
};

const DIAL_TIMEOUT_MS = 10_000;

/**
 * Returns the sandbox as a carrier inside this process. A dial that the exchange never answers is given up after
 * `dialTimeoutMs` of call time (default 10 s), or when the caller's signal aborts.
 */
export function createSandboxCarrier(options: { exchange: SandboxExchange; dialTimeoutMs?: number }): Carrier {
  const { exchange, dialTimeoutMs = DIAL_TIMEOUT_MS } = options;
  return {
    name: "sandbox",
    capabilities: SANDBOX_CAPABILITIES,
    async dial(request: SandboxDial, signal) {
      if (signal.aborted) return abortedBeforeDial(signal);
      const late = heldBack(request);
      if (late) return late;
      const answer = await exchange.dial(request);
      if (answer.kind === "REPLY") return answer.result;
      if (answer.kind === "ERROR") return ERROR_AFTER_ACCEPT;
      await waitInVain(request, dialTimeoutMs, signal);
      return NO_DIAL_ANSWER;
    },
    lookUp: ({ attemptId }) => exchange.lookUp(attemptId),
    hangUp: (providerCallId) => exchange.hangUp(providerCallId),
    openLine: (providerCallId) => exchange.lineOf(providerCallId),
    speaksTones: true,
    openMedia: (providerCallId) => exchange.mediaOf(providerCallId),
    transfer: (providerCallId, order, signal) => exchange.transfer(providerCallId, order, signal),
  };
}

/** Returns the refusal of a dial that must not be sent any more; null when it may. */
export function heldBack({ assertMayLeave }: DialRequest): DialResult | null {
  try {
    assertMayLeave?.();
    return null;
  } catch (error) {
    const message = toError(error).message;
    return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code: "HELD_BACK", message };
  }
}

/** Returns the refusal of a dial whose signal had aborted before anything was sent. */
export function abortedBeforeDial(signal: AbortSignal): DialResult {
  const message = toError(signal.reason).message;
  return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code: "ABORTED", message };
}

async function waitInVain(request: SandboxDial, timeoutMs: number, signal: AbortSignal): Promise<void> {
  if (request.sandboxSpeed === "instant") return nextTurn();
  await sleep(timeoutMs / request.sandboxSpeed, signal).catch(() => undefined);
}

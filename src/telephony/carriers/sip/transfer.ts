import type { TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { CallSession } from "./call-session.ts";
import { parseSipUri } from "./sip-uri.ts";
import type { Trunk } from "./trunk.ts";

/** Time beyond the ringing in which a trunk may report the result. */
const GRACE_MS = 5_000;

/** Returns the address of a transfer's target; null when it has none. */
export function dialTarget(trunk: Trunk, { destinationType, destination }: TransferOrder): string | null {
  if (destinationType === "PHONE") return /^\+\d{3,15}$/.test(destination) ? trunk.addressOf(destination) : null;
  const isUri =
    destinationType === "SIP" && parseSipUri(destination) !== null && /^sips?:[^\s<>"?]+$/i.test(destination);
  return isUri ? destination : null;
}

/**
 * Asks the far end to call the target in our place (REFER), and ends our call once it has. A trunk that accepts no
 * referrals fails with UNREACHABLE, and the call continues.
 */
export async function transferByReferral(
  session: CallSession,
  trunk: Trunk,
  order: TransferOrder,
  signal: AbortSignal,
): Promise<TransferResult> {
  const target = dialTarget(trunk, order);
  if (target === null) return { kind: "FAILED", reason: "UNREACHABLE", message: "The target is no address for SIP." };
  const { status, accepted } = await session.refer(target, order.ringTimeoutSeconds * 1_000 + GRACE_MS, signal);
  if (session.isOver) return accepted ? { kind: "TRANSFERRED" } : { kind: "HUNG_UP" };
  if (status !== null && status < 300) {
    session.hangUp("The call was handed over.");
    return { kind: "TRANSFERRED" };
  }
  return { kind: "FAILED", ...describe(status, accepted) };
}

function describe(
  status: number | null,
  accepted: boolean,
): { reason: "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE"; message: string } {
  if (!accepted) {
    const said = status === null ? "did not answer it" : `answered ${status}`;
    return { reason: "UNREACHABLE", message: `The trunk hands no calls over: it was asked to, and ${said}.` };
  }
  if (status === null || status === 408 || status === 480 || status === 487)
    return { reason: "NO_ANSWER", message: "The target did not answer." };
  if (status === 486 || status === 600) return { reason: "BUSY", message: "The target is busy." };
  if (status === 603 || status === 403) return { reason: "REJECTED", message: "The target refused the call." };
  return { reason: "UNREACHABLE", message: `The target was not reached: ${status}.` };
}

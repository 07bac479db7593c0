import type { CallRow } from "@parley/sdk";

/** Why a call waits for a time: a callback that was agreed on, a retry, its calling hours, or a later start. */
export type WaitKind = "CALLBACK" | "RETRY" | "WINDOW" | "START";

/** The reason for which a call waits, and the time until which it does. */
export interface CallWait {
  kind: WaitKind;
  at: string;
}

/** A call that is due sooner is said to be queued: it waits for a free line, not for a time. */
const SOON_MS = 5_000;

type WaitingCall = Pick<CallRow, "status" | "nextAttemptAt" | "callBackOf" | "rowData">;

/** Returns what a call waits for; null for one that is due, under way or over. */
export function waitOf(call: WaitingCall, nowMs = Date.now()): CallWait | null {
  const { status, nextAttemptAt: at } = call;
  if (at === null) return null;
  if (status === "WAITING_FOR_RETRY") return { kind: "RETRY", at };
  if (status === "WAITING_FOR_WINDOW") return { kind: "WINDOW", at };
  if (status !== "QUEUED" || Date.parse(at) - nowMs < SOON_MS) return null;
  return { kind: isCallback(call) ? "CALLBACK" : "START", at };
}

/** True for a call that an agent promised, or that makes up for one that was interrupted. */
function isCallback({ callBackOf, rowData }: WaitingCall): boolean {
  return callBackOf !== null || (rowData !== null && "callbackNote" in rowData);
}

import { type Database, untilAvailable } from "#src/platform/db/database.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import type { PlacedCall } from "./attempt.ts";
import { endInterrupted, endLostConversation, endSettled } from "./call-ends.ts";
import type { ReapedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import { isLive, toPlacedCall } from "./reconcile.ts";
import { readReportedAttempt, settleRow } from "./settle-attempt.ts";

/** Dependencies of taking over the attempts of dead nodes. */
export interface TakeOverParts {
  database: Pick<Database, "pool">;
  random: () => number;
}

/**
 * Asks the carrier about the attempt of a dead node. Returns the call when no conversation had begun, so that it goes on
 * here; otherwise its end, because a conversation dies with its node.
 */
export async function takeOverCall(
  { database, random }: TakeOverParts,
  carrier: Carrier,
  row: ReapedRow,
  signal: AbortSignal,
): Promise<{ call: PlacedCall } | { end: CallEnd }> {
  const { provider_call_id: providerCallId, submitted_at: dialledAt } = row;
  const found = await settleRow(database.pool, carrier, row, { providerCallId, dialledAt }, signal);
  if (row.conversation_began_at !== null) {
    if (isLive(found)) await carrier.hangUp(found.providerCallId);
    return { end: endLostConversation(row, found, random) };
  }
  return isLive(found) ? { call: toPlacedCall(found) } : { end: endSettled(row, found, random) };
}

/**
 * Ends an inbound call of a dead node. Its conversation died with the node, and nobody is called back for it. The
 * carrier is asked once for the time at which it ended.
 */
export async function endAbandoned(
  { database }: TakeOverParts,
  carrier: Carrier,
  row: ReapedRow,
  signal: AbortSignal,
): Promise<CallEnd> {
  const attemptId = row.attempt_id as string;
  const providerCallId = row.provider_call_id ?? attemptId;
  await carrier.hangUp(providerCallId);
  const reported = await untilAvailable(() => readReportedAttempt(database.pool, attemptId), signal);
  const { workspace_id: workspaceId, from_number: to, customer_number: from, submitted_at: dialledAt } = row;
  const asked = { attemptId, workspaceId, providerCallId, from, to, dialledAt };
  const known = reported?.state.kind === "ENDED" ? reported.state : await carrier.lookUp(asked, signal);
  const carrierEndedAt = known.kind === "ENDED" ? known.event.at : null;
  return { ...endInterrupted(providerCallId), carrierEndedAt };
}

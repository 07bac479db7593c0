import { chooseVersion } from "#src/authoring/flows/flows.ts";
import { selectInboundFlow } from "#src/authoring/flows/inbound-flow.ts";
import { nameWebPerson } from "#src/interactions/calls/new-row.ts";
import type { ClaimedRow } from "#src/interactions/dispatch/claim.ts";
import { findInboundNumber } from "#src/numbers/phone-numbers/phone-numbers.ts";
import { type Database, type Executor, isDuplicate } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { fictionalCode } from "#src/platform/kernel/e164.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { InboundCall } from "#src/telephony/carriers/account.ts";
import { classifyNumber, readCallerNumber } from "#src/tenancy/compliance/numbers.ts";
import { findInboundCall, insertInboundCall, lockCalledNumber } from "./store.ts";

/** Number of tries when another call takes the person lock between our check and our insert. */
const MAX_ROUNDS = 5;

/** Reasons for declining an inbound call; `call.declined` names them. */
export type DeclineReason =
  | "NO_SUCH_NUMBER"
  | "OTHER_ACCOUNT"
  | "SIMULATED_NUMBER"
  | "NUMBER_STOPPED"
  | "NO_FLOW"
  | "BALANCE_EXHAUSTED"
  | "NUMBER_BUSY"
  | "SERVER_BUSY";

const BUSY: readonly DeclineReason[] = ["NUMBER_BUSY", "SERVER_BUSY"];

/** Returns the signal that the caller of a declined call hears. */
export function declineAs(reason: DeclineReason): "BUSY" | "UNAVAILABLE" {
  return BUSY.includes(reason) ? "BUSY" : "UNAVAILABLE";
}

/** An inbound call to admit. */
export interface Arrival {
  workspaceId: string;
  /** Carrier account that delivered it; null for a SIP trunk. */
  accountId: string | null;
  call: InboundCall;
  nodeId: string;
  /** True when this process can carry one more call. */
  hasRoom: boolean;
  /** True when another node may take a call for which this one has no room. */
  mayGoElsewhere: boolean;
}

/**
 * Result of an admission. REPEAT: the call was taken before, as this attempt of this node. OVER: it has ended.
 * ELSEWHERE: this process has no room for it, and nothing is stored.
 */
export type Admission =
  | { kind: "TAKEN"; row: ClaimedRow }
  | { kind: "REPEAT"; attemptId: string; nodeId: string }
  | { kind: "OVER" }
  | { kind: "ELSEWHERE" }
  | { kind: "DECLINED"; reason: DeclineReason };

/**
 * Takes an inbound call for this node, once by the carrier's id of the call. Its row, its answered attempt and its slot
 * are stored together. A declined call leaves nothing but an event.
 */
export async function admitCall({ db }: Pick<Database, "db">, arrival: Arrival): Promise<Admission> {
  for (let round = 1; ; round++) {
    try {
      return await db.transaction().execute((tx) => admit(tx, arrival));
    } catch (error) {
      if (!isDuplicate(error) || round >= MAX_ROUNDS) throw error;
    }
  }
}

async function admit(tx: Executor, arrival: Arrival): Promise<Admission> {
  const { workspaceId, accountId, call, nodeId, hasRoom, mayGoElsewhere } = arrival;
  const ours = await findInboundNumber(tx, workspaceId, call.to);
  if (!ours) return { kind: "DECLINED", reason: "NO_SUCH_NUMBER" };
  const phoneNumberId = ours.id;
  const number = await lockCalledNumber(tx, workspaceId, { phoneNumberId, nodeId });
  if (!number) return { kind: "DECLINED", reason: "NO_SUCH_NUMBER" };
  const known = await findInboundCall(tx, workspaceId, { phoneNumberId, providerCallId: call.providerCallId });
  if (known?.attempt_id && known.lease_owner) {
    return { kind: "REPEAT", attemptId: known.attempt_id, nodeId: known.lease_owner };
  }
  if (known) return { kind: "OVER" };
  const decline = async (reason: DeclineReason): Promise<Admission> => {
    await appendEvents(tx, workspaceId, [{ type: "call.declined", subjectId: phoneNumberId, data: { reason } }]);
    return { kind: "DECLINED", reason };
  };
  if (number.carrier_account_id !== accountId) return decline("OTHER_ACCOUNT");
  if (number.is_simulated) return decline("SIMULATED_NUMBER");
  if (number.is_stopped) return decline("NUMBER_STOPPED");
  if (!number.has_credit) return decline("BALANCE_EXHAUSTED");
  if (!number.has_slot) return decline("NUMBER_BUSY");
  if (!hasRoom && mayGoElsewhere) return { kind: "ELSEWHERE" };
  if (!hasRoom || !number.is_node_alive) return decline("SERVER_BUSY");
  const flow = await selectInboundFlow(tx, workspaceId, ours.inboundFlowId);
  if (!flow) return decline("NO_FLOW");
  const [rowId, sessionId] = [uuidv7(), uuidv7()];
  const { version } = await chooseVersion(tx, workspaceId, flow, sessionId);
  const row = await insertInboundCall(tx, workspaceId, {
    ...readCaller(call, rowId),
    rowId,
    sessionId,
    attemptId: uuidv7(),
    nodeId,
    providerCallId: call.providerCallId,
    phoneNumberId,
    standIn: nameWebPerson(rowId),
    flowId: flow.flowId,
    flowApiId: flow.flowApiId,
    flowVersion: version,
  });
  const data = { jobId: null, direction: "INBOUND" };
  await appendEvents(tx, workspaceId, [{ type: "call.received", subjectId: rowId, data }]);
  return { kind: "TAKEN", row };
}

/**
 * Returns the caller's number and its class. A withheld number, or one that cannot be called back, gets a stand-in. So
 * does a fictional number, because a call with it would count as simulated.
 */
function readCaller(
  { from, to }: InboundCall,
  rowId: string,
): { customerNumber: string; country: string; numberClass: string } {
  const known = readCallerNumber(from, classifyNumber(to).country);
  const isKnown = known !== null && fictionalCode(known) === null;
  const customerNumber = isKnown ? known : nameWebPerson(rowId);
  return { customerNumber, ...classifyNumber(customerNumber) };
}

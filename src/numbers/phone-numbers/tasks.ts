import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import type { Database } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import type { NumberProvisioning, NumberResult, OwnedNumber } from "#src/telephony/carriers/number-provisioning.ts";
import {
  endProvision,
  findPending,
  forgetOrder,
  isHeldAgain,
  keepBought,
  markGivenBack,
  markOrdered,
  noteWaiting,
  type PendingNumber,
} from "./provision-store.ts";
import { type ReleaseOrder, PROVISION_TASK, RELEASE_TASK } from "./provision.ts";

/** Dependencies of the number tasks. */
export interface NumberTaskParts {
  database: Pick<Database, "db">;
  accounts: CarrierAccountCache;
  log: Log;
}

/** Milliseconds after which an order that the account does not show has failed. */
const ORDER_HORIZON_MS = 3_600_000;
/** Runs of a task, with pauses that grow to a minute: about an hour. */
const MAX_RUNS = 65;
/** Runs of a release, for which nobody waits: about a day. */
const MAX_RELEASE_RUNS = 1_440;
/** Runs that look for a number whose order was under way when it was released: about five minutes. */
const LOOK_FOR_ORDER_RUNS = 12;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;

/** Creates the handlers of the number tasks, by kind. They count their runs themselves, also after an error. */
export function createNumberTasks(parts: NumberTaskParts): [string, TaskHandler][] {
  const keep = (run: TaskHandler) => Object.assign(run, { afterCrashMs: pauseMs });
  return [
    [PROVISION_TASK, keep((task, signal) => provision(parts, task, signal))],
    [RELEASE_TASK, keep((task, signal) => release(parts, task, signal))],
  ];
}

/** Result of one step towards a number: it is ready, it is refused for good, or the result is still open. */
type Step =
  | { kind: "READY"; owned: OwnedNumber }
  | { kind: "REFUSED"; message: string }
  | { kind: "WAIT"; message: string };

async function provision(parts: NumberTaskParts, task: Task, signal: AbortSignal): Promise<TaskEnd> {
  const { db } = parts.database;
  const row = await findPending(db, task.workspaceId, task.subjectId);
  if (!row) return { kind: "DONE" };
  const step = await takeStep(parts, row, signal);
  if (step.kind === "READY") {
    await endProvision(db, row, { status: "ACTIVE", owned: step.owned });
    return { kind: "DONE" };
  }
  if (step.kind === "WAIT" && task.attempt < MAX_RUNS) {
    await noteWaiting(db, row, step.message);
    return { kind: "RETRY", afterMs: pauseMs(task.attempt), error: step.message };
  }
  const how = step.kind === "WAIT" ? `${step.message} ${AFTER_WAITING}` : step.message;
  await endProvision(db, row, { status: "FAILED", message: how });
  return { kind: "DONE" };
}

const AFTER_WAITING =
  "Look at the carrier's console whether the account holds the number; setting its status to ACTIVE looks for it again and orders it where it is not there.";

function pauseMs(run: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(run, 10));
}

async function takeStep(
  { database, accounts }: NumberTaskParts,
  row: PendingNumber,
  signal: AbortSignal,
): Promise<Step> {
  try {
    const account = await accounts.open(row.workspace_id, row.carrier_account_id);
    if (!account)
      return { kind: "REFUSED", message: "The number's carrier account does not open: parley carrier list" };
    const held = await holdNumber(database, account.numbers, row, signal);
    if (held.kind !== "READY") return held;
    return toStep(await account.numbers.configure(held.owned, signal));
  } catch (thrown) {
    return { kind: "WAIT", message: toError(thrown).message };
  }
}

/**
 * Makes the account hold the number. An order is placed at most once: its intent is stored first, and afterwards,
 * whatever its result, the number is only looked for.
 */
async function holdNumber(
  { db }: NumberTaskParts["database"],
  provisioning: NumberProvisioning,
  row: PendingNumber,
  signal: AbortSignal,
): Promise<Step> {
  const found = await provisioning.findOwned(row.number, signal);
  if (found.kind === "DONE") {
    if (row.ordered_at !== null && !row.was_bought) await keepBought(db, row, found.value);
    return { kind: "READY", owned: found.value };
  }
  if (found.kind !== "ABSENT") return toStep(found);
  if (row.external_id !== null)
    return { kind: "REFUSED", message: `The carrier account does not hold it any more: ${found.message}` };
  if (row.ordered_at !== null) return waitForOrder(row.ordered_at);
  if (!(await markOrdered(db, row))) return { kind: "WAIT", message: "The number is being ordered." };
  const bought = await provisioning.buy(row.number, signal);
  if (bought.kind === "DONE") await keepBought(db, row, bought.value);
  // If the account's owner buys the number elsewhere later, it must not count as bought here.
  const isRefused = bought.kind === "REFUSED" && bought.mayStillCome !== true;
  if (isRefused || bought.kind === "ABSENT") await forgetOrder(db, row);
  return toStep(bought);
}

function waitForOrder(orderedAt: Date): Step {
  const message = "The number was ordered, but the carrier does not show it yet.";
  const isOver = nowMs() - orderedAt.getTime() > ORDER_HORIZON_MS;
  return isOver ? { kind: "REFUSED", message: `${message} ${AFTER_WAITING}` } : { kind: "WAIT", message };
}

function toStep(result: NumberResult<OwnedNumber>): Step {
  if (result.kind === "DONE") return { kind: "READY", owned: result.value };
  return { kind: result.kind === "UNCERTAIN" ? "WAIT" : "REFUSED", message: result.message };
}

async function release(
  { database, accounts, log }: NumberTaskParts,
  task: Task,
  signal: AbortSignal,
): Promise<TaskEnd> {
  const { db } = database;
  const { workspaceId, subjectId, attempt } = task;
  const { number, accountId, externalId } = task.payload as unknown as ReleaseOrder;
  // The number was added again meanwhile, so it is kept, still marked as bought here.
  if (await isHeldAgain(db, workspaceId, subjectId, accountId)) return { kind: "DONE" };
  const account = await accounts.open(workspaceId, accountId);
  const result: NumberResult<null> = account
    ? await giveBack(account.numbers, { number, externalId }, signal)
    : { kind: "UNCERTAIN", code: "NO_ACCOUNT", message: "The carrier account does not open." };
  const isLookedFor = result.kind === "ABSENT" && externalId === null && attempt < LOOK_FOR_ORDER_RUNS;
  const isUnclear = result.kind === "UNCERTAIN" && attempt < MAX_RELEASE_RUNS;
  if (isLookedFor || isUnclear) return { kind: "RETRY", afterMs: pauseMs(attempt), error: result.message };
  await markGivenBack(db, workspaceId, subjectId);
  if (result.kind === "DONE" || result.kind === "ABSENT") return { kind: "DONE" };
  const { message } = result;
  log.warn("A number could not be given back, so its carrier goes on billing it.", { workspaceId, accountId, message });
  return { kind: "DEAD", error: message };
}

async function giveBack(
  provisioning: NumberProvisioning,
  { number, externalId }: Pick<ReleaseOrder, "number" | "externalId">,
  signal: AbortSignal,
): Promise<NumberResult<null>> {
  if (externalId !== null) return provisioning.release({ number, externalId, capabilities: [] }, signal);
  const found = await provisioning.findOwned(number, signal);
  return found.kind === "DONE" ? provisioning.release(found.value, signal) : found;
}

import { type Database, type Executor, retryDeadlocks } from "#src/platform/db/database.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { hastenTasks } from "#src/platform/queue/queue.ts";
import type { DeliveryReport } from "#src/telephony/messaging/messenger.ts";
import { acceptMessage, keepEarlyReport, lockReports } from "./accept.ts";
import { noteCarrierStop } from "./carrier-stop.ts";
import { DELIVER_TASK } from "./chat-log.ts";
import type { ChatMessageRow, DeliveryState } from "./chat-row.ts";
import { foldDelivery } from "./delivery-states.ts";
import { findReported, listUnsent, moveDelivery } from "./message-store.ts";
import { findChat } from "./store.ts";

/** How often a message may move between our look at it and what we make of it. */
const MAX_ROUNDS = 5;

/**
 * Folds what a provider reports into the message it is about, whatever order reports come in and however often; when this
 * resolves, it is stored, and the report may be acknowledged. A report of a message that nobody here knows by the
 * provider's id is kept for a while: the answer to the send may come after it.
 */
export async function noteDelivery(
  { db }: Pick<Database, "db">,
  workspaceId: string,
  report: DeliveryReport,
): Promise<void> {
  const messageId = report.messageId !== null && isUuid(report.messageId) ? report.messageId : null;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const isStored = await retryDeadlocks(() =>
      db.transaction().execute((tx) => fold(tx, workspaceId, { ...report, messageId })),
    );
    if (isStored) return;
  }
  throw new Error("The message of a report was moved again and again.");
}

async function fold(tx: Executor, workspaceId: string, report: DeliveryReport): Promise<boolean> {
  await lockReports(tx, workspaceId, report.providerMessageId);
  const message = await findReported(tx, workspaceId, report);
  if (!message) {
    await keepEarlyReport(tx, workspaceId, report);
    return true;
  }
  const state = stateOf(message);
  const status = foldDelivery(state, report.status);
  if (status === state) return true;
  const { providerMessageId, error } = report;
  const change = { status: report.status, providerMessageId, error };
  if (message.provider_message_id !== null) {
    if (!(await moveDelivery(tx, workspaceId, message, change))) return false;
  } else {
    const chat = await findChat(tx, workspaceId, message.session_id);
    // Nobody had heard that it left: this is how its price becomes known, too.
    if (!chat || !(await acceptMessage(tx, chat, message, change))) return false;
  }
  if (report.optedOut) await noteCarrierStop(tx, workspaceId, message.session_id);
  const waiting = await listUnsent(tx, workspaceId, message.session_id);
  await hastenTasks(tx, workspaceId, DELIVER_TASK, [message.id, ...waiting]);
  return true;
}

/** What was given up because nobody could tell whether it left is as it was before, now that somebody can. */
function stateOf({ delivery_status: status, error }: ChatMessageRow): DeliveryState | null {
  return status === "FAILED" && error?.code === "UNCONFIRMED" ? "SENDING" : status;
}

import type { Database, Executor } from "#src/platform/db/database.ts";
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

/** Number of tries to store a report while others move the message. */
const MAX_ROUNDS = 5;

/**
 * Folds a provider's report into its message, in any order and however often reports come. When this resolves, the
 * report is stored and may be acknowledged. A report with an unknown provider id is kept for a while, because the
 * answer to the send may come after it.
 */
export async function noteDelivery(
  { db }: Pick<Database, "db">,
  workspaceId: string,
  report: DeliveryReport,
): Promise<void> {
  const messageId = report.messageId !== null && isUuid(report.messageId) ? report.messageId : null;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const isStored = await db.transaction().execute((tx) => fold(tx, workspaceId, { ...report, messageId }));
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
    // The send was never confirmed, so this also records its usage.
    if (!chat || !(await acceptMessage(tx, chat, message, change))) return false;
  }
  if (report.optedOut) await noteCarrierStop(tx, workspaceId, message.session_id);
  const waiting = await listUnsent(tx, workspaceId, message.session_id);
  await hastenTasks(tx, workspaceId, DELIVER_TASK, [message.id, ...waiting]);
  return true;
}

/**
 * Returns the state that a report is folded into. An UNCONFIRMED message counts as SENDING again, now that its provider
 * has reported it.
 */
function stateOf({ delivery_status: status, error }: ChatMessageRow): DeliveryState | null {
  return status === "FAILED" && error?.code === "UNCONFIRMED" ? "SENDING" : status;
}

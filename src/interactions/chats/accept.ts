import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import type { DeliveryState as ReportedState } from "#src/telephony/messaging/messenger.ts";
import { countSegments } from "#src/telephony/messaging/segments.ts";
import { recordUsage } from "#src/tenancy/usage/usage.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { foldDelivery } from "./delivery-states.ts";
import { moveDelivery } from "./message-store.ts";
import { noteProviderId } from "./store.ts";

/** Delivery status of a message, from its provider's answer or report. */
export interface Taken {
  status: ReportedState;
  providerMessageId: string;
  error: { code: string; message: string } | null;
}

/**
 * Stores that the provider accepted a message of ours, once, with its cost and with any report that came before the
 * provider's id was known here. Returns the resulting status; null when the message was moved concurrently.
 */
export async function acceptMessage(
  tx: Executor,
  chat: ChatRow,
  message: ChatMessageRow,
  taken: Taken,
): Promise<ReportedState | null> {
  const { workspace_id: workspaceId, id: sessionId, channel } = chat;
  const { providerMessageId } = taken;
  await lockReports(tx, workspaceId, providerMessageId);
  if (!(await moveDelivery(tx, workspaceId, message, taken))) return null;
  await noteProviderId(tx, workspaceId, sessionId, providerMessageId);
  const entry = { subjectType: "CHAT", subjectId: sessionId, simulated: chat.simulated } as const;
  const used =
    channel === "SMS"
      ? ({ kind: "SMS_SEGMENT", quantity: countSegments(message.content) } as const)
      : ({ kind: "WHATSAPP_MESSAGE", quantity: 1 } as const);
  await recordUsage(tx, workspaceId, [{ ...entry, ...used }]);
  const early = await takeEarlyReport(tx, workspaceId, providerMessageId);
  if (!early || foldDelivery(taken.status, early.status) === taken.status) return taken.status;
  await moveDelivery(tx, workspaceId, { ...message, delivery_status: taken.status }, early);
  return early.status;
}

/**
 * Locks the provider's message id until the transaction ends, so that nobody else stores a report of the message or its
 * id.
 */
export async function lockReports(tx: Executor, workspaceId: string, providerMessageId: string): Promise<void> {
  await lockName(tx, workspaceId, "report", providerMessageId);
}

type EarlyReport = Pick<Taken, "status" | "error">;

/**
 * Keeps the report of a message that is not known yet, and only the furthest of several. The caller holds
 * `lockReports`.
 */
export async function keepEarlyReport(tx: Executor, workspaceId: string, report: Taken): Promise<void> {
  const { providerMessageId, status, error } = report;
  const known = await first<EarlyReport>(
    tx,
    sql`select status, error from early_reports
         where workspace_id = ${workspaceId} and provider_message_id = ${providerMessageId}`,
  );
  if (known && foldDelivery(known.status, status) === known.status) return;
  await all(
    tx,
    sql`insert into early_reports (workspace_id, provider_message_id, status, error)
        values (${workspaceId}, ${providerMessageId}, ${status}, ${error && JSON.stringify(error)})
        on conflict (workspace_id, provider_message_id) do update set status = excluded.status, error = excluded.error`,
  );
}

function takeEarlyReport(
  tx: Executor,
  workspaceId: string,
  providerMessageId: string,
): Promise<EarlyReport | undefined> {
  return first(
    tx,
    sql`delete from early_reports where workspace_id = ${workspaceId} and provider_message_id = ${providerMessageId}
        returning status, error`,
  );
}

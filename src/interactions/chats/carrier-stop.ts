import type { Executor } from "#src/platform/db/database.ts";
import { noteStop } from "#src/tenancy/compliance/do-not-call.ts";
import { endChat } from "./chat-log.ts";
import { hasEnded } from "./states.ts";
import { lockChat } from "./store.ts";

/**
 * Handles a STOP that the person of a chat sent to the carrier like one sent to us: it is entered into the ledger once,
 * and the chat ends. START reverts it.
 */
export async function noteCarrierStop(tx: Executor, workspaceId: string, sessionId: string): Promise<void> {
  const chat = await lockChat(tx, workspaceId, sessionId);
  if (!chat) return;
  if (chat.contact_phone !== null) await noteStop(tx, workspaceId, chat.contact_phone);
  if (hasEnded(chat.status)) return;
  await endChat(tx, chat, { status: "CLOSED", end_reason: "CUSTOMER_OPTED_OUT", error: null });
}

import type { ContactRow } from "#src/interactions/contacts/contacts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { isOnDoNotCall } from "#src/tenancy/compliance/do-not-call.ts";
import { GATE_REASONS } from "#src/tenancy/compliance/gate.ts";
import { HOLD_REASONS } from "#src/tenancy/compliance/opt-out-hold.ts";
import { isCreditUsedUp } from "#src/tenancy/usage/credit.ts";
import type { ChatRow } from "./chat-row.ts";
import { type Block, findBlock, isContactHeld } from "./store.ts";

type Recipient = Parameters<typeof findBlock>[2];

/** Throws a 422 with the gate's reason as its code when no message may go to this number. */
export async function assertSendable(tx: Executor, workspaceId: string, to: Recipient): Promise<void> {
  const blocked = await findBlock(tx, workspaceId, to);
  if (blocked) throw fieldError("contactPhone", blocked, `cannot be written to: ${toReason(blocked).message}`);
}

/** Throws a 422 when a billed chat would begin without credit. A chat that has begun goes on, as a live call does. */
export async function assertCredit(tx: Executor, workspaceId: string): Promise<void> {
  if (!(await isCreditUsedUp(tx, workspaceId))) return;
  throw fieldError("channel", "BALANCE_EXHAUSTED", `cannot be opened: ${GATE_REASONS.BALANCE_EXHAUSTED}`);
}

/**
 * Throws a 422 when the person of a chat of channel CHAT has opted out over any channel, or an open review says that
 * they may have.
 */
export async function assertWelcome(tx: Executor, workspaceId: string, contact: ContactRow | null): Promise<void> {
  if (contact === null) return;
  const { phone, opted_out_at } = contact;
  const field = phone === null ? "contactIdentifier" : "contactPhone";
  if (opted_out_at !== null || (phone !== null && (await isOnDoNotCall(tx, workspaceId, phone))))
    throw fieldError(field, "DO_NOT_CALL", "cannot be written to: the person wants no more contact.");
  if (await isContactHeld(tx, workspaceId, contact))
    throw fieldError(field, "OPT_OUT_REVIEW", `cannot be written to: ${HOLD_REASONS.OPT_OUT_REVIEW}`);
}

/** Converts the gate's reason to the error of a delivery. */
export function toReason(code: Block): { code: string; message: string } {
  if (code === "SENDER_NOT_ACTIVE") return { code, message: "The sending number is suspended or released." };
  if (code === "OPT_OUT_REVIEW") return { code, message: HOLD_REASONS[code] };
  return { code, message: GATE_REASONS[code].replace("never dialled", "never written to") };
}

/** Returns the recipient of a chat's messages. */
export function recipientOf(chat: ChatRow): Recipient {
  return {
    number: chat.contact_phone ?? "",
    country: chat.number_country ?? "ZZ",
    numberClass: chat.number_class ?? "INVALID",
    phoneNumberId: chat.phone_number_id ?? chat.id,
  };
}

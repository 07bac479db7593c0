import type { Executor } from "#src/platform/db/database.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addToDoNotCall, takeBackOperator } from "#src/tenancy/compliance/do-not-call.ts";
import { isErasing } from "./erasure-store.ts";
import {
  absorbContact,
  clearOperatorOptOut,
  type ContactRecord,
  type ContactRow,
  findByEmail,
  findContact,
  lockByIdentifier,
  lockContact,
  lockIdentifier,
  setIdentifier,
  setOptedOut,
  upsertCalled,
  upsertOne,
} from "./store.ts";

export { loadEarlier } from "./earlier.ts";
export type { ContactRow } from "./store.ts";

/** A person whom the workspace calls or chats with. */
export const Contact = Type.Object(
  {
    id: Uuid,
    phone: nullable(Type.String({ description: "E.164 number." })),
    identifier: nullable(Type.String({ description: "contactIdentifier of chats without a number." })),
    email: nullable(Type.String()),
    name: nullable(Type.String({ description: "As the last call or chat that named one." })),
    optedOut: Type.Boolean({ description: "Wants no more contact, by any channel." }),
    optedOutAt: nullable(Timestamp),
    optOutSource: nullable(Type.String({ description: "STOP_KEYWORD, SPOKEN_REFUSAL, OPERATOR or SANDBOX." })),
    callCount: Type.Integer({ description: "Calls that are over, at most 1,000: more are not counted." }),
    chatCount: Type.Integer({ description: "At most 1,000: more are not counted." }),
    lastSeenAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Contact" },
);
export type Contact = Static<typeof Contact>;

/** The contact as the API shows it. */
export function toContact(row: ContactRecord): Contact {
  return {
    id: row.id,
    phone: row.phone,
    identifier: row.identifier,
    email: row.email,
    name: row.name,
    optedOut: row.opted_out_at !== null,
    optedOutAt: row.opted_out_at?.toISOString() ?? null,
    optOutSource: row.opt_out_source,
    callCount: row.call_count,
    chatCount: row.chat_count,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** One contact; 404 when there is none. */
export async function getContact(db: Executor, workspaceId: string, id: string): Promise<Contact> {
  const row = await findContact(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toContact(row);
}

/** Stores contacts for the people being called; one statement for all of them. */
export async function noteCalls(
  db: Executor,
  calls: { workspaceId: string; phone: string; name: string | null; email: string | null }[],
): Promise<void> {
  if (calls.length === 0) return;
  const people = calls.map(({ workspaceId, ...person }) => ({ id: uuidv7(), workspace_id: workspaceId, ...person }));
  await upsertCalled(db, people);
}

/** The person in a chat. */
export interface ChatPerson {
  phone: string | null;
  identifier: string | null;
  /** True when the identifier was generated for this chat, so it does not identify the person. */
  isAnonymous: boolean;
  name: string | null;
  email: string | null;
}

/**
 * Finds or creates the contact of a new chat, in the caller's transaction; null for a chat with neither number nor
 * identifier. A number takes precedence over an identifier, and merges the contacts of both. An e-mail address, which
 * anybody may type, is used only for a chat without both, and only when exactly one contact has it. An erasure of the
 * contact waits for this transaction.
 */
export async function noteChat(tx: Executor, workspaceId: string, who: ChatPerson): Promise<ContactRow | null> {
  const { phone, identifier, isAnonymous, name, email } = who;
  // Two chats at the same time must not assign one identifier to two contacts.
  if (identifier !== null && !isAnonymous) await lockIdentifier(tx, workspaceId, identifier);
  if (phone !== null) {
    const contact = await upsertOne(tx, workspaceId, "phone", { id: uuidv7(), value: phone, name, email });
    if (identifier !== null && !isAnonymous) await joinIdentifier(tx, workspaceId, contact, identifier);
    return contact;
  }
  if (identifier === null) return null;
  const [known, ...others] = isAnonymous && email ? await findByEmail(tx, workspaceId, email) : [];
  const only = known && others.length === 0 ? await lockContact(tx, workspaceId, known.id) : undefined;
  if (only) return only;
  return upsertOne(tx, workspaceId, "identifier", { id: uuidv7(), value: identifier, name, email });
}

async function joinIdentifier(tx: Executor, workspaceId: string, contact: ContactRow, value: string): Promise<void> {
  if (contact.identifier !== null) return;
  const other = await lockByIdentifier(tx, workspaceId, value);
  if (!other) return setIdentifier(tx, workspaceId, contact.id, value);
  // It belongs to somebody else: two numbers with one identifier stay two people. So does somebody who is being erased.
  if (other.phone !== null || (await isErasing(tx, workspaceId, other.id))) return;
  await absorbContact(tx, workspaceId, other, contact.id);
  if (other.opted_out_at !== null && contact.phone !== null) {
    await addToDoNotCall(tx, workspaceId, [contact.phone], other.opted_out_source ?? "SPOKEN_REFUSAL");
  }
}

/** Records that the person of a chat opted out: their number if one is known, otherwise the contact. */
export async function noteRefusal(
  tx: Executor,
  workspaceId: string,
  { phone, contactId }: { phone: string | null; contactId: string | null },
): Promise<void> {
  const contact = contactId === null ? undefined : await lockContact(tx, workspaceId, contactId);
  const number = phone ?? contact?.phone ?? null;
  if (number !== null) return addToDoNotCall(tx, workspaceId, [number], "SPOKEN_REFUSAL");
  if (contact) return setOptedOut(tx, workspaceId, contact.id, "SPOKEN_REFUSAL");
  throw new Error("The chat is with nobody who could be put on the list.");
}

/** Records an opt-out that an operator enters. Idempotent; an opt-out by the person stays as it is. */
export async function optOut(tx: Executor, workspaceId: string, id: string): Promise<Contact> {
  const contact = await lockContact(tx, workspaceId, id);
  if (!contact) throw new AppError("NOT_FOUND");
  const known = await getContact(tx, workspaceId, id);
  if (known.optedOut) return known;
  if (contact.phone !== null) await addToDoNotCall(tx, workspaceId, [contact.phone], "OPERATOR");
  else await setOptedOut(tx, workspaceId, id, "OPERATOR");
  return getContact(tx, workspaceId, id);
}

/** Removes an operator's opt-out. 409 for one by the person, which only they can take back. */
export async function takeBackOptOut(tx: Executor, workspaceId: string, id: string): Promise<Contact> {
  const contact = await lockContact(tx, workspaceId, id);
  if (!contact) throw new AppError("NOT_FOUND");
  if (contact.phone !== null) await takeBackOperator(tx, workspaceId, contact.phone);
  else await clearOperatorOptOut(tx, workspaceId, id);
  const left = await getContact(tx, workspaceId, id);
  if (left.optedOut) throw new AppError("CONFLICT", "They asked for it themselves, so only they can take it back.");
  return left;
}

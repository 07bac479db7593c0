import type { IncomingHttpHeaders } from "node:http";
import { type CallContext, placeCall } from "#src/interactions/calls/calls.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, type ErrorCode } from "#src/platform/kernel/errors.ts";
import { sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";
import { readContent } from "./content.ts";
import { DELIVERY_RATE, openSigningSecret, type SourceParts } from "./lead-sources.ts";
import { type Lead, readLead, type Refusal, refuse } from "./lead.ts";
import { findSignatureFault } from "./signature.ts";
import {
  countToday,
  drawDelivery,
  findRepeated,
  insertDelivery,
  type LeadDeliveryRow,
  type LeadKeys,
  type LeadSourceRow,
} from "./store.ts";

/** Deliveries that a source keeps of those that dialled nobody. */
const KEPT_OTHERS = 1_000;
const LONGEST_MESSAGE = 500;
/** Headers in which senders name a delivery, so that its repeat can be known. */
const ID_HEADERS = ["idempotency-key", "webhook-id", "svix-id", "x-delivery-id", "x-github-delivery"];

/** Answer to each kind of refusal. */
const ANSWERS: Record<Refusal["reason"], ErrorCode> = {
  SIGNATURE: "UNAUTHORIZED",
  CONTENT_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  BODY: "INVALID_BODY",
  NUMBER: "VALIDATION_FAILED",
  CONSENT: "VALIDATION_FAILED",
  FIELD: "VALIDATION_FAILED",
  DAILY_LIMIT: "RATE_LIMITED",
  SETTINGS: "CONFLICT",
};

/** Dependencies of taking a lead besides the database. */
export interface LeadContext extends SourceParts, Pick<CallContext, "wakeDispatcher"> {}

/** A request to a source's address. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Outcome of a delivery, and what of it is stored. */
type Outcome = Omit<LeadDeliveryRow, "id" | "source_id" | "created_at" | "content_type"> & {
  duplicateOf?: string;
  retryAfterSeconds?: number;
};

/** Answer to a delivery that was taken. */
export interface TakenLead {
  id: string;
  status: "QUEUED" | "DUPLICATE";
  rowId: string | null;
  duplicateOf: string | null;
}

/**
 * Takes one delivery: its call and its entry in the log are stored in one transaction, one delivery of a source after
 * the other. A repeat gets the call of the first. 404 for an unknown address, 429 when they come too fast; a refusal is
 * logged first and then thrown.
 */
export async function takeLead(
  { db }: Database,
  context: LeadContext,
  token: string,
  delivery: Delivery,
): Promise<TakenLead> {
  const taken = await db.transaction().execute(async (tx) => {
    const source = await drawDelivery(tx, sha256(token), DELIVERY_RATE);
    if (!source) throw new AppError("NOT_FOUND");
    if (!source.granted) return null;
    if (!source.active) throw new AppError("CONFLICT", "This lead source is switched off.");
    const { duplicateOf = null, retryAfterSeconds, ...outcome } = await takeFrom(tx, context, source, delivery);
    const id = uuidv7();
    const content_type = delivery.headers["content-type"]?.slice(0, 100) ?? null;
    const message = outcome.message && toStorableText(outcome.message).slice(0, LONGEST_MESSAGE);
    const row = { ...outcome, message, id, source_id: source.id, content_type };
    await insertDelivery(tx, source.workspace_id, row, KEPT_OTHERS);
    return { ...row, duplicateOf, retryAfterSeconds };
  });
  if (taken === null) throw new AppError("RATE_LIMITED", "Deliveries come too fast.", [], { "retry-after": "1" });
  const { id, status, row_id: rowId, duplicateOf } = taken;
  if (status !== "REFUSED") return { id, status, rowId, duplicateOf };
  const headers = taken.retryAfterSeconds ? { "retry-after": String(taken.retryAfterSeconds) } : undefined;
  const reason = taken.reason as Refusal["reason"];
  // What is wrong with the source's settings is in its log, which is not the sender's.
  const shown = reason === "SETTINGS" ? "The lead cannot be called now." : (taken.message ?? "");
  throw new AppError(ANSWERS[reason], shown, [{ path: "", code: reason, message: shown }], headers);
}

async function takeFrom(
  tx: Executor,
  context: LeadContext,
  source: LeadSourceRow,
  delivery: Delivery,
): Promise<Outcome> {
  const secret = openSigningSecret(context.box, source);
  const fault = findSignatureFault(source.signature_kind, source.signature_header, secret, delivery);
  if (fault !== null) return refused(refuse("SIGNATURE", fault), null, null, null);
  const content = readContent(delivery.headers, delivery.bytes);
  if ("reason" in content) return refused(content, content.text, null, null);
  const lead = readLead(content.body, source.mapping, source.rules);
  if ("reason" in lead) return refused(lead, content.text, null, null);
  const key = keyOf(delivery.headers, lead);
  const repeated = await findRepeat(tx, source, key, lead);
  const about = { ...columnsOf(lead), delivery_key: key, body: content.text, message: null };
  if (repeated) {
    const reason = `REPEATED_${repeated.by}` as const;
    return { ...about, status: "DUPLICATE", reason, row_id: repeated.row_id, duplicateOf: repeated.id };
  }
  const today = source.rules.dailyLimit === null ? null : await countToday(tx, source.workspace_id, source.id);
  if (today && today.count >= (source.rules.dailyLimit ?? 0)) {
    const full = refuse("DAILY_LIMIT", "The source has queued as many calls as it may today.");
    return { ...refused(full, content.text, lead, key), retryAfterSeconds: today.secondsLeft };
  }
  try {
    const { rowId } = await placeCall(tx, context, source.workspace_id, ...toCall(source, lead));
    return { ...about, status: "QUEUED", reason: null, row_id: rowId };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return refused(refuse("SETTINGS", error.message), content.text, lead, key);
  }
}

/** Returns the earlier delivery that this lead repeats, by the rules of its source; undefined when it is new. */
export function findRepeat(tx: Executor, { workspace_id, id, rules }: LeadSourceRow, key: string | null, lead: Lead) {
  const by = rules.deduplicateBy;
  const keys: LeadKeys = {
    deliveryKey: key,
    externalId: by === "EXTERNAL_ID" || by === "EITHER" ? lead.externalId : null,
    customerNumber: by === "NUMBER" || by === "EITHER" ? lead.customerNumber : null,
  };
  return findRepeated(tx, workspace_id, id, keys, rules.deduplicateHours);
}

/** Returns the body of POST /outbound/calls for a lead, and its exact text. */
export function toCall(source: LeadSourceRow, lead: Lead): [Parameters<typeof placeCall>[3], string] {
  const { contextData, rowData, customerNumber, externalId, contactName, contactEmail, timeZone } = lead;
  const dueMs = Math.max(nowMs() + source.delay_seconds * 1_000, source.start_at?.getTime() ?? 0);
  const body = {
    customerNumber,
    externalId,
    contactName,
    contactEmail,
    timeZone,
    rowData,
    contextData,
    flowId: source.flow_id,
    fromPhoneNumber: source.from_number,
    retryConfig: source.retry_config,
    callingWindow: source.calling_window,
    scheduledAt: dueMs > nowMs() ? new Date(dueMs).toISOString() : null,
  };
  return [body, JSON.stringify({ contextData })];
}

/** Returns the digest of a delivery's id; null when its sender names none. */
function keyOf(headers: IncomingHttpHeaders, lead: Lead): string | null {
  const sent = ID_HEADERS.map((name) => headers[name]).find((value) => typeof value === "string" && value !== "");
  const id = lead.deliveryId ?? sent;
  return id === undefined ? null : sha256(String(id)).toString("base64url");
}

function columnsOf(lead: Lead) {
  return { external_id: lead.externalId, customer_number: lead.customerNumber, consent: lead.consent };
}

function refused({ reason, message }: Refusal, body: string | null, lead: Lead | null, key: string | null): Outcome {
  const about = lead ? columnsOf(lead) : { external_id: null, customer_number: null, consent: null };
  return { ...about, status: "REFUSED", reason, message, delivery_key: key, row_id: null, body };
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { carriesCredential } from "#src/authoring/tools/api-headers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, pageOf, toPage } from "#src/platform/http/paging.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import {
  countInspected,
  deleteInspected,
  type InspectedRow,
  insertInspected,
  listInspected,
  lockInspector,
  readInspector,
  updateInspector,
} from "./store.ts";

/** Path below which each workspace has an address of its own: workspace and token. */
export const INSPECTOR_PATH = "/api/webhooks/inspector";

const TOKEN_BYTES = 18;
const KEPT_REQUESTS = 100;
const KEPT_HEADERS = 60;
const KEPT_HEADER_LENGTH = 2_000;
const KEPT_TARGET_LENGTH = 2_000;
/** Headers that are named like a credential and are none: people want to see what a receiver has to check. */
const SHOWN_HEADERS = new Set(["webhook-signature"]);

/** Statuses that it can be set to answer with. */
const FAIL_STATUSES = [400, 401, 404, 410, 429, 500, 503] as const;

/** Address to which a workspace can send its webhooks to inspect them. */
export const WebhookInspector = Type.Object(
  {
    url: Type.String({ description: "Takes every method; whoever knows it can send to it." }),
    failNext: Type.Integer({ description: "So many of the next requests are answered with failStatus." }),
    failStatus: Type.Integer(),
  },
  { $id: "WebhookInspector" },
);
export type WebhookInspector = Static<typeof WebhookInspector>;

/** Changes that can be made to an inspector. */
export const InspectorChange = Type.Object(
  {
    failNext: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    failStatus: Type.Optional(Type.Union(FAIL_STATUSES.map((status) => Type.Literal(status)))),
    newAddress: Type.Optional(Type.Boolean({ description: "True: the address before stops answering." })),
  },
  { $id: "WebhookInspectorChange" },
);

/** A stored request. */
export const InspectedRequest = Type.Object(
  {
    id: Uuid,
    at: Timestamp,
    method: Type.String(),
    target: Type.String({ description: "What followed the address: path and query." }),
    headers: Type.Record(Type.String(), Type.String(), { description: "Values that carry credentials are masked." }),
    body: nullable(Type.String()),
    bodyEncoding: oneOf(["TEXT", "BASE64", "NONE"]),
    address: nullable(Type.String({ description: "Null: from this service itself." })),
    answered: Type.Integer({ description: "Status of the answer." }),
  },
  { $id: "InspectedRequest" },
);
export const InspectedPage = pageOf(InspectedRequest, "InspectedRequestPage");

/** A request as received. */
export interface Arrival {
  method: string;
  target: string;
  headers: Record<string, unknown>;
  bytes: Buffer;
  address: string | null;
}

/** Returns the inspector of a workspace. */
export async function getInspector(db: Executor, publicUrl: string, workspaceId: string): Promise<WebhookInspector> {
  return toInspector(publicUrl, await readInspector(db, workspaceId, newToken()));
}

/** Sets how many of the next requests fail, or gives the inspector another address. */
export async function changeInspector(
  tx: Executor,
  publicUrl: string,
  workspaceId: string,
  { failNext, failStatus, newAddress = false }: Static<typeof InspectorChange>,
): Promise<WebhookInspector> {
  await readInspector(tx, workspaceId, newToken());
  const row = await lockInspector(tx, workspaceId);
  if (!row) throw new AppError("NOT_FOUND");
  const next = {
    ...row,
    fail_next: failNext ?? row.fail_next,
    fail_status: failStatus ?? row.fail_status,
    token: newAddress ? newToken() : row.token,
  };
  await updateInspector(tx, next);
  return toInspector(publicUrl, next);
}

/** Stores a request to a workspace's address and returns the status to answer; throws a 404 for any other address. */
export async function takeArrival(tx: Executor, workspaceId: string, token: string, arrival: Arrival): Promise<number> {
  const row = await lockInspector(tx, workspaceId);
  if (!row || !isSame(token, row.token)) throw new AppError("NOT_FOUND");
  const isFailed = row.fail_next > 0;
  if (isFailed) await updateInspector(tx, { ...row, fail_next: row.fail_next - 1 });
  const answered = isFailed ? row.fail_status : 200;
  const { method, target, address } = arrival;
  const kept = { method, address, target: toText(target).slice(0, KEPT_TARGET_LENGTH), ...readBody(arrival.bytes) };
  const headers = keptHeaders(arrival.headers);
  await insertInspected(tx, workspaceId, { id: uuidv7(), ...kept, headers, answered }, KEPT_REQUESTS);
  return answered;
}

/** Returns a page of stored requests, newest first; the newest hundred are kept for a day. */
export async function getInspected(
  db: Executor,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<Static<typeof InspectedRequest>>> {
  const rows = await listInspected(db, workspaceId, request);
  return toPage(request, rows.map(toInspected), () => countInspected(db, workspaceId));
}

/** Deletes all stored requests. */
export async function clearInspected(db: Executor, workspaceId: string): Promise<void> {
  await deleteInspected(db, workspaceId);
}

function toInspector(
  publicUrl: string,
  row: { workspace_id: string; token: string; fail_next: number; fail_status: number },
): WebhookInspector {
  const url = `${publicUrl}${INSPECTOR_PATH}/${row.workspace_id}/${row.token}`;
  return { url, failNext: row.fail_next, failStatus: row.fail_status };
}

function toInspected(row: InspectedRow): Static<typeof InspectedRequest> {
  const { id, method, target, headers, body, body_encoding: bodyEncoding, address, answered } = row;
  return { id, at: row.created_at.toISOString(), method, target, headers, body, bodyEncoding, address, answered };
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Compares hashes, so that neither length nor content shows in the time it takes. */
function isSame(given: string, stored: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(stored));
}

function keptHeaders(headers: Record<string, unknown>): Record<string, string> {
  const shown = Object.entries(headers).slice(0, KEPT_HEADERS);
  return Object.fromEntries(
    shown.map(([name, value]) => [
      name,
      carriesCredential(name) && !SHOWN_HEADERS.has(name) ? MASK : toText(String(value)).slice(0, KEPT_HEADER_LENGTH),
    ]),
  );
}

function readBody(bytes: Buffer): Pick<InspectedRow, "body" | "body_encoding"> {
  if (bytes.length === 0) return { body: null, body_encoding: "NONE" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\u0000")) return { body: text, body_encoding: "TEXT" };
  } catch {
    // Not a text: kept as base64 below.
  }
  return { body: bytes.toString("base64"), body_encoding: "BASE64" };
}

/** Returns text that the database can store. */
function toText(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

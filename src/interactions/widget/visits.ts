import type { IncomingHttpHeaders } from "node:http";
import { startChat } from "#src/interactions/chats/chats.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { networkOf } from "#src/platform/kernel/addresses.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, sha256 } from "#src/platform/kernel/id.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import { type BucketSize, drawFromBucket, findByPublicId, findToken, insertToken, type WidgetRow } from "./store.ts";

/** Lifetime of a visitor's token. The chat itself ends sooner when it is idle. */
const TOKEN_SECONDS = 86_400;
const IDLE_SECONDS = 3_600;
/** Limits of new chats: ten a minute from one address, two a second in all. */
const STARTS_OF_ADDRESS: BucketSize = { capacity: 10, perSecond: 1 / 6 };
const STARTS_OF_WIDGET: BucketSize = { capacity: 120, perSecond: 2 };
/** Limit of a visitor's messages: twenty at once, then one in two seconds. */
const MESSAGES_OF_CHAT: BucketSize = { capacity: 20, perSecond: 0.5 };

/** True when a page of this origin may hold the widget; false for an unknown widget. */
export async function isAllowedOrigin(db: Executor, publicId: string, origin: string): Promise<boolean> {
  const widget = await findByPublicId(db, publicId);
  return widget !== undefined && widget.allowed_origins.includes(origin);
}

/**
 * Returns the widget that a page names: 404 when there is none, 403 when the page's origin is not on its list. A
 * browser omits the origin only in a GET to the page's own server.
 */
export async function findVisited(db: Executor, publicId: string, { origin }: IncomingHttpHeaders): Promise<WidgetRow> {
  const widget = await findByPublicId(db, publicId);
  if (!widget) throw new AppError("NOT_FOUND");
  if (origin !== undefined && !widget.allowed_origins.includes(origin)) throw wrongOrigin();
  return widget;
}

function wrongOrigin(): AppError {
  return new AppError("FORBIDDEN", "Pages of this origin may not hold the widget: its allowedOrigins do not name it.");
}

/** Starts a visitor's chat and returns the token that opens only this chat. 429 when too many begin. */
export async function startVisit(
  db: Executor,
  findMessenger: FindMessenger,
  publicId: string,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<{ token: string; expiresAt: string }> {
  const widget = await findVisited(db, publicId, headers);
  if (headers.origin === undefined) throw wrongOrigin();
  if (!widget.active) throw new AppError("NOT_FOUND");
  const { workspace_id: workspaceId, id: widgetId } = widget;
  await draw(
    db,
    workspaceId,
    `${widgetId}|start|${sha256(networkOf(address)).toString("base64url")}`,
    STARTS_OF_ADDRESS,
  );
  await draw(db, workspaceId, `${widgetId}|start`, STARTS_OF_WIDGET);
  const token = `wgs_${randomText(44)}`;
  const expiresAt = await db.transaction().execute(async (tx) => {
    const sessionId = await openChat(tx, findMessenger, widget);
    return insertToken(tx, workspaceId, { widgetId, sessionId, hash: sha256(token), lifetimeSeconds: TOKEN_SECONDS });
  });
  return { token, expiresAt: expiresAt.toISOString() };
}

async function openChat(tx: Executor, findMessenger: FindMessenger, widget: WidgetRow): Promise<string> {
  const body = {
    channel: "CHAT",
    flowId: widget.flow_id,
    initialMessage: widget.greeting,
    idleTimeoutSeconds: IDLE_SECONDS,
  } as const;
  try {
    const { chat } = await startChat(tx, findMessenger, widget.workspace_id, body, "{}");
    return chat.id;
  } catch (error) {
    // A visitor must not see what is wrong with the workspace's settings.
    if (error instanceof AppError && error.status < 500) throw new AppError("CONFLICT", "Nobody can answer here now.");
    throw error;
  }
}

/** Returns the chat that a visitor's token opens; 401 for a token of another widget, an expired one, or none. */
export async function readVisit(
  db: Executor,
  publicId: string,
  headers: IncomingHttpHeaders,
): Promise<{ workspaceId: string; sessionId: string }> {
  const { workspace_id: workspaceId, id } = await findVisited(db, publicId, headers);
  const token = /^Bearer (wgs_[0-9A-Za-z]{44})$/.exec(headers.authorization ?? "")?.[1];
  const found = token === undefined ? undefined : await findToken(db, workspaceId, id, sha256(token));
  if (!found) throw new AppError("UNAUTHORIZED");
  return { workspaceId, sessionId: found.session_id };
}

/** Counts a visitor's message; 429 when messages come too fast. */
export function countMessage(db: Executor, workspaceId: string, sessionId: string): Promise<void> {
  return draw(db, workspaceId, `${sessionId}|message`, MESSAGES_OF_CHAT);
}

async function draw(db: Executor, workspaceId: string, bucket: string, size: BucketSize): Promise<void> {
  if (!(await drawFromBucket(db, workspaceId, bucket, size))) throw new AppError("RATE_LIMITED");
}

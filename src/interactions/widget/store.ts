import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

export interface WidgetRow {
  workspace_id: string;
  id: string;
  public_id: string;
  name: string;
  flow_id: string | null;
  allowed_origins: string[];
  greeting: string | null;
  theme_color: string;
  active: boolean;
  created_at: Date;
  updated_at: Date;
}

/** All widgets of a workspace, oldest first. */
export function listWidgets(tx: Executor, workspaceId: string): Promise<WidgetRow[]> {
  return all(tx, sql`select * from widgets where workspace_id = ${workspaceId} order by id`);
}

/** One widget. */
export function findWidget(tx: Executor, workspaceId: string, id: string): Promise<WidgetRow | undefined> {
  return first(tx, sql`select * from widgets where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One widget, locked for the change that follows. */
export function lockWidget(tx: Executor, workspaceId: string, id: string): Promise<WidgetRow | undefined> {
  return first(tx, sql`select * from widgets where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Returns the widget with this public id. It is the one look-up without a workspace, which follows from the id. */
export function findByPublicId(db: Executor, publicId: string): Promise<WidgetRow | undefined> {
  return first(db, sql`select * from widgets where public_id = ${publicId}`);
}

type Settings = Omit<WidgetRow, "workspace_id" | "created_at" | "updated_at">;

/** Stores a new widget. */
export async function insertWidget(tx: Executor, workspaceId: string, row: Settings): Promise<WidgetRow> {
  const rows = await all<WidgetRow>(
    tx,
    sql`insert into widgets (workspace_id, id, public_id, name, flow_id, allowed_origins, greeting, theme_color, active)
        values (${workspaceId}, ${row.id}, ${row.public_id}, ${row.name}, ${row.flow_id}, ${row.allowed_origins},
                ${row.greeting}, ${row.theme_color}, ${row.active})
        returning *`,
  );
  return rows[0] as WidgetRow;
}

/** Stores the settings of a widget. */
export async function updateWidget(tx: Executor, workspaceId: string, row: Settings): Promise<WidgetRow> {
  const rows = await all<WidgetRow>(
    tx,
    sql`update widgets set name = ${row.name}, flow_id = ${row.flow_id}, allowed_origins = ${row.allowed_origins},
          greeting = ${row.greeting}, theme_color = ${row.theme_color}, active = ${row.active}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${row.id} returning *`,
  );
  return rows[0] as WidgetRow;
}

/** Deletes a widget with its tokens; false when there is none. */
export async function deleteWidget(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(tx, sql`delete from widgets where workspace_id = ${workspaceId} and id = ${id} returning id`);
  return rows.length > 0;
}

/** Stores the token of one chat by its digest. */
export async function insertToken(
  tx: Executor,
  workspaceId: string,
  token: { widgetId: string; sessionId: string; hash: Buffer; lifetimeSeconds: number },
): Promise<Date> {
  const rows = await all<{ expires_at: Date }>(
    tx,
    sql`insert into widget_tokens (workspace_id, widget_id, session_id, token_hash, expires_at)
        values (${workspaceId}, ${token.widgetId}, ${token.sessionId}, ${token.hash},
                now() + make_interval(secs => ${token.lifetimeSeconds}))
        returning expires_at`,
  );
  return (rows[0] as { expires_at: Date }).expires_at;
}

/** Returns the chat that a token opens in a widget; undefined when the token is another widget's or expired. */
export function findToken(
  db: Executor,
  workspaceId: string,
  widgetId: string,
  hash: Buffer,
): Promise<{ session_id: string } | undefined> {
  return first(
    db,
    sql`select session_id from widget_tokens
        where workspace_id = ${workspaceId} and widget_id = ${widgetId} and token_hash = ${hash} and expires_at > now()`,
  );
}

/** A token bucket with its capacity and its refill rate. */
export interface BucketSize {
  capacity: number;
  perSecond: number;
}

/** Takes one token from a bucket, which starts full; false when it is empty. Exact across nodes. */
export async function drawFromBucket(
  db: Executor,
  workspaceId: string,
  bucket: string,
  { capacity, perSecond }: BucketSize,
): Promise<boolean> {
  const level = sql`least(${capacity}::float8, b.tokens
    + greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at)) * ${perSecond}::float8)`;
  const row = await first<{ granted: boolean }>(
    db,
    sql`insert into widget_buckets as b (workspace_id, bucket, tokens, refilled_at, granted)
        values (${workspaceId}, ${bucket}, ${capacity - 1}, clock_timestamp(), true)
        on conflict (workspace_id, bucket) do update set
          granted = ${level} >= 1,
          tokens = ${level} - case when ${level} >= 1 then 1 else 0 end,
          refilled_at = greatest(b.refilled_at, excluded.refilled_at)
        returning granted`,
  );
  return row?.granted ?? false;
}

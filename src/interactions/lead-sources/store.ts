import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { deleteInBites } from "#src/platform/db/delete-in-bites.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import type { LeadMapping, LeadReason } from "./lead.ts";
import type { SignatureKind } from "./signature.ts";

/** Rules by which a source's deliveries are taken. */
export interface LeadRules {
  defaultCountry: string | null;
  deduplicateBy: "EXTERNAL_ID" | "NUMBER" | "EITHER" | "NONE";
  deduplicateHours: number;
  dailyLimit: number | null;
  consentRequired: boolean;
}

export interface LeadSourceRow {
  workspace_id: string;
  id: string;
  name: string;
  active: boolean;
  token_hash: Buffer;
  flow_id: string | null;
  from_number: string | null;
  retry_config: RetryConfig;
  calling_window: CallingWindow | null;
  start_at: Date | null;
  delay_seconds: number;
  mapping: LeadMapping;
  rules: LeadRules;
  signature_kind: SignatureKind;
  signature_header: string | null;
  signing_secret: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

/** Settings of a source, as they are stored. */
export type SourceSettings = Omit<LeadSourceRow, "workspace_id" | "created_at" | "updated_at">;

export interface LeadDeliveryRow {
  id: string;
  source_id: string;
  status: "QUEUED" | "DUPLICATE" | "REFUSED";
  reason: LeadReason | null;
  message: string | null;
  delivery_key: string | null;
  external_id: string | null;
  customer_number: string | null;
  consent: string | null;
  row_id: string | null;
  content_type: string | null;
  body: string | null;
  created_at: Date;
}

/** All sources of a workspace, oldest first. */
export function listSources(tx: Executor, workspaceId: string): Promise<LeadSourceRow[]> {
  return all(tx, sql`select * from lead_sources where workspace_id = ${workspaceId} order by id`);
}

/** One source. */
export function findSource(tx: Executor, workspaceId: string, id: string): Promise<LeadSourceRow | undefined> {
  return first(tx, sql`select * from lead_sources where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One source, locked for the change that follows. */
export function lockSource(tx: Executor, workspaceId: string, id: string): Promise<LeadSourceRow | undefined> {
  return first(tx, sql`select * from lead_sources where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Stores a source, whether it is new or not. A new one may take `tokens` deliveries at once. */
export async function saveSource(
  tx: Executor,
  workspaceId: string,
  row: SourceSettings,
  tokens: number,
): Promise<LeadSourceRow> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  const rows = await all<LeadSourceRow>(
    tx,
    sql`insert into lead_sources (workspace_id, id, name, active, token_hash, flow_id, from_number, retry_config,
          calling_window, start_at, delay_seconds, mapping, rules, signature_kind, signature_header, signing_secret, tokens)
        values (${workspaceId}, ${row.id}, ${row.name}, ${row.active}, ${row.token_hash}, ${row.flow_id},
          ${row.from_number}, ${json(row.retry_config)}, ${json(row.calling_window)}, ${row.start_at},
          ${row.delay_seconds}, ${json(row.mapping)}, ${json(row.rules)}, ${row.signature_kind},
          ${row.signature_header}, ${row.signing_secret}, ${tokens})
        on conflict (workspace_id, id) do update set name = excluded.name, active = excluded.active,
          token_hash = excluded.token_hash, flow_id = excluded.flow_id, from_number = excluded.from_number,
          retry_config = excluded.retry_config, calling_window = excluded.calling_window, start_at = excluded.start_at,
          delay_seconds = excluded.delay_seconds, mapping = excluded.mapping, rules = excluded.rules,
          signature_kind = excluded.signature_kind, signature_header = excluded.signature_header,
          signing_secret = excluded.signing_secret, updated_at = now()
        returning *`,
  );
  return rows[0] as LeadSourceRow;
}

/** Deliveries that one statement deletes. */
const BITE = 10_000;

/** Deletes a source with its deliveries; false when there is none. Those of a month may be very many, and go first. */
export async function deleteSource(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const ofSource = sql`workspace_id = ${workspaceId} and source_id = ${id}`;
  await deleteInBites(BITE, (after) =>
    all(
      tx,
      sql`delete from lead_deliveries where workspace_id = ${workspaceId} and id = any (array(
            select id from lead_deliveries where ${ofSource} and id > ${after} order by id limit ${BITE}))
          returning id`,
    ),
  );
  const sent = sql`delete from lead_sources where workspace_id = ${workspaceId} and id = ${id} returning id`;
  return (await all(tx, sent)).length > 0;
}

/**
 * Finds the source of a token, locks it and takes a token of its bucket, so that its deliveries come one after the
 * other. It is the one look-up without a workspace, which follows from the token.
 */
export function drawDelivery(
  tx: Executor,
  tokenHash: Buffer,
  { capacity, perSecond }: { capacity: number; perSecond: number },
): Promise<(LeadSourceRow & { granted: boolean }) | undefined> {
  const level = sql`least(${capacity}::float8,
    tokens + greatest(0, extract(epoch from statement_timestamp() - refilled_at)) * ${perSecond}::float8)`;
  return first(
    tx,
    sql`update lead_sources set granted = ${level} >= 1, tokens = ${level} - case when ${level} >= 1 then 1 else 0 end,
          refilled_at = greatest(refilled_at, statement_timestamp())
        where token_hash = ${tokenHash} returning *`,
  );
}

/** Values of a delivery's lead that an earlier delivery may have had. */
export interface LeadKeys {
  deliveryKey: string | null;
  externalId: string | null;
  customerNumber: string | null;
}

/** Returns the earlier delivery that queued a call for one of these keys, and which key it was. */
export function findRepeated(
  tx: Executor,
  workspaceId: string,
  sourceId: string,
  { deliveryKey, externalId, customerNumber }: LeadKeys,
  hours: number,
): Promise<{ id: string; row_id: string; by: "DELIVERY" | "EXTERNAL_ID" | "NUMBER" } | undefined> {
  const isQueued = sql`workspace_id = ${workspaceId} and source_id = ${sourceId} and status = 'QUEUED'`;
  const isRecent = sql`created_at > now() - make_interval(hours => ${hours}::int)`;
  return first(
    tx,
    sql`select id, row_id, 'DELIVERY' as by, 1 as place from lead_deliveries
         where ${isQueued} and delivery_key = ${deliveryKey}
        union all
        select id, row_id, 'EXTERNAL_ID', 2 from lead_deliveries
         where ${isQueued} and external_id = ${externalId} and ${isRecent}
        union all
        select id, row_id, 'NUMBER', 3 from lead_deliveries
         where ${isQueued} and customer_number = ${customerNumber} and ${isRecent}
        order by place limit 1`,
  );
}

/** Longest time by which the id of a delivery may be older than its transaction seems. */
const GRACE_MS = 3_600_000;

/** Returns the calls that a source queued today, by the workspace's clock, and the seconds until tomorrow. */
export async function countToday(
  tx: Executor,
  workspaceId: string,
  sourceId: string,
): Promise<{ count: number; secondsLeft: number }> {
  const row = await first<{ count: number; secondsLeft: number }>(
    tx,
    sql`select (select count(*)::int from lead_deliveries d where d.workspace_id = ${workspaceId}
                   and d.source_id = ${sourceId} and d.status = 'QUEUED' and d.created_at >= today.begins
                   -- Ids follow the time, so that those of earlier days are not looked at.
                   and d.id >= (lpad(to_hex((extract(epoch from today.begins) * 1000)::bigint - ${GRACE_MS}), 12, '0')
                                || repeat('0', 20))::uuid) as count,
               ceil(extract(epoch from today.ends - now()))::int as "secondsLeft"
          from (select date_trunc('day', now(), w.time_zone) as begins,
                       (date_trunc('day', now() at time zone w.time_zone) + interval '1 day')
                         at time zone w.time_zone as ends
                  from workspaces w where w.id = ${workspaceId}) today`,
  );
  return row ?? { count: 0, secondsLeft: 0 };
}

/** Stores a delivery. Of those that were not queued, a source keeps the newest `keep`. */
export async function insertDelivery(
  tx: Executor,
  workspaceId: string,
  row: Omit<LeadDeliveryRow, "created_at">,
  keep: number,
): Promise<void> {
  await all(
    tx,
    sql`insert into lead_deliveries (workspace_id, id, source_id, status, reason, message, delivery_key, external_id,
          customer_number, consent, row_id, content_type, body)
        values (${workspaceId}, ${row.id}, ${row.source_id}, ${row.status}, ${row.reason}, ${row.message},
          ${row.delivery_key}, ${row.external_id}, ${row.customer_number}, ${row.consent}, ${row.row_id},
          ${row.content_type}, ${row.body})`,
  );
  if (row.status === "QUEUED") return;
  const isOther = sql`workspace_id = ${workspaceId} and source_id = ${row.source_id} and status <> 'QUEUED'`;
  await all(
    tx,
    sql`delete from lead_deliveries where ${isOther} and id <=
          (select id from lead_deliveries where ${isOther} order by id desc offset ${keep} limit 1)`,
  );
}

/** Filter of a source's deliveries. */
export interface DeliveryFilter {
  sourceId: string;
  statuses: readonly string[] | undefined;
}

/** The states are literals: the planner compares them with the condition of the index lead_deliveries_others. */
const isOf = (workspaceId: string, { sourceId, statuses }: DeliveryFilter) =>
  sql`workspace_id = ${workspaceId} and source_id = ${sourceId}
      ${statuses ? sql`and status in (${sql.join(statuses.map((status) => sql.lit(status)))})` : sql``}`;

/** A page of a source's deliveries, newest first, with one more than asked for. */
export function listDeliveries(
  tx: Executor,
  workspaceId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<LeadDeliveryRow[]> {
  return all(
    tx,
    sql`select * from lead_deliveries where ${isOf(workspaceId, filter)} and ${isBefore(page)}
        order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of a source's deliveries. */
export function countDeliveries(tx: Executor, workspaceId: string, filter: DeliveryFilter): Promise<number> {
  return countOf(tx, sql`lead_deliveries where ${isOf(workspaceId, filter)}`);
}

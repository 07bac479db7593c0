import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { isUuid } from "#src/platform/kernel/id.ts";

/** Kinds of objects of audited actions that are looked up by their id. */
export const TARGET_KINDS = [
  "FLOW",
  "MODEL",
  "STRUCTURED_OUTPUT",
  "TOOL",
  "CONNECTION",
  "AGENT",
  "KNOWLEDGE_ITEM",
  "CALL",
  "CALL_JOB",
  "CHAT",
  "CONTACT",
  "OPT_OUT_REVIEW",
  "WIDGET",
  "PHONE_NUMBER",
  "CARRIER_ACCOUNT",
  "LEAD_SOURCE",
  "AUTOMATION",
  "SESSION_WEBHOOK",
  "BOARD",
  "SIMULATION",
  "APPLICATION",
  "CUSTOMER",
  "RECORD",
  "TRANSCRIPTION_JOB",
  "RECORDING",
  "CREDENTIAL",
  "WORKSPACE",
  "MEMBER",
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** An object of audited actions that exists. */
export interface FoundTarget {
  kind: TargetKind;
  name: string | null;
  within: string[];
}

/** Tables of the objects with an id of their own: kind, table, name and the ids of what holds them. */
const TABLES: [kind: TargetKind, table: string, name: string, within?: string][] = [
  ["FLOW", "flows", "definition ->> 'name'"],
  ["MODEL", "language_models", "name"],
  ["STRUCTURED_OUTPUT", "structured_outputs", "name"],
  ["TOOL", "tools", "definition ->> 'name'"],
  ["CONNECTION", "connections", "name"],
  ["AGENT", "agents", "name"],
  ["KNOWLEDGE_ITEM", "knowledge_items", "title", "agent_id::text"],
  ["CALL", "call_rows", "coalesce(contact_name, customer_number)"],
  ["CALL_JOB", "call_jobs", "name"],
  ["CHAT", "chat_sessions", "coalesce(contact_name, contact_phone, contact_identifier)"],
  ["CONTACT", "contacts", "coalesce(name, phone, identifier, email)"],
  ["OPT_OUT_REVIEW", "opt_out_reviews", "number"],
  ["WIDGET", "widgets", "name"],
  ["PHONE_NUMBER", "phone_numbers", "number"],
  ["CARRIER_ACCOUNT", "carrier_accounts", "coalesce(label, provider)"],
  ["LEAD_SOURCE", "lead_sources", "name"],
  ["AUTOMATION", "automations", "name"],
  ["SESSION_WEBHOOK", "session_webhooks", "url"],
  ["BOARD", "result_boards", "name"],
  ["SIMULATION", "simulations", "suite_name"],
  ["APPLICATION", "applications", "name"],
  ["CUSTOMER", "application_customers", "name", "application_id::text"],
  ["RECORD", "data_records", "null::text", "application_id::text, store_key"],
  ["TRANSCRIPTION_JOB", "transcription_jobs", "name"],
  ["RECORDING", "transcription_rows", "coalesce(file_name, external_id)", "job_id::text"],
  ["CREDENTIAL", "credentials", "name"],
];

/** Finds the objects that these targets name: by id, a client by its client id, a person by id or e-mail address. */
export async function findTargets(
  db: Executor,
  workspaceId: string,
  targets: string[],
): Promise<Map<string, FoundTarget>> {
  const texts = [...new Set(targets)];
  if (texts.length === 0) return new Map();
  const ids = texts.filter(isUuid);
  const byId = TABLES.map(
    ([kind, table, name, within = ""]) => sql`
      select id::text as target, ${sql.lit(kind)} as kind, ${sql.raw(name)} as name,
             array[${sql.raw(within)}]::text[] as within
        from ${sql.raw(table)} where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
  const others = sql`
      select client_id, 'CREDENTIAL', name, '{}'::text[] from credentials
       where workspace_id = ${workspaceId} and client_id = any(${texts})
      union all
      select id::text, 'WORKSPACE', name, '{}' from workspaces where id = ${workspaceId} and id = any(${ids}::uuid[])
      union all
      select t.target, 'MEMBER', u.email, '{}'
        from memberships m join users u on u.id = m.user_id
        join unnest(${texts}::text[]) t(target) on t.target = u.id::text or lower(t.target) = lower(u.email)
       where m.workspace_id = ${workspaceId}`;
  const rows = await all<{ target: string } & FoundTarget>(db, sql`${sql.join([...byId, others], sql` union all `)}`);
  return new Map(rows.map(({ target, kind, name, within }) => [target, { kind, name, within }]));
}

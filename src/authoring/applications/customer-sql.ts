import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

/** Columns of a customer that a caller sets. */
export interface CustomerFields {
  name: string | null;
  email: string | null;
  phone: string | null;
  external_id: string | null;
  /** Exact text of a JSON object. */
  fields: string;
}

export interface CustomerRow extends CustomerFields {
  id: string;
  application_id: string;
  created_at: Date;
  updated_at: Date;
}

/** Filter of a list of customers. */
export interface CustomerFilter {
  id?: string | undefined;
  phone?: string | undefined;
  externalId?: string | undefined;
}

/** Stores a new customer; undefined when the externalId is taken. */
export function insertCustomer(
  tx: Executor,
  workspaceId: string,
  appId: string,
  id: string,
  { name, email, phone, external_id, fields }: CustomerFields,
): Promise<CustomerRow | undefined> {
  return first(
    tx,
    sql`insert into application_customers (workspace_id, application_id, id, name, email, phone, external_id, fields)
        values (${workspaceId}, ${appId}, ${id}, ${name}, ${email}, ${phone}, ${external_id}, ${fields})
        on conflict (workspace_id, application_id, external_id) do nothing returning *`,
  );
}

/** One customer of an application. */
export function findCustomer(
  db: Executor,
  workspaceId: string,
  appId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  return first(
    db,
    sql`select * from application_customers
        where workspace_id = ${workspaceId} and application_id = ${appId} and id = ${id}`,
  );
}

/** The customer with this number; of several, the one that was added last. */
export function findByPhone(
  db: Executor,
  workspaceId: string,
  appId: string,
  phone: string,
): Promise<CustomerRow | undefined> {
  return first(
    db,
    sql`select * from application_customers
        where workspace_id = ${workspaceId} and application_id = ${appId} and phone = ${phone}
        order by id desc limit 1`,
  );
}

/** One customer, locked for the change that follows. */
export function lockCustomer(
  tx: Executor,
  workspaceId: string,
  appId: string,
  id: string,
): Promise<CustomerRow | undefined> {
  return first(
    tx,
    sql`select * from application_customers
        where workspace_id = ${workspaceId} and application_id = ${appId} and id = ${id} for no key update`,
  );
}

/** Locks a customer against deletion until this transaction ends; false when there is none. */
export async function holdCustomer(tx: Executor, workspaceId: string, appId: string, id: string): Promise<boolean> {
  const row = await first(
    tx,
    sql`select id from application_customers
        where workspace_id = ${workspaceId} and application_id = ${appId} and id = ${id} for key share`,
  );
  return row !== undefined;
}

/** Writes a changed customer. */
export async function updateCustomer(
  tx: Executor,
  workspaceId: string,
  appId: string,
  id: string,
  { name, email, phone, external_id, fields }: CustomerFields,
): Promise<CustomerRow> {
  const rows = await all<CustomerRow>(
    tx,
    sql`update application_customers set name = ${name}, email = ${email}, phone = ${phone},
          external_id = ${external_id}, fields = ${fields}, updated_at = now()
        where workspace_id = ${workspaceId} and application_id = ${appId} and id = ${id} returning *`,
  );
  return rows[0] as CustomerRow;
}

/** Deletes a customer, whose records lose the link; false when there is none. */
export async function deleteCustomer(tx: Executor, workspaceId: string, appId: string, id: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from application_customers
        where workspace_id = ${workspaceId} and application_id = ${appId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}

function matching(workspaceId: string, appId: string, { id, phone, externalId }: CustomerFilter) {
  const parts = [sql`workspace_id = ${workspaceId} and application_id = ${appId}`];
  if (id !== undefined) parts.push(sql`id = ${id}`);
  if (phone !== undefined) parts.push(sql`phone = ${phone}`);
  if (externalId !== undefined) parts.push(sql`external_id = ${externalId}`);
  return sql.join(parts, sql` and `);
}

/** A page of an application's customers, oldest first, with one row more than asked for. */
export function listCustomers(
  db: Executor,
  workspaceId: string,
  appId: string,
  filter: CustomerFilter,
  page: PageRequest,
): Promise<CustomerRow[]> {
  return all(
    db,
    sql`select * from application_customers where ${matching(workspaceId, appId, filter)} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the customers that match a filter. */
export function countCustomers(
  db: Executor,
  workspaceId: string,
  appId: string,
  filter: CustomerFilter,
): Promise<number> {
  return countOf(db, sql`application_customers where ${matching(workspaceId, appId, filter)}`);
}

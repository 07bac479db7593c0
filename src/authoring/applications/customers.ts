import { type Executor, isDuplicate } from "#src/platform/db/database.ts";
import { RawJson, rawSlice } from "#src/platform/http/json.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { anyObject, E164, nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import {
  type CustomerFields,
  type CustomerRow,
  deleteCustomer,
  findByPhone,
  findCustomer,
  insertCustomer,
  lockCustomer,
  updateCustomer,
} from "./customer-sql.ts";
import { holdApplication, lockApplication } from "./store.ts";

const MAX_FIELDS_BYTES = 64 * 1024;

const customerFields = {
  name: nullable(Type.String({ minLength: 1, maxLength: 500 })),
  email: nullable(Type.String({ pattern: "^[^@\\s]+@[^@\\s]+$", maxLength: 320, description: "E-mail address." })),
  phone: nullable(E164),
  externalId: nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Id in a system of your own; unique in the application.",
    }),
  ),
};

/** A person or company that an application deals with; records may be linked to it. */
export const Customer = Type.Object(
  {
    id: Uuid,
    applicationId: Uuid,
    ...customerFields,
    fields: anyObject("Anything else that is known; comes back as it was sent."),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "ApplicationCustomer" },
);

/** A customer as the API shows it; `fields` is a RawJson that the reply writes out untouched. */
export type Customer = Omit<Static<typeof Customer>, "fields"> & { fields: RawJson };

/** Request body of a customer's creation or change. Server-owned fields are ignored. */
export const CustomerInput = Type.Object(
  {
    name: Type.Optional(customerFields.name),
    email: Type.Optional(customerFields.email),
    phone: Type.Optional(customerFields.phone),
    externalId: Type.Optional(customerFields.externalId),
    fields: Type.Optional(nullable(anyObject("Anything else that is known, at most 64 KiB; replaced as a whole."))),
  },
  { $id: "ApplicationCustomerInput" },
);
export type CustomerInput = Static<typeof CustomerInput>;

const NOTHING: CustomerFields = { name: null, email: null, phone: null, external_id: null, fields: "{}" };

/** Adds a customer to an application. `text` is the exact JSON of `input`. */
export async function createCustomer(
  tx: Executor,
  workspaceId: string,
  appId: string,
  input: CustomerInput,
  text = JSON.stringify(input),
): Promise<Customer> {
  if (!(await holdApplication(tx, workspaceId, appId))) throw new AppError("NOT_FOUND");
  const fields = merge(NOTHING, input, text);
  const row = await insertCustomer(tx, workspaceId, appId, uuidv7(), fields);
  if (!row) throw takenId(fields.external_id);
  return toCustomer(row);
}

/** One customer; 404 when the application has no such customer. */
export async function getCustomer(db: Executor, workspaceId: string, appId: string, id: string): Promise<Customer> {
  const row = await findCustomer(db, workspaceId, appId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toCustomer(row);
}

/** The customer of an application with this E.164 number; of several, the one that was added last. */
export async function findCustomerByPhone(
  db: Executor,
  workspaceId: string,
  appId: string,
  phone: string,
): Promise<Customer | undefined> {
  const row = await findByPhone(db, workspaceId, appId, phone);
  return row && toCustomer(row);
}

/** Merges the fields that are sent into a customer; null clears one. `text` is the exact JSON of `input`. */
export async function changeCustomer(
  tx: Executor,
  workspaceId: string,
  { appId, customerId }: { appId: string; customerId: string },
  input: CustomerInput,
  text = JSON.stringify(input),
  ifUpdatedAt?: string,
): Promise<Customer> {
  const row = await lockCustomer(tx, workspaceId, appId, customerId);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  const fields = merge(row, input, text);
  try {
    return toCustomer(await updateCustomer(tx, workspaceId, appId, customerId, fields));
  } catch (error) {
    throw isDuplicate(error) ? takenId(fields.external_id) : error;
  }
}

/** Deletes a customer for good; its records stay, without the link. 404 when there is none. */
export async function removeCustomer(tx: Executor, workspaceId: string, appId: string, id: string): Promise<void> {
  await lockApplication(tx, workspaceId, appId);
  if (!(await deleteCustomer(tx, workspaceId, appId, id))) throw new AppError("NOT_FOUND");
}

/** The customer as the API shows it. */
export function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    applicationId: row.application_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    externalId: row.external_id,
    fields: new RawJson(row.fields),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function merge(before: CustomerFields, input: CustomerInput, text: string): CustomerFields {
  const fields = {
    name: input.name === undefined ? before.name : input.name,
    email: input.email === undefined ? before.email : input.email,
    phone: input.phone === undefined ? before.phone : input.phone,
    external_id: input.externalId === undefined ? before.external_id : input.externalId,
    fields: input.fields === undefined ? before.fields : readFields(input.fields, text),
  };
  const { name, email, phone, external_id } = fields;
  if ([name, email, phone, external_id].every((value) => value === null)) {
    throw fieldError("name", "REQUIRED", "is required, unless there is an email, a phone or an externalId.");
  }
  return fields;
}

function readFields(fields: object | null, text: string): string {
  if (fields === null) return NOTHING.fields;
  const exact = rawSlice(text, ["fields"]) ?? JSON.stringify(fields);
  if (Buffer.byteLength(exact) > MAX_FIELDS_BYTES) {
    throw fieldError("fields", "TOO_LARGE", `must be at most ${MAX_FIELDS_BYTES} bytes of JSON.`);
  }
  return exact;
}

function takenId(externalId: string | null): AppError {
  return new AppError("CONFLICT", `externalId ${externalId} is taken by another customer of this application.`);
}

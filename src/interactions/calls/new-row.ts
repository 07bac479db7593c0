import { NIL_UUID, uuidv7 } from "#src/platform/kernel/id.ts";
import type { ClassifiedNumber } from "#src/tenancy/compliance/numbers.ts";

/** The job id of calls that belong to no job. */
export const NO_JOB = NIL_UUID;

/** Phone number id of calls over the web, which use no number of ours. */
export const NO_NUMBER = NIL_UUID;

/** Stand-in for our number in a call over the web. */
export const WEB = "WEB";
const WEB_PERSON = "web:";

/** Returns the stand-in for the number of a web caller whose number is unknown; no two calls share it. */
export function nameWebPerson(rowId: string): string {
  return WEB_PERSON + rowId;
}

/** Returns the phone number of a call's person; null when unknown. */
export function phoneOf(customerNumber: string): string | null {
  return customerNumber.startsWith(WEB_PERSON) ? null : customerNumber;
}

/** Returns the SQL expression for the phone number of a row's person, equivalent to `phoneOf`. */
export function phoneSql(column: string): string {
  return `case when ${column} not like '${WEB_PERSON}%' then ${column} end`;
}

/** Maximum size of rowData or contextData as text. */
export const MAX_DATA_BYTES = 65_536;

/** A validated contact, before it is assigned a number to be called from. */
export interface Contact extends ClassifiedNumber {
  customerNumber: string;
  contactName: string | null;
  contactEmail: string | null;
  rowData: Record<string, unknown> | null;
  /** The exact text that the caller sent. */
  contextData: string | null;
  externalId: string | null;
  /** IANA name of the called person's zone; null when the country of the number decides. */
  timeZone: string | null;
  /** Position in the file or list, from 1; null for single calls. */
  line: number | null;
  /** Higher goes first within a job. */
  priority: number;
}

/** A row to store. The names are the columns of `call_rows`. */
export interface NewRow {
  id: string;
  session_id: string;
  line: number | null;
  external_id: string | null;
  customer_number: string;
  number_country: string;
  number_class: ClassifiedNumber["numberClass"];
  phone_number_id: string;
  contact_name: string | null;
  contact_email: string | null;
  row_data: Record<string, unknown> | null;
  context_data: string | null;
  time_zone: string | null;
  /** Milliseconds by which the row's due time is moved forward; a higher priority has more, so it sorts first. */
  head_start_ms: number;
}

/** A contact, and the number from which it is called. */
export interface AssignedContact {
  contact: Contact;
  phoneNumberId: string;
}

/** Creates the row of a contact. Ids are ordered by time, so the rows of a job list in their original order. */
export function toNewRow(contact: Contact, phoneNumberId: string): NewRow {
  return {
    id: uuidv7(),
    session_id: uuidv7(),
    line: contact.line,
    external_id: contact.externalId,
    customer_number: contact.customerNumber,
    number_country: contact.country,
    number_class: contact.numberClass,
    phone_number_id: phoneNumberId,
    contact_name: contact.contactName,
    contact_email: contact.contactEmail,
    row_data: contact.rowData,
    context_data: contact.contextData,
    time_zone: contact.timeZone,
    head_start_ms: contact.priority,
  };
}

import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type ClassifiedNumber, classifyNumber } from "#src/tenancy/compliance/numbers.ts";

/** The job id of calls that belong to no job. */
export const NO_JOB = "00000000-0000-0000-0000-000000000000";

/** The phone number's id of calls that come over the web, for which no number of ours is used. */
export const NO_NUMBER = "00000000-0000-0000-0000-000000000000";

/** What stands for the number of a person on the web, and for ours. */
export const WEB = "WEB";
const WEB_PERSON = "web:";

/** What stands for the number of a person on the web of whom no number is known; no two calls share it. */
export function nameWebPerson(rowId: string): string {
  return WEB_PERSON + rowId;
}

/** The phone number of a call's person; null when none is known. */
export function phoneOf(customerNumber: string): string | null {
  return customerNumber.startsWith(WEB_PERSON) ? null : customerNumber;
}

/** SQL: the phone number of a row's person, as `phoneOf` gives it. */
export function phoneSql(column: string): string {
  return `case when ${column} not like '${WEB_PERSON}%' then ${column} end`;
}

/** Bytes of rowData or contextData, as text. */
export const MAX_DATA_BYTES = 65_536;

/** A contact to call, checked, before it has a number to be called from. */
export interface Contact {
  customerNumber: string;
  contactName: string | null;
  contactEmail: string | null;
  rowData: Record<string, unknown> | null;
  /** The exact text that was sent. */
  contextData: string | null;
  externalId: string | null;
  /** IANA name of the called person's zone; null: by the number's country. */
  timeZone: string | null;
  /** Where it stood in the file or list, from 1; null for single calls. */
  line: number | null;
  /** Higher goes first within a job. */
  priority: number;
}

/** A row as it is stored: names are the columns of `call_rows`. */
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
  /** Rows of higher priority are due that many milliseconds earlier, which sorts them first. */
  head_start_ms: number;
}

/** Makes the row of a contact. Ids are time-ordered, so rows of a job list in the order they came. */
export function toNewRow(contact: Contact, phoneNumberId: string): NewRow {
  const { country, numberClass } = classifyNumber(contact.customerNumber);
  return {
    id: uuidv7(),
    session_id: uuidv7(),
    line: contact.line,
    external_id: contact.externalId,
    customer_number: contact.customerNumber,
    number_country: country,
    number_class: numberClass,
    phone_number_id: phoneNumberId,
    contact_name: contact.contactName,
    contact_email: contact.contactEmail,
    row_data: contact.rowData,
    context_data: contact.contextData,
    time_zone: contact.timeZone,
    head_start_ms: contact.priority,
  };
}

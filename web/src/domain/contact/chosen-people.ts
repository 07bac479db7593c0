import type { CallRow } from "@parley/sdk";
import { stringifyExactly } from "#web/api/exact-json.ts";
import type { CsvLine } from "#web/domain/job/csv-text.ts";
import { type ColumnMapping, FIELDS, type Target } from "#web/domain/job/mapping.ts";
import { t } from "#web/i18n/t.ts";
import type { Contact } from "./contact.ts";

/** People selected in a list, in the same form as lines of a mapped file. */
export interface ChosenPeople {
  /** Source of the people, used as the file name. */
  name: string;
  columns: ColumnMapping[];
  lines: CsvLine[];
  /** The flow that all of them share; null when there is none. */
  flowId: string | null;
}

/** Known data of one person. */
interface Person {
  fields: Partial<Record<Target, string | null>>;
  /** Variables of the call, by the names that the prompt uses. */
  variables?: Record<string, unknown> | null;
}

const SAMPLES = 3;

/** Returns the people of calls, each with all data of the call. */
export function peopleOfCalls(calls: CallRow[]): ChosenPeople {
  const people = calls.map(({ contextData, rowData, ...call }) => ({
    fields: {
      customerNumber: call.customerNumber,
      contactName: call.contactName,
      contactEmail: call.contactEmail,
      externalId: call.externalId,
      timeZone: call.timeZone,
      contextData: contextData === null ? null : (stringifyExactly(contextData) ?? null),
    },
    variables: rowData,
  }));
  const flows = new Set(calls.map(({ flowId }) => flowId));
  const [flowId = null] = flows;
  return { ...toTable(t`Selected calls`, people), flowId: flows.size === 1 ? flowId : null };
}

/** Returns contacts as people, with only name, phone and e-mail. */
export function peopleOfContacts(contacts: Contact[]): ChosenPeople {
  const people = contacts.map(({ phone, name, email }) => ({
    fields: { customerNumber: phone, contactName: name, contactEmail: email },
  }));
  return { ...toTable(t`Selected contacts`, people), flowId: null };
}

function toTable(name: string, people: Person[]): Omit<ChosenPeople, "flowId"> {
  const known = FIELDS.filter(({ value }) => people.some(({ fields }) => (fields[value] ?? "") !== ""));
  const variables = [...new Set(people.flatMap(({ variables }) => Object.keys(variables ?? {})))];
  const rows = people.map((person) => [
    ...known.map(({ value }) => person.fields[value] ?? ""),
    ...variables.map((variable) => toText(person.variables?.[variable])),
  ]);
  const samplesOf = (column: number) => rows.flatMap((row) => row[column] || []).slice(0, SAMPLES);
  const columns = [
    ...known.map(({ value, label }) => ({ header: label, target: value, variable: value })),
    ...variables.map((variable) => ({ header: variable, target: "VARIABLE" as const, variable })),
  ].map((column, index) => ({ ...column, samples: samplesOf(index) }));
  // The first line of a file names the columns.
  return { name, columns, lines: rows.map((cells, index) => ({ line: index + 2, cells })) };
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

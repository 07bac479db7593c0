import type { Field } from "../fields";
import { dictionaryOf } from "../request";
import type { Bundle, Json } from "../zapier";

/** People to call, as line items: each mapped list makes as many rows as it is long. */
export const ROWS: Field = {
  key: "rows",
  label: "People",
  children: [
    { key: "customerNumber", label: "Phone Number", required: true, helpText: "In E.164 form." },
    { key: "contactName", label: "Contact Name" },
    { key: "contactEmail", label: "Contact E-mail" },
    { key: "externalId", label: "External ID", helpText: "Yours: a job takes each once." },
  ],
};

/** Returns the rows of a request; the variables are the same for each. */
export function rowsOf(bundle: Bundle): Json[] {
  const { rows } = bundle.inputData;
  const people = (Array.isArray(rows) ? rows : []) as Json[];
  const rowData = dictionaryOf(bundle, "rowData");
  return people.map((person) => ({ ...withoutEmpty(person), rowData }));
}

function withoutEmpty(person: Json): Json {
  return Object.fromEntries(Object.entries(person).filter(([, value]) => value !== "" && value != null));
}

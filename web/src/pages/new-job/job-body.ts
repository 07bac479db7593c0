import type { ContactRow } from "./contacts.ts";

const FIELDS = ["customerNumber", "contactName", "contactEmail", "externalId", "timeZone", "priority"] as const;

/** A body with rows as JSON. Context data stands in it as it was written. */
export function toBody(settings: object, rows: ContactRow[]): Blob {
  const parts = [JSON.stringify(settings).slice(0, -1), Object.keys(settings).length > 0 ? "," : "", '"rows":['];
  rows.forEach((row, index) => parts.push(index > 0 ? "," : "", toJson(row)));
  parts.push("]}");
  return new Blob([parts.join("")], { type: "application/json" });
}

function toJson({ contextText, ...row }: ContactRow): string {
  const text = JSON.stringify(row);
  return contextText === undefined ? text : `${text.slice(0, -1)},"contextData":${contextText}}`;
}

/** The rows as a CSV that the server reads the same way; their variables are columns of their own. */
export function toCsvFile(rows: ContactRow[]): Blob {
  const used = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined));
  const hasContext = rows.some(({ contextText }) => contextText !== undefined);
  const variables = Object.keys(rows[0]?.rowData ?? {});
  const lines = [[...used, ...(hasContext ? ["contextData"] : []), ...variables].map(toCell).join(",")];
  for (const row of rows) {
    const cells: (string | number | undefined)[] = used.map((field) => row[field]);
    if (hasContext) cells.push(row.contextText);
    for (const name of variables) cells.push(row.rowData?.[name]);
    lines.push(cells.map(toCell).join(","));
  }
  return new Blob([lines.join("\r\n")], { type: "text/csv" });
}

function toCell(value: string | number | undefined): string {
  const text = value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Names that a file's columns cannot have as variables, because the server takes them for the contact's own fields. */
export function findTakenName(rows: ContactRow[]): string | null {
  const names = Object.keys(rows[0]?.rowData ?? {});
  return names.find((name) => TAKEN.has(name.toLowerCase().replaceAll(/[\s_-]/g, ""))) ?? null;
}

const TAKEN = new Set(
  "customernumber phonenumber phone number contactname name contactemail email externalid timezone priority contextdata".split(
    " ",
  ),
);

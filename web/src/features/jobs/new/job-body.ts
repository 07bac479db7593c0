import { Breather } from "#web/domain/job/breather.ts";
import type { ContactRow } from "./contacts.ts";

const FIELDS = ["customerNumber", "contactName", "contactEmail", "externalId", "timeZone", "priority"] as const;

/** Characters of a body converted to bytes at once. */
const CHARACTERS_AT_ONCE = 500_000;

/** Makes a JSON body with rows without blocking the page. Context data is kept as written. */
export async function toBody(settings: object, rows: ContactRow[]): Promise<Blob> {
  const parts = new BlobParts(JSON.stringify(settings).slice(0, -1));
  if (Object.keys(settings).length > 0) parts.add(",");
  parts.add('"rows":[');
  const breather = new Breather();
  for (const [index, row] of rows.entries()) {
    parts.add(`${index > 0 ? "," : ""}${toJson(row)}`);
    if (breather.isDue) await breather.rest();
  }
  parts.add("]}");
  return parts.end("application/json");
}

function toJson({ contextText, ...row }: ContactRow): string {
  const text = JSON.stringify(row);
  return contextText === undefined ? text : `${text.slice(0, -1)},"contextData":${contextText}}`;
}

/** Makes a CSV of the rows that the server reads as the same rows; each variable is a column. */
export async function toCsvFile(rows: ContactRow[]): Promise<Blob> {
  const used = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined));
  const hasContext = rows.some(({ contextText }) => contextText !== undefined);
  const variables = Object.keys(rows[0]?.rowData ?? {});
  const parts = new BlobParts([...used, ...(hasContext ? ["contextData"] : []), ...variables].map(toCell).join(","));
  const breather = new Breather();
  for (const row of rows) {
    const cells: (string | number | undefined)[] = used.map((field) => row[field]);
    if (hasContext) cells.push(row.contextText);
    for (const name of variables) cells.push(row.rowData?.[name]);
    parts.add(`\r\n${cells.map(toCell).join(",")}`);
    if (breather.isDue) await breather.rest();
  }
  return parts.end("text/csv");
}

/** Growing text stored as bytes; one long text would be converted all at once. */
class BlobParts {
  #text: string;
  readonly #blobs: Blob[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > CHARACTERS_AT_ONCE) this.#store();
  }

  end(type: string): Blob {
    this.#store();
    return new Blob(this.#blobs, { type });
  }

  #store(): void {
    this.#blobs.push(new Blob([this.#text]));
    this.#text = "";
  }
}

function toCell(value: string | number | undefined): string {
  const text = value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a variable name that the server would take for a contact's own field; null when there is none. */
export function findTakenName(rows: ContactRow[]): string | null {
  const names = Object.keys(rows[0]?.rowData ?? {});
  return names.find((name) => TAKEN.has(name.toLowerCase().replaceAll(/[\s_-]/g, ""))) ?? null;
}

const TAKEN = new Set(
  "customernumber phonenumber phone number contactname name contactemail email externalid timezone priority contextdata".split(
    " ",
  ),
);

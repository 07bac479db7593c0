import type { JsonObject } from "@parley/sdk";

/** API path of the applications. */
export const APPLICATIONS_PATH = "/applications";
/** Key of the store that every application has. */
export const CUSTOMERS = "customers";

/** A business application: it owns customers and data stores. */
export interface Application {
  id: string;
  key: string;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A store for records of one kind. */
export interface DataStore {
  id: string;
  key: string;
  name: string;
  kind: "BUILT_IN" | "CUSTOM";
  schema: JsonObject | null;
  createdAt: string;
  updatedAt: string;
}

/** A record: these fields and its custom ones. */
export interface DataRecord extends JsonObject {
  id: string;
  metadata: JsonObject | null;
  customerId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A customer of an application. */
export interface Customer {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  externalId: string | null;
  fields: JsonObject;
  createdAt: string;
  updatedAt: string;
}

/** API path of an application's stores. */
export function storesPath(appId: string): string {
  return `${APPLICATIONS_PATH}/${appId}/stores`;
}

const OWN = new Set(["id", "metadata", "customerId", "createdAt", "updatedAt"]);

/** The custom fields of a record. */
export function customFields(record: DataRecord): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name)));
}

/** Names of the custom fields on a page of records, most frequent first. */
export function fieldNames(records: DataRecord[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const name of records.flatMap((record) => Object.keys(customFields(record)))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  return names.slice(0, most);
}

/** A value in one line of a table. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

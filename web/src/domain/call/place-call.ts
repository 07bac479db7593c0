import type { CreateCall, JsonObject } from "@parley/sdk";
import { JsonText } from "#web/api/exact-json.ts";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { t } from "#web/i18n/t.ts";

/** The form of a call; JSON as text. */
export type PlaceCallValues = {
  customerNumber: string;
  flowApiId: string | null;
  /** The workspace's number to call from; null: its default. */
  fromPhoneNumber: string | null;
  contactName: string;
  rowData: string;
  contextData: string;
};

/** Returns the fault of a text that should be a JSON object; null when it is one. */
export function checkJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? null : t`This must be a JSON object.`;
  } catch (error) {
    return error instanceof Error ? error.message : t`This is not JSON.`;
  }
}

/** The form's values as the API takes them. */
export function toPlaceCall(values: PlaceCallValues): CreateCall {
  const { customerNumber, flowApiId, fromPhoneNumber, contactName } = values;
  const [rowData, contextData] = [readObject(values.rowData), readObject(values.contextData)];
  return {
    customerNumber: toPlainNumber(customerNumber),
    ...(flowApiId === null ? {} : { flowApiId }),
    ...(fromPhoneNumber === null ? {} : { fromPhoneNumber }),
    ...(contactName === "" ? {} : { contactName }),
    ...(rowData === null ? {} : { rowData }),
    ...(contextData === null ? {} : { contextData }),
  };
}

/** Returns the object as typed, because parsing would change it; null for an empty one. */
function readObject(text: string): JsonObject | null {
  const value = JSON.parse(text === "" ? "{}" : text) as JsonObject;
  return Object.keys(value).length === 0 ? null : (new JsonText(text.trim()) as unknown as JsonObject);
}

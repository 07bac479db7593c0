import type { CreateCall, JsonObject } from "@parley/sdk";
import { JsonText } from "#web/api/exact-json.ts";

/** The form of a call; JSON as text. */
export type PlaceCallValues = {
  customerNumber: string;
  flowApiId: string | null;
  /** Which of the workspace's numbers calls; null: its default. */
  fromPhoneNumber: string | null;
  contactName: string;
  rowData: string;
  contextData: string;
};

/** What is wrong with a text that should be a JSON object; null when nothing is. */
export function checkJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? null : "This must be a JSON object.";
  } catch (error) {
    return error instanceof Error ? error.message : "This is not JSON.";
  }
}

/** The form's values as the API takes them. */
export function toPlaceCall(values: PlaceCallValues): CreateCall {
  const { customerNumber, flowApiId, fromPhoneNumber, contactName } = values;
  const [rowData, contextData] = [readObject(values.rowData), readObject(values.contextData)];
  return {
    customerNumber: customerNumber.replace(/[^\d+]/g, ""),
    ...(flowApiId === null ? {} : { flowApiId }),
    ...(fromPhoneNumber === null ? {} : { fromPhoneNumber }),
    ...(contactName === "" ? {} : { contactName }),
    ...(rowData === null ? {} : { rowData }),
    ...(contextData === null ? {} : { contextData }),
  };
}

/** The object as it was typed, which parsing would change; null for an empty one. */
function readObject(text: string): JsonObject | null {
  const value = JSON.parse(text === "" ? "{}" : text) as JsonObject;
  return Object.keys(value).length === 0 ? null : (new JsonText(text.trim()) as unknown as JsonObject);
}

import { FlowDocumentInput } from "#src/authoring/flows/flow-document.ts";
import { type FlowFields, InlineFlow } from "#src/authoring/flows/flow-fields.ts";
import { parseJson } from "#src/platform/http/json.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import type { FlowChoice } from "./suite.ts";

/** Which flow a suite is about, with what was sent of it checked. */
export type FlowSource =
  | { kind: "SAVED"; flow: string; version: number | null }
  | { kind: "DRAFT"; flow: string }
  | { kind: "DOCUMENT"; document: FlowDocumentInput }
  | { kind: "INLINE"; fields: FlowFields };

const MAX_VERSION = 2_147_483_647;
const FORMS = "a flow's id or apiId, {flow, version}, {draft} or {document}";

const checkDocument = compileCheck(FlowDocumentInput, "INVALID_BODY", "VALIDATION_FAILED");
const checkInline = compileCheck(InlineFlow, "INVALID_BODY", "VALIDATION_FAILED");

/** Checks the flow that a suite chose; `path` is where it stands in the body. */
export function readFlowSource(choice: FlowChoice, path: string): FlowSource {
  if (choice.kind !== "DOCUMENT") {
    if (choice.flow.includes("\u0000") || !choice.flow.isWellFormed()) {
      throw fieldError(path, "FORMAT", "holds characters that no flow's id has.");
    }
    return choice;
  }
  return checkAt(`${path}.document`, () => {
    // A document in a file or in YAML may hold what the bodies of requests are refused with.
    const document = parseJson(toJson(choice.document, path));
    if (typeof document === "object" && document !== null && "format" in document) {
      checkDocument(document);
      return { kind: "DOCUMENT", document: document as FlowDocumentInput };
    }
    checkInline(document);
    return { kind: "INLINE", fields: document as FlowFields };
  });
}

function toJson(value: unknown, path: string): string {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    throw fieldError(path, "TOO_DEEP", "nests too deeply.");
  }
}

/** Reads the flow that a request names instead of the suite's. 422 for a form that it does not know. */
export function readFlowChoice(value: unknown, path: string): FlowChoice {
  if (typeof value === "string") return { kind: "SAVED", flow: value, version: null };
  const { flow, version, draft, document } = (value ?? {}) as Record<string, unknown>;
  const ways = [flow, draft, document].filter((one) => one !== undefined && one !== null);
  if (ways.length !== 1) throw fieldError(path, "TYPE", `must be ${FORMS}.`);
  if (document !== undefined && document !== null) return { kind: "DOCUMENT", document };
  if (typeof draft === "string") return { kind: "DRAFT", flow: draft };
  if (typeof flow !== "string") throw fieldError(path, "TYPE", `must be ${FORMS}.`);
  if (version === undefined || version === null) return { kind: "SAVED", flow, version: null };
  if (typeof version === "number" && Number.isInteger(version) && version >= 1 && version <= MAX_VERSION) {
    return { kind: "SAVED", flow, version };
  }
  throw fieldError(`${path}.version`, "TYPE", "must be the number of a published version, from 1.");
}

/** Runs a check whose faults have paths from the value's own root. */
export function checkAt<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw moveFaults(error, path);
  }
}

/** An error whose faults have paths from the root of a value, with paths from where the value stands. */
export function moveFaults(error: unknown, path: string): unknown {
  if (!(error instanceof AppError)) return error;
  const faults = error.details.map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join(".") }));
  return new AppError(error.code, `${path}: ${error.message}`, faults);
}

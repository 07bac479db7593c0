import { FlowDocumentInput } from "#src/authoring/flows/flow-document.ts";
import { type FlowFields, InlineFlow } from "#src/authoring/flows/flow-fields.ts";
import { parseJson } from "#src/platform/http/json.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import type { FlowChoice } from "./suite.ts";

/** The flow of a suite, with content sent along already checked. */
export type FlowSource =
  | { kind: "SAVED"; flow: string; version: number | null }
  | { kind: "DRAFT"; flow: string }
  | { kind: "DOCUMENT"; document: FlowDocumentInput }
  | { kind: "INLINE"; fields: FlowFields };

const MAX_VERSION = 2_147_483_647;
const FORMS = "a flow's id or apiId, {flow, version}, {draft} or {document}";

const checkDocument = compileCheck(FlowDocumentInput, "INVALID_BODY", "VALIDATION_FAILED");
const checkInline = compileCheck(InlineFlow, "INVALID_BODY", "VALIDATION_FAILED");

/** Checks the flow that a suite chose; `path` is its place in the body. */
export function readFlowSource(choice: FlowChoice, path: string): FlowSource {
  if (choice.kind !== "DOCUMENT") {
    if (choice.flow.includes("\u0000") || !choice.flow.isWellFormed()) {
      throw fieldError(path, "FORMAT", "holds characters that no flow's id has.");
    }
    return choice;
  }
  return checkAt(`${path}.document`, () => {
    // A document from a file or in YAML may hold content that is refused in request bodies.
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

/** Reads the flow that a request names instead of the suite's. Throws a 422 for an unknown form. */
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

/** Runs a check and moves the paths of its faults below `path`. */
export function checkAt<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw moveFaults(error, path);
  }
}

/** Returns an error whose fault paths start at the value's place in the body instead of the value's root. */
export function moveFaults(error: unknown, path: string): unknown {
  if (!(error instanceof AppError)) return error;
  const faults = error.details.map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join(".") }));
  return new AppError(error.code, `${path}: ${error.message}`, faults);
}

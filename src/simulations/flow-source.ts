import { FlowDocumentInput } from "#src/flows/flow-document.ts";
import { type FlowFields, InlineFlow } from "#src/flows/flow-fields.ts";
import { compileCheck } from "#src/http/validate.ts";
import { AppError, fieldError } from "#src/kernel/errors.ts";

/** Which flow a suite is about. */
export type FlowSource =
  | { kind: "PUBLISHED"; name: string }
  | { kind: "VERSION"; name: string; version: number }
  | { kind: "DRAFT"; name: string }
  | { kind: "DOCUMENT"; document: FlowDocumentInput }
  | { kind: "INLINE"; fields: FlowFields };

const MAX_NAME = 200;
const MAX_VERSION = 2_147_483_647;
const FORMS = "a flow's id or apiId, {flow, version}, {draft}, an exported document, or the fields of a flow";

const checkDocument = compileCheck(FlowDocumentInput, "INVALID_BODY", "VALIDATION_FAILED");
const checkInline = compileCheck(InlineFlow, "INVALID_BODY", "VALIDATION_FAILED");

/** Reads which flow is meant; `path` is where it stands in the body. 422 for a form that it does not know. */
export function readFlowSource(value: unknown, path: string): FlowSource {
  if (typeof value === "string") return { kind: "PUBLISHED", name: readName(value, path) };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fieldError(path, "TYPE", `must be ${FORMS}.`);
  }
  const given = value as Record<string, unknown>;
  if ("file" in given) {
    throw fieldError(path, "FILE", "names a file, which the server does not read: send the exported document itself.");
  }
  if ("format" in given) {
    checkAt(path, () => checkDocument(given));
    return { kind: "DOCUMENT", document: given as FlowDocumentInput };
  }
  if ("draft" in given) return { kind: "DRAFT", name: readName(given.draft, `${path}.draft`) };
  if (!("flow" in given)) {
    checkAt(path, () => checkInline(given));
    return { kind: "INLINE", fields: given as FlowFields };
  }
  const name = readName(given.flow, `${path}.flow`);
  return given.version === undefined || given.version === null
    ? { kind: "PUBLISHED", name }
    : { kind: "VERSION", name, version: readVersion(given.version, `${path}.version`) };
}

function readName(value: unknown, path: string): string {
  if (typeof value === "string" && value !== "" && value.length <= MAX_NAME && isStorable(value)) return value;
  throw fieldError(path, "TYPE", `must be the id or the apiId of a flow, at most ${MAX_NAME} characters.`);
}

/** True for a text that the database can hold: YAML may name characters that JSON bodies are refused with. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

function readVersion(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_VERSION) return value;
  throw fieldError(path, "TYPE", "must be the number of a published version, from 1.");
}

/** Runs a check whose faults have paths from the value's own root. */
export function checkAt(path: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = error.details.map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join(".") }));
    throw new AppError(error.code, `${path}: ${error.message}`, faults);
  }
}

import { readYaml, YamlFault } from "#src/engine/personas/yaml-text.ts";
import { SuiteFault } from "./suite-fault.ts";

const MAX_BYTES = 1_048_576;

/** Steps from the top of a document to a value in it. */
export type DocumentPath = (string | number)[];

/** A place in a text; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A document as plain data, with the place of each value in its text. */
export interface Source {
  value: unknown;
  locate(path: DocumentPath): Place | null;
}

/** Parses YAML text into plain data. Throws `SuiteFault`. */
export function readSource(text: string, where: string): Source {
  try {
    const yaml = readYaml(text, where, MAX_BYTES);
    return { value: yaml.value, locate: (path) => readPlace(yaml.locate(describePath(path))) };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const reported = error.message.slice(where.length).replace(/^:/, "");
    const message = reported.replace(/^\d+:\d+/, "").trim();
    const { line = null, column = null } = readPlace(reported) ?? {};
    throw new SuiteFault(where, [{ path: "", line, column, message: `${message}.` }]);
  }
}

/** Wraps plain data that did not come as text. */
export function plainSource(value: unknown): Source {
  return { value, locate: () => null };
}

/** Formats a path for people, such as `scenarios[0].expect`. */
export function describePath(path: DocumentPath): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join("")
    .slice(0, 300);
}

/** Parses a formatted path into steps. */
export function parsePath(path: string): DocumentPath {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

function readPlace(text: string): Place | null {
  const found = /^(\d+):(\d+)/.exec(text);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
}

import { isNode, LineCounter, parseDocument } from "yaml";
import { toError } from "#src/kernel/errors.ts";
import { SuiteFault, type SuiteFaultDetail } from "./suite-fault.ts";

const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 50;
const MAX_FAULTS = 20;

/** Steps from the top of a document to a value in it. */
export type DocumentPath = (string | number)[];

/** A document as plain data, and where in its text each value stands. */
export interface Source {
  value: unknown;
  locate(path: DocumentPath): { line: number; column: number } | null;
}

/** YAML text as plain data. Throws `SuiteFault`; aliases are limited, tags of one's own and keys said twice refused. */
export function readYaml(text: string, where: string): Source {
  if (text.length > MAX_CHARACTERS) throw atTop(where, "is larger than 1 MiB.");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    stringKeys: true,
    prettyErrors: false,
    schema: "core",
  });
  const problems = [...document.errors, ...document.warnings].slice(0, MAX_FAULTS);
  if (problems.length > 0) throw new SuiteFault(where, problems.map(({ message, pos }) => place(lines, pos[0], message)));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw atTop(where, `cannot be read: ${toError(error).message}`);
  }
  const at = (path: DocumentPath): { line: number; column: number } | null => {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (!isNode(node) || !node.range) continue;
      const { line, col } = lines.linePos(node.range[0]);
      return { line, column: col };
    }
    return null;
  };
  return { value, locate: at };
}

/** Plain data that did not come as text. */
export function plainSource(value: unknown): Source {
  return { value, locate: () => null };
}

function place(lines: LineCounter, offset: number, message: string): SuiteFaultDetail {
  const { line, col } = lines.linePos(offset);
  return { path: "", line, column: col, message: message.split("\n")[0] ?? message };
}

function atTop(where: string, message: string): SuiteFault {
  return new SuiteFault(where, [{ path: "", line: null, column: null, message: `The suite ${message}` }]);
}

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from "yaml";
import { toError } from "#src/platform/kernel/errors.ts";

/** A text that cannot be read as YAML; the message begins with file, line and column. */
export class YamlFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "YamlFault";
  }
}

/** Value of a YAML text, and the positions of its parts. */
export interface YamlText {
  value: unknown;
  /**
   * Returns line and column, as 7:3, of a path such as `behaviours[1].when`; for an absent part, those of its parent.
   */
  locate(path: string): string;
}

/** Number of aliases that may repeat an anchored part; each copy of a copy counts. */
const MAX_ALIASES = 100;
const MAX_ANCHORS = 200;
/** About 25,000 lines. A text that is cheap to write can be expensive to parse, so its tokens are counted first. */
const MAX_TOKENS = 200_000;
const MAX_BRACKETS = 100;

/**
 * Reads one YAML document: plain YAML 1.2 data, keys that are unique texts, no custom tags. Bounded for any text.
 * Throws `YamlFault`.
 */
export function readYaml(text: string, fileName: string, maxBytes: number): YamlText {
  if (Buffer.byteLength(text) > maxBytes)
    throw new YamlFault(`${fileName} is larger than ${Math.floor(maxBytes / 1_024)} KiB`);
  const excess = findExcess(text);
  if (excess) throw new YamlFault(`${fileName} ${excess}`);
  const lines = new LineCounter();
  const placeOf = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col}`;
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      uniqueKeys: false,
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw new YamlFault(`${fileName}:${placeOf(fault.pos[0])} ${tidy(fault.message)}`);
    const twice = findKeyTwice(document);
    if (twice) throw new YamlFault(`${fileName}:${placeOf(twice.offset)} ${twice.name} is given twice`);
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, locate: (path) => placeOf(findOffset(document, path)) };
  } catch (error) {
    if (error instanceof YamlFault) throw error;
    // A text that is nested too deeply, or repeats itself too often, fails as a whole.
    throw new YamlFault(`${fileName}:1:1 cannot be read as YAML: ${tidy(toError(error).message)}`);
  }
}

/** Returns the part of which a text has too much, as a message; null when it is within the limits. */
function findExcess(text: string): string | null {
  let tokens = 0;
  let anchors = 0;
  let brackets = 0;
  for (const token of new Lexer().lex(text)) {
    const [first] = token;
    if (first === "&" || first === "*") anchors++;
    else if (first === "[" || first === "{") brackets++;
    else if (first === "]" || first === "}") brackets--;
    if (++tokens > MAX_TOKENS) return "has too many parts";
    if (anchors > MAX_ANCHORS) return `has more than ${MAX_ANCHORS} anchors and aliases`;
    if (brackets > MAX_BRACKETS) return `has brackets nested more than ${MAX_BRACKETS} deep`;
  }
  return null;
}

/** Finds a duplicate key. The parser's own check compares every key with every other, which is slow for a long text. */
function findKeyTwice(document: Document.Parsed): { name: string; offset: number } | null {
  let twice: { name: string; offset: number } | null = null;
  visit(document, {
    Map(_, map) {
      const names = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : "";
        if (names.has(name)) twice ??= { name, offset: (key as Node).range?.[0] ?? 0 };
        names.add(name);
      }
    },
  });
  return twice;
}

function findOffset(document: Document.Parsed, path: string): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (isSeq(node)) node = (node.items[Number(index)] as Node | undefined) ?? null;
    else if (isMap(node)) {
      const pair: YAMLMap["items"][number] | undefined = node.items.find(
        ({ key }) => isScalar(key) && key.value === name,
      );
      offset = (pair?.key as Node | undefined)?.range?.[0] ?? offset;
      node = (pair?.value as Node | undefined) ?? null;
      continue;
    } else break;
    offset = node?.range?.[0] ?? offset;
  }
  return offset;
}

/** Returns the first line of a message, without its full stop. */
function tidy(message: string): string {
  const line = (message.split("\n")[0] ?? "").replace(/\.$/, "");
  return line.startsWith("Implicit keys") ? `a colon is missing after a key here or on the next line (${line})` : line;
}

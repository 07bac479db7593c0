import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../repository.ts";

/** A fenced block of a page. The words after its fence say how it is tested; no reader of the rendered page sees them. */
export interface Block {
  page: string;
  /** Line of the opening fence. */
  line: number;
  /** Words after the fence: the language, then how the block is tested. */
  info: string;
  text: string;
  test: BlockTest;
}

/** Test of a block: `what` names a schema, a file, a test file, or the reason why it is not run. */
export interface BlockTest {
  kind: BlockKind;
  what: string;
}

/** Words after a fence, and what they mean. A block that fits none of them is a fault. */
const KINDS = [
  { kind: "COMMANDS", info: /^sh$/ },
  { kind: "OUTPUT", info: /^text output(?: with (figures))?$/ },
  { kind: "PROGRAM_TS", info: /^ts$/ },
  { kind: "PROGRAM_PYTHON", info: /^python$/ },
  { kind: "FILE", info: /^\w+ saved as ([\w.-]+)$/ },
  { kind: "REQUEST", info: /^json request ([A-Z]+ \/\S+)$/ },
  { kind: "REPLY", info: /^json reply ([A-Z]+ \/\S+)$/ },
  { kind: "SCHEMA", info: /^json schema (\w+)$/ },
  { kind: "EVENT", info: /^json event ([\w.]+)$/ },
  { kind: "PERSONA", info: /^yaml persona$/ },
  { kind: "PERSONA_FAULT", info: /^text fault of the first persona$/ },
  { kind: "SUITE", info: /^yaml suite$/ },
  { kind: "SCENARIO_PART", info: /^yaml part of a scenario$/ },
  { kind: "WORKFLOW", info: /^yaml workflow$/ },
  { kind: "NGINX", info: /^nginx$/ },
  { kind: "SYSTEMD", info: /^ini systemd$/ },
  { kind: "MCP_SETTINGS", info: /^toml$/ },
  { kind: "PAGE_PART", info: /^html$/ },
  { kind: "MACHINE", info: /^sh on a machine$/ },
  { kind: "CADDY", info: /^text caddy$/ },
  { kind: "ELSEWHERE", info: /^\w+ run by (tests\/\S+\.test\.ts)$/ },
  { kind: "DRAWING", info: /^text drawing$/ },
  { kind: "NOT_RUN", info: /^\w+ not run: (\w.{3,})$/ },
] as const;

/** Ways in which a block may be tested. */
export type BlockKind = (typeof KINDS)[number]["kind"];

const WHERE = ["*.md", "docs/**/*.md", "examples/**/*.md", "templates/**/*.md", "sdk/*.md", "sdk-python/*.md"];

/** Reads every fenced block of the documentation, in the order of pages and lines; throws where one says no test. */
export function findBlocks(): Block[] {
  return globSync(WHERE, { cwd: ROOT, exclude: ["**/node_modules/**"] })
    .toSorted()
    .flatMap((page) => readBlocks(page, readFileSync(join(ROOT, page), "utf8")));
}

/** Reads the fenced blocks of a page's Markdown. A block may be indented, as in a list. */
export function readBlocks(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const [, indent = "", info] = /^( *)```(.*)$/.exec(lines[i] as string) ?? [];
    if (info === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, i + 1);
    if (end === -1) throw new Error(`${page}:${i + 1}: the block has no end.`);
    const text = lines.slice(i + 1, end).map((line) => `${line.slice(indent.length)}\n`);
    blocks.push({ page, line: i + 1, info, text: text.join(""), test: readTest(info, `${page}:${i + 1}`) });
    i = end;
  }
  return blocks;
}

function readTest(info: string, where: string): BlockTest {
  for (const { kind, info: form } of KINDS) {
    const match = form.exec(info);
    if (match) return { kind, what: match[1] ?? "" };
  }
  throw new Error(`${where}: "${info}" says no test of the block: see CONTRIBUTING.md, "The documentation".`);
}

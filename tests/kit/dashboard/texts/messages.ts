import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { messageOf } from "../../../../web/src/i18n/t.ts";
import { constantNames } from "./constant-names.ts";

const SOURCES = join(import.meta.dirname, "../../../../web/src");

/** Message of the dashboard; one that counts has both English forms, divided by a bar. */
export interface Message {
  text: string;
  isPlural: boolean;
  /** The files that have it, below web/src. */
  files: string[];
}

/** Returns the dashboard's modules, parsed, without tests and without the catalogue's own code. */
export function dashboardSources(): ts.SourceFile[] {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith("i18n/"))
    .toSorted()
    .map((path) => ts.createSourceFile(path, readFileSync(join(SOURCES, path), "utf8"), ts.ScriptTarget.Latest, true));
}

/** Returns every message of the dashboard, by its text. */
export function collectMessages(): Map<string, Message> {
  const messages = new Map<string, Message>();
  const add = (text: string, isPlural: boolean, file: string): void => {
    const message = messages.get(text) ?? { text, isPlural, files: [] };
    if (!message.files.includes(file)) message.files.push(file);
    messages.set(text, message);
  };
  for (const source of dashboardSources()) {
    const file = relative(".", source.fileName);
    visitAll(source, (node) => {
      const template = readTemplate(node);
      if (template !== null) add(template, false, file);
      const forms = readPlural(node);
      if (forms !== null) add(forms, true, file);
    });
  }
  for (const name of constantNames()) add(name, false, "constants");
  return messages;
}

/** Calls back for a node and everything below it. */
export function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => visitAll(child, visit));
}

function readTemplate(node: ts.Node): string | null {
  if (!ts.isTaggedTemplateExpression(node) || !/^(t|rich)$/.test(node.tag.getText())) return null;
  if (ts.isNoSubstitutionTemplateLiteral(node.template)) return node.template.text;
  const { head, templateSpans } = node.template;
  return messageOf([head.text, ...templateSpans.map(({ literal }) => literal.text)]);
}

function readPlural(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "plural") return null;
  const [, one, other] = node.arguments;
  if (!one || !other || !ts.isStringLiteralLike(one) || !ts.isStringLiteralLike(other))
    throw new Error(`The forms of ${node.getText()} must be literals.`);
  return `${one.text}|${other.text}`;
}

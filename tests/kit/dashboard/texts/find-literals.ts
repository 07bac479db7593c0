import ts from "typescript";
import { dashboardSources, visitAll } from "./messages.ts";

/** Names that are the same in every language: of products, protocols and keys, and examples of identifiers. */
const NAMES = new Set(
  "Anthropic|Google|Deepgram|ElevenLabs|WhatsApp|TypeScript|JavaScript|Cursor|Codex|Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Linux|Claude Code|Claude Desktop|Gemini CLI|VS Code|Azure OpenAI|Amazon Bedrock|OpenAI-compatible|Enter|Delete|Backspace|Escape|Esc|Shift Enter|Ctrl K|ApiError|AbortError|rating|clinic|orders|product|acme|groups|price|eu-west-1|live-header|live-title".split(
    "|",
  ),
);

/** Elements whose text is code. */
const CODE = /^(code|Code|kbd|Kbd|pre)$/;
/** Attributes and members that hold no text for people. */
const TECHNICAL =
  /^(class(Name|Names)?|styles?|path|href|color|variant|size|type|key|id|d|transform|transition|style|command|schema|to|from|aria-live|points|template|value|icon|flex|padding|miw|base|good|bad|busy|waiting|warning|neutral|data|keys|keptAs)$/;
/** Attributes and members that hold text for people alone, so that one small word is a text as well. */
const FOR_PEOPLE = /^(label|title|placeholder|description|aria-label|alt|lead|hint|header|group|failed|done)$/;
/** Functions whose arguments are no text for people. */
const PLUMBING =
  /(Listener|querySelector(All)?|closest|matches|matchMedia|useMediaQuery|startsWith|endsWith|includes|split|replace(All)?|test|RegExp|options|Set|options)$/;
/** Texts that are code, addresses, styles or lists of codes. */
const CODE_LIKE =
  /^\s*[<{[("#./@&?$-]|^[\w.-]+\/[\w.$-]|https?:|^(npx|curl|call|calls|jobs|claude|export|import|const|client|process|chat|phone,)\b[^a-z]*[ .'$-]|\d(px|rem|em)\b|var\(|\bvh\)|^[A-Z_\s]+$|^([a-z]{2}-[A-Z]{2} ?)+|X-API-Key|sans-serif|monospace|_\w|^(translate|rotate|color-mix|min|max)\(|^M\d|^[a-z]+[A-Z]\w*$|^[\w*-]+(\.[\w-]+)+$|^X-|<\w+ \w+=|^[a-z]+( [a-z.]+){6,}$|^… ms$|^…npx |^phone,name|names no breakpoint|(belongs? to a workspace|for signed-in people)\.$/;

/** A text for people that is in no catalogue. */
export interface Literal {
  file: string;
  line: number;
  text: string;
}

/** Finds texts of the dashboard that are written outside of `t`, `rich` and `plural`. */
export function findLiterals(): Literal[] {
  return dashboardSources().flatMap((source) => {
    const found: Literal[] = [];
    visitAll(source, (node) => {
      const text = readText(node);
      if (text === null || NAMES.has(text.trim())) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file: source.fileName, line: line + 1, text });
    });
    return found;
  });
}

function readText(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text) && !isInCode(node) ? node.text : null;
  const text = ts.isStringLiteralLike(node) ? node.text : ts.isTemplateExpression(node) ? joinParts(node) : null;
  if (text === null || isInCode(node) || isTechnical(node)) return null;
  return (isForPeople(node) ? /\p{L}{2}/u.test(text) && !CODE_LIKE.test(text) : looksLikeWords(text)) ? text : null;
}

function joinParts({ head, templateSpans }: ts.TemplateExpression): string {
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join("…");
}

function isForPeople({ parent }: ts.Node): boolean {
  return (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) && FOR_PEOPLE.test(parent.name.getText());
}

/** True for a sentence, two words, or one with a capital letter. */
function looksLikeWords(text: string): boolean {
  if (CODE_LIKE.test(text)) return false;
  return (
    /^[A-Z][a-z]+(-[a-z]+)?[.?!:]?\s*$/.test(text) || /\p{L}{2}[,.;:]? \p{L}|…[ ,] ?\p{Ll}{2}|\p{Ll}{3} …/u.test(text)
  );
}

function isInCode(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent)
    if (ts.isJsxElement(at) && CODE.test(at.openingElement.tagName.getText())) return true;
  return false;
}

/** True where the text is translated, or is an argument, a key or a value of code. */
function isTechnical(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent) || ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent))
    return true;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return isPlumbing(parent);
  if (ts.isPropertyAssignment(parent)) return parent.name === node || TECHNICAL.test(parent.name.getText());
  if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText());
  return ts.isCaseClause(parent) || isInTechnicalAttribute(node);
}

function isPlumbing({ expression }: ts.CallExpression | ts.NewExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    /^plural$/.test(expression.getText()) ||
    PLUMBING.test(expression.getText())
  );
}

function isInTechnicalAttribute(node: ts.Node): boolean {
  for (let at = node.parent; at && !ts.isJsxElement(at) && !ts.isStatement(at); at = at.parent)
    if (ts.isJsxAttribute(at)) return TECHNICAL.test(at.name.getText());
  return false;
}

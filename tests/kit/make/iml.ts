import { createHash, createHmac, randomUUID } from "node:crypto";

/** Values that expressions may name, by their first name. */
export type Scope = Record<string, unknown>;

type Json = Record<string, unknown>;

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
const list = (value: unknown) => (Array.isArray(value) ? value : []) as unknown[];
const member = (value: unknown, name: string) => (value as Json | null | undefined)?.[name];

/** Functions of Make's documentation that the app uses. */
const FUNCTIONS: Record<string, (...given: unknown[]) => unknown> = {
  ifempty: (first, second) => (isEmpty(first) ? second : first),
  encodeURL: (text) => encodeURIComponent(textOf(text)),
  join: (array, separator) => list(array).map(textOf).join(textOf(separator)),
  map: (array, key) => list(array).map((one) => member(one, textOf(key))),
  min: (...numbers) => Math.min(...numbers.map(Number)),
  sha256: (text, encoding, key) => {
    const hash = key === undefined ? createHash("sha256") : createHmac("sha256", textOf(key));
    return hash.update(textOf(text)).digest(textOf(encoding) as "hex");
  },
  toCollection: (array, key, value) =>
    Object.fromEntries(list(array).map((one) => [textOf(member(one, textOf(key))), member(one, textOf(value))])),
};
const KEYWORDS: Record<string, () => unknown> = { emptyarray: () => [], uuid: () => randomUUID() };
const OPERATORS: Record<string, (left: unknown, right: unknown) => boolean> = {
  "=": (left, right) => left === right,
  "<": (left, right) => Number(left) < Number(right),
};
const TOKEN = /\s*(?:(?<text>'[^']*')|(?<number>\d+)|(?<name>[A-Za-z_]\w*)|`(?<quoted>[^`]+)`|(?<mark>[().,=<]))/y;

type Token = { kind: "text" | "number" | "name" | "quoted" | "mark"; value: string };

/** Writes a value as text; nothing for one that is missing. */
function textOf(value: unknown): string {
  if (isEmpty(value)) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Renders a template: a text that is one expression becomes its value, any other a text. Objects are rendered inside. */
export function render(template: unknown, scope: Scope): unknown {
  if (Array.isArray(template)) return template.map((one) => render(one, scope));
  if (typeof template === "object" && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, render(value, scope)]));
  }
  if (typeof template !== "string") return template;
  const whole = /^\{\{((?:(?!\}\}).)*)\}\}$/.exec(template);
  if (whole) return evaluate(whole[1] as string, scope);
  return template.replace(/\{\{(.*?)\}\}/g, (_, expression: string) => textOf(evaluate(expression, scope)));
}

/** Removes members without a value, as Make does with those of bodies and query strings. */
export function dropEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(kept.map(([name, one]) => [name, dropEmpty(one)]));
}

/** Evaluates one expression; throws for syntax and functions that are not known here. */
function evaluate(expression: string, scope: Scope): unknown {
  const tokens = readTokens(expression);
  const value = readComparison(tokens, scope);
  if (tokens.length > 0) throw new Error(`${expression} goes on at ${tokens[0]?.value}`);
  return value;
}

function readTokens(expression: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < expression.trimEnd().length) {
    const groups = pattern.exec(expression)?.groups;
    const [kind, value] = Object.entries(groups ?? {}).find(([, one]) => one !== undefined) ?? [];
    if (kind === undefined) throw new Error(`${expression} is not understood`);
    tokens.push({ kind: kind as Token["kind"], value: value as string });
  }
  return tokens;
}

function readComparison(tokens: Token[], scope: Scope): unknown {
  const left = readValue(tokens, scope);
  const operator = tokens[0]?.kind === "mark" ? OPERATORS[tokens[0].value] : undefined;
  if (!operator) return left;
  tokens.shift();
  return operator(left, readValue(tokens, scope));
}

function readValue(tokens: Token[], scope: Scope): unknown {
  const token = tokens.shift();
  if (token?.kind === "text") return token.value.slice(1, -1);
  if (token?.kind === "number") return Number(token.value);
  if (token?.kind !== "name") throw new Error(`${token?.value} is no value`);
  if (tokens[0]?.value === "(") return call(token.value, tokens, scope);
  const keyword = KEYWORDS[token.value];
  let value = keyword ? keyword() : scope[token.value];
  if (!keyword && !(token.value in scope)) throw new Error(`There is no ${token.value} here`);
  while (tokens[0]?.value === ".") {
    tokens.shift();
    value = member(value, tokens.shift()?.value ?? "");
  }
  return value;
}

function call(name: string, tokens: Token[], scope: Scope): unknown {
  const run = FUNCTIONS[name];
  if (!run) throw new Error(`There is no function ${name}`);
  const given: unknown[] = [];
  do {
    tokens.shift();
    given.push(readComparison(tokens, scope));
  } while (tokens[0]?.value === ",");
  if (tokens.shift()?.value !== ")") throw new Error(`${name} is not closed`);
  return run(...given);
}

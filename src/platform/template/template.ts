import { Context, type Emitter, Output, type Template, toValueSync } from "liquidjs";
import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { createEngine } from "./engine.ts";

const MAX_TEMPLATE_CHARACTERS = 100_000;
const ENGLISH = "en-US";
const MAX_TEXT_CHARACTERS = 200_000;
/**
 * Limit on nodes rendered and loops unrolled. A count instead of a time, so that a busy machine never fails a good
 * template.
 */
const MAX_STEPS = 20_000;
const CACHED_TEMPLATES = 500;
const CACHED_CLOCKS = 100;

const engine = createEngine(MAX_TEMPLATE_CHARACTERS);
/**
 * Parsed templates by their text, or the error of those that cannot be parsed. A template that fails with some values
 * may render with others.
 */
const known = new BoundedMap<string, Template[] | TemplateError>(CACHED_TEMPLATES);

/** Options of the engine by language and zone, which are the same for all sessions of a flow. */
const optionsByClock = new BoundedMap<string, typeof engine.options>(CACHED_CLOCKS);

/** Language and clock by which the filter `date` shows moments: English and UTC where absent. */
export interface TemplateClock {
  /** BCP 47. */
  language?: string | undefined;
  /** IANA name. */
  timeZone?: string | undefined;
}

/** A template that cannot be parsed, or that renders too much. */
export class TemplateError extends Error {
  readonly code = "TEMPLATE_INVALID";
  constructor(message: string) {
    super(message);
    this.name = "TemplateError";
  }
}

/**
 * Fills in a Liquid template in one pass: a value that holds `{{ … }}` stays as it is. Unknown variables are empty.
 * There are no files; loops and output are limited. Throws `TemplateError`.
 */
export function renderTemplate(
  template: string,
  variables: Record<string, unknown>,
  globals: object = {},
  clock: TemplateClock = {},
): string {
  if (!template.includes("{{") && !template.includes("{%")) return template;
  const parsed = parseOnce(template);
  if (parsed instanceof TemplateError) throw parsed;
  return render(parsed, variables, globals, clock);
}

/**
 * Returns the outputs of a template that are empty with these variables, such as `{{ company }}`. Outputs with a
 * default are left out. Returns none for a template that cannot be rendered.
 */
export function findUnfilled(template: string, variables: Record<string, unknown>, globals: object = {}): string[] {
  if (!template.includes("{{") || parseOnce(template) instanceof TemplateError) return [];
  // Parsed anew: the outputs of this copy report their values.
  const copy = engine.parse(template);
  const unfilled = new Set<string>();
  watchOutputs(copy, (output) => unfilled.add(output));
  try {
    render(copy, variables, globals);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
  return [...unfilled];
}

function watchOutputs(templates: Template[], onEmpty: (output: string) => void): void {
  for (const template of templates) {
    const children = template.children?.(false, true);
    if (children) watchOutputs(toValueSync(children) as Template[], onEmpty);
    if (!(template instanceof Output)) continue;
    const text = template.token.getText();
    if (/\|\s*default\b/.test(text)) continue;
    const plain = template.render.bind(template);
    template.render = function* (context: Context, emitter: Emitter) {
      const before = emitter.buffer.length;
      yield* plain(context, emitter) as Generator<unknown, void>;
      if (emitter.buffer.length === before) onEmpty(text);
    };
  }
}

function render(
  parsed: Template[],
  variables: Record<string, unknown>,
  globals: object,
  { language = ENGLISH, timeZone = "UTC" }: TemplateClock = {},
): string {
  const text = new LimitedText();
  try {
    const context = new Context(variables, optionsFor(language, timeZone), { sync: true, globals }, { liquid: engine });
    let steps = 0;
    context.renderLimit.check = () => {
      if (++steps > MAX_STEPS) throw new Error("The template takes too many steps.");
    };
    toValueSync(engine.renderer.renderTemplates(parsed, context, text));
  } catch (error) {
    throw new TemplateError(toError(error).message);
  }
  return text.buffer;
}

function optionsFor(language: string, timeZone: string): typeof engine.options {
  return optionsByClock.getOrMake(`${language} ${timeZone}`, () => {
    return { ...engine.options, locale: toLocale(language), timezoneOffset: timeZone };
  });
}

/** Returns English for a tag that only looks like one of BCP 47. */
function toLocale(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? ENGLISH;
  } catch {
    return ENGLISH;
  }
}

/** Returns the reason why a template cannot be parsed; null when it can. */
export function findTemplateFault(template: string): string | null {
  const parsed = parseOnce(template);
  return parsed instanceof TemplateError ? parsed.message : null;
}

function parseOnce(template: string): Template[] | TemplateError {
  return known.getOrMake(template, () => parse(template));
}

function parse(template: string): Template[] | TemplateError {
  if (template.length > MAX_TEMPLATE_CHARACTERS) return new TemplateError("The template is too long.");
  try {
    return engine.parse(template);
  } catch (error) {
    return new TemplateError(toError(error).message);
  }
}

/**
 * Returns the variables that a template shows or loops over, by their first name. Variables with a default or tested
 * with `if` are left out, because they may be missing. Returns none for a template that cannot be parsed.
 */
export function findVariables(template: string): string[] {
  if (!template.includes("{{") && !template.includes("{%")) return [];
  const parsed = parseOnce(template);
  if (parsed instanceof TemplateError) return [];
  const lines = template.split("\n");
  const { globals } = engine.analyzeSync(parsed, { partials: false });
  return Object.entries(globals)
    .filter(([, uses]) => !uses.some(({ location: { row, col } }) => mayBeMissing(lines, row, col)))
    .map(([name]) => name);
}

/** True when the markup around a place, counted from 1, is a test or an output with a default. */
function mayBeMissing(lines: string[], row: number, col: number): boolean {
  const before = [...lines.slice(0, row - 1), (lines[row - 1] ?? "").slice(0, col)].join("\n");
  const rest = [(lines[row - 1] ?? "").slice(col), ...lines.slice(row)].join("\n");
  const output = before.lastIndexOf("{{");
  const tag = before.lastIndexOf("{%");
  const end = rest.indexOf(tag > output ? "%}" : "}}");
  const markup = before.slice(Math.max(output, tag)) + (end < 0 ? "" : rest.slice(0, end));
  return tag > output ? !/^\{%-?\s*for\b/.test(markup) : /\|\s*default\b/.test(markup);
}

/**
 * Returns the text of a template without its markup, for one that cannot be rendered. Runs in time linear in the
 * length.
 */
export function stripMarkup(template: string): string {
  let plain = "";
  let at = 0;
  for (const mark of template.matchAll(/\{[{%]/g)) {
    if (mark.index < at) continue;
    plain += template.slice(at, mark.index);
    const end = template.indexOf(mark[0] === "{{" ? "}}" : "%}", mark.index + 2);
    if (end < 0) return plain.slice(0, MAX_TEXT_CHARACTERS);
    at = end + 2;
  }
  return (plain + template.slice(at)).slice(0, MAX_TEXT_CHARACTERS);
}

class LimitedText implements Emitter {
  buffer = "";

  write(piece: unknown): void {
    this.buffer += toText(piece);
    if (this.buffer.length > MAX_TEXT_CHARACTERS) throw new Error("The template renders too much text.");
  }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(toText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}

import { Context, type Emitter, Liquid, type Template, toValueSync } from "liquidjs";
import { toError } from "#src/kernel/errors.ts";

/** Neither files nor state: output, conditions and loops are what a prompt needs. */
const TAGS = new Set(["if", "unless", "for", "break", "continue"]);
const FILTERS = new Set(
  (
    "default upcase downcase capitalize strip append prepend replace remove truncate split join first last size " +
    "plus minus times divided_by modulo round ceil floor abs date json"
  ).split(" "),
);
const MAX_TEMPLATE_CHARACTERS = 100_000;
const MAX_TEXT_CHARACTERS = 200_000;
/** Pieces of text written, loops unrolled: stops a hostile template at the same place on every machine. */
const MAX_PIECES = 20_000;
const MAX_MEMORY = 1_000_000;
/** Only for loops that write nothing, which the limits above do not see; an ordinary prompt takes well under 1 ms. */
const MAX_RENDER_MS = 250;
const CACHED_TEMPLATES = 500;

const engine = createEngine();
/** Templates by their text, or why they failed: a template that ran into a limit is not tried for every call. */
const known = new Map<string, Template[] | TemplateError>();

/** A template that cannot be parsed, or that renders too much. */
export class TemplateError extends Error {
  readonly code = "TEMPLATE_INVALID";
  constructor(message: string) {
    super(message);
    this.name = "TemplateError";
  }
}

/**
 * A Liquid template filled in, in one pass: a value that holds `{{ … }}` stays as it is. Unknown variables are
 * empty. There are no files; loops and output are limited. Throws `TemplateError`.
 */
export function renderTemplate(template: string, variables: Record<string, unknown>, globals: object = {}): string {
  if (!template.includes("{{") && !template.includes("{%")) return template;
  const parsed = parseOnce(template);
  const text = new LimitedText();
  try {
    const context = new Context(variables, engine.options, { sync: true, globals }, { liquid: engine });
    toValueSync(engine.renderer.renderTemplates(parsed, context, text));
  } catch (error) {
    throw remember(template, new TemplateError(toError(error).message));
  }
  return text.buffer;
}

function parseOnce(template: string): Template[] {
  const parsed = known.get(template) ?? remember(template, parse(template));
  if (parsed instanceof TemplateError) throw parsed;
  return parsed;
}

function parse(template: string): Template[] | TemplateError {
  if (template.length > MAX_TEMPLATE_CHARACTERS) return new TemplateError("The template is too long.");
  try {
    return engine.parse(template);
  } catch (error) {
    return new TemplateError(toError(error).message);
  }
}

function remember<Result extends Template[] | TemplateError>(template: string, result: Result): Result {
  if (known.size >= CACHED_TEMPLATES) known.delete(known.keys().next().value as string);
  known.set(template, result);
  return result;
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    parseLimit: MAX_TEMPLATE_CHARACTERS,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_MEMORY,
    templates: {},
  });
  for (const tag of Object.keys(liquid.tags)) if (!TAGS.has(tag)) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters)) if (!FILTERS.has(filter)) liquid.unregisterFilter(filter);
  return liquid;
}

class LimitedText implements Emitter {
  buffer = "";
  #pieces = 0;

  write(piece: unknown): void {
    this.buffer += toText(piece);
    if (++this.#pieces > MAX_PIECES || this.buffer.length > MAX_TEXT_CHARACTERS) {
      throw new Error("The template renders too much text.");
    }
  }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(toText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}

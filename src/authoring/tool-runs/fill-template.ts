import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import { ToolFailure } from "./tool-failure.ts";
import { followPath, isRecord } from "./values.ts";

/** A text that is one output of a plain path: it stands for the value itself, with its type. */
const ONE_VALUE = /^\s*\{\{-?\s*([A-Za-z_]\w*(?:\.\w+)*)\s*-?\}\}\s*$/;

/** A text with its templates filled in. Throws a ToolFailure for a template that cannot be. */
export function fillText(template: string, variables: Record<string, unknown>): string {
  try {
    return renderTemplate(template, variables);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new ToolFailure("TEMPLATE_INVALID", "A template of the tool cannot be filled in.");
  }
}

/**
 * A JSON value with the templates in its texts filled in. What is filled in is always a value and never becomes syntax;
 * a text that is nothing but `{{ path }}` becomes the value itself, null when there is none.
 */
export function fillJson(template: unknown, variables: Record<string, unknown>): unknown {
  if (typeof template === "string") return fillValue(template, variables);
  if (Array.isArray(template)) return template.map((item) => fillJson(item, variables));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillJson(value, variables)]));
}

function fillValue(template: string, variables: Record<string, unknown>): unknown {
  const path = ONE_VALUE.exec(template)?.[1];
  if (path === undefined) return fillText(template, variables);
  const value = followPath(variables, path);
  if (value !== undefined) return value;
  // Liquid knows more than members, such as `.size`.
  const text = fillText(template, variables);
  return text.trim() === "" ? null : text;
}

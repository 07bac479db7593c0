import { ONE_VARIABLE } from "#src/authoring/tools/one-variable.ts";
import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import { ToolFailure } from "./tool-failure.ts";
import { followPath, isRecord } from "./values.ts";

/** Fills in the templates of a text. Throws a ToolFailure for a template that cannot be filled in. */
export function fillText(template: string, variables: Record<string, unknown>): string {
  try {
    return renderTemplate(template, variables);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new ToolFailure("TEMPLATE_INVALID", "A template of the tool cannot be filled in.");
  }
}

/**
 * Fills in the templates in the texts of a JSON value. A filled-in text is always a value and never becomes syntax; a
 * text that is nothing but `{{ path }}` becomes the value itself, null when there is none.
 */
export function fillJson(template: unknown, variables: Record<string, unknown>): unknown {
  if (typeof template === "string") return fillValue(template, variables);
  if (Array.isArray(template)) return template.map((item) => fillJson(item, variables));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillJson(value, variables)]));
}

/**
 * Returns a filled-in JSON value without nulls: members and items that are null, or whose own members are all null, are
 * left out. Undefined when nothing is left; an empty list or object that was written so stays.
 */
export function omitNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(omitNulls).filter((item) => item !== undefined);
    return items.length > 0 || value.length === 0 ? items : undefined;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [name, omitNulls(member)]);
  const left = members.filter(([, member]) => member !== undefined);
  return left.length > 0 || members.length === 0 ? Object.fromEntries(left) : undefined;
}

function fillValue(template: string, variables: Record<string, unknown>): unknown {
  const path = ONE_VARIABLE.exec(template)?.[1];
  if (path === undefined) return fillText(template, variables);
  const value = followPath(variables, path);
  if (value !== undefined) return value;
  // Liquid paths can be more than members, such as `.size`.
  const text = fillText(template, variables);
  return text.trim() === "" ? null : text;
}

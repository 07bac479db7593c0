import type { ToolFields } from "./tool-fields.ts";

type Address = Pick<ToolFields, "apiUrl" | "networkAllowList">;

const OUTPUT = /\{\{[^{}]*\}\}/g;
/** Stands for the value of an output: a character that no URL holds. */
const VALUE = "\u0001";

/**
 * True when a changed tool may send its stored secrets elsewhere than before: to another origin, or to a host that a
 * template chooses and the tool could not reach so far.
 */
export function isElsewhere(before: Address, after: Address): boolean {
  const target = targetOf(after.apiUrl);
  if (target.text !== targetOf(before.apiUrl).text) return true;
  const known = new Set(before.networkAllowList);
  return target.isTemplate && (after.networkAllowList ?? []).some((host) => !known.has(host));
}

/** Returns the origin of a URL template or, when a template is in its host, its scheme and host as they are written. */
function targetOf(template: string | null | undefined): { text: string | null; isTemplate: boolean } {
  if (!template) return { text: null, isTemplate: false };
  const filled = template.replaceAll(OUTPUT, VALUE);
  const [authority = ""] = /^https?:\/\/[^/?#\\]*/i.exec(filled) ?? [];
  if (!authority.includes(VALUE)) return { text: URL.parse(filled)?.origin ?? filled, isTemplate: false };
  return { text: authority.toLowerCase(), isTemplate: true };
}

import type { Fault } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import { carriesCredential, NOT_KEPT } from "./api-headers.ts";
import { ONE_VARIABLE } from "./one-variable.ts";

/** The JSON body of a tool's request, with templates. */
export type ApiBody = Record<string, unknown>;

/** Words that hold "key" and are no credential. */
const KEYWORD = /keywords?/gi;

/** Masks, for reading, the texts below members whose name suggests a credential, unless they only name a variable. */
export function maskBody(body: ApiBody): ApiBody {
  return replaceSecrets(body, () => MASK);
}

/**
 * Replaces masks that were sent back by the stored texts, each at its own path. A mask without a stored text stays, and
 * so does one in a list whose length has changed, since its members can no longer be matched.
 */
export function restoreBody(sent: ApiBody, stored: ApiBody): ApiBody {
  return replaceSecrets(sent, (text, path) => (text === MASK ? (textAt(sent, stored, path) ?? text) : text));
}

/** Returns a fault for each mask without a stored text. */
export function findBodyFaults(body: ApiBody): Fault[] {
  return collectSecrets(body)
    .filter(({ text }) => text === MASK)
    .map(({ path }) => ({
      path: ["apiBody", ...path].join("."),
      code: "MASK",
      message: NOT_KEPT,
    }));
}

/** Returns the body without its secret texts, and the paths of those. */
export function cutSecrets(body: ApiBody): { body: ApiBody; paths: string[] } {
  const paths = collectSecrets(body).map(({ path }) => ["apiBody", ...path].join("."));
  return { body: replaceSecrets(body, () => undefined), paths };
}

/** Returns the texts of a body that must not be shown. */
export function findBodySecrets(body: unknown): string[] {
  return collectSecrets(body).map(({ text }) => text);
}

interface Secret {
  text: string;
  path: string[];
}

function collectSecrets(body: unknown): Secret[] {
  const found: Secret[] = [];
  replaceSecrets(body, (text, path) => {
    found.push({ text, path });
    return text;
  });
  return found;
}

/**
 * Copies a body with each secret text replaced. Members that become undefined are left out; in a list they become null.
 */
function replaceSecrets<Body>(body: Body, replace: (text: string, path: string[]) => string | undefined): Body {
  const visit = (value: unknown, path: string[], isSecret: boolean): unknown => {
    if (typeof value === "string") {
      // One that only names a variable holds no secret.
      return isSecret && value !== "" && !ONE_VARIABLE.test(value) ? replace(value, path) : value;
    }
    if (Array.isArray(value)) return value.map((item, i) => visit(item, [...path, String(i)], isSecret) ?? null);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      visit(member, [...path, name], isSecret || carriesCredential(name.replace(KEYWORD, ""))),
    ]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return visit(body, [], false) as Body;
}

/** Returns the text at a path of `stored`, while the lists on the way are as long as those of `sent`. */
function textAt(sent: unknown, stored: unknown, path: string[]): string | undefined {
  let [here, there] = [sent, stored];
  for (const name of path) {
    if (typeof there !== "object" || there === null || !Object.hasOwn(there, name)) return undefined;
    if (Array.isArray(there) && !(Array.isArray(here) && here.length === there.length)) return undefined;
    here = (here as ApiBody)[name];
    there = (there as ApiBody)[name];
  }
  return typeof there === "string" ? there : undefined;
}

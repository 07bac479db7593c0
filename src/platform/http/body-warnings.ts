import type { IncomingHttpHeaders } from "node:http";
import {
  explainByUnknown,
  MAX_NAMED,
  type UnknownCheck,
  type UnknownMember,
  type UnknownMembers,
  unknownMembersError,
} from "./unknown-members.ts";

/** Preference that refuses a body with unknown members (RFC 7240, 4.4), as it is sent and as it is confirmed. */
export const STRICT_HANDLING = "handling=strict";

/** Collects the members of a body that have no effect, and adds them to the reply. */
export class BodyWarnings {
  readonly #isStrict: boolean;
  #found: UnknownMembers | null = null;

  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** Looks for unknown members in a body. Throws a 422 that names them when the caller prefers strict handling. */
  inspect(check: UnknownCheck, body: unknown): void {
    this.#add(check(body));
  }

  /** Adds warnings that a route found by its own rules. Throws as `inspect` does. */
  add(warnings: UnknownMember[]): void {
    if (warnings.length > 0) this.#add({ warnings, warningsTotal: warnings.length });
  }

  #add(found: UnknownMembers | null): void {
    if (!found) return;
    const { warnings, warningsTotal } = this.#found ?? { warnings: [], warningsTotal: 0 };
    this.#found = {
      warnings: [...warnings, ...found.warnings].slice(0, MAX_NAMED),
      warningsTotal: warningsTotal + found.warningsTotal,
    };
    if (this.#isStrict) throw unknownMembersError(this.#found);
  }

  /** Returns the error of a route that refused the body, with the members of the body that are unknown. */
  explain(thrown: unknown): unknown {
    return explainByUnknown(thrown, this.#found);
  }

  /** Returns the reply with the warnings among its members; a reply that is not a plain object stays as it is. */
  attach(reply: unknown): unknown {
    return this.#found && isPlainObject(reply) ? { ...reply, ...this.#found } : reply;
  }
}

/** True when the caller prefers a refusal over warnings: `Prefer: handling=strict`. */
export function prefersStrict({ prefer }: IncomingHttpHeaders): boolean {
  if (prefer === undefined) return false;
  const preferences = String(prefer).split(/[,;]/);
  const handling = preferences.map((one) => /^\s*handling\s*=\s*"?(\w+)"?\s*$/i.exec(one)?.[1]?.toLowerCase());
  // A preference that occurs twice counts once, with its first value (RFC 7240, 2).
  return handling.find((value) => value !== undefined) === "strict";
}

function isPlainObject(value: unknown): value is object {
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}

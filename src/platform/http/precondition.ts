import { isDeepStrictEqual } from "node:util";
import { AppError } from "#src/platform/kernel/errors.ts";
import { anyObject, nullable, TimestampInput, Type } from "./schemas.ts";

/** Fault code of a write that was refused because somebody else saved first. */
export const STALE = "STALE";

/** Query of a change that must not overwrite a concurrent one. */
export const ifUpdatedAtQuery = {
  ifUpdatedAt: Type.Optional(
    Type.Unsafe<string>({
      ...TimestampInput,
      description:
        "updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.",
    }),
  ),
};

/** Value of `ifUpdatedAt` for something that was not stored when it was read. */
export const NOT_STORED = "null";

/** `ifUpdatedAtQuery` of a write that creates or changes: `null` means that nothing was stored at the read. */
export const ifUpdatedAtOrNewQuery = {
  ifUpdatedAt: Type.Optional(
    Type.Unsafe<string>({
      anyOf: [TimestampInput, { type: "string", enum: [NOT_STORED] }],
      description:
        "updatedAt as the caller read it, null included: 409 when something was saved since. Unset: the change is made anyway.",
    }),
  ),
};

/** Member of a body for settings without an `updatedAt`; the precondition is the settings themselves. */
export const ifUnchangedBody = {
  before: Type.Optional(
    anyObject(
      "Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made anyway.",
    ),
  ),
};

/** Returns a 409 for a concurrent save. */
export function staleError(message: string): AppError {
  return new AppError("CONFLICT", message, [{ path: "", code: STALE, message }]);
}

/** Throws a 409 when something was saved since the caller read it. Checks nothing when the caller names no time. */
export function assertUnchanged(updatedAt: Date, ifUpdatedAt: string | undefined): void {
  if (ifUpdatedAt === undefined || new Date(ifUpdatedAt).getTime() === updatedAt.getTime()) return;
  throw staleError(`Something was saved at ${updatedAt.toISOString()}, after what this change is based on.`);
}

/** Member of a body for a part of it that may be new: the precondition is its version, 0 for none. */
export const ifVersionBody = {
  ifVersion: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: "Version as the caller read it, 0 for none: 409 when it is another by now. Unset: any version.",
      }),
    ),
  ),
};

/** Throws a 409 unless the version is the one that the caller read. Checks nothing when the caller names none. */
export function assertVersion(what: string, version: number, ifVersion: number | null | undefined): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === version) return;
  if (version === 0) throw staleError(`${what} was deleted meanwhile.`);
  if (ifVersion === 0) throw staleError(`${what} exists already, in version ${version}.`);
  throw staleError(`${what} was changed meanwhile: it has version ${version}, not ${ifVersion}.`);
}

/** Throws a 409 when a setting differs from the caller's reading. Checks nothing when the caller names none. */
export function assertBefore(stored: object, before: Record<string, unknown> | undefined): void {
  if (before === undefined) return;
  const now = toPlain(stored);
  const changed = Object.entries(before).find(([name, value]) => !isDeepStrictEqual(now[name] ?? null, toPlain(value)));
  if (changed === undefined) return;
  throw staleError(`${changed[0]} was changed after what this change is based on.`);
}

/** Converts a value as JSON does: undefined members are left out. */
function toPlain(value: object): Record<string, unknown>;
function toPlain(value: unknown): unknown;
function toPlain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

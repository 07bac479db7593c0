import { isDeepStrictEqual } from "node:util";
import { AppError } from "#src/platform/kernel/errors.ts";
import { anyObject, TimestampInput, Type } from "./schemas.ts";

/** Code of the fault that a refused write names when somebody else saved first. */
export const STALE = "STALE";

/** Query of a change that must not undo what somebody else saved meanwhile. */
export const ifUpdatedAtQuery = {
  ifUpdatedAt: Type.Optional(
    Type.Unsafe<string>({
      ...TimestampInput,
      description:
        "updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.",
    }),
  ),
};

/** What `ifUpdatedAt` says of something that was not stored when it was read. */
export const NOT_STORED = "null";

/** `seenQuery` of a write that makes or changes: `null` says that there was nothing when the caller looked. */
export const ifUpdatedAtOrNewQuery = {
  ifUpdatedAt: Type.Optional(
    Type.Unsafe<string>({
      anyOf: [TimestampInput, { type: "string", enum: [NOT_STORED] }],
      description:
        "updatedAt as the caller read it, null included: 409 when something was saved since. Unset: the change is made anyway.",
    }),
  ),
};

/** Member of a body for settings that have no time of their own; does what `seenQuery` does. */
export const ifUnchangedBody = {
  before: Type.Optional(
    anyObject(
      "Settings as the caller read them: 409 when one of these has another value by now. Unset: the change is made anyway.",
    ),
  ),
};

/** 409 that tells of somebody else's save. */
export function staleError(message: string): AppError {
  return new AppError("CONFLICT", message, [{ path: "", code: STALE, message }]);
}

/** 409 when something was saved since the caller read it; nothing to check when the caller names no time. */
export function assertUnchanged(updatedAt: Date, ifUpdatedAt: string | undefined): void {
  if (ifUpdatedAt === undefined || new Date(ifUpdatedAt).getTime() === updatedAt.getTime()) return;
  throw staleError(`Something was saved at ${updatedAt.toISOString()}, after what this change is based on.`);
}

/** 409 when a setting is another one than the caller read; nothing to check when the caller names none. */
export function assertBefore(stored: object, before: Record<string, unknown> | undefined): void {
  if (before === undefined) return;
  const now = toPlain(stored);
  const changed = Object.entries(before).find(([name, value]) => !isDeepStrictEqual(now[name] ?? null, toPlain(value)));
  if (changed === undefined) return;
  throw staleError(`${changed[0]} was changed after what this change is based on.`);
}

/** As JSON tells it: a member that is undefined is not there. */
function toPlain(value: object): Record<string, unknown>;
function toPlain(value: unknown): unknown;
function toPlain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

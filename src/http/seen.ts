import { AppError } from "#src/kernel/errors.ts";
import { TimestampInput, Type } from "./schemas.ts";

/** Query of a change that must not undo what somebody else saved meanwhile. */
export const seenQuery = {
  ifUpdatedAt: Type.Optional(
    Type.Unsafe<string>({
      ...TimestampInput,
      description:
        "updatedAt as the caller read it: 409 when something was saved since. Unset: the change is made anyway.",
    }),
  ),
};

/** 409 when something was saved since the caller read it; nothing to check when the caller names no time. */
export function assertSeen(updatedAt: Date, ifUpdatedAt: string | undefined): void {
  if (ifUpdatedAt === undefined || new Date(ifUpdatedAt).getTime() === updatedAt.getTime()) return;
  throw new AppError(
    "CONFLICT",
    `Something was saved at ${updatedAt.toISOString()}, after what this change is based on.`,
  );
}

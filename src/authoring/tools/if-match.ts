import type { IncomingHttpHeaders } from "node:http";
import { Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";

const HEADER = "If-Match";

/** The header, for the OpenAPI document. */
export const IfMatchHeader = {
  [HEADER]: Type.Optional(
    Type.String({
      description: '(extension) A version, such as "3": 409 when the tool was changed since. Unset or *: any version.',
    }),
  ),
};

/** Reads the version that a change was made for; null when any will do. 400 for a text that is no version. */
export function readIfMatch(headers: IncomingHttpHeaders): number | null {
  const text = headers[HEADER.toLowerCase()];
  if (typeof text !== "string" || text.trim() === "*" || text.trim() === "") return null;
  const [, digits] = /^\s*"?(\d{1,9})"?\s*$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  const message = 'must be a version, such as "3".';
  throw new AppError("INVALID_HEADER", `${HEADER} ${message}`, [{ path: HEADER, code: "FORMAT", message }]);
}

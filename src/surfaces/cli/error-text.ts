import { ApiError, ConnectionError } from "@parley/sdk/errors";
import { CliError, OperatorError } from "./exit-codes.ts";
import { printable } from "./table.ts";

/** Returns an error as a person reads it: the message, the faults that it does not name, and the request's id. */
export function messageOf(error: Error): string {
  if (error instanceof ConnectionError) return `${error.message} Is the server running? Start it with: npm start`;
  // Several faults of one file are printed one per line.
  const lines = error instanceof CliError ? error.message.split("\n").map(printable) : [printable(error.message)];
  const { details, requestId } = error as { details?: { path?: string; message?: string }[]; requestId?: string };
  for (const detail of details ?? []) {
    const text = printable(`${detail.path ?? ""}: ${detail.message ?? ""}`);
    if (!error.message.includes(detail.message ?? "")) lines.push(`  ${text}`);
  }
  if (requestId !== undefined) lines.push(`  request ${printable(requestId)}`);
  return lines.join("\n");
}

/** Returns the parts of an error that programs read. */
export function factsOf(error: Error): object {
  if (error instanceof ApiError) {
    const { error: title, code, details, requestId, status } = error;
    return { error: title, code, details, requestId, status };
  }
  if (error instanceof OperatorError)
    return { error: error.name, code: error.code, details: error.details, status: error.status };
  return { error: error.name };
}

/** True for an error whose message is enough; another is a fault of the program. */
export function isExpected(error: Error): boolean {
  return (
    error instanceof CliError ||
    error instanceof OperatorError ||
    error instanceof ApiError ||
    error instanceof ConnectionError
  );
}

import { ApiError, ConnectionError, NotFoundError } from "@parley/sdk/errors";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { nameAsTyped } from "./as-typed.ts";
import { CliError, OperatorError } from "./exit-codes.ts";
import { HOW_TO_START } from "./server-address.ts";
import type { System } from "./system.ts";
import { printable } from "./table.ts";

/** The API's message about a flow that is not there, without a similar name. */
const NO_FLOW = /^Flow \S+ does not exist in this workspace\.$/;

/** The API's message about an id in a path that the workspace does not have. */
const NOT_THERE = /^Not found: /;

/** The API's message about a flow whose draft is asked for while it has none. */
const NO_DRAFT = /^A draft of flow \S+ does not exist in this workspace\.$/;

/** Returns what happened and what to do next, with commands as the person types them. */
export function messageOf(error: Error, env: System["env"]): string {
  // Several faults of one file are printed one per line.
  if (error instanceof CliError) return nameAsTyped(error.message.split("\n").map(printable).join("\n"), env);
  return `${printable(error.message)}${nameAsTyped(adviceOn(error), env)}`;
}

/** Commands that list the ids which a path's member may be. */
const LISTS: Record<string, string> = { rowId: "calls list", jobId: "jobs list", flowId: "flow list" };

function adviceOn(error: Error): string {
  if (error instanceof ApiError && error.status === 400) {
    const list = LISTS[faultsOf(error)[0]?.path ?? ""];
    return list === undefined ? "" : ` parley ${list} shows the ids.`;
  }
  const [fault] = faultsOf(error);
  if (fault?.code === "NO_DEFAULT_FLOW" || fault?.code === "NO_DEFAULT_NUMBER") {
    return " Where the server runs: parley workspace update --help. A workspace made with --sample has both.";
  }
  if (error instanceof NotFoundError && NO_FLOW.test(error.message)) {
    return " parley flow list shows those there are.";
  }
  if (error instanceof NotFoundError && NO_DRAFT.test(error.message)) {
    return " Leave out --draft to take what is published; parley flow push makes a draft.";
  }
  if (error instanceof NotFoundError && NOT_THERE.test(error.message)) {
    return " parley calls list, jobs list and flow list show the ids.";
  }
  if (!(error instanceof ConnectionError)) return "";
  const code = codeOf((error.cause as Error | undefined)?.cause);
  return code === "ENOTFOUND" || code === "EAI_AGAIN"
    ? " The host is unknown here: correct it in PARLEY_URL or in the profile that names it."
    : ` Is the server running? ${HOW_TO_START}`;
}

/** Returns an error as a person reads it: the message, the faults that it does not name, and the request's id. */
export function textOf(error: Error, env: System["env"]): string {
  const lines = [messageOf(error, env)];
  const { requestId } = error as { requestId?: string };
  for (const detail of faultsOf(error)) {
    const text = printable(`${detail.path ?? ""}: ${detail.message ?? ""}`);
    if (!error.message.includes(detail.message ?? "")) lines.push(`  ${text}`);
  }
  if (requestId !== undefined) lines.push(`  request ${printable(requestId)}`);
  return lines.join("\n");
}

/** Returns the faults that the API or the operator's socket names. */
export function faultsOf(error: Error): { path?: string; code?: string; message?: string }[] {
  return (error as { details?: { path?: string; code?: string; message?: string }[] }).details ?? [];
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

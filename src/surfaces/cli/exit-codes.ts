import { ApiError, ConnectionError } from "@parley/sdk/errors";
import { CommanderError } from "commander";

/** Exit codes of commands, for scripts. */
export const EXIT = {
  OK: 0,
  ERROR: 1,
  USAGE: 2,
  AUTH: 3,
  NOT_FOUND: 4,
  RATE_LIMITED: 5,
  /** The watched call or job ended, but not everything in it succeeded. */
  ENDED_WITH_FAILURES: 6,
  SERVER: 7,
  /** 128 + SIGINT, as in shells. */
  INTERRUPTED: 130,
} as const;

/** An error whose message is enough for its reader; no stack is shown. */
export class CliError extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An error answer of the server's operator interface. */
export class OperatorError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: unknown[];
  constructor(status: number, message: string, code: string | undefined, details: unknown[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Codes of faults in one value of a request, which came from the command line or from a file. */
const WRONG_VALUE = new Set([
  ..."TYPE FORMAT RANGE LENGTH REQUIRED NOT_ALLOWED UNKNOWN UNKNOWN_FIELD URL TEMPLATE".split(" "),
  ..."MINIMUM MAXIMUM MINLENGTH MAXLENGTH MINITEMS MAXITEMS".split(" "),
  ..."ENCODING NUL_CHARACTER COLUMN_COUNT JSON".split(" "),
  ..."EMPTY MISSING_COLUMN DUPLICATE_COLUMN COLUMN_NAME TOO_MANY_COLUMNS E164 EMAIL TIME_ZONE TOO_LARGE".split(" "),
]);

/** Returns the exit code of an error that a command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE;
  if (error instanceof ConnectionError) return EXIT.SERVER;
  if (error instanceof ApiError || error instanceof OperatorError)
    return isWrongValue(error) ? EXIT.USAGE : exitCodeOfStatus(error.status);
  return EXIT.ERROR;
}

/** True when every fault is a value that no server would take, rather than one that the state of things forbids. */
function isWrongValue({ status, details }: ApiError | OperatorError): boolean {
  const codes = (details as { code?: string }[]).map(({ code }) => code ?? "");
  return (
    (status === 400 || status === 422) &&
    codes.length > 0 &&
    codes.every((code) => WRONG_VALUE.has(code) || code.startsWith("CSV_"))
  );
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return EXIT.AUTH;
  if (status === 404) return EXIT.NOT_FOUND;
  if (status === 429) return EXIT.RATE_LIMITED;
  return status >= 500 ? EXIT.SERVER : EXIT.ERROR;
}

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

/** Returns the exit code of an error that a command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE;
  if (error instanceof ConnectionError) return EXIT.SERVER;
  if (error instanceof ApiError || error instanceof OperatorError) return exitCodeOfStatus(error.status);
  return EXIT.ERROR;
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return EXIT.AUTH;
  if (status === 404) return EXIT.NOT_FOUND;
  if (status === 429) return EXIT.RATE_LIMITED;
  return status >= 500 ? EXIT.SERVER : EXIT.ERROR;
}

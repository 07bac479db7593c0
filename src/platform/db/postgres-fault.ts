import { codeOf, toError } from "#src/platform/kernel/errors.ts";

export type PostgresFaultCode =
  | "PLATFORM_UNSUPPORTED"
  | "BINARIES_MISSING"
  | "NO_IDENTITY"
  | "WRONG_OWNER"
  | "WRONG_VERSION"
  | "FOLDER_NOT_WRITABLE"
  | "DISK_FULL"
  | "START_FAILED"
  | "START_TIMEOUT"
  | "STOP_FAILED";

const WAY_OUT = "Or set DATABASE_URL to a PostgreSQL 15 or newer of your own.";

/** The embedded database cannot run. The message is for the operator: the cause, then what to do. */
export class PostgresFault extends Error {
  readonly code: PostgresFaultCode;

  constructor(code: PostgresFaultCode, message: string) {
    super(`${message} ${WAY_OUT}`);
    this.name = "PostgresFault";
    this.code = code;
  }
}

/** Turns an error of the file system below `path` into a fault. */
export function folderFault(path: string, thrown: unknown): PostgresFault {
  if (thrown instanceof PostgresFault) return thrown;
  const code = codeOf(thrown) ?? "";
  if (["ENOSPC", "EDQUOT"].includes(code)) return diskFull(path);
  if (["EACCES", "EPERM", "EROFS"].includes(code)) {
    return new PostgresFault(
      "FOLDER_NOT_WRITABLE",
      `The embedded database cannot write to ${path} (${code}). Give this user the folder, or point DATA_DIR at another.`,
    );
  }
  return new PostgresFault("START_FAILED", `The embedded database cannot use ${path}: ${toError(thrown).message}.`);
}

/** Turns the output of `initdb` or `postgres`, printed before it gave up, into a fault. */
export function outputFault(program: string, path: string, output: string): PostgresFault {
  if (/No space left on device|Disk quota exceeded|Check free disk space/i.test(output)) return diskFull(path);
  if (/Permission denied|Read-only file system/i.test(output)) {
    return new PostgresFault(
      "FOLDER_NOT_WRITABLE",
      `The embedded database cannot write to ${path}. Give this user the folder, or point DATA_DIR at another. ${said(program, output)}`,
    );
  }
  return new PostgresFault("START_FAILED", `The embedded database did not start. ${said(program, output)}`);
}

function diskFull(path: string): PostgresFault {
  return new PostgresFault(
    "DISK_FULL",
    `The disk that holds ${path} is full. Free some space (an empty database takes 40 MB) and start again.`,
  );
}

function said(program: string, output: string): string {
  const lines = output.trim().split("\n").slice(-4).join(" | ");
  return lines === "" ? `${program} said nothing.` : `${program} said: ${lines}`;
}

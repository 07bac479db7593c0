/**
 * Fields of a log line, one line of JSON on standard error. Messages are constant sentences; variable parts go into
 * fields.
 */
export type LogFields = Record<string, unknown> & { pii?: Record<string, unknown> };

/** The log of every module. `pii` fields (numbers, names, speech) are dropped. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const;
export type LogLevel = keyof typeof LEVELS;

/** True for a word that `createLog` takes as its level. */
export function isLogLevel(text: string): text is LogLevel {
  return Object.hasOwn(LEVELS, text);
}

/** Returns a log that writes lines of `level` and above through `write` (default: standard error). */
export function createLog(level: LogLevel, write: (line: string) => void = toStandardError): Log {
  const at =
    (name: "debug" | "info" | "warn" | "error") =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS[name] < LEVELS[level]) return;
      const { pii: _pii, ...rest } = fields;
      write(JSON.stringify({ time: new Date().toISOString(), level: name, message, ...plain(rest) }));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

function plain(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? { message: value.message, stack: value.stack } : value,
    ]),
  );
}

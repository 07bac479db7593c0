import { readdirSync } from "node:fs";
import { OutageLines, type Outages } from "./outage-lines.ts";

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

/** One line, as it was written. `room` is the room whose source wrote it. */
export interface LogLine extends Record<string, unknown> {
  time: string;
  level: LogLevel;
  room?: string;
  message: string;
}

/** The log of a process, whose lines a listener may follow. */
export interface ProcessLog extends Log {
  /** Sets the listener to lines, after they were written. */
  onLine(listener: (line: LogLine) => void): void;
  /** Has the lines of outages counted from now on (`OutageLines`). Returns what to call whenever it answers. */
  collapse(outages: Outages): () => void;
}

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const;
export type LogLevel = keyof typeof LEVELS;

/** Levels of a log: one for all lines, and others for the lines of single folders of the source. */
export interface LogLevels {
  level: LogLevel;
  folders: Record<string, LogLevel>;
}

/** True for a word that `createLog` takes as its level. */
export function isLogLevel(text: string): text is LogLevel {
  return Object.hasOwn(LEVELS, text);
}

/** Folder of the rooms' groups, as Node names it in a stack. */
const SOURCES = new URL("../../", import.meta.url);

/** The one room outside of a group. */
const APP = "app";

/** Returns the names of the source's folders: groups, rooms and the folders in them. */
export function listSourceFolders(): string[] {
  const entries = readdirSync(SOURCES, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * Returns a log that writes lines of its level and above through `write` (default: standard error). A line belongs to
 * the folder of the source that wrote it, so nobody has to hand each room a log of its own; the level of the innermost
 * folder counts.
 */
export function createLog(levels: LogLevel | LogLevels, write: (line: string) => void = toStandardError): ProcessLog {
  const { level, folders } = typeof levels === "string" ? { level: levels, folders: {} } : levels;
  const ranks = new Map(Object.entries(folders).map(([name, one]) => [name, LEVELS[one]]));
  const lowest = Math.min(LEVELS[level], ...ranks.values());
  let listener: ((line: LogLine) => void) | undefined;
  const outages: OutageLines[] = [];
  const at = (name: "debug" | "info" | "warn" | "error") => {
    const log = (message: string, fields: LogFields = {}): void => {
      if (LEVELS[name] < lowest) return;
      const path = findCaller(log);
      if (LEVELS[name] < (ranks.get(path.findLast((folder) => ranks.has(folder)) ?? "") ?? LEVELS[level])) return;
      if (!outages.every((each) => each.passes(message, fields.error))) return;
      const { pii: _pii, ...rest } = fields;
      const room = path[0] === APP ? APP : path[1];
      const line = { time: new Date().toISOString(), level: name, ...(room ? { room } : {}), message, ...plain(rest) };
      write(JSON.stringify(line));
      listener?.(line);
    };
    return log;
  };
  const methods = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const collapse = (given: Outages) => {
    const lines = new OutageLines(given, methods.warn);
    outages.push(lines);
    return () => lines.answered();
  };
  return { ...methods, onLine: (given) => void (listener = given), collapse };
}

/** Returns the folders of the source that called `log`, the outermost first; none for a caller outside of it. */
function findCaller(log: (message: string) => void): string[] {
  const site: { stack?: string } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(site, log);
  Error.stackTraceLimit = stackTraceLimit;
  const [, path = ""] = (site.stack ?? "").split(SOURCES.href);
  return path.split("/").slice(0, -1);
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

import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { CallOutcome } from "#src/telephony/carriers/carrier.ts";
import { nextTurn } from "./call-clock.ts";
import { removePeople } from "./ledger-people.ts";

/** One fact about an attempt; lines are in order of their occurrence. `at` is ISO 8601 UTC. */
export interface LedgerLine {
  at: string;
  attemptId: string;
  /** Empty for REFUSED and BARRED, which have no call. */
  providerCallId: string;
  from: string;
  /** E.164; empty for BARRED, and everywhere in a ledger that keeps no numbers of people. */
  to: string;
  attemptNumber: number;
  event: "ACCEPTED" | "RING" | "ANSWER" | "END" | "REFUSED" | "BARRED";
  /** With END and REFUSED. */
  outcome?: CallOutcome;
  /** With ANSWER. */
  answeredBy?: AnsweredBy;
  /** With END. */
  hungUpBy?: "CUSTOMER" | "AGENT" | "CARRIER";
  sipCode?: number | null;
  reason?: string;
}

export interface LedgerOptions {
  /** Undefined: nothing is kept beyond this process. */
  path?: string | undefined;
  /** Flushes lines to the disk, not only to the system's cache, before `append` resolves. */
  fsync?: boolean | undefined;
  /**
   * Leaves the numbers of people out of the lines, so that an erasure has nothing to search here. Numbers in files of
   * earlier versions are removed when the ledger opens. An attempt is known by its id, which leads to its call.
   */
  omitsPeople?: boolean | undefined;
  log?: Log | undefined;
  /** Sizes in bytes, for tests. */
  rotateAt?: number | undefined;
  readBack?: number | undefined;
}

const ROTATE_AT = 64 * 1024 * 1024;
const READ_BACK = 16 * 1024 * 1024;

/** Lines read back at start. `complete` is false when older lines exist that were not read. */
export interface ReadBack {
  lines: LedgerLine[];
  complete: boolean;
}

/**
 * The exchange's append-only ledger. All lines of one turn of the event loop are written together, and lines that
 * arrive during a write are written together next, so a slow disk makes larger writes and not a longer queue.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #file: FileHandle | undefined;
  #size = 0;
  #lines: string[] = [];
  #next: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** True when the last write failed half-way: the next one begins on a new line. */
  #torn = false;

  private constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Opens (or creates) the file and reads its end back. Lines torn by a crash are skipped. */
  static async open(options: LedgerOptions): Promise<{ ledger: Ledger; readBack: ReadBack }> {
    const ledger = new Ledger(options);
    if (options.path === undefined) return { ledger, readBack: { lines: [], complete: true } };
    await mkdir(dirname(options.path), { recursive: true });
    if (options.omitsPeople) for (const file of ledgerFiles(options.path)) await removePeople(file);
    const end = await readEnd(options.path, options.readBack ?? READ_BACK);
    ledger.#torn = !end.text.endsWith("\n");
    await ledger.#openFile(options.path);
    return { ledger, readBack: { lines: parseLines(end.text), complete: end.complete } };
  }

  /** Writes a line; resolves when it is written (and synced, if so opened), rejects when it cannot be. */
  append(line: LedgerLine): Promise<void> {
    if (!this.#file) return Promise.resolve();
    this.#lines.push(`${JSON.stringify(this.#options.omitsPeople ? { ...line, to: "" } : line)}\n`);
    if (!this.#next) {
      this.#next = this.#flush();
      this.#next.catch((error: unknown) => {
        this.#options.log?.error("The sandbox ledger cannot be written.", { error: toError(error).message });
      });
    }
    return this.#next;
  }

  /** Writes the remaining lines and closes the file. */
  async close(): Promise<void> {
    while (this.#next) await this.#next.catch(() => undefined);
    await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #flush(): Promise<void> {
    await nextTurn();
    await this.#writing;
    const text = (this.#torn ? "\n" : "") + this.#lines.join("");
    this.#lines = [];
    this.#next = undefined;
    const writing = this.#write(text);
    this.#writing = writing.catch(() => undefined);
    await writing;
  }

  async #write(text: string): Promise<void> {
    this.#torn = true;
    await this.#file?.appendFile(text);
    this.#torn = false;
    if (this.#options.fsync) await this.#file?.datasync();
    this.#size += Buffer.byteLength(text);
    if (this.#size < (this.#options.rotateAt ?? ROTATE_AT) || this.#options.path === undefined) return;
    const full = this.#file;
    await rename(this.#options.path, oldPath(this.#options.path));
    await this.#openFile(this.#options.path);
    await full?.close();
  }

  async #openFile(path: string): Promise<void> {
    this.#file = await open(path, constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY, 0o600);
    this.#size = (await this.#file.stat()).size;
  }
}

/** Returns the files of a ledger, oldest first; the first exists only after a rotation. */
export function ledgerFiles(path: string): [string, string] {
  return [oldPath(path), path];
}

function oldPath(path: string): string {
  return `${path}.1`;
}

async function readEnd(path: string, bytes: number): Promise<{ text: string; complete: boolean }> {
  const current = await readFileEnd(path, bytes);
  const old = await readFileEnd(oldPath(path), Math.max(0, bytes - current.text.length));
  // A rotation replaces an older file, so from the first rotation on older lines may be missing.
  return { text: `${old.text}\n${current.text}`, complete: current.complete && !old.exists };
}

async function readFileEnd(path: string, bytes: number): Promise<{ text: string; complete: boolean; exists: boolean }> {
  let size: number;
  try {
    size = (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { text: "", complete: true, exists: false };
    throw error;
  }
  const length = Math.min(size, bytes);
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, size - length);
    const text = buffer.toString("utf8", 0, bytesRead);
    // A cut inside a line leaves a torn line, which is dropped here.
    const whole = length < size ? text.slice(text.indexOf("\n") + 1) : text;
    return { text: whole, complete: length === size, exists: true };
  } finally {
    await file.close();
  }
}

function parseLines(text: string): LedgerLine[] {
  const lines: LedgerLine[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      lines.push(JSON.parse(line) as LedgerLine);
    } catch {
      // Torn by a crash in the middle of a write: its dial was never answered.
      continue;
    }
  }
  return lines;
}

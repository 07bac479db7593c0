import { ConnectionError } from "@parley/sdk/errors";
import { CommanderError } from "commander";
import { toError } from "#src/platform/kernel/errors.ts";
import { nameAsTyped } from "./as-typed.ts";
import { factsOf, faultsOf, isExpected, messageOf, textOf } from "./error-text.ts";
import { CliError, EXIT, exitCodeOf } from "./exit-codes.ts";
import type { Style, System } from "./system.ts";
import type { withThrowAwayServer } from "./throw-away-server.ts";

/** Loads what starts a temporary server. */
export type LoadServer = () => Promise<typeof withThrowAwayServer>;

/** Options that every command takes. */
export interface GlobalOptions {
  json?: boolean;
  quiet?: boolean;
  /** Path of a profile file. */
  profile?: string;
}

/** One run of the program: its output and its exit code. */
export class Run {
  readonly system: System;
  exitCode: number = EXIT.OK;
  /** Source of the API key, once a command has one. */
  credential: string | undefined;
  /** The command's options by the field of the API that each sets, such as `retryConfig.retryOn`: `--retry-on`. */
  optionOf: Readonly<Record<string, string>> = {};
  readonly #loadServer: LoadServer | undefined;
  #options: GlobalOptions = {};

  /** Without `loadServer` the program has no server to start. */
  constructor(system: System, loadServer?: LoadServer) {
    this.system = system;
    this.#loadServer = loadServer;
  }

  /** Returns what starts a temporary server. Throws where the program has none. */
  async loadServer(): ReturnType<LoadServer> {
    if (this.#loadServer) return this.#loadServer();
    throw new CliError(EXIT.USAGE, "A temporary server is started in the server's checkout: run this command there.");
  }

  /** Sets the options once they have been read. */
  configure(options: GlobalOptions): void {
    this.#options = options;
  }

  get options(): GlobalOptions {
    return this.#options;
  }

  /** Prints data: one line of JSON with --json, else the text. */
  async print(value: unknown, text: string): Promise<void> {
    await this.system.writeOut(this.#options.json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  }

  /** Prints useful information for a person; not with --quiet. */
  note(text: string): void {
    if (!this.#options.quiet) this.system.writeErr(`${text}\n`);
  }

  /** Prints a suggestion for the next step; not with --json. */
  hint(text: string): void {
    if (this.#options.json) return;
    this.note(this.system.style("dim", nameAsTyped(text, this.system.env), "ERR"));
  }

  /** Prints information that a person must have, even with --quiet. */
  warn(text: string): void {
    this.system.writeErr(`${this.paint("yellow", "warning")} ${nameAsTyped(text, this.system.env)}\n`);
  }

  /** Prints the error of a command; one line of JSON with --json. */
  report(thrown: unknown): void {
    // Commander has already printed the error.
    if (thrown instanceof CommanderError) return;
    const error = toError(thrown);
    const exitCode = exitCodeOf(error);
    const credential = exitCode === EXIT.AUTH ? this.credential : undefined;
    if (this.#options.json) {
      const message = messageOf(error, this.system.env);
      const facts = { ...factsOf(error), message, credential, exitCode };
      this.system.writeErr(`${JSON.stringify(facts)}\n`);
      return;
    }
    const label = exitCode === EXIT.INTERRUPTED ? "" : `${this.paint("red", "error")} `;
    this.system.writeErr(`${label}${textOf(error, this.system.env)}\n`);
    for (const [field, option] of Object.entries(this.optionOf)) {
      if (faultsOf(error).some(({ path }) => isAt(path, field)))
        this.system.writeErr(`  ${field} is ${option} here.\n`);
    }
    if (credential !== undefined) {
      const advice = nameAsTyped("Where the server runs, parley key create makes another.", this.system.env);
      this.system.writeErr(`  The key is from ${credential}. ${advice}\n`);
    }
    if (!isExpected(error) && this.system.env.PARLEY_DEBUG) this.system.writeErr(`${error.stack}\n`);
  }

  /** Colours text for standard error. */
  paint(style: Style, text: string): string {
    return this.system.style(style, text, "ERR");
  }
}

/** True for a field, or an item of it. */
function isAt(path: string | undefined, field: string): boolean {
  return path === field || path?.startsWith(`${field}.`) === true;
}

/**
 * Runs work that only observes, so that Ctrl-C ends the command but not the observed work: the signal passed to `work`
 * aborts, and the run ends with 130 and `farewell`, which says how to come back.
 */
export async function detachable<T>(
  system: System,
  farewell: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const release = system.onInterrupt(() => stop.abort(new CliError(EXIT.INTERRUPTED, farewell)));
  try {
    return await work(stop.signal);
  } finally {
    release();
  }
}

/**
 * Follows something that goes on without the command, such as `the job`. Whoever leaves it, or loses the server, reads
 * with which command to come back.
 */
export async function follow<T>(
  run: Run,
  what: string,
  command: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const comeBack = `Come back with: ${command}`;
  try {
    return await detachable(run.system, `Detached; ${what} goes on. ${comeBack}`, work);
  } catch (error) {
    if (error instanceof ConnectionError) run.warn(`The server is lost, but ${what} is kept there. ${comeBack}`);
    throw error;
  }
}

import { once } from "node:events";
import { styleText } from "node:util";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** The machine's facilities that the command line uses, passed in so that tests can observe them. */
export interface System {
  env: Record<string, string | undefined>;
  /** Writes to standard output: data only. Resolves when there is room for more. */
  writeOut(text: string): Promise<void>;
  /** Writes to standard error: everything else. */
  writeErr(text: string): void;
  /** True when standard error is a terminal, which may be redrawn. */
  isTerminal: boolean;
  /** True when a person can answer questions. */
  canAsk: boolean;
  columns(): number;
  ask(question: string): Promise<string>;
  /** Asks for input that is not shown while it is typed. */
  askSecret(question: string): Promise<string>;
  /** Lines that are typed or piped in, to the end or until the signal aborts; the prompt is for people. */
  readLines(prompt: string, signal?: AbortSignal): AsyncIterable<string>;
  /** Calls `handler` on Ctrl-C and `kill`, until the returned function is called. */
  onInterrupt(handler: () => void): () => void;
  nowMs(): number;
  /** Colours where the stream and NO_COLOR or FORCE_COLOR allow it. */
  style(style: Style, text: string, stream: "OUT" | "ERR"): string;
}

// Without SIGHUP: who listens for it takes nohup its meaning.
const INTERRUPTS = ["SIGINT", "SIGTERM"] as const;

/** Returns the real machine. */
export function createSystem(): System {
  process.stdout.on("error", leaveClosedPipe);
  process.stderr.on("error", bearClosedPipe);
  return {
    env: process.env,
    writeOut: async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    },
    writeErr: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true && process.env.TERM !== "dumb",
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    columns: () => process.stderr.columns || 80,
    ask: askOnTerminal,
    askSecret: askUnseen,
    readLines,
    onInterrupt: (handler) => {
      for (const signal of INTERRUPTS) process.on(signal, handler);
      return () => INTERRUPTS.forEach((signal) => process.off(signal, handler));
    },
    nowMs: () => Date.now(),
    style: (style, text, stream) =>
      styleText(style, text, { stream: stream === "OUT" ? process.stdout : process.stderr }),
  };
}

async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Asks for hidden input: the terminal echoes nothing, because readline's output is discarded. */
async function askUnseen(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const given = new AbortController();
  const giveUp = () => given.abort(new CliError(EXIT.INTERRUPTED, "Nothing was given."));
  terminal.once("SIGINT", giveUp).once("close", giveUp);
  process.stderr.write(question);
  try {
    return await terminal.question("", { signal: given.signal });
  } catch (error) {
    throw given.signal.aborted ? given.signal.reason : error;
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

async function* readLines(prompt: string, signal?: AbortSignal): AsyncGenerator<string> {
  const { createInterface } = await import("node:readline/promises");
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const output = isTerminal ? { output: process.stderr, prompt } : {};
  const terminal = createInterface({ input: process.stdin, ...output, ...(signal && { signal }) });
  try {
    if (isTerminal) terminal.prompt();
    for await (const line of terminal) {
      yield line;
      if (isTerminal) terminal.prompt();
    }
  } finally {
    terminal.close();
  }
}

/** Goes on when nobody reads messages any more (`parley init 2>&1 | head -1`): the work and its exit code count. */
function bearClosedPipe(error: Error): void {
  if (codeOf(error) !== "EPIPE") throw error;
}

/**
 * Exits quietly when the reader went away (`parley jobs export … | head`). A command that would end in its own way on
 * Ctrl-C does so here too: `listen` takes back its webhook, and a run on a server of its own stops that server.
 */
function leaveClosedPipe(error: Error): void {
  if (codeOf(error) !== "EPIPE") throw error;
  if (!process.emit("SIGINT", "SIGINT")) process.exit(0);
}

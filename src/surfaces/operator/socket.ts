import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBodyText } from "#src/platform/http/body.ts";
import { parseJson, stringifyReply } from "#src/platform/http/json.ts";
import { errorBody, toAppError } from "#src/platform/http/replies.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import type { Command } from "./command.ts";

/** The longest path of a unix socket that every platform accepts. */
const MAX_SOCKET_PATH = 100;
const MAX_BODY_BYTES = 64 * 1024;

/** The running socket; also the lock that keeps two servers off one data folder. */
export interface OperatorSocket {
  path: string;
  /** Opens the socket for commands, which are answered 503 before. */
  open(commands: ReadonlyMap<string, Command>): void;
  close(): Promise<void>;
}

/** Another server runs on the same data folder. */
export class AlreadyRunning extends Error {}

/**
 * Binds the operator's socket (mode 0600) below the data folder. Throws `AlreadyRunning` when a server answers there. A
 * socket that does not answer is left from a killed server and is replaced.
 */
export async function bindOperatorSocket(dataDir: string): Promise<OperatorSocket> {
  // When started as root, the embedded database runs as nobody, who must be able to traverse the folder; secrets below
  // it are readable by their owner only.
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const path = socketPath(dataDir);
  if (existsSync(path)) {
    if (await answers(path))
      throw new AlreadyRunning(
        `Parley is already running on ${dataDir}. Stop that server, or set DATA_DIR to another folder.`,
      );
    rmSync(path, { force: true });
  }
  let commands: ReadonlyMap<string, Command> | undefined;
  const server = createServer((request, response) => void answer(commands, request, response));
  await listen(server, path);
  return {
    path,
    open: (given) => {
      commands = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function socketPath(dataDir: string): string {
  const inside = join(dataDir, "operator.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return inside;
  const folder = join(tmpdir(), `parley-${process.getuid?.() ?? 0}-${sha256(dataDir).toString("hex").slice(0, 12)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new Error(`${folder} must belong to you alone. Remove it.`);
  return join(folder, "operator.sock");
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function listen(server: Server, path: string): Promise<void> {
  const mask = process.umask(0o177);
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  }).finally(() => process.umask(mask));
}

async function answer(
  commands: ReadonlyMap<string, Command> | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let status = 200;
  let body: string;
  try {
    body = stringifyReply((await run(commands, request)) ?? {});
  } catch (thrown) {
    const error = toAppError(thrown);
    status = error.status;
    body = JSON.stringify({ ...errorBody(error, uuidv7()), message: error.message, code: error.code });
  }
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(body);
}

async function run(commands: ReadonlyMap<string, Command> | undefined, request: IncomingMessage): Promise<unknown> {
  if (!commands) throw new AppError("UNAVAILABLE", "The server is still starting.");
  const command = commands.get((request.url ?? "").slice(1));
  if (request.method !== "POST" || !command) throw new AppError("NOT_FOUND", "There is no such operator command.");
  const text = await readBodyText(request, MAX_BODY_BYTES);
  return command((text === "" ? {} : parseJson(text)) as Record<string, unknown>);
}

/** Writes the server's address to DATA_DIR/server.json for the command line. */
export function writeServerFile(dataDir: string, content: { url: string; pid: number; socket: string }): void {
  writeFileSync(join(dataDir, "server.json"), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

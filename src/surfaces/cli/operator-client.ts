import { codeOf } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT, OperatorError } from "./exit-codes.ts";
import { dataDirOf, readServerAddress, serverNotRunning } from "./server-address.ts";
import type { System } from "./system.ts";

/** Time-out longer than the slowest operator command, so that a hung server does not hang the terminal for ever. */
const TIMEOUT_MS = 60_000;

/** Sends one operator command to the running server. Returns its answer, or throws an OperatorError or CliError. */
export async function callOperator<T>(env: System["env"], command: string, body: object): Promise<T> {
  const address = readServerAddress(env);
  if (!address) throw notFound(env);
  const { status, text } = await postToSocket(address.socket, command, JSON.stringify(body));
  const answer = parseAnswer(text, command);
  if (status !== 200) throw toOperatorError(status, answer);
  return answer as T;
}

/** Returns the error for a data folder in which no server has started, such as the usual one of a server with another. */
function notFound(env: System["env"]): CliError {
  const folder = dataDirOf(env);
  return new CliError(
    EXIT.SERVER,
    `No Parley server has started in ${folder}. If yours has another data folder, set DATA_DIR to it here too; otherwise start it with: npm start`,
  );
}

async function postToSocket(
  socketPath: string,
  command: string,
  body: string,
): Promise<{ status: number; text: string }> {
  // A static import of its names loads Node's fetch as well, a third of the time of most commands.
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const sent = request(
      { socketPath, method: "POST", path: `/${command}`, headers, timeout: TIMEOUT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    sent.on("timeout", () =>
      sent.destroy(new CliError(EXIT.SERVER, `The server did not answer ${command} within ${TIMEOUT_MS / 1000} s.`)),
    );
    sent.on("error", (error) => reject(explainSocketError(error, socketPath)));
    sent.end(body);
  });
}

function explainSocketError(error: Error, socketPath: string): Error {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ECONNREFUSED") return serverNotRunning(`nobody listens at ${socketPath}`);
  if (code === "EACCES" || code === "EPERM") {
    return new CliError(EXIT.AUTH, `Not allowed to open ${socketPath}: run this as the user who runs the server.`);
  }
  if (code === "ECONNRESET" || code === "EPIPE") {
    return new CliError(
      EXIT.SERVER,
      "The server went away before it answered. See whether it did it before trying again.",
    );
  }
  return error;
}

function parseAnswer(text: string, command: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(EXIT.SERVER, `The server's answer to ${command} cannot be read.`);
  }
}

function toOperatorError(status: number, answer: unknown): OperatorError {
  const { error, message, code, details } = (answer ?? {}) as {
    error?: string;
    message?: string;
    code?: string;
    details?: unknown[];
  };
  return new OperatorError(status, message ?? error ?? `The server answered ${status}.`, code, details ?? []);
}

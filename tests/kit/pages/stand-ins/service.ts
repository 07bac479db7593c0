import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../free-port.ts";
import { ofMachine } from "./settings.ts";

/** The checkout of the machine. */
const APP = "/opt/parley";

const START_MS = 120_000;

/** A program of the product: what runs, and its variables. Nothing else of the environment gets in. */
export interface Service {
  command: string[];
  env: Record<string, string>;
}

/** Runs a program to its end, and returns its code; a server until it is ready, then it is stopped in order. */
export async function run(service: Service): Promise<number> {
  if (service.command.at(-1) !== "serve") return ended(start(service, "inherit"));
  const { child } = await serve(service);
  child.ref();
  const gone = ended(child);
  child.kill("SIGTERM");
  return gone;
}

/** Starts a server, and leaves it running once it is ready. */
export async function serve(service: Service): Promise<{ child: ChildProcess }> {
  const port = String(await freePort());
  const log = join(mkdtempSync(join(ofMachine("MACHINE"), "log-")), "log");
  const file = openSync(log, "a");
  const env = { ...service.env, PORT: port, HOST: "127.0.0.1", DRAIN_SECONDS: "0" };
  const child = start({ ...service, env }, file);
  for (const deadline = Date.now() + START_MS; Date.now() < deadline && child.exitCode === null;) {
    const reply = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (reply?.ok) return { child };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the server did not get ready:\n${readFileSync(log, "utf8").slice(-2_000)}`);
}

function start({ command: [program = "", ...args], env }: Service, output: "inherit" | number): ChildProcess {
  const detached = output !== "inherit";
  const child = spawn(program, args, {
    cwd: APP,
    env: { PATH: "/usr/bin:/bin", ...env },
    stdio: ["ignore", output, output],
    detached,
  });
  if (detached) child.unref();
  return child;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

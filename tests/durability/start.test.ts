import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { freePort } from "../kit/free-port.ts";
import { PRINT_MODULES } from "../kit/print-modules.ts";
import { programEnvironment } from "../kit/test-environment.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = mkdtempSync(join(tmpdir(), "parley-start-"));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  output: string;
}

/** Runs `parley serve` until it ends by itself, or is stopped once `stopWhen` appears in its output. */
function serve(env: Record<string, string>, stopWhen?: string, ofNode: string[] = []): Promise<Ended> {
  const child = spawn(process.execPath, [...ofNode, "src/main.ts", "serve"], {
    env: programEnvironment(env),
  });
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk.toString();
    if (stopWhen && output.includes(stopWhen)) child.kill("SIGTERM");
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  return new Promise((resolve) => child.once("exit", (code) => resolve({ code, output })));
}

async function settings(name: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
  return {
    PORT: String(await freePort()),
    DATA_DIR: join(folder, name),
    DATABASE_URL: database.url,
    PARLEY_SECRET: "the secret of this file",
    ...more,
  };
}

test("a first start says what to do next, and a stop signal ends it with 0", async () => {
  const { code, output } = await serve(await settings("first"), "Ctrl-C stops it.");
  expect(code, output).toBe(0);
  expect(output).toContain("npx parley workspace create --name Demo --sample");
});

test("no part of the OpenTelemetry SDK is loaded unless something is exported", async () => {
  const isOfSdk = (line: string) => /\/node_modules\/@opentelemetry\/(?!api\/)/.test(line);
  const load = async (env: Record<string, string>) => {
    const { output } = await serve(await settings("modules", env), "Ctrl-C stops it.", ["--import", PRINT_MODULES]);
    return output.split("\n").filter(isOfSdk).length;
  };
  expect(await load({ OTEL_SERVICE_NAME: "parley", OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" })).toBe(0);
  expect(await load({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })).toBeGreaterThan(20);
});

/** Returns the processes below `pid`, and those that work in `folder`. */
function processesOf(pid: number, folder: string): Set<number> {
  const found = new Set([pid]);
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const read = (path: string, how: (path: string) => string) => {
    try {
      return how(path);
    } catch {
      return "";
    }
  };
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const name of all) {
      const parent = Number(/\) \S (\d+)/.exec(read(`/proc/${name}/stat`, (path) => readFileSync(path, "utf8")))?.[1]);
      const isBelow = read(`/proc/${name}/cwd`, readlinkSync).startsWith(folder);
      if (found.has(parent) || isBelow) found.add(Number(name));
    }
  }
  return found;
}

/** True for a running process; false for a zombie. */
function runs(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts `npm start` with the embedded database, as a container does; resolves once it is ready. */
async function npmStart(
  name: string,
): Promise<{ npm: ChildProcess; dataDir: string; port: number; heard: () => string }> {
  const dataDir = join(folder, name);
  const port = await freePort();
  chmodSync(folder, 0o711);
  const { DATABASE_URL: _, ...env } = process.env;
  const npm = spawn("npm", ["start"], {
    env: { ...env, NODE_OPTIONS: "", PORT: String(port), DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk.toString();
  };
  npm.stdout.on("data", take);
  npm.stderr.on("data", take);
  await vi.waitFor(() => expect(output).toContain("Ctrl-C stops it."), { timeout: 110_000, interval: 50 });
  return { npm, dataDir, port, heard: () => output };
}

// Only where processes can be inspected.
describe.skipIf(process.platform !== "linux")("npm start", () => {
  test("SIGTERM of npm alone, as a container sends it, ends every process and frees the port", async () => {
    const { npm, dataDir, port } = await npmStart("container");
    const processes = [...processesOf(npm.pid as number, dataDir)];
    // npm, the launcher, the server, PostgreSQL and its workers.
    expect(processes.length).toBeGreaterThan(5);
    npm.kill("SIGTERM");
    await vi.waitFor(() => expect(processes.filter(runs)).toEqual([]), { timeout: 60_000, interval: 50 });
    const again = createServer();
    await new Promise<void>((resolve, reject) => again.once("error", reject).listen(port, "127.0.0.1", resolve));
    again.close();
  });

  test("a killed server is started again by its launcher, and stops for good when npm is told to", async () => {
    const { npm, dataDir, port, heard } = await npmStart("killed");
    const { pid } = JSON.parse(readFileSync(join(dataDir, "server.json"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(heard().split("Ctrl-C stops it.")).toHaveLength(3), {
      timeout: 60_000,
      interval: 50,
    });
    const reply = await fetch(`http://127.0.0.1:${port}/ready`);
    expect(reply.status, heard()).toBe(200);
    const processes = [...processesOf(npm.pid as number, dataDir)];
    npm.kill("SIGTERM");
    await vi.waitFor(() => expect(processes.filter(runs)).toEqual([]), { timeout: 60_000, interval: 50 });
  });
});

test("a port in use is named, with the way out", async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  const { port } = blocker.address() as { port: number };
  const { code, output } = await serve({ ...(await settings("port")), PORT: String(port) });
  blocker.close();
  expect([code, output]).toEqual([1, expect.stringContaining(`Port ${port} is in use`) as string]);
});

test("a second server on the same data folder is refused", async () => {
  const shared = await settings("twice");
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: programEnvironment(shared),
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("Ctrl-C")) resolve();
    });
  });
  const ended = await serve({ ...shared, PORT: String(await freePort()) });
  child.kill("SIGTERM");
  await gone;
  expect(ended.code).toBe(1);
  expect(ended.output).toContain("already running");
});

test("an unreachable database is named", async () => {
  const { code, output } = await serve(await settings("db", { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }));
  expect([code, output]).toEqual([1, expect.stringContaining("The database of DATABASE_URL cannot be used") as string]);
});

test.each([
  ["default_transaction_isolation", "repeatable read"],
  ["datestyle", "German, DMY"],
])("a database whose %s is %s is refused by name, and does not hang", async (name, value) => {
  const database = await createDatabase("template0");
  await database.query(`alter database ${new URL(database.url).pathname.slice(1)} set ${name} = '${value}'`);
  const { code, output } = await serve(await settings(`needs-${name}`, { DATABASE_URL: database.url }));
  await database.drop();
  expect([code, output]).toEqual([1, expect.stringContaining(`${name} is '${value}'`) as string]);
});

test("a database that is not in UTF8 is refused, with what to do", async () => {
  const database = await createDatabase(
    "template0 encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C'",
  );
  const { code, output } = await serve(await settings("needs-utf8", { DATABASE_URL: database.url }));
  await database.drop();
  expect([code, output]).toEqual([1, expect.stringMatching(/is in SQL_ASCII.*encoding 'UTF8'/) as string]);
});

test("another PARLEY_SECRET than the database was set up with is told at the start", async () => {
  await serve(await settings("secret-1"), "Ctrl-C stops it.");
  const first = await serve(await settings("secret-2", { PARLEY_SECRET: "x".repeat(32) }), "Ctrl-C stops it.");
  expect([first.code, first.output]).toEqual([1, expect.stringContaining("PARLEY_SECRET is not the one") as string]);
});

test("a start without a secret beside a database that has one is refused, and generates none", async () => {
  await serve(await settings("secret-4"), "Ctrl-C stops it.");
  const { PARLEY_SECRET: _, ...bare } = await settings("secret-5");
  for (let i = 0; i < 2; i++) {
    const { code, output } = await serve(bare, "Ctrl-C stops it.");
    expect([code, output]).toEqual([1, expect.stringContaining("there is none here") as string]);
    expect(readdirSync(join(folder, "secret-5")).filter((name) => name.startsWith("secret"))).toEqual([]);
  }
});

test("a PARLEY_SECRET read from a file is the same with and without the file's line end", async () => {
  const secret = "the secret of this file";
  for (const text of [`${secret}\n`, secret, `${secret}\r\n`]) {
    const { code, output } = await serve(await settings("secret-3", { PARLEY_SECRET: text }), "Ctrl-C stops it.");
    expect(code, output).toBe(0);
  }
});

test.each([
  ["PORT", "eighty", "PORT must be a whole number"],
  ["PARLEY_URL", "https://example.com/path", "PARLEY_URL must be an origin"],
  ["DATABASE_URL", "mysql://localhost", "DATABASE_URL must start with postgres://"],
  ["LOG_LEVEL", "loud", "LOG_LEVEL must be"],
  ["LOG_LEVEL", "info,dispatcher=debug", 'LOG_LEVEL names "dispatcher", which is no room'],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address"],
  ["OTEL_TRACES_SAMPLER_ARG", "5%", "OTEL_TRACES_SAMPLER_ARG must be a share"],
  ["TRACED_CALLS_PER_SECOND", "all", "TRACED_CALLS_PER_SECOND must be a whole number"],
  ["OTEL_LOGS_EXPORTER", "console", "OTEL_LOGS_EXPORTER must be otlp or none"],
  ["TRUST_PROXY", "10.0.0.0/8,caddy", 'TRUST_PROXY takes addresses and networks such as 10.0.0.0/8, not "caddy"'],
  ["SANDBOX_CARRIER_URL", "carrier:8090", "SANDBOX_CARRIER_URL must be an http or https address"],
  ["PARLEY_SECRET", "short", "PARLEY_SECRET must have at least"],
])("a setting that cannot be used is named: %s=%s", async (name, value, message) => {
  const { code, output } = await serve({ ...(await settings("bad")), [name]: value });
  expect([code, output]).toEqual([1, expect.stringContaining(message) as string]);
});

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";

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

/** Runs `parley serve` until it ends by itself, or until `stopWhen` appears and it is told to stop. */
function serve(env: Record<string, string>, stopWhen?: string): Promise<Ended> {
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: { ...process.env, NODE_OPTIONS: "", ...env },
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
    env: { ...process.env, NODE_OPTIONS: "", ...shared },
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

test("another PARLEY_SECRET than the database was set up with is told at the start", async () => {
  await serve(await settings("secret-1"), "Ctrl-C stops it.");
  const first = await serve(await settings("secret-2", { PARLEY_SECRET: "x".repeat(32) }), "Ctrl-C stops it.");
  expect([first.code, first.output]).toEqual([1, expect.stringContaining("PARLEY_SECRET is not the one") as string]);
});

test.each([
  ["PORT", "eighty", "PORT must be a whole number"],
  ["PARLEY_URL", "https://example.com/path", "PARLEY_URL must be an origin"],
  ["DATABASE_URL", "mysql://localhost", "DATABASE_URL must start with postgres://"],
  ["LOG_LEVEL", "loud", "LOG_LEVEL must be"],
  ["PARLEY_SECRET", "short", "PARLEY_SECRET must have at least"],
])("a setting that cannot be used is named: %s=%s", async (name, value, message) => {
  const { code, output } = await serve({ ...(await settings("bad")), [name]: value });
  expect([code, output]).toEqual([1, expect.stringContaining(message) as string]);
});

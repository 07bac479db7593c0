import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { programEnvironment } from "../kit/test-environment.ts";
import { World } from "../kit/world.ts";

/* Generators of others make clients of the document, and those compile strictly. */

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-clients-"));
  // Closed at once: the generators keep this process from its heartbeat.
  await using world = await World.start();
  const { text } = await world.request("GET", "/openapi.json", { key: null });
  writeFileSync(join(folder, "openapi.json"), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns what the compiler says of a file and all that it imports. */
async function compile(name: string): Promise<string> {
  const options = { strict: true, noEmit: true, target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [] };
  const compilerOptions = { ...options, module: "esnext", moduleResolution: "bundler" };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
  const compiler = join(ROOT, "node_modules/@typescript/native/bin/tsc");
  return run(process.execPath, [compiler, "-p", folder], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

test("types of openapi-typescript compile, and know a body, its values and its answer", async () => {
  const document: unknown = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8"));
  const types = astToString(await openapiTS(document as Parameters<typeof openapiTS>[0]));
  writeFileSync(join(folder, "types.ts"), types);
  const program = `import type { operations } from "./types";
type Operation = operations["postOutboundCalls"];
export const body: Operation["requestBody"]["content"]["application/json"] = { customerNumber: "+12025550100" };
export const status: Operation["responses"][200]["content"]["application/json"]["status"] = "QUEUED";
// @ts-expect-error A call needs a number.
export const empty: typeof body = {};
`;
  writeFileSync(join(folder, "program.ts"), program);
  expect(await compile("program.ts")).toBe("");
});

test("a client of @hey-api/openapi-ts compiles", async () => {
  const generator = join(ROOT, "tests/kit/api-clients/generate.mjs");
  const client = join(folder, "client");
  await run(process.execPath, [generator, join(folder, "openapi.json"), client], { env: programEnvironment() });
  const program = `import { postOutboundCalls } from "./client";
void postOutboundCalls({ body: { customerNumber: "+12025550100" } });
// @ts-expect-error A call needs a number.
void postOutboundCalls({ body: {} });
`;
  writeFileSync(join(folder, "hey.ts"), program);
  expect(await compile("hey.ts")).toBe("");
});

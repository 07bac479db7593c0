import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram, SDK_PYTHON, withoutPython } from "../kit/python.ts";
import { type ApiDocument, readOperations } from "../kit/sdk-generator/operations.ts";
import { World } from "../kit/world.ts";

let world: World;
const scratch = mkdtempSync(join(tmpdir(), "parley-python-source-"));
const made = join(scratch, "made");
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

test.skipIf(withoutPython !== "")(
  `the Python SDK is what its generator makes from the document; -u writes it again${withoutPython}`,
  async () => {
    const { text, body } = await world.request("GET", "/openapi.json", { key: null });
    const names = readOperations(body as unknown as ApiDocument).map(
      ({ verb, path, resource, method }) => [`${verb} ${path}`, `${resource}.${method}`] as const,
    );
    writeFileSync(join(scratch, "names.json"), JSON.stringify(Object.fromEntries(names)));
    const args = ["tools/generate.py", made, join(scratch, "names.json")];
    const end = await runProgram("python3", args, { cwd: SDK_PYTHON, input: text });
    expect(end).toEqual({ code: 0, output: "" });
    const files = readdirSync(made, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".py"));
    expect(files.length).toBe(7);
    for (const file of files)
      await expect(readFileSync(join(made, file), "utf8")).toMatchFileSnapshot(
        join(SDK_PYTHON, "src/parley_sdk", file),
      );
  },
);

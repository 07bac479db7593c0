import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPythonTools, runProgram, SDK_PYTHON, withoutPython } from "../kit/python.ts";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

/** Packages that check and build the SDK; at run time it needs none. */
const TOOLS = ["mypy==2.4.1", "setuptools==84.2.1"];

/** A program with one fault in each line that ends with "fault". */
const FAULTY = `
from parley_sdk import Parley

parley = Parley()
parley.calls.create({"customerNumber": "+12025550100", "rowData": {"any": ["thing"]}})
parley.calls.create({"customernumber": "+12025550100"})  # fault
parley.calls.create({})  # fault
row = parley.calls.get("r1")
if row["status"] == "COMPLETE":  # fault
    pass
text: str = row["outcome"]  # fault
parley.jobs.rows("j1", outcome=["BUSY"], size="20")  # fault
for job in parley.jobs.list():
    print(job["name"].upper(), job["processed"])  # fault
`;

const scratch = mkdtempSync(join(tmpdir(), "parley-python-"));
const venv = join(scratch, "venv");
let tools: Awaited<ReturnType<typeof findPythonTools>>;

/** Runs a program and returns what it wrote; fails with that when the program does. */
async function succeed(...[command, args, options]: Parameters<typeof runProgram>): Promise<string> {
  const { code, output } = await runProgram(command, args, options);
  expect(code, output).toBe(0);
  return output;
}

/** Builds the wheel and installs it into an empty environment. */
async function install(bin: string): Promise<void> {
  // Built from a copy, because the backend writes beside its sources.
  const copy = join(scratch, "copy");
  await succeed("cp", ["-RL", SDK_PYTHON, copy]);
  const pip = join(bin, "python");
  const isolated = ["-m", "pip", "--disable-pip-version-check"];
  await succeed(pip, [...isolated, "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", scratch, copy]);
  await succeed("python3", ["-m", "venv", "--without-pip", venv]);
  const wheel = readdirSync(scratch).find((name) => name.endsWith(".whl")) ?? "";
  const target = ["--python", join(venv, "bin/python")];
  await succeed(pip, [...isolated, ...target, "install", "-q", "--no-index", join(scratch, wheel)]);
}

describe.skipIf(withoutPython !== "")(`the Python SDK${withoutPython}`, () => {
  let world: World;
  beforeAll(async () => {
    tools = await findPythonTools(TOOLS);
    if ("bin" in tools) await install(tools.bin);
    world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  }, 600_000);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    rmSync(scratch, { recursive: true, force: true });
  });

  test("its own tests pass against a real server, from the wheel where that can be built", async () => {
    const slow = await world.createWorkspace({ rateLimit: { capacity: 3, refill: 3, periodSeconds: 1 } });
    const { sample } = world;
    const env = {
      PARLEY_URL: world.url,
      PARLEY_API_KEY: sample.apiKey,
      PARLEY_SLOW_KEY: slow.apiKey,
      PARLEY_CLIENT_ID: sample.client.clientId,
      PARLEY_CLIENT_SECRET: sample.client.clientSecret,
      PARLEY_FLOW: sample.flow.apiId,
      PARLEY_AGENT: sample.agent.id,
      PARLEY_DOCS: join(ROOT, "docs/sdk-python.md"),
      PYTHONPATH: "bin" in tools ? "" : join(SDK_PYTHON, "src"),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const python = "bin" in tools ? join(venv, "bin/python") : "python3";
    const output = await succeed(python, ["-W", "error::ResourceWarning", "-m", "unittest"], {
      cwd: join(SDK_PYTHON, "tests"),
      env,
    });
    expect(output).toMatch(/^Ran \d{2,} tests in [\d.]+s\n\nOK$/m);
    expect(output).not.toContain("ResourceWarning");
  }, 300_000);

  test("the wheel has the types, the licence, the SDK's version, and no dependency", async ({ skip }) => {
    if ("why" in tools) return skip(tools.why);
    const [packages = ""] = readdirSync(join(venv, "lib"));
    const site = join(venv, "lib", packages, "site-packages");
    const { version } = JSON.parse(readFileSync(join(ROOT, "sdk/package.json"), "utf8")) as { version: string };
    expect(readdirSync(site).toSorted()).toEqual(["parley_sdk", `parley_sdk-${version}.dist-info`]);
    expect(readdirSync(join(site, "parley_sdk"))).toContain("py.typed");
    const info = join(site, `parley_sdk-${version}.dist-info`);
    const metadata = readFileSync(join(info, "METADATA"), "utf8");
    expect(metadata).toMatch(/^License-Expression: Apache-2.0$/m);
    expect(metadata).not.toMatch(/^Requires-Dist:/m);
    expect(readFileSync(join(info, "licenses/LICENSE"), "utf8")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  });

  test("the type checker passes it in strict mode, and finds the faults of a program that uses it", async ({
    skip,
  }) => {
    if ("why" in tools) return skip(tools.why);
    const mypy = join(tools.bin, "mypy");
    const cache = ["--strict", "--cache-dir", join(ROOT, "node_modules/.cache/mypy")];
    await succeed(mypy, [...cache, "src", "tools", "tests"], { cwd: SDK_PYTHON, env: { MYPYPATH: "src:tests" } });
    mkdirSync(join(scratch, "program"));
    writeFileSync(join(scratch, "program/program.py"), FAULTY);
    const { output } = await runProgram(
      mypy,
      [...cache, "--python-executable", join(venv, "bin/python"), "--no-error-summary", "program.py"],
      { cwd: join(scratch, "program") },
    );
    const found = [...output.matchAll(/^program\.py:(\d+): error/gm)].map(([, line]) => Number(line));
    const faults = FAULTY.split("\n").flatMap((line, i) => (line.endsWith("fault") ? [i + 1] : []));
    expect([...new Set(found)], output).toEqual(faults);
  });
});

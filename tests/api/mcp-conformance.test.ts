import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startConformanceProxy } from "../kit/conformance-proxy.ts";
import { ROOT } from "../kit/repository.ts";
import { programEnvironment } from "../kit/test-environment.ts";
import { World } from "../kit/world.ts";

const SUITE_0_1 = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const SUITE_0_2 = "node_modules/conformance-next/dist/index.js";

let world: World;
let proxy: Awaited<ReturnType<typeof startConformanceProxy>>;
let folder: string;
beforeAll(async () => {
  world = await World.start({ env: { MCP_TEST_TOOLS: "1" } });
  proxy = await startConformanceProxy(world.url, ["x-api-key", world.sample.apiKey], "?schemas=full");
  folder = mkdtempSync(join(tmpdir(), "parley-conformance-"));
});
afterAll(async () => {
  await proxy.close();
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the suite; it ends with 1 on a failure outside the baseline, and on an entry of it that passes. */
async function run(suite: string, baseline: string, ...args: string[]): Promise<{ code: number | null; out: string }> {
  const expected = join(ROOT, "tests/kit/fixtures", baseline);
  const url = `${proxy.url}/api/mcp`;
  const child = spawn(
    process.execPath,
    [join(ROOT, suite), "server", "--url", url, "--expected-failures", expected, ...args],
    { cwd: folder, env: programEnvironment({ NO_COLOR: "1" }) },
  );
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (out += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out };
}

/** The scenarios that passed, by the suite's own summary. */
function passed(out: string): string[] {
  return [...out.slice(out.indexOf("=== SUMMARY")).matchAll(/^✓ ([\w-]+): [1-9]/gm)].map((match) => match[1] as string);
}

const OF_BOTH = [
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "dns-rebinding-protection",
  "json-schema-2020-12",
];

test("revision 2025-11-25: the released suite passes all but the reviewed baseline", async () => {
  const { code, out } = await run(SUITE_0_1, "mcp-baseline-0.1.yml", "--suite", "all");
  expect(code, out.slice(-4_000)).toBe(0);
  expect(passed(out)).toEqual(expect.arrayContaining([...OF_BOTH, "server-initialize", "ping"]));
}, 120_000);

test.each([
  ["2025-11-25", ["server-initialize", "ping"]],
  ["2026-07-28", ["server-stateless", "http-header-validation"]],
])(
  "revision %s: the suite's frozen requirements pass all but the reviewed baseline",
  async (revision, also) => {
    const { code, out } = await run(SUITE_0_2, `mcp-baseline-${revision}.yml`, "--requirements", revision);
    expect(code, out.slice(-4_000)).toBe(0);
    expect(passed(out)).toEqual(expect.arrayContaining([...OF_BOTH, ...also]));
  },
  240_000,
);

import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import setUp from "../kit/global-setup.ts";
import { findPythonTools, withoutPython } from "../kit/python.ts";
import { NOBODY } from "../kit/resources.ts";
import { World } from "../kit/world.ts";

const TOOLS = ["schemathesis==4.32.5"];
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "ignored_auth",
];

/**
 * `npm run fuzz [-- OPTIONS]`: Schemathesis sends requests made from the OpenAPI document to a server, and compares the
 * answers with it. The same seed makes the same requests; OPTIONS are those of `schemathesis run`, such as
 * `--seed 2 -n 20`. Exits with 1 when it found something, and with 2 when Schemathesis cannot be had.
 */
async function main(options: string[]): Promise<number> {
  const tools = withoutPython === "" ? await findPythonTools(TOOLS) : { why: withoutPython };
  if ("why" in tools) {
    process.stdout.write(`SKIPPED: ${tools.why}\n`);
    return 2;
  }
  await using world = await World.start({ env: NOBODY });
  const given = ["--seed", "1", "-n", "3", "--phases", "fuzzing", "--workers", "2", "--checks", CHECKS.join()];
  // The stream of a chat's events has no end.
  const limits = ["--exclude-path-regex", "/events$", "--request-timeout", "30", "--suppress-health-check", "all"];
  return await run(join(tools.bin, "schemathesis"), [
    "run",
    `${world.url}/openapi.json`,
    "-H",
    `X-API-Key: ${world.sample.apiKey}`,
    "--continue-on-failure",
    ...given,
    ...limits,
    ...options,
  ]);
}

/** Runs a program with its output on ours, while the server of this process answers it; gives its exit code. */
function run(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: tmpdir(), stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

const tearDown = await setUp();
try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await tearDown();
}

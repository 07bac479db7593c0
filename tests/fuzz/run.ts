import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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
 * `--seed 2 -n 20`. Prints Schemathesis' report only if it found something. Exits with 1 then, and with 2 when
 * Schemathesis cannot be had.
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
  const { code, output } = await run(join(tools.bin, "schemathesis"), [
    "run",
    `${world.url}/openapi.json`,
    "-H",
    `X-API-Key: ${world.sample.apiKey}`,
    "--continue-on-failure",
    ...given,
    ...limits,
    ...options,
  ]);
  const counts = /^ *\d+ generated, (.*)$/m.exec(output)?.[1];
  // The report of a clean run is 300 lines of advice on the document.
  process.stdout.write(code === 0 && counts !== undefined ? `Requests made from the document: ${counts}\n` : output);
  return code;
}

/** Runs a program, while the server of this process answers it. */
async function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
  const [output, faults, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: output + faults };
}

const tearDown = await setUp();
try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await tearDown();
}

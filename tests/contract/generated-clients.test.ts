import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPythonTools, runProgram, withoutPython } from "../kit/python.ts";
import { ROOT } from "../kit/repository.ts";
import { programEnvironment } from "../kit/test-environment.ts";
import { World } from "../kit/world.ts";

/*
 * Clients that generators of others make of the document place a call on a server and read it. `npm run matrix` fetches
 * openapi-generator, a program in Java.
 */

const run = promisify(execFile);
const JAR = join(process.env.SDK_MATRIX ?? "", "openapi-generator-cli.jar");
const hasGenerator = process.env.SDK_MATRIX !== undefined && existsSync(JAR);
const CUSTOMER = "+12025550100";

let folder: string;
let world: World;
let document: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-generated-"));
  world = await World.start();
  document = join(folder, "openapi.json");
  writeFileSync(document, (await world.request("GET", "/openapi.json", { key: null })).text);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => programEnvironment({ PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });

/** Bundles a program with the client that it imports, and runs it; returns what it prints. */
async function runBundled(name: string, program: string): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), program);
  const config = join(folder, `${name}.config.mjs`);
  const build = { ssr: join(folder, `${name}.ts`), outDir: join(folder, name, "bundle"), minify: false };
  writeFileSync(config, `export default ${JSON.stringify({ logLevel: "warn", ssr: { noExternal: true }, build })};`);
  await run(process.execPath, [join(ROOT, "node_modules/vite/bin/vite.js"), "build", "--config", config], {
    cwd: folder,
    env: programEnvironment(),
  });
  const { stdout } = await run(process.execPath, [join(folder, name, "bundle", `${name}.mjs`)], { env: settings() });
  return stdout;
}

test("a client of @hey-api/openapi-ts places a call and reads it", async () => {
  const generator = join(ROOT, "tests/kit/api-clients/generate.mjs");
  await run(process.execPath, [generator, document, join(folder, "hey-client")], { env: programEnvironment() });
  const printed = await runBundled(
    "hey",
    `import { getCallRowsRowId, postOutboundCalls } from "./hey-client";
import { client } from "./hey-client/client.gen";
client.setConfig({ baseUrl: process.env.PARLEY_URL, headers: { "x-api-key": process.env.PARLEY_API_KEY } });
const placed = await postOutboundCalls({ body: { customerNumber: "${CUSTOMER}" }, throwOnError: true });
const read = await getCallRowsRowId({ path: { rowId: placed.data.rowId }, throwOnError: true });
console.log(placed.data.status, read.data.customerNumber);
`,
  );
  expect(printed).toBe(`QUEUED ${CUSTOMER}\n`);
});

/** Makes a client with openapi-generator, without the webhooks: its clients for Python do not compile with them. */
async function generate(generator: string, client: string): Promise<void> {
  const parts = ["--global-property", "models,apis,supportingFiles"];
  const args = ["-jar", JAR, "generate", "-g", generator, "-i", document, "-o", client, ...parts];
  await run("java", args, { maxBuffer: 64 * 1024 * 1024 });
}

describe.skipIf(!hasGenerator)(
  `npm run matrix${hasGenerator ? "" : " (skipped: only there, with Java and Maven)"}`,
  () => {
    test("a client of openapi-generator in TypeScript compiles, places a call and reads it", async () => {
      await generate("typescript-fetch", join(folder, "fetch-client"));
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable"],
        types: [],
        module: "esnext",
        moduleResolution: "bundler",
      };
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["fetch-client/index.ts"] }),
      );
      const compiler = join(ROOT, "node_modules/@typescript/native/bin/tsc");
      const { output } = await runProgram(process.execPath, [compiler, "-p", folder], { cwd: folder });
      expect(output).toBe("");
      const printed = await runBundled(
        "fetch",
        `import { CallsApi, Configuration, OutboundApi } from "./fetch-client";
const configuration = new Configuration({ basePath: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const placed = await new OutboundApi(configuration).postOutboundCalls({ placeCall: { customerNumber: "${CUSTOMER}" } });
const read = await new CallsApi(configuration).getCallRowsRowId({ rowId: placed.rowId });
console.log(placed.status, read.customerNumber);
`,
      );
      expect(printed).toBe(`QUEUED ${CUSTOMER}\n`);
    });

    test(`a client of openapi-generator in Python places a call and reads it${withoutPython}`, async (context) => {
      const tools = await findPythonTools(["urllib3==2.7.0", "python-dateutil==2.9.0", "pydantic==2.12.5"]);
      if ("why" in tools) return context.skip(tools.why);
      const client = join(folder, "python-client");
      await generate("python", client);
      const program = `import os, openapi_client as parley
settings = parley.Configuration(host=os.environ["PARLEY_URL"], api_key={"ApiKey": os.environ["PARLEY_API_KEY"]})
with parley.ApiClient(settings) as api:
    placed = parley.OutboundApi(api).post_outbound_calls(parley.PlaceCall(customerNumber="${CUSTOMER}"))
    read = parley.CallsApi(api).get_call_rows_row_id(placed.row_id)
    print(placed.status, read.customer_number)
`;
      const env = { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey, PYTHONPATH: client };
      const { output } = await runProgram(join(tools.bin, "python"), ["-c", program], { env });
      expect(output).toBe(`QUEUED ${CUSTOMER}\n`);
    });
  },
);

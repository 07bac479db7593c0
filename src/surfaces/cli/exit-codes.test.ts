import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConnectionError, ParleyError, TimeoutError } from "@parley/sdk";
import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { CliError, exitCodeOf, OperatorError } from "./exit-codes.ts";
import { profilePath, saveProfile } from "./profile.ts";

test.each([
  [new Error("x"), 1],
  [new ParleyError("x"), 1],
  [new CommanderError(1, "commander.unknownOption", "x"), 2],
  [new CommanderError(0, "commander.helpDisplayed", "x"), 0],
  [new OperatorError(404, "x", undefined, []), 4],
  [new OperatorError(422, "x", undefined, []), 1],
  [new OperatorError(422, "x", "VALIDATION_FAILED", [{ path: "permissions", code: "NOT_ALLOWED", message: "x" }]), 2],
  [new OperatorError(422, "x", "VALIDATION_FAILED", [{ path: "secrets", code: "CARRIER_REFUSED", message: "x" }]), 1],
  [new OperatorError(422, "x", "VALIDATION_FAILED", [{ path: "file", code: "EMPTY", message: "x" }]), 2],
  [new OperatorError(500, "x", undefined, []), 7],
  [new ConnectionError("x"), 7],
  [new TimeoutError("x"), 7],
  [new CliError(130, "x"), 130],
])("%s ends with %i", (error, code) => expect(exitCodeOf(error)).toBe(code));

test.each([
  [401, 3],
  [403, 3],
  [404, 4],
  [409, 1],
  [422, 1],
])("an API answer %i ends the program with %i and its message on standard error", async (status, code) => {
  await using system = new FakeSystem();
  await system.start(
    () => ({ status, body: { error: "Title", message: "Because.", code: "CODE" } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("jobs", "list")).toBe(code);
  expect(system.out).toBe("");
  expect(system.err).toContain("Because.");
  expect(system.err).toContain("req_1");
  system.err = "";
  expect(await system.run("jobs", "list", "--json")).toBe(code);
  expect(JSON.parse(system.err)).toMatchObject({
    error: "Title",
    code: "CODE",
    status,
    requestId: "req_1",
    exitCode: code,
  });
});

test.each([
  [["NOT_ALLOWED"], 2],
  [["FORMAT", "RANGE"], 2],
  [["E164"], 2],
  [["ENCODING", "CSV_QUOTE_NOT_CLOSED"], 2],
  [["NOT_ALLOWED", "DO_NOT_CALL"], 1],
  [["COUNTRY"], 1],
])("an API answer that names faults %j ends the program with %i", async (codes, exitCode) => {
  await using system = new FakeSystem();
  const details = codes.map((code) => ({ path: "status", code, message: "Because." }));
  await system.start(
    () => ({ status: 422, body: { error: "Title", message: "Because.", code: "VALIDATION_FAILED", details } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("jobs", "rows", "j1", "--status", "DONE")).toBe(exitCode);
});

test.each([
  [
    ["jobs", "create", "FILE", "--retry-on", "BUSSY"],
    "retryConfig.retryOn.0",
    "retryConfig.retryOn is --retry-on here.",
  ],
  [
    ["jobs", "create", "FILE", "--webhook-url", "x"],
    "completionWebhook.url",
    "completionWebhook.url is --webhook-url here.",
  ],
  [["call", "+12025550100", "--from", "+12025550199"], "fromPhoneNumber", "fromPhoneNumber is --from here."],
])("%j: a fault at %s names the option", async (argv, path, text) => {
  await using system = new FakeSystem();
  const file = join(system.folder, "rows.csv");
  writeFileSync(file, "customerNumber\n+12025550100\n");
  const details = [{ path, code: "NOT_ALLOWED", message: "Because." }];
  await system.start(
    () => ({ status: 422, body: { error: "Title", message: "Because.", code: "VALIDATION_FAILED", details } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run(...argv.map((word) => (word === "FILE" ? file : word)), "--yes")).toBe(2);
  expect(system.err).toContain(text);
});

test("an argument that is refused is said in plain words", async () => {
  await using system = new FakeSystem();
  expect(await system.run("call", "12345")).toBe(2);
  expect(system.err).toContain("'12345' is not allowed for <number>. It is a number with its country code");
});

test("where nothing answers, a missing key is not asked for", async () => {
  await using system = new FakeSystem();
  saveProfile(profilePath(system.env), { url: "http://127.0.0.1:9", apiKey: "" });
  expect(await system.run("jobs", "list")).toBe(7);
  expect(system.err).toContain(`not running (http://127.0.0.1:9; none has started in ${system.folder}: DATA_DIR names`);
  system.err = "";
  system.env.PARLEY_URL = "http://127.0.0.1:9";
  expect(await system.run("jobs", "list")).toBe(7);
  expect(system.err).toContain("not running (http://127.0.0.1:9)");
});

test("a placeholder is told instead of sent as a key", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { PARLEY_URL: "http://127.0.0.1:9", PARLEY_API_KEY: "svc_live_…" });
  expect(await system.run("jobs", "list")).toBe(3);
  expect(system.err).toContain("PARLEY_API_KEY holds no key, but perhaps a placeholder");
});

test("a job says at once why lines could not become rows", async () => {
  await using system = new FakeSystem();
  const file = join(system.folder, "rows.csv");
  writeFileSync(file, "customerNumber\n+12025550100\nx\n");
  const rowErrors = [{ line: 3, column: "customerNumber", code: "E164", message: "customerNumber must be one." }];
  await system.start(
    () => ({ body: { id: "j1", status: "RUNNING", totalRows: 1, rejectedRows: 1, rowErrors } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("jobs", "create", file, "--yes")).toBe(0);
  expect(system.err).toContain("line 3: customerNumber must be one.");
});

test("without a default flow or number, the way to set them is told", async () => {
  await using system = new FakeSystem();
  const details = [{ path: "flowId", code: "NO_DEFAULT_FLOW", message: "Because." }];
  await system.start(
    () => ({ status: 422, body: { error: "Title", message: "Because.", code: "VALIDATION_FAILED", details } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("call", "+12025550100", "--yes")).toBe(1);
  expect(system.err).toContain("parley workspace update --help");
});

test("an id that is not there, a folder for a file and a file for a folder say what to do", async () => {
  await using system = new FakeSystem();
  const message = "Not found: there is nothing with this id in the workspace of the credential.";
  await system.start(
    () => ({ status: 404, body: { error: "Not found", message } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("calls", "watch", "01a22100-5379-72ea-99b1-16c1b1a344cf")).toBe(4);
  expect(system.err).toContain("parley calls list, jobs list and flow list show the ids.");
  expect(await system.run("simulate", system.folder)).toBe(2);
  expect(system.err).toContain(`${system.folder} is a folder. Name a file in it.`);
  const file = join(system.folder, "file");
  writeFileSync(file, "");
  expect(await system.run("init", "win-back", "--dir", file)).toBe(2);
  expect(system.err).toContain(`${file} is a file. Name another folder with --dir.`);
  system.err = "";
  expect(await system.run("flow", "push", "--dir", file)).toBe(2);
  expect(system.err).toContain(`${file} is a file. Name a folder.`);
});

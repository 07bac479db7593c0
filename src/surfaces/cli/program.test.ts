import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { renderCompletion } from "./commands/completion-command.ts";
import { profilePath, readProfiles, saveProfile } from "./profile.ts";
import { buildProgram } from "./program.ts";
import { Run } from "./run.ts";

const nothing = () => ({ body: {} });
const CREATED = { workspaceId: "w1", apiKey: "svc_live_1", flow: { id: "f1", apiId: "demo" } };
const ROW = {
  customerNumber: "+12025550100",
  status: "COMPLETED",
  outcome: "ANSWERED",
  extractedFields: { kept: true },
  error: null,
};
const JOB = {
  id: "j1",
  name: "rows",
  status: "COMPLETED",
  totalRows: 2,
  processedRows: 2,
  successfulRows: 2,
  errorRows: 0,
};

describe("operator commands", () => {
  test("workspace create prints the server's object, keeps the first profile and replaces it only with --use", async () => {
    await using system = new FakeSystem();
    let key = 0;
    await system.start(nothing, () => ({ body: { ...CREATED, apiKey: `svc_live_${++key}` } }));
    const argv = [
      "workspace",
      "create",
      "--name",
      "Demo",
      "--sample",
      "--rate-limit",
      "30/60",
      "--sandbox-speed",
      "instant",
      "--json",
    ];
    expect(await system.run(...argv)).toBe(0);
    expect(JSON.parse(system.out)).toEqual(CREATED);
    expect(JSON.parse(system.operator[0]?.body ?? "")).toEqual({
      name: "Demo",
      sample: true,
      mode: "SANDBOX",
      rateLimit: { capacity: 30, refill: 30, periodSeconds: 60 },
      sandboxSpeed: "instant",
    });
    const kept = () => readProfiles(profilePath(system.env)).map((profile) => profile.apiKey);
    expect(await system.run(...argv)).toBe(0);
    expect(kept()).toEqual(["svc_live_1"]);
    system.err = "";
    expect(await system.run(...argv.slice(0, -1))).toBe(0);
    expect(system.err).toContain("Next: PARLEY_API_KEY=<the key above> parley call");
    expect(await system.run(...argv, "--use")).toBe(0);
    expect(kept()).toEqual(["svc_live_4"]);
  });

  test("top-ups and prices: amounts stay texts, none and default take a setting away", async () => {
    await using system = new FakeSystem();
    await system.start(nothing, () => ({ body: { repeated: true, balance: "25.00" } }));
    expect(await system.run("workspace", "top-up", "w1", "25.00", "--reference", "inv-1")).toBe(0);
    expect(system.out).toMatch(/balance +25\.00/);
    const prices = ["--set", "SMS_SEGMENT=0.010", "--set", "SPEECH_SECOND=default", "--low-balance", "5"];
    expect(await system.run("workspace", "prices", "w1", ...prices, "--credit-limit", "none")).toBe(0);
    expect(system.operator.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { id: "w1", amount: "25.00", reference: "inv-1" },
      {
        id: "w1",
        prices: { SMS_SEGMENT: "0.010", SPEECH_SECOND: null },
        creditLimit: null,
        lowBalanceThreshold: "5",
      },
    ]);
  });

  test("keys and clients: bodies by name, workspace from the profile", async () => {
    await using system = new FakeSystem();
    await system.start(nothing, () => ({ body: {} }));
    expect(await system.run("key", "create")).toBe(2);
    saveProfile(profilePath(system.env), { url: system.url, apiKey: "k", workspaceId: "w1" });
    const commands = [
      ["key", "create", "--expires-in", "12h"],
      ["client", "create", "--workspace", "w2", "--permissions", "A, B", "--token-lifetime", "60"],
      ["client", "create"],
      ["client", "permissions", "svc_client_x", "--set", "A"],
      ["client", "revoke", "svc_client_x"],
      ["key", "revoke", "k1"],
      ["workspace", "update", "w1", "--default-number", "n1", "--countries", "US,DE"],
    ];
    for (const argv of commands) expect(await system.run(...argv)).toBe(0);
    expect(system.operator.map((seen) => [seen.url.pathname.slice(1), JSON.parse(seen.body) as unknown])).toEqual([
      ["key.create", { workspaceId: "w1", expiresInSeconds: 43_200 }],
      ["client.create", { workspaceId: "w2", permissions: ["A", "B"], tokenLifetimeSeconds: 60 }],
      ["client.create", { workspaceId: "w1", permissions: [] }],
      ["client.permissions", { clientId: "svc_client_x", permissions: ["A"] }],
      ["client.revoke", { clientId: "svc_client_x" }],
      ["key.revoke", { id: "k1" }],
      ["workspace.update", { id: "w1", defaultNumber: "n1", countries: ["US", "DE"] }],
    ]);
  });

  test("doctor ends with 1 when a check fails and with 7 when there is no server", async () => {
    await using system = new FakeSystem();
    expect(await system.run("doctor", "--json")).toBe(7);
    await system.start(nothing, () => ({ body: { checks: [{ name: "disk", ok: false, message: "full" }] } }));
    expect(await system.run("doctor")).toBe(1);
    expect(system.out).toContain("FAIL  disk  full");
  });
});

describe("jobs", () => {
  test("create prints the webhook's signing secret, which no later answer has", async () => {
    await using system = new FakeSystem();
    const completionWebhook = { url: "https://example.com/", authMode: "NONE", headerName: null };
    const signed = { ...JOB, completionWebhook: { ...completionWebhook, signingSecret: "whsec_abc" } };
    await system.start(() => ({ body: signed }), nothing);
    system.env.PARLEY_API_KEY = "k";
    const file = join(system.folder, "rows.csv");
    writeFileSync(file, "customerNumber\n+12025550100\n");
    for (const more of [[], ["--watch"], ["--watch", "--json"]]) {
      system.err = "";
      await system.run("jobs", "create", file, "--webhook-url", "https://example.com/", ...more);
      expect(system.err).toContain("signing secret of the webhook, it is not shown again: whsec_abc\n");
    }
  });

  test("create sends the file as it is, watches, and ends with 6 when rows failed", async () => {
    await using system = new FakeSystem();
    await system.start(
      ({ method }) => ({
        body:
          method === "POST"
            ? { ...JOB, status: "RUNNING", rejectedRows: 3, rowErrors: [] }
            : { ...JOB, successfulRows: 1, errorRows: 1 },
      }),
      nothing,
    );
    system.env.PARLEY_API_KEY = "k";
    const file = join(system.folder, "rows.csv");
    writeFileSync(file, "customerNumber,city\n+12025550100,Köln\n");
    const argv = [
      "jobs",
      "create",
      file,
      "--flow",
      "demo",
      "--from",
      "+12025550190",
      "--from",
      "+12025550191",
      "--max-attempts",
      "2",
      "--delays",
      "1,2",
      "--watch",
    ];
    expect(await system.run(...argv)).toBe(6);
    expect(system.api[0]?.body).toBe("customerNumber,city\n+12025550100,Köln\n");
    expect(Object.fromEntries(system.api[0]?.url.searchParams ?? [])).toEqual({
      name: "rows",
      flowId: "demo",
      fromPhoneNumber: "+12025550191",
      maxAttempts: "2",
      delaysSeconds: "1,2",
    });
    expect(system.out).toBe("rows  COMPLETED  2 rows: 1 ok, 1 failed\n");
    expect(system.err).toContain("jobs rows j1 --errors");
  });

  test("--dry-run sends nothing, and its exit code tells whether the file is good", async () => {
    await using system = new FakeSystem();
    await system.start(nothing, nothing);
    const file = join(system.folder, "rows.csv");
    writeFileSync(file, "customerNumber\n+12025550100\n");
    expect(await system.run("jobs", "create", file, "--dry-run", "--json")).toBe(0);
    expect(JSON.parse(system.out)).toMatchObject({ dryRun: true, rows: 1, badRows: 0, columns: ["customerNumber"] });
    writeFileSync(file, "mobile\n+12025550100\n");
    expect(await system.run("jobs", "create", file, "--dry-run")).toBe(2);
    expect(await system.run("jobs", "create", join(system.folder, "none.csv"))).toBe(2);
    expect(system.api).toHaveLength(0);
  });

  test("rows prints a table of 50, or with --json all pages as one array", async () => {
    await using system = new FakeSystem();
    await system.start(({ url }) => {
      const start = Number(url.searchParams.get("cursor") ?? 0);
      const size = Number(url.searchParams.get("size"));
      const content = Array.from({ length: Math.min(size, 300 - start) }, (_, i) => ({
        ...ROW,
        id: `r${start + i}`,
        attempt: 1,
        contactName: null,
      }));
      return { body: { content, nextCursor: start + size < 300 ? String(start + size) : null } };
    }, nothing);
    system.env.PARLEY_API_KEY = "k";
    expect(await system.run("jobs", "rows", "j1")).toBe(0);
    expect(system.out.trimEnd().split("\n")).toHaveLength(51);
    expect(system.err).toContain("first 50");
    system.out = "";
    expect(await system.run("jobs", "rows", "j1", "--json", "--status", "FAILED", "--status", "SKIPPED")).toBe(0);
    expect((JSON.parse(system.out) as { id: string }[]).map((row) => row.id).at(-1)).toBe("r299");
    expect(system.api.at(-1)?.url.searchParams.getAll("status")).toEqual(["FAILED", "SKIPPED"]);
  });

  test.each(["pause", "resume", "cancel"])("%s posts to the job", async (action) => {
    await using system = new FakeSystem();
    await system.start(() => ({ body: JOB }), nothing);
    system.env.PARLEY_API_KEY = "k";
    expect(await system.run("jobs", action, "j1", "-q")).toBe(0);
    expect(system.api.map((seen) => `${seen.method} ${seen.url.pathname}`)).toEqual([
      `POST /api/external/v1/call-jobs/j1/${action}`,
    ]);
    expect(system.err).toBe("");
  });
});

test("--profile goes before PARLEY_API_KEY and PARLEY_URL", async () => {
  await using system = new FakeSystem();
  await system.start(() => ({ body: { content: [] } }), nothing);
  const file = join(system.folder, "mine.json");
  writeFileSync(file, JSON.stringify({ url: system.url, apiKey: "from-file" }));
  Object.assign(system.env, { PARLEY_API_KEY: "from-env", PARLEY_URL: "http://127.0.0.1:1" });
  expect(await system.run("jobs", "list", "--profile", file)).toBe(0);
  expect(system.api[0]?.headers["x-api-key"]).toBe("from-file");
});

test("a bad option is told once, on standard error, with exit code 2", async () => {
  await using system = new FakeSystem();
  expect(await system.run("call", "+12025550100", "--nope")).toBe(2);
  expect(system.out).toBe("");
  expect(system.err.match(/--nope/g)).toHaveLength(1);
});

test("bash completion offers what the program knows at each place", async () => {
  await using system = new FakeSystem();
  const script = renderCompletion(await buildProgram(new Run(system)), "bash");
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const probe = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _parley; echo "\${COMPREPLY[*]}"`;
    return execFileSync("bash", ["-c", probe], { encoding: "utf8" }).trim();
  };
  expect(complete("parley", "wo")).toBe("workspace");
  expect(complete("parley", "jobs", "e")).toBe("export");
  expect(complete("parley", "jobs", "create", "x.csv", "--wa")).toBe("--watch");
  expect(complete("parley", "client", "permissions", "--s")).toBe("--set");
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FakeSystem, type SeenRequest } from "#kit/fake-system.ts";
import { profilePath, saveProfile } from "#src/surfaces/cli/profile.ts";

const nothing = () => ({ body: {} });
const ROW = {
  id: "r1",
  status: "COMPLETED",
  outcome: "ANSWERED",
  endReason: "AGENT_ENDED_CALL",
  durationSeconds: 42,
  customerNumber: "+12025550100",
  fromPhoneNumber: "+12025550190",
  transcript: [
    {
      index: 0,
      role: "ASSISTANT",
      content: "Hello\u001b[2J there",
      startMs: 2000,
      endMs: 3000,
      interrupted: false,
      toolCallId: null,
    },
  ],
  extractedFields: { kept: true },
  structuredOutputs: {},
  error: null,
};

describe("call", () => {
  const api = ({ method }: SeenRequest) => ({
    body:
      method === "POST"
        ? { rowId: "r1", status: "QUEUED", customerNumber: ROW.customerNumber, fromPhoneNumber: ROW.fromPhoneNumber }
        : ROW,
  });

  test("places a call with all its parts and prints transcript, outcome and fields", async () => {
    await using system = new FakeSystem();
    await system.start(api, nothing);
    system.env.PARLEY_API_KEY = "svc_live_env";
    const argv = [
      "call",
      "+1 202 555 0100",
      "--flow",
      "demo",
      "--name",
      "Eva",
      "--data",
      "a=1",
      "--data",
      "b=2",
      "--context",
      '{"crm":"42"}',
      "--watch",
    ];
    expect(await system.run(...argv)).toBe(0);
    expect(system.api[0]?.headers["x-api-key"]).toBe("svc_live_env");
    expect(JSON.parse(system.api[0]?.body ?? "")).toEqual({
      customerNumber: "+12025550100",
      flowId: "demo",
      contactName: "Eva",
      rowData: { a: "1", b: "2" },
      contextData: { crm: "42" },
    });
    expect(system.out).toBe(
      " 0:02  Agent   Hello [2J there\nCOMPLETED  ANSWERED  AGENT_ENDED_CALL  0:42\nkept  true\n",
    );
  });

  test("--json --watch prints one object a line", async () => {
    await using system = new FakeSystem();
    await system.start(api, nothing);
    system.env.PARLEY_API_KEY = "k";
    expect(await system.run("call", "+12025550100", "--watch", "--json")).toBe(0);
    const lines = system.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map((line) => line.type)).toEqual(["queued", "turn", "ended"]);
  });

  test("--watch says once that a call is queued", async () => {
    await using system = new FakeSystem();
    const states = [{ ...ROW, status: "QUEUED" }, { ...ROW, status: "RINGING" }, ROW];
    await system.start((seen) => (seen.method === "POST" ? api(seen) : { body: states.shift() }), nothing);
    system.env.PARLEY_API_KEY = "k";
    expect(await system.run("call", "+12025550100", "--watch"), system.err).toBe(0);
    const lines = system.err.split("\n").filter((line) => line.startsWith("queued") || line.startsWith("ringing"));
    expect(lines).toHaveLength(2);
  });

  test("a call that was not answered ends with 6", async () => {
    await using system = new FakeSystem();
    await system.start(() => ({ body: { ...ROW, status: "FAILED", outcome: "BUSY" } }), nothing);
    system.env.PARLEY_API_KEY = "k";
    expect(await system.run("calls", "watch", "r1")).toBe(6);
  });

  test("Ctrl-C detaches with 130 and says how to come back", async () => {
    await using system = new FakeSystem();
    await system.start(() => {
      setImmediate(() => system.interrupt());
      return { body: { ...ROW, status: "RINGING" } };
    }, nothing);
    system.env.PARLEY_API_KEY = "k";
    expect(await system.run("calls", "watch", "r1")).toBe(130);
    expect(system.err).toContain("parley calls watch r1");
  });

  test.each([
    ["calls", "the call"],
    ["jobs", "the job"],
  ])("%s watch says how to come back when the server is lost", async (command, what) => {
    await using system = new FakeSystem();
    system.env.PARLEY_API_KEY = "k";
    system.env.PARLEY_URL = "http://127.0.0.1:9";
    expect(await system.run(command, "watch", "r1")).toBe(7);
    expect(system.err).toContain(`${what} is kept there. Come back with: parley ${command} watch r1`);
  });
});

describe("a LIVE dial", () => {
  const live = async (system: FakeSystem, mode: "LIVE" | "SANDBOX" | undefined, provider: string) => {
    await system.start(
      ({ url, method }) => ({
        body: url.pathname.endsWith("/phone-numbers")
          ? [{ phoneNumber: "+493011", provider }]
          : method === "POST"
            ? { rowId: "r1" }
            : ROW,
      }),
      nothing,
    );
    saveProfile(profilePath(system.env), { url: system.url, apiKey: "k", ...(mode && { mode }) });
    return () => system.api.filter((seen) => seen.method === "POST").length;
  };

  test.each([
    ["LIVE", "TWILIO", "+493012345678", 2, 0],
    [undefined, "TWILIO", "+493012345678", 2, 0],
    ["SANDBOX", "TWILIO", "+493012345678", 0, 1],
    ["LIVE", "SANDBOX", "+493012345678", 0, 1],
    ["LIVE", "TWILIO", "+12025550100", 0, 1],
  ] as const)(
    "mode %s, numbers of %s, to %s: exit code %i, %i calls without --yes where nobody can answer",
    async (mode, provider, number, code, calls) => {
      await using system = new FakeSystem();
      const placed = await live(system, mode, provider);
      expect(await system.run("call", number)).toBe(code);
      expect(placed()).toBe(calls);
    },
  );

  test("is asked for on a terminal, and goes through with y or --yes only", async () => {
    await using system = new FakeSystem();
    const placed = await live(system, "LIVE", "TWILIO");
    system.canAsk = true;
    expect(await system.run("call", "+493012345678")).toBe(1);
    expect(system.questions[0]).toContain("1 person");
    system.answer = "y";
    expect(await system.run("call", "+493012345678")).toBe(0);
    expect(await system.run("call", "+493012345678", "--yes")).toBe(0);
    expect([placed(), system.questions.length]).toEqual([2, 2]);
  });

  test("a job names how many it would ring", async () => {
    await using system = new FakeSystem();
    const placed = await live(system, "LIVE", "TWILIO");
    system.canAsk = true;
    const file = join(system.folder, "rows.csv");
    writeFileSync(file, "customerNumber\n+493012345678\n+12025550100\nbroken\n");
    expect(await system.run("jobs", "create", file)).toBe(1);
    expect(system.questions[0]).toContain("2 people");
    expect(placed()).toBe(0);
  });
});

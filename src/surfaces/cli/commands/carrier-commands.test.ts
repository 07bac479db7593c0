import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FakeSystem, type SeenRequest } from "#kit/fake-system.ts";

const FIELDS = [
  { name: "accountSid", label: "Account SID", isSecret: false, isRequired: true, pattern: ".*" },
  { name: "apiUrl", label: "Address", isSecret: false, isRequired: false, pattern: ".*" },
  { name: "authToken", label: "Auth token", isSecret: true, isRequired: true, pattern: ".*" },
];
const ACCOUNT = { id: "a1", provider: "TWILIO", label: "Main", status: "ACTIVE", statusMessage: null };
const WORKS = { kind: "WORKS", message: "It works." };

const nothing = () => ({ body: {} });
function answer(check: object) {
  return ({ url }: SeenRequest) =>
    url.pathname === "/carrier.fields"
      ? { body: { provider: "TWILIO", callsPerSecond: 1, fields: FIELDS } }
      : { body: { ...ACCOUNT, check } };
}

function sent(system: FakeSystem): unknown {
  return JSON.parse(system.operator.at(-1)?.body ?? "null");
}

describe("carrier", () => {
  test("add asks for what is missing, and for a secret unseen", async () => {
    await using system = await new FakeSystem().start(nothing, answer(WORKS));
    system.canAsk = true;
    system.answer = "t0ken";
    const argv = [
      "carrier",
      "add",
      "twilio",
      "--workspace",
      "w1",
      "--set",
      "accountSid=AC1",
      "--calls-per-second",
      "2",
    ];
    expect(await system.run(...argv)).toBe(0);
    expect(system.questions).toEqual([expect.stringContaining("Auth token (not shown")]);
    expect(sent(system)).toEqual({
      provider: "twilio",
      workspaceId: "w1",
      settings: { accountSid: "AC1" },
      secrets: { authToken: "t0ken" },
      callsPerSecond: 2,
    });
    expect(system.out + system.err).not.toContain("t0ken");
  });

  test("secrets come from standard input or a file, and never from the command line", async () => {
    await using system = await new FakeSystem().start(nothing, answer(WORKS));
    const add = ["carrier", "add", "twilio", "--workspace", "w1", "--set", "accountSid=AC1"];
    expect(await system.run(...add)).toBe(2);
    expect(system.err).toContain("authToken is missing");
    expect(await system.run(...add, "--secret", "authToken=t0ken")).toBe(2);
    system.lines = ["{", '"authToken": "t0ken"', "}"];
    expect(await system.run(...add, "--secrets-stdin")).toBe(0);
    expect(sent(system)).toMatchObject({ secrets: { authToken: "t0ken" } });
    const file = join(system.folder, "key.pem");
    writeFileSync(file, "-----BEGIN\nabc\n-----END\n");
    expect(await system.run(...add, "--secret", `authToken=@${file}`)).toBe(0);
    expect(sent(system)).toMatchObject({ secrets: { authToken: "-----BEGIN\nabc\n-----END" } });
    system.lines = ['{"authToken": t0ken}'];
    expect(await system.run(...add, "--secrets-stdin")).toBe(2);
    expect(system.err).not.toContain("t0ken");
  });

  test("a check tells by its exit code what the carrier said", async () => {
    for (const [kind, code] of [
      ["WORKS", 0],
      ["REFUSED", 1],
      ["UNREACHABLE", 7],
    ] as const) {
      await using system = await new FakeSystem().start(nothing, answer({ kind, message: `It is ${kind}.` }));
      expect(await system.run("carrier", "check", "a1")).toBe(code);
      expect(system.out).toContain(`It is ${kind}.`);
    }
  });

  test("an account that the carrier refuses, or that cannot be asked, ends with the server's message", async () => {
    for (const [status, code] of [
      [422, 1],
      [503, 7],
    ] as const) {
      await using system = await new FakeSystem().start(nothing, () => ({
        status,
        body: { message: "Authenticate", code: "X" },
      }));
      expect(await system.run("carrier", "update", "a1", "--label", "New")).toBe(code);
      expect(system.err).toContain("Authenticate");
    }
  });

  test("update sends only what is given; list and fields are tables", async () => {
    await using system = await new FakeSystem().start(nothing, (request) =>
      request.url.pathname === "/carrier.list" ? { body: [{ ...ACCOUNT, phoneNumbers: 3 }] } : answer(WORKS)(request),
    );
    expect(await system.run("carrier", "update", "a1", "--unset", "apiUrl", "--unchecked")).toBe(0);
    expect(sent(system)).toEqual({ id: "a1", settings: { apiUrl: null }, secrets: {}, unchecked: true });
    expect(await system.run("carrier", "list")).toBe(0);
    expect(await system.run("carrier", "fields", "twilio")).toBe(0);
    expect(system.out).toMatch(/a1 +TWILIO +Main +ACTIVE/);
    expect(system.out).toMatch(/authToken +secret +required +Auth token/);
    expect(await system.run("carrier", "remove", "a1")).toBe(0);
    expect(sent(system)).toEqual({ id: "a1" });
  });
});

import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

const nothing = () => ({ body: {} });

/** Returns a system whose API gives every request this answer. */
async function answering(status: number, body: object): Promise<FakeSystem> {
  const system = await new FakeSystem().start(() => ({ status, body }), nothing);
  system.env.PARLEY_API_KEY = "k";
  return system;
}

test("request id and faults are members of an error as JSON, and lines of one for a person", async () => {
  const details = [{ path: "status", code: "COUNTRY", message: "is not one." }];
  await using system = await answering(422, { error: "Title", message: "Because.", code: "X", details });
  await system.run("jobs", "list", "--json");
  expect(JSON.parse(system.err)).toMatchObject({ message: "Because.", requestId: "req_1", details });
  system.err = "";
  await system.run("jobs", "list");
  expect(system.err).toBe("error Because.\n  status: is not one.\n  request req_1\n");
});

test("a flow that is not there leads to the list of those that are, unless the server names one", async () => {
  const error = { error: "Not found", code: "NOT_FOUND" };
  const message = "Flow nope does not exist in this workspace.";
  const advice = "npx parley flow list shows those there are.";
  for (const [text, said] of [
    [message, `${message} ${advice}`],
    [`${message} Did you mean note?`, `${message} Did you mean note?`],
    ["Job nope does not exist in this workspace.", "Job nope does not exist in this workspace."],
  ] as const) {
    await using system = await answering(404, { ...error, message: text });
    Object.assign(system.env, { npm_command: "exec", npm_lifecycle_event: "npx" });
    expect(await system.run("call", "+12025550100", "--flow", "nope", "--yes")).toBe(4);
    expect(system.err).toBe(`error ${said}\n  request req_1\n`);
  }
});

test("a draft that is not there leads to the flow as it is published, and to the command that makes one", async () => {
  const message = "A draft of flow clinic does not exist in this workspace.";
  await using system = await answering(404, { error: "Not found", code: "NOT_FOUND", message });
  expect(await system.run("simulate", "replay", "--flow", "clinic", "--draft")).toBe(4);
  expect(system.err).toContain(
    `${message} Leave out --draft to take what is published; parley flow push makes a draft.`,
  );
});

test("an id in the wrong form leads to the command that lists them", async () => {
  const details = [{ path: "rowId", message: "has the wrong form." }];
  await using system = await answering(400, { error: "Bad Request", message: "Wrong.", details });
  expect(await system.run("calls", "watch", "CALL_ID")).not.toBe(0);
  expect(system.err).toContain("parley calls list shows the ids.");
});

test("a host that nobody knows is no reason to start a server", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { PARLEY_URL: "http://parley.invalid", PARLEY_API_KEY: "k" });
  expect(await system.run("jobs", "list")).toBe(7);
  expect(system.err).toMatch(
    /Cannot reach http:\/\/parley\.invalid: (ENOTFOUND|EAI_AGAIN)\. The host is unknown here: correct it in PARLEY_URL or in the profile that names it\.\n$/,
  );
  system.err = "";
  system.env.PARLEY_URL = "http://127.0.0.1:9";
  expect(await system.run("jobs", "list")).toBe(7);
  expect(system.err).toContain("Is the server running? Start it with: npm start");
});

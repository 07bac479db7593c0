import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeSystem } from "../kit/fake-system.ts";
import { ROOT } from "../kit/repository.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
/** Runs in real time, so it is started first and checked last. */
let audio: Run;
beforeAll(async () => {
  world = await World.start();
  audio = await start({ suite: SPOKEN, mode: "AUDIO", compareWith: "none" });
});
afterAll(() => world[Symbol.asyncDispose]());

interface Run {
  id: string;
  state: string;
  suite: string;
  flow: { id: string | null; apiId: string | null; version: number | null };
  progress: { done: number; total: number; failed: number };
  report: Report | null;
  comparedWith: string | null;
  comparison: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}
interface Report {
  passed: boolean;
  warnings: string[];
  scenarios: { name: string; passed: boolean; conversations: Conversation[] }[];
}
interface Conversation {
  outcome: string;
  callOutcome: string;
  endReason: string;
  fields: object;
  optOut: boolean;
  failures: { code: string; turn: number | null; quote: string | null; message: string }[];
  transcript: { content: string }[];
}

const SUITE = `suite: Reminder
flow: appointment-reminder
scenarios:
  - name: comes
    persona: agrees
    expect:
      outcome: COMPLETED
      fields: { confirmed: true }
`;

const SHORT_FLOW = {
  name: "Short",
  firstMessage: "Hello, this is Acme.",
  voicemailConfig: { action: "LEAVE_MESSAGE", message: "Please call us." },
  structuredOutputs: [
    {
      name: "visit",
      schema: { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } },
    },
  ],
};
const SPOKEN = {
  suite: "Spoken",
  flow: { document: SHORT_FLOW },
  scenarios: ["agrees", "declines", "opts-out", "voicemail", "hangs-up-at-once"].map((persona) => ({ persona })),
};

async function start(body: object, sample: Sample = world.sample): Promise<Run> {
  const reply = await world.request("POST", "/simulations", { body, key: sample.apiKey });
  expect(reply.status, reply.text).toBe(200);
  return reply.body as unknown as Run;
}

async function finish(id: string): Promise<Run> {
  const body = await world.until(`/simulations/${id}`, ({ state }) => state !== "QUEUED" && state !== "RUNNING");
  return body as unknown as Run;
}

const runToEnd = async (body: object) => finish((await start(body)).id);

test("a suite in YAML runs to its end: state, counts, transcript, JUnit; and its second run is compared with the first", async () => {
  const asked = await start({ suite: SUITE });
  expect(asked).toMatchObject({ state: "QUEUED", suite: "Reminder", report: null, progress: { done: 0, total: 1 } });
  const first = await finish(asked.id);
  expect(first).toMatchObject({
    state: "PASSED",
    flow: { id: world.sample.flow.id, apiId: "appointment-reminder", version: 1 },
    progress: { done: 1, total: 1, failed: 0 },
    comparedWith: null,
  });
  const [scenario] = first.report?.scenarios ?? [];
  expect(scenario?.conversations[0]?.transcript[0]?.content).toContain("Green Street Clinic");
  const slim = await world.request("GET", `/simulations/${asked.id}?transcripts=false`);
  expect((slim.body as unknown as Run).report?.scenarios[0]?.conversations[0]?.transcript).toEqual([]);
  const junit = await world.request("GET", `/simulations/${asked.id}/junit`);
  expect(junit.headers.get("content-type")).toContain("application/xml");
  expect(junit.text).toContain("<testcase");

  const changed = SUITE.replace("confirmed: true", "confirmed: false");
  const second = await runToEnd({ suite: changed });
  expect(second).toMatchObject({ state: "FAILED", comparedWith: first.id, progress: { failed: 1 } });
  expect(second.comparison).not.toBeNull();
  const third = await runToEnd({ suite: SUITE, compareWith: "none" });
  expect(third).toMatchObject({ comparedWith: null, comparison: null });
  const fourth = await runToEnd({ suite: SUITE, compareWith: first.id });
  expect(fourth.comparedWith).toBe(first.id);
});

test("runs are listed by suite, newest first, and another workspace sees none of them", async () => {
  const run = await runToEnd({ suite: SUITE.replace("Reminder", "Listed") });
  const listed = await world.request("GET", "/simulations?suite=Listed");
  expect(listed.body).toMatchObject({ totalElements: 1, content: [{ id: run.id, suite: "Listed", state: "PASSED" }] });
  const stranger = await world.createWorkspace();
  const theirs = await world.request("GET", "/simulations?suite=Listed", { key: stranger.apiKey });
  expect(theirs.body.totalElements).toBe(0);
  const compared = await world.request("POST", "/simulations", {
    key: stranger.apiKey,
    body: { suite: SUITE, compareWith: run.id },
  });
  expect(compared.status).toBe(404);
});

test("a draft, a version, a document and a flow's fields can each be tried instead of the suite's flow", async () => {
  const { flow } = world.sample;
  const firstLine = async (choice: unknown) => {
    const run = await runToEnd({ suite: SUITE, flow: choice, compareWith: "none" });
    return [run.flow.version, run.report?.scenarios[0]?.conversations[0]?.transcript[0]?.content];
  };
  await world.request("PUT", `/flows/${flow.id}/draft`, { body: { firstMessage: "The draft speaks." } });
  expect(await firstLine({ draft: flow.apiId })).toEqual([null, "The draft speaks."]);
  expect((await firstLine({ flow: flow.id, version: 1 }))[0]).toBe(1);
  const { body: document } = await world.request("GET", `/flows/${flow.id}/export`);
  (document.flow as { firstMessage: string }).firstMessage = "The document speaks.";
  expect(await firstLine({ document })).toEqual([null, "The document speaks."]);
  const flows = await world.request("GET", "/flows");
  expect(flows.body.totalElements, "nothing of a document stays").toBe(1);
  expect(await firstLine({ document: { name: "x", firstMessage: "Fields speak." } })).toEqual([null, "Fields speak."]);
});

test("files that a suite names travel with it; one that does not is a fault with its line", async () => {
  const suite = SUITE.replace("flow: appointment-reminder", "flow: { file: ./own.flow.json }");
  const { body: document } = await world.request("GET", `/flows/${world.sample.flow.id}/export`);
  const run = await runToEnd({ suite, files: { "./own.flow.json": JSON.stringify(document) } });
  expect(run).toMatchObject({ state: "PASSED", flow: { id: null, apiId: "appointment-reminder" } });
  const reply = await world.request("POST", "/simulations", { body: { suite } });
  expect(reply.status).toBe(422);
  expect(reply.body.details).toMatchObject([{ path: "suite.flow.file", code: "SUITE_INVALID" }]);
  expect(String((reply.body.details as { message: string }[])[0]?.message)).toMatch(/^line 2, column \d+: /);
});

test("what a run was asked for starts the same again", async () => {
  const files = { "./unused.yaml": "a: 1" };
  const { id } = await start({ suite: SUITE, files, repeat: 2, flow: world.sample.flow.id });
  const { body: source } = await world.request("GET", `/simulations/${id}/source`);
  const flow = world.sample.flow.id;
  expect(source).toEqual({ suite: SUITE, files, flow, only: null, repeat: 2, seed: null, mode: null });
  expect((await start(source)).progress).toMatchObject({ total: 2 });
});

const BAD: [string, object, number, string][] = [
  ["no YAML", { suite: "suite: [" }, 422, "suite"],
  ["an unknown key", { suite: `${SUITE}retries: 3\n` }, 422, "suite.retries"],
  [
    "an unknown persona",
    { suite: SUITE.replace("persona: agrees", "persona: agreees") },
    422,
    "suite.scenarios.0.persona",
  ],
  ["an unknown flow", { suite: SUITE.replace("appointment-reminder", "no-such-flow") }, 404, ""],
  ["an unknown model", { suite: `${SUITE}model: No such model\n` }, 404, ""],
  ["too many conversations", { suite: SUITE, repeat: 1_001 }, 422, "repeat"],
  ["an unknown scenario", { suite: SUITE, only: ["goes"] }, 422, "only"],
  [
    "a broken document",
    { suite: SUITE, flow: { document: { format: "other", formatVersion: 1 } } },
    422,
    "flow.document.format",
  ],
  ["a flow of no form", { suite: SUITE, flow: 7 }, 422, "flow"],
  ["a NUL in a name", { suite: SUITE.replace("Reminder", '"a\\0b"') }, 422, "suite.suite"],
  ["a NUL in a flow's name", { suite: SUITE.replace("appointment-reminder", '"a\\0b"') }, 422, "suite.flow"],
  [
    "a lone surrogate in a document",
    { suite: SUITE.replace("appointment-reminder", '{ document: { name: "\\uD800" } }') },
    400,
    "suite.flow.document.name",
  ],
  ["deep nesting", { suite: `suite: ${"[".repeat(5_000)}` }, 422, "suite"],
  ["no suite", {}, 422, "suite"],
];

test.each(BAD)("%s is refused, with where it stands", async (_what, body, status, path) => {
  const reply = await world.request("POST", "/simulations", { body });
  expect(reply.status, reply.text).toBe(status);
  expect((reply.body.details as { path: string }[] | undefined)?.[0]?.path ?? "").toBe(path);
});

test("a run is compared with the last one that ran its scenarios, so one of a single scenario hides no regression", async () => {
  const other = SUITE.slice(SUITE.indexOf("  - name:")).replace("comes", "comes too");
  const suite = SUITE.replace("Reminder", "Two reminders") + other;
  const names = [...suite.matchAll(/- name: (.*)/g)].map(([, name]) => name as string);
  expect(new Set(names).size).toBe(2);
  const changes = ({ comparison }: Run) =>
    (comparison?.scenarios as { change: string }[] | undefined)?.map(({ change }) => change);
  const first = await runToEnd({ suite });
  const single = await runToEnd({ suite, only: [names[0]] });
  // The other scenario was not removed: nobody asked for it.
  expect([single.comparedWith, changes(single)]).toEqual([first.id, ["STILL_PASSING"]]);
  expect(single.comparison).toMatchObject({ isSame: true, conversations: { before: 1, after: 1 } });
  const failing = suite.replaceAll("confirmed: true", "confirmed: false");
  const full = await runToEnd({ suite: failing });
  expect([full.comparedWith, changes(full)]).toEqual([first.id, ["NEWLY_FAILING", "NEWLY_FAILING"]]);
  const again = await runToEnd({ suite, only: [names[1]] });
  expect([again.comparedWith, changes(again)]).toEqual([full.id, ["NEWLY_PASSING"]]);
  expect((await runToEnd({ suite, only: [names[1]] })).comparedWith).toBe(again.id);
  // Nor is it new since a run that nobody asked for it in.
  expect(changes(await runToEnd({ suite: failing, compareWith: single.id }))).toEqual(["NEWLY_FAILING"]);
});

test("a cancelled run stays cancelled and has no report; one that is over cannot be cancelled", async () => {
  const suite = SUITE.replace("    expect:", "    repeat: 1000\n    expect:");
  const { id } = await start({ suite });
  const cancelled = await world.request("POST", `/simulations/${id}/cancel`);
  expect(cancelled.body).toMatchObject({ id, state: "CANCELLED", report: null });
  expect((await world.request("POST", `/simulations/${id}/cancel`)).body.state).toBe("CANCELLED");
  expect((await world.request("GET", `/simulations/${id}/junit`)).status).toBe(409);
  const done = await runToEnd({ suite: SUITE });
  expect((await world.request("POST", `/simulations/${done.id}/cancel`)).status).toBe(409);
  expect((await finish(id)).state).toBe("CANCELLED");
});

test("a run whose node died is begun again, and says what the flow said when it was asked for", async () => {
  const { id } = await start({ suite: SUITE });
  const before = await finish(id);
  // The state after a kill -9 in the middle: RUNNING, its task under the lease of a node that is gone.
  await world.database.query(
    "update simulations set state = 'RUNNING', done = 0, report = null, ended_at = null, comparison = null where id = $1",
    [id],
  );
  await world.request("PUT", `/flows/${world.sample.flow.id}`, { body: { firstMessage: "Changed meanwhile." } });
  await world.database.query(
    "update tasks set status = 'RUNNING', finished_at = null, lease_owner = $2 where subject_id = $1",
    [id, randomUUID()],
  );
  const again = await finish(id);
  expect(again).toMatchObject({ state: "PASSED", progress: { done: 1, total: 1 } });
  const linesOf = (run: Run) => run.report?.scenarios[0]?.conversations[0]?.transcript.map(({ content }) => content);
  expect(linesOf(again)).toEqual(linesOf(before));
});

test("the erasure of a contact takes the runs whose suites name their number", async () => {
  const { id } = await start({ suite: `${SUITE}contact: { phone: "+12025550107" }\n` });
  await finish(id);
  const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber: "+12025550107" } });
  await world.until(`/call-rows/${String(placed.body.rowId)}`, ({ endedAt }) => endedAt !== null);
  const found = await world.request("GET", "/contacts?phone=%2B12025550107");
  const contact = (found.body.content as { id: string }[])[0];
  expect((await world.request("DELETE", `/contacts/${contact?.id}`)).status).toBe(204);
  expect((await world.request("GET", `/simulations/${id}`)).status).toBe(404);
});

test("the personas that suites may name are listed with what they do", async () => {
  const { body } = await world.request("GET", "/personas");
  const personas = body as unknown as { name: string; description: string; kind: string }[];
  expect(personas.find(({ name }) => name === "voicemail")).toMatchObject({ kind: "VOICEMAIL" });
  expect(personas.length).toBeGreaterThanOrEqual(20);
  expect(personas.every(({ description }) => description !== "")).toBe(true);
});

test("the templates' suites pass, run from the command line on the server that PARLEY_URL names", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });
  const report = join(system.folder, "report.json");
  const templates = ["appointment-reminder", "lead-qualification", "satisfaction-survey"];
  const paths = templates.map((name) => join(ROOT, "templates", name, "suite.yaml"));
  const exitCode = await system.run("simulate", ...paths, "--report", report, "--junit", join(system.folder, "r.xml"));
  expect(exitCode, system.out + system.err).toBe(0);
  const runs = JSON.parse(readFileSync(report, "utf8")) as (Run & { report: { durationMs: number } })[];
  expect(runs.map(({ state }) => state)).toEqual(["PASSED", "PASSED", "PASSED"]);
  expect(readFileSync(join(system.folder, "r.xml"), "utf8").match(/<testsuite /g)).toHaveLength(3);
});

/** Faults put into a template's flow or suite, with the failure that each must report. */
const BROKEN: Record<string, { find: string; put: string; of: "flow" | "suite"; code: string; said: RegExp }> = {
  "a broken prompt": {
    of: "flow",
    find: '"firstMessage": "',
    put: '"firstMessage": "{{ compny }} ',
    code: "MISSING_VARIABLE",
    said: /^firstMessage uses \{\{ compny \}\}/,
  },
  "a wrong schema": {
    of: "flow",
    find: '"properties": {',
    put: '"required": ["shoeSize"], "properties": {',
    code: "OUTPUT",
    said: /^The output lead should be VALID, and is INVALID.*shoeSize/,
  },
  "a tool that fails": {
    of: "suite",
    find: "takesMs: 400",
    put: "takesMs: 3600000",
    code: "TOOL_FAILED",
    said: /^book_demo failed: the tool took longer than its limit/,
  },
  "a missing opt-out": {
    of: "suite",
    find: "persona: interested",
    put: "persona: { name: Clear, behaviours: [{ when: { turns: [2] }, do: { say: Tear my page out., optsOut: true } }] }",
    code: "OPT_OUT_IGNORED",
    said: /^The person asked not to be called again/,
  },
};

test("a broken prompt, a wrong schema, a tool that fails and a missing opt-out each turn a template red, by the turn", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });
  const read = (name: string) => readFileSync(join(ROOT, "templates/lead-qualification", name), "utf8");
  const paths = Object.values(BROKEN).map(({ of, find, put }, i) => {
    const texts = { flow: read("flow.json"), suite: read("suite.yaml") };
    expect(texts[of]).toContain(find);
    texts[of] = texts[of].replace(find, () => put);
    writeFileSync(join(system.folder, `${i}.flow.json`), texts.flow);
    const path = join(system.folder, `${i}.suite.yaml`);
    writeFileSync(path, texts.suite.replace("./flow.json", `./${i}.flow.json`));
    return path;
  });
  const report = join(system.folder, "report.json");
  expect(await system.run("simulate", ...paths, "--report", report)).toBe(6);
  const runs = JSON.parse(readFileSync(report, "utf8")) as Run[];
  for (const [i, [what, { code, said }]] of Object.entries(BROKEN).entries()) {
    const failures = runs[i]?.report?.scenarios[0]?.conversations[0]?.failures ?? [];
    const found = failures.find((one) => one.code === code);
    expect([what, runs[i]?.state, typeof found?.turn, typeof found?.quote, failures]).toEqual([
      what,
      "FAILED",
      "number",
      "string",
      failures,
    ]);
    expect(found?.message).toMatch(said);
    expect(system.out).toMatch(new RegExp(`${code} at (?:\\S+, )?turn ${found?.turn}: `));
  }
});

test("a simulation leaves nothing behind but its run: no call, message, contact, bill or do-not-call entry", async () => {
  const own = await world.createWorkspace();
  const tables = await world.database.query<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id'",
  );
  // Tables that any request writes to, and the index of the sample's knowledge, which is built meanwhile.
  const others = ["simulations", "tasks", "request_log", "api_keys", "credentials", "knowledge_chunks"];
  const names = tables.map(({ name }) => name).filter((name) => !others.includes(name));
  expect(names).toEqual(expect.arrayContaining(["call_rows", "contacts", "do_not_call", "events"]));
  const count = () => {
    const counts = names.map((name) => `select '${name}' as name, count(*)::int from ${name} where workspace_id = $1`);
    return world.database.query(`${counts.join(" union all ")} order by name`, [own.workspaceId]);
  };
  const before = await count();
  const personas = ["opts-out", "call-later", "wants-human", "voicemail", "agrees"];
  const scenarios = personas.map((persona): object => ({ persona }));
  scenarios.push({ name: "chat", persona: "opts-out", channel: "CHAT" });
  const contact = { name: "Nobody Known", phone: "+12025550163", email: "nobody@example.com" };
  const suite = { suite: "Leaves nothing", flow: "appointment-reminder", contact, scenarios };
  const { id } = await start({ suite }, own);
  const path = `/simulations/${id}`;
  const ended = async () => (await world.request("GET", path, { key: own.apiKey })).body as unknown as Run;
  await expect.poll(async () => (await ended()).state, { timeout: 20_000 }).toBe("PASSED");
  const all = (await ended()).report?.scenarios.flatMap(({ conversations }) => conversations) ?? [];
  expect(all.filter(({ optOut }) => optOut)).toHaveLength(2);
  expect(await count()).toEqual(before);
});

test("simulate init writes a suite for the workspace's flow that passes as it is", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });
  expect(await system.run("simulate", "init", system.folder), system.err).toBe(0);
  const suite = join(system.folder, "appointment-reminder.suite.yaml");
  expect(await system.run("simulate", suite), system.out + system.err).toBe(0);
});

test("the same people give the same outcomes, fields and ends in audio as in text", async () => {
  const text = await runToEnd({ suite: SPOKEN, compareWith: "none" });
  const heard = await finish(audio.id);
  expect(heard.state, JSON.stringify(heard.error)).toBe("PASSED");
  const endsOf = ({ report }: Run) =>
    report?.scenarios.map(({ name, conversations: [one] }) => {
      return [name, one?.outcome, one?.callOutcome, one?.endReason, one?.fields, one?.optOut];
    });
  expect(endsOf(heard)).toEqual(endsOf(text));
  expect(endsOf(text)?.length).toBe(5);
}, 90_000);

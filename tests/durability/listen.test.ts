import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { FakeSystem } from "../kit/fake-system.ts";
import { Receiver } from "../kit/receiver.ts";
import { ServerProcess } from "../kit/server-process.ts";

interface Sample {
  apiKey: string;
  flow: { id: string };
}

let database: TestDatabase;
let server: ServerProcess;
let sample: Sample;
beforeAll(async () => {
  database = await createDatabase();
  server = await ServerProcess.create({ DATABASE_URL: database.url });
  await server.start();
  const body = { name: "Listen", sample: true, sandboxSpeed: "instant" };
  sample = (await server.operator("workspace.create", body)) as unknown as Sample;
});
afterAll(async () => {
  server.kill();
  await server.stop();
  await database.drop();
});

/** Places a call and returns the id of its session once it is over. */
async function call(customerNumber: string): Promise<string> {
  const headers = { "x-api-key": sample.apiKey, "content-type": "application/json" };
  const base = `${server.url}/api/external/v1`;
  const body = JSON.stringify({ customerNumber, flowId: sample.flow.id });
  const placed = await fetch(`${base}/outbound/calls`, { method: "POST", headers, body });
  expect(placed.status).toBeLessThan(300);
  const { rowId } = (await placed.json()) as { rowId: string };
  const read = async () => {
    const row = await (await fetch(`${base}/call-rows/${rowId}`, { headers })).json();
    return row as { endedAt: string | null; sessionId: string };
  };
  await expect.poll(async () => (await read()).endedAt, { timeout: 60_000 }).not.toBeNull();
  return (await read()).sessionId;
}

test("parley listen goes on where it was after its server was killed: no event is lost, none comes twice", async () => {
  await using receiver = await Receiver.start();
  await using terminal = new FakeSystem();
  Object.assign(terminal.env, { PARLEY_URL: server.url, PARLEY_API_KEY: sample.apiKey });
  const argv = ["listen", "--events", "session.ended", "--forward-to", receiver.url, "--json"];
  const ended = terminal.run(...argv);
  await expect.poll(() => terminal.err, { timeout: 60_000 }).toContain("Signing secret of what is forwarded");
  const before = await call("+12025550100");
  await receiver.waitFor(1, 60_000);

  // The server is killed as soon as the second call is over, mostly before the command has asked for its event.
  const unheard = await call("+12025550101");
  server.kill();
  await server.gone;
  await expect.poll(() => terminal.err, { timeout: 60_000 }).toContain("Listening again in");
  await server.start();
  const after = await call("+12025550102");
  await receiver.waitFor(3, 120_000);
  terminal.interrupt();
  expect(await ended).toBe(130);

  const heard = terminal.out.split("\n").filter(Boolean);
  const sessions = heard.map((line) => (JSON.parse(line) as { event: { session: { id: string } } }).event.session.id);
  expect(sessions).toEqual([before, unheard, after]);
  const ids = receiver.received.map(({ headers }) => headers["x-service-event-id"]);
  expect(new Set(ids).size).toBe(3);
  const hooks = await fetch(`${server.url}/api/external/v1/session-webhooks`, {
    headers: { "x-api-key": sample.apiKey },
  });
  expect(await hooks.json()).toMatchObject({ content: [] });
}, 300_000);

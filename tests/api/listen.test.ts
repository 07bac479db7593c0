import { webhooks } from "@parley/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeSystem } from "../kit/fake-system.ts";
import { freePort } from "../kit/free-port.ts";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

function createTerminal(): FakeSystem {
  const terminal = new FakeSystem();
  Object.assign(terminal.env, { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });
  return terminal;
}

const listening = (terminal: FakeSystem) =>
  expect.poll(() => terminal.err, { timeout: 30_000 }).toContain("Signing secret of what is forwarded");
const heard = (terminal: FakeSystem) => terminal.out.split("\n").filter(Boolean);
const webhookCount = async () => ((await world.request("GET", "/session-webhooks")).body.content as []).length;

test("forwards each event once, signed with the printed secret, and leaves no webhook behind", async () => {
  await using receiver = await Receiver.start();
  await using terminal = createTerminal();
  const ended = terminal.run("listen", "--forward-to", receiver.url, "--json");
  await listening(terminal);
  const row = await world.call("+12025550100", { flowId: world.sample.flow.id });
  await receiver.waitFor(2);
  const [, signingSecret = ""] = /(whsec_\S+)/.exec(terminal.err) ?? [];
  const events = await Promise.all(
    receiver.received.map(({ headers, body }) => webhooks.verify(headers, body, { signingSecret })),
  );
  expect(events.map(({ eventType }) => eventType).toSorted()).toEqual(["session.ended", "session.started"]);
  for (const event of events) expect(event).toMatchObject({ session: { id: row.sessionId } });
  await expect.poll(() => heard(terminal).length, { timeout: 30_000 }).toBe(2);
  for (const line of heard(terminal)) {
    expect(JSON.parse(line)).toMatchObject({ event: { session: { id: row.sessionId } }, forwarded: { status: 200 } });
  }
  expect(await webhookCount()).toBe(1);
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect([receiver.received.length, await webhookCount()]).toEqual([2, 0]);
});

test("shows only the events that were asked for, and that nobody took one", async () => {
  await using terminal = createTerminal();
  const nowhere = `http://127.0.0.1:${await freePort()}/hook`;
  const ended = terminal.run("listen", "--events", "session.ended", "--forward-to", nowhere);
  await listening(terminal);
  const row = await world.call("+12025550101", { flowId: world.sample.flow.id });
  await expect.poll(() => heard(terminal).length, { timeout: 30_000 }).toBe(1);
  expect(terminal.out).toContain(String(row.sessionId));
  expect(terminal.out).toMatch(/session\.ended .*-> .*ECONNREFUSED/);
  terminal.interrupt();
  expect(await ended).toBe(130);
});

test("a job is heard whose completion goes to the printed address", async () => {
  await using terminal = createTerminal();
  const ended = terminal.run("listen", "--events", "call_job.completed", "--json");
  await listening(terminal);
  expect(await webhookCount()).toBe(0);
  const [url] = /https?:\/\/\S+\/api\/webhooks\/inspector\/\S+/.exec(
    String((await world.request("GET", "/webhook-inspector/address")).body.url),
  ) as RegExpExecArray;
  const rows = [{ customerNumber: "+12025550102" }];
  const job = await world.request("POST", "/call-jobs", {
    body: { flowId: world.sample.flow.id, rows, completionWebhook: { url } },
  });
  expect(job.status, job.text).toBeLessThan(300);
  await expect.poll(() => heard(terminal).length, { timeout: 30_000 }).toBe(1);
  expect(JSON.parse(terminal.out)).toMatchObject({ event: { job: { id: job.body.id } } });
  terminal.interrupt();
  expect(await ended).toBe(130);
});

test.each([
  [["--forward-to", "file:///etc/passwd"], "http or https"],
  [["--events", "session.sarted"], "There is no event session.sarted"],
])("%s is a fault of usage", async (options, said) => {
  await using terminal = createTerminal();
  expect(await terminal.run("listen", ...options)).toBe(2);
  expect(terminal.err).toContain(said);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { readLedger } from "../kit/ledger-check.ts";
import { ServerProcess } from "../kit/server-process.ts";

/*
 * Servers as processes of their own, on one database and with one carrier, which keeps the ledger of what rang. They are
 * stopped as a deploy stops them.
 */

type Body = Record<string, unknown>;

const GOODBYE = "I am sorry, I have to end our call here for a technical reason. Goodbye.";

let folder: string;
let database: TestDatabase;
let exchange: Awaited<ReturnType<typeof serveSandboxExchange>>;
let apiKey: string;
const servers: ServerProcess[] = [];
/** People of the sandbox who hold the line for 80 to 100 s of its time. */
const PATIENT = [
  "+12025550186",
  "+12025550187",
  "+12025550188",
  "+12025550189",
  "+442079460187",
  "+442079460188",
  "+442079460189",
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-drain-"));
  exchange = await serveSandboxExchange({ port: 0, ledgerPath: join(folder, "ledger.jsonl") });
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const server of servers) server.kill();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await database.drop();
});

async function startServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await ServerProcess.create({
    DATABASE_URL: database.url,
    SANDBOX_CARRIER_URL: exchange.url,
    DRAIN_SECONDS: "900",
    ...env,
  });
  servers.push(server);
  await server.start();
  return server;
}

async function createWorkspace(server: ServerProcess, sandboxSpeed: number): Promise<void> {
  const rateLimit = { capacity: 1e6, refill: 1e6, periodSeconds: 1 };
  const made = await server.operator("workspace.create", { name: "Drain", sample: true, sandboxSpeed, rateLimit });
  apiKey = String(made.apiKey);
}

async function ask(server: ServerProcess, method: string, path: string, body?: object): Promise<Body> {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, {
    method,
    headers: { "x-api-key": apiKey, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(reply.status, await reply.clone().text()).toBe(200);
  return (await reply.json()) as Body;
}

async function place(server: ServerProcess, more: object = {}): Promise<{ id: string; number: string }> {
  const number = PATIENT.shift() as string;
  const { rowId } = await ask(server, "POST", "/outbound/calls", { customerNumber: number, ...more });
  return { id: String(rowId), number };
}

async function restart(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  expect(await server.gone).toBe(0);
  await server.start();
}

/** Waits until a call is in conversation and the agent has said something. */
async function untilTalking(server: ServerProcess, id: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const row = await ask(server, "GET", `/call-rows/${id}`);
      expect(row.status).toBe("IN_PROGRESS");
      expect(row.transcript).not.toEqual([]);
    },
    { timeout: 30_000, interval: 50 },
  );
}

function rings(number: string): number {
  return readLedger(join(folder, "ledger.jsonl"), true).filter(({ to, event }) => to === number && event === "RING")
    .length;
}

test(
  "a server that is stopped begins nothing new, lets a live call go on to its own end, and exits with 0",
  { timeout: 120_000 },
  async () => {
    const server = await startServer();
    await createWorkspace(server, 20);
    const live = await place(server);
    await untilTalking(server, live.id);
    server.kill("SIGTERM");
    await vi.waitFor(async () => expect((await fetch(`${server.url}/ready`)).status).toBe(503));
    const health = await fetch(`${server.url}/health`);
    expect([health.status, health.headers.get("connection")]).toEqual([200, "close"]);
    const later = await place(server);
    expect(await server.gone).toBe(0);

    await server.start();
    const row = await ask(server, "GET", `/call-rows/${live.id}`);
    expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", attempt: 1 });
    expect(row.endReason).not.toBe("INTERRUPTED_BY_OPERATOR");
    await untilTalking(server, later.id);
    expect([rings(live.number), rings(later.number)]).toEqual([1, 1]);
  },
);

test(
  "at the deadline the agent says goodbye, and the call is INTERRUPTED_BY_OPERATOR with what was said",
  { timeout: 120_000 },
  async () => {
    const server = await startServer({ DRAIN_SECONDS: "1" });
    await createWorkspace(server, 2);
    const { id, number } = await place(server);
    await untilTalking(server, id);
    await restart(server);
    const row = await ask(server, "GET", `/call-rows/${id}`);
    expect(row).toMatchObject({
      status: "FAILED",
      outcome: "INTERRUPTED_BY_OPERATOR",
      endReason: "INTERRUPTED_BY_OPERATOR",
      attempt: 1,
    });
    expect((row.transcript as Body[]).at(-1)).toMatchObject({ role: "ASSISTANT", content: GOODBYE });
    expect(rings(number)).toBe(1);
  },
);

test(
  "a person whose call the operator interrupted is called back once, where the flow wants it",
  { timeout: 120_000 },
  async () => {
    const server = await startServer({ DRAIN_SECONDS: "0" });
    await createWorkspace(server, 2);
    const flow = { name: "Once", masterPrompt: "Confirm.", firstMessage: "Hello.", callBackInterrupted: true };
    const { id, number } = await place(server, { flow, rowData: { table: 7 }, contextData: { order: 1.5 } });
    await untilTalking(server, id);
    await restart(server);
    const history = `/call-history?customerNumber=${encodeURIComponent(number)}`;
    const listed = async () => (await ask(server, "GET", history)).content as Body[];
    const again = (await listed()).find((row) => row.id !== id) as Body;
    expect(again).toMatchObject({ status: "QUEUED", callBackOf: id, jobId: null, maxAttempts: 1, attempt: 0 });
    expect(again).toMatchObject({ rowData: { table: 7, interruptedCall: true }, contextData: { order: 1.5 } });
    const waitMs = Date.parse(String(again.nextAttemptAt)) - Date.parse(String(again.createdAt));
    expect(waitMs).toBe(60_000);

    await database.query("update call_rows set due_at = now() where id = $1", [again.id]);
    await untilTalking(server, String(again.id));
    await restart(server);
    const rows = await listed();
    expect(rows.map(({ outcome }) => outcome)).toEqual(["INTERRUPTED_BY_OPERATOR", "INTERRUPTED_BY_OPERATOR"]);
    expect(rings(number)).toBe(2);
  },
);

test("a second signal ends live calls at once", { timeout: 120_000 }, async () => {
  const server = await startServer();
  await createWorkspace(server, 2);
  const { id } = await place(server);
  await untilTalking(server, id);
  server.kill("SIGTERM");
  await vi.waitFor(async () => expect((await fetch(`${server.url}/ready`)).status).toBe(503));
  // Two signals within half a second may be one Ctrl-C.
  await new Promise((resolve) => setTimeout(resolve, 600));
  server.kill("SIGTERM");
  expect(await server.gone).toBe(0);

  await server.start();
  const row = await ask(server, "GET", `/call-rows/${id}`);
  expect(row).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED_BY_OPERATOR" });
  expect((row.transcript as Body[]).map(({ content }) => content)).not.toContain(GOODBYE);
});

test(
  "calls that wait go to another node at once, and the operator moves the deadline",
  { timeout: 120_000 },
  async () => {
    const first = await startServer();
    await createWorkspace(first, 2);
    const { id } = await place(first);
    await untilTalking(first, id);
    const second = await startServer();
    const begun = await first.operator("drain", {});
    expect(begun).toMatchObject({ state: "DRAINING", liveCalls: 1 });
    const waiting = await place(first);
    await untilTalking(second, waiting.id);
    expect(await first.operator("drain.status", {})).toMatchObject({ state: "DRAINING", liveCalls: 1 });
    expect(await first.operator("drain", { seconds: -1 })).toMatchObject({ code: "VALIDATION_FAILED" });
    await first.operator("drain", { seconds: 0 });
    expect(await first.gone).toBe(0);
    expect(await ask(second, "GET", `/call-rows/${id}`)).toMatchObject({ outcome: "INTERRUPTED_BY_OPERATOR" });
    expect(await ask(second, "GET", `/call-rows/${waiting.id}`)).toMatchObject({ status: "IN_PROGRESS" });
  },
);

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { freePort } from "../kit/free-port.ts";
import { ROOT } from "../kit/repository.ts";
import { programEnvironment } from "../kit/test-environment.ts";

type Body = Record<string, unknown>;

let database: TestDatabase;
let folder: string;
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  database = await createDatabase();
  folder = mkdtempSync(join(tmpdir(), "parley-toy-"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: database.url, CHECK_REPLIES: "1" };
  const toy = join(ROOT, "tests/kit/carriers/add-toy-carrier.ts");
  const child = spawn(process.execPath, ["--import", toy, "src/main.ts", "serve"], {
    cwd: ROOT,
    env: programEnvironment(env),
    stdio: "ignore",
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  stop = () => (child.kill("SIGTERM"), gone);
  const isReady = async () => {
    const { status } = await fetch(`${url}/ready`);
    if (status !== 200) throw new Error(`/ready answers ${status}.`);
  };
  await vi.waitFor(isReady, { timeout: 60_000, interval: 200 });
});
afterAll(async () => {
  await stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an operator command. */
function operator(command: string, body: Body): Promise<Body> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath: join(folder, "operator.sock"), path: `/${command}`, method: "POST" },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () =>
          answer.statusCode === 200 ? resolve(JSON.parse(text) as Body) : reject(new Error(text)),
        );
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

test("one folder and one line in the registry are a carrier: account, number, call and document", async () => {
  const always = {
    windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], start: "00:00", end: "24:00" }],
  };
  const made = await operator("workspace.create", { name: "Toy", mode: "LIVE", sample: true });
  const { workspaceId, apiKey } = made as { workspaceId: string; apiKey: string };
  await operator("workspace.update", { id: workspaceId, countries: ["US"], callingWindow: always });
  const keys = { provider: "TOY", workspaceId, settings: {} };
  await expect(operator("carrier.add", { ...keys, secrets: { toyKey: "wrong" } })).rejects.toThrow("toyKey");
  expect(await operator("carrier.add", { ...keys, secrets: { toyKey: "toy-1" } })).toMatchObject({ status: "ACTIVE" });

  const ask = async (method: string, path: string, body?: Body): Promise<Body> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const reply = await fetch(`${url}/api/external/v1${path}`, init);
    expect(reply.status, `${method} ${path}`).toBe(200);
    return (await reply.json()) as Body;
  };
  await ask("POST", "/phone-numbers", { provider: "TOY", phoneNumber: "+14155559000", isDefault: true });
  const isActive = async () => {
    const numbers = (await ask("GET", "/phone-numbers")) as unknown as Body[];
    expect(numbers).toContainEqual(expect.objectContaining({ provider: "TOY", status: "ACTIVE" }));
  };
  await vi.waitFor(isActive, { timeout: 30_000, interval: 200 });

  const { rowId } = await ask("POST", "/outbound/calls", {
    customerNumber: "+14155552001",
    flow: { firstMessage: "Hi." },
  });
  const isOver = async () => {
    const row = await ask("GET", `/call-rows/${String(rowId)}`);
    expect(row.endedAt).not.toBeNull();
    return row;
  };
  const row = await vi.waitFor(isOver, { timeout: 30_000, interval: 200 });
  expect(row).toMatchObject({ answeredBy: "HUMAN", attempts: [{ number: 1 }] });

  const document = JSON.stringify(await (await fetch(`${url}/openapi.json`)).json());
  expect(document).toContain('"VONAGE","TOY"');
});

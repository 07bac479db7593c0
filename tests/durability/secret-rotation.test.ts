import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openRecordingFile } from "#src/audio/recording/recording-reader.ts";
import { openCallRecorder } from "#src/audio/worker/call-recorder.ts";
import { openFile } from "#src/platform/files/folder.ts";
import type { StoredFile } from "#src/platform/files/stored-file.ts";
import { deriveKey, idOfKey, KeyRing } from "#src/platform/kernel/key-ring.ts";
import { createSecretBox, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import { Installation } from "../kit/backup-harness.ts";
import { type Sealed, sealConnections } from "../kit/connected-apps/sealed-canaries.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { Receiver } from "../kit/receiver.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { storeSealedSignOn } from "../kit/sign-on/sealed-sign-on.ts";

const OLD = "the secret of the first year";
const NEW = "the secret of the second year";
/** Tools besides the one that the API makes: eight windows of a pass. */
const TOOLS = 4_000;

const keyOf = (secret: string) => createHash("sha256").update(secret).digest();
const boxOf = (secret: string) => createSecretBox(new KeyRing(keyOf(secret)));

let database: TestDatabase;
let receiver: Receiver;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver[Symbol.asyncDispose]());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await database.drop();
});

async function createServer(env: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.create({ DATABASE_URL: database.url, ALLOW_PRIVATE_NETWORK: "1", ...env });
  servers.push(server);
  return server;
}

/** Stops a server in order and starts it with other settings. */
async function restart(server: ServerProcess, env: Record<string, string>): Promise<void> {
  server.kill("SIGTERM");
  await server.gone;
  Object.assign(server.env, env);
  await server.start();
}

class Api {
  readonly workspaceId: string;
  readonly #key: string;

  constructor({ workspaceId, apiKey }: { workspaceId: string; apiKey: string }) {
    this.workspaceId = workspaceId;
    this.#key = apiKey;
  }

  async send(server: ServerProcess, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${server.url}/api/external/v1${path}`, {
      method,
      headers: { "x-api-key": this.#key, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

async function createWorkspace(server: ServerProcess): Promise<Api> {
  const rateLimit = { capacity: 1e6, refill: 1e6, periodSeconds: 1 };
  const settings = { name: "Rotation", sample: true, sandboxSpeed: "instant", rateLimit };
  return new Api((await server.operator("workspace.create", settings)) as { workspaceId: string; apiKey: string });
}

/** Stores a credential of each kind, by the API where it has one. */
async function fill(server: ServerProcess, api: Api): Promise<Sealed[]> {
  const { workspaceId } = api;
  const tool = {
    name: "lookup",
    description: "d",
    toolType: "API",
    apiMethod: "POST",
    apiUrl: receiver.url,
    apiHeaders: { Authorization: "canary-header" },
    apiBody: { token: "canary-body" },
  };
  const { id: toolId } = await api.send(server, "POST", "/tools", tool);
  const gateway = { provider: "OPENAI_COMPATIBLE", baseUrl: receiver.url, headers: { "X-Key": "canary-gateway" } };
  const model = { name: "m", model: "x", apiKey: "canary-model", ...gateway };
  const { id: modelId } = await api.send(server, "POST", "/models", model);
  const webhook = { url: receiver.url, authMode: "BEARER" };
  const session = { ...webhook, events: ["session.ended"], secret: "canary-session" };
  const { id: webhookId } = await api.send(server, "POST", "/session-webhooks", session);
  const sipTrunk = { host: "sip.example.com", username: "ada", password: "canary-trunk" };
  const number = { provider: "BYO_SIP", phoneNumber: "+4930901820", sipTrunk };
  const { id: numberId } = await api.send(server, "POST", "/phone-numbers", number);
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const job = {
    rows: [{ customerNumber: "+14155550123" }],
    startAt,
    completionWebhook: { ...webhook, secret: "canary-job" },
  };
  const { id: jobId } = (await api.send(server, "POST", "/call-jobs", job)) as { id: string };
  await api.send(server, "GET", `/test/async-echo?delaySeconds=120&secret=canary-echo-${"x".repeat(60)}`);
  await insertOthers(workspaceId);
  const [echo] = await database.query<{ subject_id: string }>("select subject_id from tasks where kind = 'async-echo'");
  const of = (table: string, column: string, id: unknown, canary: string): Sealed => ({
    canary,
    sql: `select ${column} as sealed from ${table} where id = '${String(id)}'`,
    place: `${workspaceId}|${table}|${column}|${String(id)}`,
  });
  const owner = "00".repeat(32);
  const make = (body: object) => api.send(server, "POST", "/connections", body);
  const connections = await sealConnections(workspaceId, database, boxOf(OLD), make);
  return [
    of("tools", "api_headers", toolId, "canary-header"),
    of("tools", "api_body", toolId, "canary-body"),
    of("language_models", "api_key", modelId, "canary-model"),
    of("language_models", "headers", modelId, "canary-gateway"),
    ...connections,
    of("session_webhooks", "secrets", webhookId, "canary-session"),
    of("phone_numbers", "sip_secret", numberId, "canary-trunk"),
    of("call_jobs", "webhook_secret", jobId, "canary-job"),
    of("carrier_accounts", "secrets", ID, "canary-carrier"),
    {
      canary: "canary-echo",
      sql: "select decode(payload ->> 'sealed', 'base64') as sealed from tasks where kind = 'async-echo'",
      place: `${workspaceId}|tasks|payload|${echo?.subject_id}`,
    },
    {
      canary: "canary-delivery",
      sql: "select decode(payload ->> 'secret', 'base64') as sealed from tasks where kind = 'call_job.completed'",
      place: `${workspaceId}|call_jobs|webhook_secret|${ID}`,
    },
    { canary: "canary-totp", sql: "select secret as sealed from user_totp", place: `${ID}|user_totp|secret` },
    {
      canary: "canary-speech",
      sql: "select api_key as sealed from speech_accounts",
      place: `${workspaceId}|speech_accounts|api_key|DEEPGRAM`,
    },
    {
      canary: "canary-result",
      sql: "select result as sealed from tool_results",
      place: `${workspaceId}|tool_results|${ID}|${owner}|${owner}`,
    },
    ...(await storeSealedSignOn(database, boxOf(OLD))),
  ];
}

/** Id of what the tests store themselves. */
const ID = randomUUID();

/** Stores what needs more than a request, sealed for the places that the service uses, and many tools. */
async function insertOthers(workspaceId: string): Promise<void> {
  const seal = (text: string, place: string) => boxOf(OLD).seal(text, place);
  await database.query(
    `insert into speech_accounts (workspace_id, provider, api_key, hears, speaks) values ($1, 'DEEPGRAM', $2, true, false)`,
    [workspaceId, seal("canary-speech", `${workspaceId}|speech_accounts|api_key|DEEPGRAM`)],
  );
  const owner = Buffer.alloc(32);
  const place = `${ID}|${owner.toString("hex")}|${owner.toString("hex")}`;
  await database.query(
    `insert into tool_results (workspace_id, tool_id, owner, key, result, expires_at)
     values ($1, $2, $3, $3, $4, now() + interval '1 day')`,
    [workspaceId, ID, owner, seal('"canary-result"', `${workspaceId}|tool_results|${place}`)],
  );
  await database.query(
    `insert into carrier_accounts (workspace_id, id, provider, label, settings, secrets, status, calls_per_second)
     values ($1, $2, 'TELNYX', 'Canary', '{}', $3, 'ACTIVE', 1)`,
    [workspaceId, ID, seal('{"apiKey":"canary-carrier"}', `${workspaceId}|carrier_accounts|secrets|${ID}`)],
  );
  await database.query(
    `with person as (insert into users (id, email, name, password_hash) values ($1, 'canary@example.com', 'c', '') returning id)
     insert into user_totp (user_id, secret) select id, $2 from person`,
    [ID, seal("canary-totp", `${ID}|user_totp|secret`)],
  );
  // As the statement that completes a job writes it, in lines of 76 characters.
  const secrets = seal(
    `{"secret":"canary-delivery-${"x".repeat(80)}"}`,
    `${workspaceId}|call_jobs|webhook_secret|${ID}`,
  );
  await database.query(
    `insert into tasks (id, workspace_id, kind, subject_id, status, payload)
     values (gen_random_uuid(), $1, 'call_job.completed', $2, 'DEAD',
             json_build_object('secret', encode($3::bytea, 'base64'), 'job', json_build_object('z', 1e2, 'a', 2)))`,
    [workspaceId, ID, secrets],
  );
  const ids = Array.from({ length: TOOLS }, () => randomUUID());
  const headers = ids.map((id) => seal('{"A":"canary-many"}', `${workspaceId}|tools|api_headers|${id}`));
  await database.query(
    `insert into tools (workspace_id, id, definition, api_headers)
     select $1, id, '{"name":"many","toolType":"API"}', h from unnest($2::uuid[], $3::bytea[]) as t(id, h)`,
    [workspaceId, ids, headers],
  );
}

async function openAll(sealed: readonly Sealed[], box: SecretBox): Promise<string[]> {
  const texts: string[] = [];
  for (const { sql, place } of sealed) {
    const [row] = await database.query<{ sealed: Buffer }>(sql);
    texts.push(box.open(row?.sealed ?? Buffer.alloc(0), place));
  }
  return texts;
}

/** Returns the tables with a value that was sealed with this secret, found by the bytes before each sealed value. */
async function tablesUnder(secret: string): Promise<string[]> {
  const head = Buffer.concat([Buffer.of(1), Buffer.from(idOfKey(keyOf(secret)), "hex")]);
  // Base64 of 5 bytes ends within a character: 6 whole ones are the same in front of any text.
  const marks = [`\\\\x${head.toString("hex")}`, `"${head.toString("base64").slice(0, 6)}`];
  const tables = await database.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from "${name}" t where strpos(row_to_json(t)::text, $1) + strpos(row_to_json(t)::text, $2) > 0`,
      marks,
    );
    if ((row?.count ?? 0) > 0) found.push(name);
  }
  return found.toSorted();
}

async function readProgress(): Promise<number> {
  const rows = await database.query<{ value: Buffer }>("select value from settings where name = 'secret_rotation'");
  const { resealed } = JSON.parse(rows[0]?.value.toString() ?? '{"resealed":{}}') as {
    resealed: Record<string, number>;
  };
  return Object.values(resealed).reduce((sum, count) => sum + count, 0);
}

async function untilDone(server: ServerProcess): Promise<Record<string, unknown>> {
  const done = async () => {
    const status = await server.operator("secret.status", {});
    return status.state === "DONE" ? status : undefined;
  };
  return vi.waitUntil(done, { timeout: 60_000, interval: 200 });
}

/** Changes a tool again and again, and places calls, whatever dies meanwhile. Remembers what was acknowledged. */
function load(api: Api, nodes: readonly ServerProcess[], toolId: unknown) {
  const stop = new AbortController();
  const calls: string[] = [];
  const faults: string[] = [];
  let sent = 0;
  let acknowledged = 0;
  const note = (error: Error) => faults.push(error.message);
  const run = async () => {
    for (; !stop.signal.aborted; sent++) {
      const server = nodes[sent % nodes.length] as ServerProcess;
      const apiHeaders = { Authorization: `changed-${sent + 1}` };
      await api
        .send(server, "PUT", `/tools/${String(toolId)}`, { apiHeaders })
        .then(() => (acknowledged = sent + 1), note);
      const call = { customerNumber: `+1415${2_000_000 + sent}` };
      await api.send(server, "POST", "/outbound/calls", call).then(({ rowId }) => calls.push(String(rowId)), note);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const running = run();
  return {
    calls,
    /** Ends the load; returns the first change that must have stayed or been followed by a later one. */
    async end() {
      stop.abort();
      await running;
      // A server that dies answers nothing; each that answers grants the request.
      return { acknowledged, sent, refused: faults.filter((text) => /: \d{3} /.test(text)) };
    },
  };
}

test("two nodes change the secret under load and over kills; nothing is lost, and the old secret opens nothing", async () => {
  database = await createDatabase();
  const one = await createServer({ PARLEY_SECRET: OLD });
  const other = await createServer({ PARLEY_SECRET: OLD });
  await Promise.all([one.start(), other.start()]);
  const api = await createWorkspace(one);
  const sealed = await fill(one, api);
  const before = await openAll(sealed, boxOf(OLD));
  sealed.forEach(({ canary }, i) => expect(before[i]).toContain(canary));
  expect(await one.operator("secret.rotate", {})).toMatchObject({ message: /PARLEY_SECRET is the present secret/ });

  await restart(one, { PARLEY_SECRET: NEW, PARLEY_SECRET_PREVIOUS: OLD });
  const refused = await one.operator("secret.rotate", {});
  expect(refused.message).toContain(`do not know the new secret yet: ${other.url}`);
  // What the first node seals meanwhile, the other one can open.
  expect(await tablesUnder(NEW)).toEqual([]);
  await restart(other, { PARLEY_SECRET: NEW, PARLEY_SECRET_PREVIOUS: OLD });

  const toolId = sealed[0]?.sql.match(/'(.*)'/)?.[1];
  const traffic = load(api, [one, other], toolId);
  await one.operator("secret.rotate", {});
  // The former secret is needed until the end: what a node cannot open would count as lost.
  const alone = await createServer({ PARLEY_SECRET: NEW });
  let refusal = "";
  for (const count of [1, TOOLS / 4, TOOLS / 2]) {
    await vi.waitUntil(async () => (await readProgress()) >= count, { timeout: 30_000, interval: 5 });
    for (const server of [one, other]) server.kill();
    await Promise.all([one.gone, other.gone]);
    if (count === 1) ({ message: refusal } = (await alone.start().catch((error: Error) => error)) as Error);
    await Promise.all([one.start(), other.start()]);
  }
  expect(refusal).toContain("PARLEY_SECRET_PREVIOUS");
  expect(await untilDone(other)).toMatchObject({ unreadable: {}, formerFile: null, formerIsKnown: true });
  const { acknowledged, sent, refused: faults } = await traffic.end();
  expect(faults).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);

  expect(await tablesUnder(OLD)).toEqual([]);
  const [header, ...others] = await openAll(sealed, boxOf(NEW));
  expect(others).toEqual(before.slice(1));
  const stored = Number(header?.match(/changed-(\d+)/)?.[1]);
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  expect(stored).toBeLessThanOrEqual(sent);
  const [task] = await database.query<{ payload: string }>(
    "select payload ->> 'job' as payload from tasks where kind = 'call_job.completed' and status = 'DEAD'",
  );
  expect(task?.payload.replaceAll(" ", "")).toBe('{"z":100,"a":2}');

  await expect((await createServer({ PARLEY_SECRET: OLD })).start()).rejects.toThrow("PARLEY_SECRET is not the one");
  const last = { PARLEY_SECRET: NEW, PARLEY_SECRET_PREVIOUS: "" };
  await restart(one, last);
  await restart(other, last);
  expect(await one.operator("secret.status", {})).toMatchObject({ state: "DONE", formerIsKnown: false });
  const [job] = await database.query<{ id: string }>("select id from call_jobs where webhook_secret is not null");
  await api.send(other, "POST", `/call-jobs/${job?.id}/cancel`);
  const bearer = (secret: string) =>
    receiver.received.some(({ headers }) => headers.authorization === `Bearer ${secret}`);
  const arrived = ["canary-job", "canary-session"];
  await vi.waitUntil(() => arrived.every(bearer), { timeout: 60_000 }).catch(() => undefined);
  expect(arrived.filter(bearer)).toEqual(arrived);
  expect(traffic.calls.length).toBeGreaterThan(0);
  const isOver = "select 1 from call_rows where id = any ($1::uuid[]) and ended_at is null";
  await vi.waitUntil(async () => (await database.query(isOver, [traffic.calls])).length === 0, { timeout: 60_000 });
}, 300_000);

test("a server with its secret in a file changes it by itself, over kills; sealed recordings stay readable", async () => {
  database = await createDatabase();
  const server = await createServer({ PARLEY_SECRET: "", SEAL_RECORDINGS: "1" });
  await server.start();
  const api = await createWorkspace(server);
  const path = join(server.dataDir, "secret");
  const old = readFileSync(path, "utf8").trim();
  const attemptId = randomUUID();
  const file = join(api.workspaceId, "2026-11", `${attemptId}.wav`);
  const recordingKey = (secret: string) => deriveKey(keyOf(secret), "parley recordings key");
  await record(join(server.dataDir, "recordings", file), recordingKey(old));
  await api.send(server, "POST", "/session-webhooks", {
    url: receiver.url,
    events: ["session.ended"],
    authMode: "BEARER",
    secret: "canary-file",
  });
  await database.query(
    `insert into call_recordings (workspace_id, attempt_id, row_id, path, sealed, state, started_at)
     values ($1, $2, gen_random_uuid(), $3, true, 'READY', now() - interval '1 hour')`,
    [api.workspaceId, attemptId, file],
  );

  await server.operator("secret.rotate", {});
  for (let kill = 0; kill < 3; kill++) {
    server.kill();
    await server.gone;
    await server.start();
    await new Promise((resolve) => setTimeout(resolve, kill * 1_500));
  }
  const { formerFile, formerRecordings } = await untilDone(server);
  const fresh = readFileSync(path, "utf8").trim();
  expect(fresh).not.toBe(old);
  expect(readFileSync(String(formerFile), "utf8").trim()).toBe(old);
  expect(existsSync(join(server.dataDir, "secret.next"))).toBe(false);
  expect(formerRecordings).toBe(1);
  expect(await tablesUnder(old)).toEqual([]);

  rmSync(String(formerFile));
  await restart(server, {});
  const [row] = await database.query<{ name: string; value: Buffer }>(
    "select name, value from settings where name like 'recordings_key %'",
  );
  const kept = Buffer.from(boxOf(fresh).open(row?.value as Buffer, row?.name as string), "hex");
  expect(kept.equals(recordingKey(old))).toBe(true);
  const stored = (await openFile(join(server.dataDir, "recordings", file))) as StoredFile;
  const opened = await openRecordingFile(stored, [recordingKey(fresh), kept]);
  expect(opened.byteLength).toBeGreaterThan(8_000);
  await api.send(server, "POST", "/outbound/calls", { customerNumber: "+14155550123" });
  await vi.waitUntil(() => receiver.received.some(({ headers }) => headers.authorization === "Bearer canary-file"), {
    timeout: 60_000,
  });

  // A second change carries the first key along.
  await server.operator("secret.rotate", {});
  await untilDone(server);
  const third = readFileSync(path, "utf8").trim();
  expect(await tablesUnder(fresh)).toEqual([]);
  const again = await database.query<{ value: Buffer }>("select value from settings where name = $1", [row?.name]);
  expect(boxOf(third).open(again[0]?.value as Buffer, row?.name as string)).toBe(kept.toString("hex"));
  expect(readdirSync(server.dataDir).filter((name) => name.startsWith("secret.former"))).toHaveLength(1);
}, 120_000);

/** Records half a second, sealed. */
async function record(path: string, key: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const recorder = openCallRecorder({ path, key });
  for (let i = 0; i < 50; i++) recorder.write(new Int16Array(160).fill(500), new Int16Array(160).fill(-500));
  await recorder.close();
}

test("a backup is refused while the secret is changed, and made with either secret at hand afterwards", async () => {
  database = await createDatabase();
  // As the file `secret` has it.
  const copy = new Installation(database, { PARLEY_SECRET: NEW, PARLEY_SECRET_PREVIOUS: `${OLD}\n` });
  const seal = (secret: string) => boxOf(secret).seal("parley", "key check");
  const put = "insert into settings values ($1, $2) on conflict (name) do update set value = $2";
  await database.query(put, ["key_check", seal(OLD)]);
  await database.query(put, ["secret_rotation", Buffer.from('{"finishedAt":null}')]);
  const folder = join(copy.system.folder, "backup");
  const refused = await copy.backup("create", folder);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("The secret is being changed")]);
  await database.query(put, ["secret_rotation", Buffer.from('{"finishedAt":"2026-11-23T00:00:00Z"}')]);
  expect((await copy.backup("create", folder)).code).toBe(0);
  const verify = async (env: Record<string, string>) => {
    Object.assign(copy.system.env, env);
    return (JSON.parse((await copy.backup("verify", folder, "--json")).out) as { isSealIntact: boolean }).isSealIntact;
  };
  expect(await verify({})).toBe(true);
  expect(await verify({ PARLEY_SECRET: OLD, PARLEY_SECRET_PREVIOUS: "" })).toBe(true);
  expect(await verify({ PARLEY_SECRET: NEW })).toBe(null);
  await copy.system[Symbol.asyncDispose]();
});

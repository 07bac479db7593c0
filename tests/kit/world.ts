import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "#src/app/app.ts";
import { readConfig, type Role } from "#src/platform/config/config.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";

/** A reply as a test reads it. */
export interface TestReply {
  status: number;
  headers: Headers;
  text: string;
  // The tests name the fields they expect; a missing one fails the comparison.
  body: { [name: string]: unknown };
}

export interface RequestOptions {
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
  /** Undefined: the sample workspace's key. Null: none. */
  key?: string | null;
}

/** Result of `workspace create --sample`. */
export interface Sample {
  workspaceId: string;
  apiKey: string;
  client: { clientId: string; clientSecret: string };
  flow: { id: string; apiId: string };
  agent: { id: string; knowledgeBaseItemId: string };
  application: { id: string; storeKey: string; builtInStoreKey: string; recordId: string; customerId: string };
  phoneNumber: { id: string; number: string };
  transcriptionJob: { id: string };
  automation: { id: string; artifactId: string };
}

export interface WorldOptions {
  env?: Record<string, string>;
  speed?: number | "instant";
  /** Roles of the process; all when left out. */
  roles?: Role[];
  /**
   * True to use the speech programs of this machine, if it has any; each start costs five processes. Tones when left
   * out.
   */
  programs?: boolean;
  rateLimit?: { capacity: number; refill: number; periodSeconds: number };
}

const SHORTEST_WAIT_MS = 10;
const PATH = process.env.PATH ?? "";

/** Starts a server that finds no speech programs, so that the tests prove the same on every machine. */
async function withoutPrograms<Result>(start: () => Promise<Result>): Promise<Result> {
  process.env.PATH = "";
  try {
    return await start();
  } finally {
    process.env.PATH = PATH;
  }
}

/** A whole server on a database of its own, with a sample workspace; accessed over HTTP only. */
export class World implements AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly database: TestDatabase;
  sample!: Sample;
  /** Let go when it is closed: the variables of a test file live as long as its worker. */
  #app: App | undefined;

  private constructor(app: App, dataDir: string, database: TestDatabase) {
    this.#app = app;
    this.url = app.url;
    this.dataDir = dataDir;
    this.database = database;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const database = await createDatabase();
    const dataDir = options.env?.DATA_DIR ?? mkdtempSync(join(tmpdir(), "parley-world-"));
    const env = { PORT: String(await freePort()), DATA_DIR: dataDir, DATABASE_URL: database.url, CHECK_REPLIES: "1" };
    const config = readConfig({ LOG_LEVEL: "error", ...env, ...options.env }, options.roles);
    const start = () => startApp(config, createLog(config.logLevels));
    const app = await (options.programs ? start() : withoutPrograms(start));
    const world = new World(app, dataDir, database);
    world.sample = await world.createWorkspace(options);
    return world;
  }

  /** Creates a further workspace, filled with the sample data. */
  async createWorkspace({ speed = "instant", rateLimit }: WorldOptions = {}): Promise<Sample> {
    const limit = rateLimit ?? { capacity: 1_000_000, refill: 1_000_000, periodSeconds: 1 };
    const body = { name: "Test", sample: true, sandboxSpeed: speed, rateLimit: limit };
    return (await this.operator("workspace.create", body)) as unknown as Sample;
  }

  /** Runs an operator command over the socket. */
  operator(command: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const call = httpRequest(
        { socketPath: join(this.dataDir, "operator.sock"), path: `/${command}`, method: "POST" },
        (reply) => {
          let text = "";
          reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          reply.on("end", () => {
            if (reply.statusCode === 200) resolve(JSON.parse(text) as Record<string, unknown>);
            else reject(new Error(`${command}: ${text}`));
          });
        },
      );
      call.on("error", reject);
      call.end(JSON.stringify(body));
    });
  }

  /** Sends a request to the external API (or to any path that starts with a slash and another prefix). */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<TestReply> {
    const key = options.key === undefined ? this.sample.apiKey : options.key;
    const url = /^\/(api\/|\.well-known|health|ready|metrics|openapi|docs|llms|metadata)/.test(path)
      ? this.url + path
      : `${this.url}/api/external/v1${path}`;
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const reply = await fetch(url, {
      method,
      headers: {
        ...(key === null ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body as string }),
      redirect: "manual",
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parse(text) };
  }

  /** Gets an access token for a client, as `client.create` made it. */
  async getToken({ clientId, clientSecret }: { clientId?: unknown; clientSecret?: unknown }): Promise<string> {
    const form = { grant_type: "client_credentials", client_id: String(clientId), client_secret: String(clientSecret) };
    const reply = await this.request("POST", "/api/oauth/token", {
      key: null,
      raw: new URLSearchParams(form).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    return String(reply.body.access_token);
  }

  /** Asks again, with the sample workspace's key or another one, until `done` holds for the reply. */
  async until(
    path: string,
    done: (body: TestReply["body"]) => boolean,
    timeoutMs = 30_000,
    key = this.sample.apiKey,
  ): Promise<TestReply["body"]> {
    const begun = performance.now();
    for (;;) {
      const { body } = await this.request("GET", path, { key });
      if (done(body)) return body;
      const waitedMs = performance.now() - begun;
      if (waitedMs > timeoutMs) throw new Error(`${path} did not get there: ${JSON.stringify(body).slice(0, 2_000)}`);
      // Asked less and less often: a slow result is due to a busy machine, which frequent questions would keep busy.
      await new Promise((resolve) => setTimeout(resolve, Math.max(SHORTEST_WAIT_MS, waitedMs / 8)));
    }
  }

  /** Places a call and waits for its end. */
  async call(
    customerNumber: string,
    body: Record<string, unknown> = {},
    timeoutMs?: number,
  ): Promise<TestReply["body"]> {
    const placed = await this.request("POST", "/outbound/calls", { body: { customerNumber, ...body } });
    if (placed.status !== 200) throw new Error(placed.text);
    return this.until(`/call-rows/${String(placed.body.rowId)}`, (row) => row.endedAt !== null, timeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

function parse(text: string): TestReply["body"] {
  try {
    return JSON.parse(text) as TestReply["body"];
  } catch {
    return {} as TestReply["body"];
  }
}

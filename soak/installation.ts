import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { Agent, FormData, request } from "undici";
import { measureTree, parentOf, type Usage } from "../bench/process-tree.ts";
import { type BenchServer, startServer } from "../bench/server-process.ts";
import type { Latencies } from "./latencies.ts";

/** A workspace with its sample data. */
export interface Workspace {
  workspaceId: string;
  apiKey: string;
  flow: { id: string };
  /** Numbers to call from. */
  numbers: string[];
}

/** Resource use of an installation's processes. */
export interface Load {
  node: Usage;
  postgres: Usage;
}

const UNLIMITED = { capacity: 1e9, refill: 1e9, periodSeconds: 1 };
const EMAIL = "owner@example.com";
const PASSWORD = "correct horse battery";

/** A server in its own process on an embedded database, with open dashboards, measured from outside. */
export class Installation implements AsyncDisposable {
  readonly server: BenchServer;
  /** Live streams that ended before the installation was closed. */
  lostDashboards = 0;
  readonly #agent = new Agent({ connections: 256, pipelining: 1 });
  readonly #postmaster: number;
  #closing = new AbortController();
  #cookie = "";

  private constructor(server: BenchServer, postmaster: number) {
    this.server = server;
    this.#postmaster = postmaster;
  }

  /** Starts the server on a port, with more settings if wanted, and an account for the dashboard. */
  static async start(port: number, env: Record<string, string> = {}): Promise<Installation> {
    const server = await startServer(port, [], env);
    const client = new pg.Client(server.database);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    // Asked while the connection is open: its process is gone afterwards, and its parent could not be found.
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    await client.end();
    if (postmaster <= 1) throw new Error("The process of PostgreSQL was not found, so its use cannot be measured.");
    const installation = new Installation(server, postmaster);
    await installation.#signIn();
    return installation;
  }

  async #signIn(): Promise<void> {
    const { url } = await this.server.operator("setup-link", {});
    const body = {
      token: String(url).split("/").at(-1),
      name: "Owner",
      email: EMAIL,
      password: PASSWORD,
    };
    await this.#takeCookie("setup", body);
  }

  /** Signs in anew, because a sign-in ends after some days. */
  async signInAgain(): Promise<void> {
    await this.#takeCookie("sign-in", { email: EMAIL, password: PASSWORD });
  }

  async #takeCookie(path: string, body: object): Promise<void> {
    const reply = await request(`${this.server.url}/api/console/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: this.server.url },
      body: JSON.stringify(body),
    });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(text);
    this.#cookie = String([reply.headers["set-cookie"]].flat()[0]).split(";", 1)[0] as string;
  }

  /** Creates a workspace with its sample data and further numbers. */
  async addWorkspace(
    name: string,
    numbers: number,
    sandboxSpeed: number | "instant" = 10,
    rate: "UNLIMITED" | "DEFAULT" = "UNLIMITED",
  ): Promise<Workspace> {
    const made = (await this.server.operator("workspace.create", {
      name,
      sample: true,
      sandboxSpeed,
      ...(rate === "UNLIMITED" ? { rateLimit: UNLIMITED } : {}),
    })) as unknown as Omit<Workspace, "numbers">;
    const workspace = { ...made, numbers: [] as string[] };
    for (let i = 0; i < numbers; i++) {
      const phoneNumber = `+44207946${String(100 + i).padStart(4, "0")}`;
      const added = await this.ask(workspace, "POST", "/phone-numbers", { provider: "SANDBOX", phoneNumber });
      if (added.status !== 200) throw new Error(added.text);
      workspace.numbers.push(phoneNumber);
    }
    return workspace;
  }

  /** Opens the live stream of a workspace as its dashboard does, until the installation is closed. */
  async openDashboard({ workspaceId }: Workspace): Promise<void> {
    const { signal } = this.#closing;
    const reply = await request(`${this.server.url}/api/console/workspaces/${workspaceId}/events`, {
      headers: { cookie: this.#cookie },
      signal,
      bodyTimeout: 0,
    });
    if (reply.statusCode !== 200) throw new Error(await reply.body.text());
    reply.body
      .on("error", () => undefined)
      .on("close", () => signal.aborted || this.lostDashboards++)
      .resume();
  }

  /** Closes the dashboards, as people do at night. */
  closeDashboards(): void {
    this.#closing.abort();
    this.#closing = new AbortController();
  }

  /** Sends a request to the external API; status 0 when no answer came. */
  async ask(
    { apiKey }: Pick<Workspace, "apiKey">,
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object | FormData,
    latencies?: Latencies,
  ): Promise<{ status: number; text: string }> {
    const startedAt = performance.now();
    const isForm = body instanceof FormData;
    let reply = { status: 0, text: "" };
    try {
      const found = await request(`${this.server.url}/api/external/v1${path}`, {
        method,
        dispatcher: this.#agent,
        headers: { "x-api-key": apiKey, ...(isForm || !body ? {} : { "content-type": "application/json" }) },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      });
      reply = { status: found.statusCode, text: await found.body.text() };
    } catch (error) {
      reply.text = String(error);
    }
    latencies?.note(`${method} ${path.split("?", 1)[0]} ${reply.status}`, reply.status, performance.now() - startedAt);
    return reply;
  }

  /** Returns the processes' resource use now. */
  measure(): Load {
    return { node: measureTree(this.server.pid, this.#postmaster), postgres: measureTree(this.#postmaster) };
  }

  /** Returns the shares of one processor that node and database use while there are no requests. */
  async measureIdle(seconds: number): Promise<{ node: number; postgres: number; total: number; load: Load }> {
    const before = this.measure();
    await pause(seconds * 1_000);
    const load = this.measure();
    const node = (load.node.cpuSeconds - before.node.cpuSeconds) / seconds;
    const postgres = (load.postgres.cpuSeconds - before.postgres.cpuSeconds) / seconds;
    return { node, postgres, total: node + postgres, load };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closeDashboards();
    await this.#agent.destroy();
    await this.server.close();
  }
}

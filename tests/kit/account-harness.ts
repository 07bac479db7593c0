import { randomBytes, randomUUID } from "node:crypto";
import { Node } from "#src/interactions/dispatch/node.ts";
import type { CarrierAccountParts } from "#src/numbers/carrier-accounts/account-input.ts";
import { createCarrierAccountCache } from "#src/numbers/carrier-accounts/open-accounts.ts";
import { phoneNumberRoutes } from "#src/numbers/phone-numbers/routes.ts";
import { createNumberTasks } from "#src/numbers/phone-numbers/tasks.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createServer } from "#src/platform/http/server.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { KeyRing } from "#src/platform/kernel/key-ring.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { createSecretBox } from "#src/platform/kernel/secret-box.ts";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import { createCarrierCommands } from "#src/surfaces/operator/carrier-commands.ts";
import { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { createKey } from "#src/tenancy/auth/credentials.ts";
import { createGatekeeper } from "#src/tenancy/auth/gatekeeper.ts";
import { createWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { OwnCarrier } from "./own-carrier.ts";

const UNLIMITED = { capacity: 1_000_000, refill: 1_000_000, periodSeconds: 1 };

/** A reply of the harness's server. */
export interface HarnessReply {
  status: number;
  text: string;
  body: Record<string, unknown>;
}

/** A database with a LIVE workspace, a carrier of the test's own, and the operator's commands; no server. */
export class AccountHarness implements AsyncDisposable {
  readonly own = new OwnCarrier();
  readonly box = createSecretBox(new KeyRing(randomBytes(32)));
  readonly test: TestDatabase;
  readonly database: Database;
  readonly workspaceId: string;
  readonly parts: CarrierAccountParts;
  readonly #closers: (() => Promise<unknown> | void)[] = [];
  readonly #commands: ReturnType<typeof createCarrierCommands>;

  private constructor(test: TestDatabase, database: Database, workspaceId: string) {
    this.test = test;
    this.database = database;
    this.workspaceId = workspaceId;
    this.parts = { ...this.cacheParts(), db: database.db };
    this.#commands = createCarrierCommands(this.parts, { db: database.db, node: { id: randomUUID() } });
  }

  static async open(): Promise<AccountHarness> {
    const test = await createDatabase();
    const database = openDatabase({ connectionString: test.url }, { max: 8 }, () => undefined);
    const { id } = await createWorkspace(database.db, { name: "Live", mode: "LIVE", rateLimit: UNLIMITED });
    return new AccountHarness(test, database, id);
  }

  /** Dependencies of a cache of accounts. */
  cacheParts() {
    const log = createLog("error", () => undefined);
    const publicUrl = "https://parley.example.com";
    const key = randomBytes(32);
    const media = new MediaSocketGateway({ publicUrl, keys: () => [key] });
    const fetch = () => Promise.reject(new Error("no network in this test"));
    const account = { fetch, publicUrl, media, log, now: Date.now };
    return {
      db: this.database.db,
      box: this.box,
      account,
      deliver: () => undefined,
      providers: [this.own.provider()],
    };
  }

  cache = () => createCarrierAccountCache(this.cacheParts());

  /** Serves the routes of phone numbers over HTTP, and runs their tasks. */
  async serve(): Promise<(method: string, path: string, body?: unknown, headers?: object) => Promise<HarnessReply>> {
    const { database, box } = this;
    const log = createLog("error", () => undefined);
    const accounts = this.cache();
    const server = createServer({
      routes: phoneNumberRoutes(database, { box, accounts }),
      gatekeeper: createGatekeeper(database.pool, () => undefined),
      database,
      box,
      log,
      publicUrl: "http://127.0.0.1",
      trustProxy: undefined,
      checkReplies: true,
    });
    const url = await server.listen({ port: 0, host: "127.0.0.1" });
    this.#closers.push(() => server.close());
    const node = new Node(database, { id: uuidv7(), place: "desk", renew: () => undefined }, log);
    await node.join();
    const pool = { handlers: new Map(createNumberTasks({ database, accounts, log })), slots: 4, perWorkspace: 4 };
    const workers = [1, 2].map(() => new TaskLookout(database, node, [pool], log));
    for (const worker of workers) worker.start();
    this.#closers.push(() => node.leave(), ...workers.map((worker) => () => worker.stop(1_000)));
    const { apiKey } = await createKey(database.db, this.workspaceId, {});
    return async (method, path, body, headers = {}) => {
      const reply = await fetch(`${url}/api/external/v1${path}`, {
        method,
        headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, text, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
    };
  }

  /** Runs one command of the operator. */
  async run(command: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const found = this.#commands.get(command);
    if (!found) throw new Error(`no command ${command}`);
    return (await found(body)) as Record<string, unknown>;
  }

  /** Adds an account; returns its id. */
  async addAccount(input: Record<string, unknown> = {}): Promise<string> {
    const given = { settings: { accountSid: "AC12ab" }, secrets: { authToken: "s3cret00" }, ...input };
    const made = await this.run("carrier.add", { provider: "twilio", workspaceId: this.workspaceId, ...given });
    return made.id as string;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    await this.database.close();
    await this.test.drop();
  }
}

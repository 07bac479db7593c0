import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVERY_CARRIER } from "../carriers/every-carrier.ts";
import type { FakeCarrier } from "../carriers/fake-carrier.ts";
import { createDatabase, type TestDatabase } from "../database.ts";
import { freePort } from "../free-port.ts";
import { ServerProcess } from "../server-process.ts";
import type { Block } from "./blocks.ts";
import type { PageSettings } from "./page-commands.ts";

/** The address that the pages name, and the port of a receiver on the reader's own machine. */
const SHOWN_URL = "http://127.0.0.1:8080";
const RECEIVER_PORT = "9000";

/** Results of `workspace create --sample`, as far as pages use them. */
interface Sample {
  workspaceId: string;
  apiKey: string;
  flow: { id: string };
}

/** Files that pages take for granted. */
const FILES: Record<string, string> = {
  "contacts.csv": "customerNumber\n+12025550100\n",
  "rows.csv": "customerNumber\n+12025550110\n+12025550100\n",
};

/** A server as a reader has started it, on which every page gets a workspace of its own. */
export class DocumentedServer implements AsyncDisposable {
  readonly #server: ServerProcess;
  readonly #database: TestDatabase;
  readonly #carriers: FakeCarrier[] = [];

  private constructor(server: ServerProcess, database: TestDatabase) {
    this.#server = server;
    this.#database = database;
  }

  static async start(): Promise<DocumentedServer> {
    const database = await createDatabase();
    const server = await ServerProcess.create({ DATABASE_URL: database.url, ALLOW_PRIVATE_NETWORK: "1" });
    await server.start();
    return new DocumentedServer(server, database);
  }

  get url(): string {
    return this.#server.url;
  }

  /** Makes the workspace of a page, with what its commands name; returns what they run with. */
  async prepare(page: string, blocks: Block[]): Promise<PageSettings> {
    const { workspaceId, apiKey, flow } = await this.#createWorkspace();
    const text = blocks.map((block) => block.text).join("\n");
    const insteadOf: Record<string, string> = {
      [SHOWN_URL]: this.url,
      WORKSPACE_ID: workspaceId,
      FLOW_ID: flow.id,
      "svc_live_…": "$PARLEY_API_KEY",
      [RECEIVER_PORT]: String(await freePort()),
    };
    if (text.includes("ROW_ID")) insteadOf.ROW_ID = await this.#call(apiKey);
    if (text.includes("JOB_ID")) insteadOf.JOB_ID = await this.#makeJob(apiKey);
    if (text.includes("--draft"))
      await this.#request(apiKey, `PUT /flows/${flow.id}/draft`, { masterPrompt: "Be short." });
    const files = { ...FILES };
    const typed: Record<string, string> = {};
    if (text.includes("carrier add")) await this.#openAccounts(insteadOf, files, typed);
    const { PORT: _, ...settings } = this.#server.env;
    // A page that makes its workspace begins without a key, unless it names something that is already in one.
    const makesKey = /parley workspace create .*--sample/.test(text) && !/\b(ROW|JOB)_ID\b/.test(text);
    const key = makesKey ? {} : { PARLEY_API_KEY: apiKey };
    return { env: { ...settings, ...key, ...typed, PARLEY_URL: this.url }, insteadOf, files };
  }

  /** Makes an empty folder with these files. */
  makeFolder(files: Record<string, string> = {}): string {
    const folder = mkdtempSync(join(tmpdir(), "parley-page-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  /**
   * Sends a body as a new workspace to an operation such as `POST /outbound/calls`, unknown members being refused;
   * `{flowId}` is its flow.
   */
  async send(operation: string, body: unknown): Promise<{ status: number; reply: string }> {
    const { apiKey, flow } = await this.#createWorkspace();
    return this.#request(apiKey, operation.replace("{flowId}", flow.id), body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    for (const carrier of this.#carriers) await carrier.close();
    await this.#database.drop();
  }

  async #createWorkspace(): Promise<Sample> {
    const body = { name: "Demo", sample: true, sandboxSpeed: "instant" };
    return (await this.#server.operator("workspace.create", body)) as unknown as Sample;
  }

  /** Opens an account with each carrier of the tests: its keys stand for those that a page leaves out. */
  async #openAccounts(
    insteadOf: Record<string, string>,
    files: Record<string, string>,
    typed: Record<string, string>,
  ): Promise<void> {
    const live = await this.#server.operator("workspace.create", { name: "Live", mode: "LIVE" });
    insteadOf.LIVE_ID = String(live.workspaceId ?? live.id);
    const accounts = new Map<string, FakeCarrier>();
    for (const [provider, start] of EVERY_CARRIER) accounts.set(provider, await start());
    this.#carriers.push(...accounts.values());
    const settings = (provider: string, ...names: string[]) => {
      const { keys = {}, url = "" } = accounts.get(provider) ?? {};
      const values: Record<string, string> = { ...keys, apiUrl: url };
      return [...names, "apiUrl"].map((name) => `${name}=${values[name]}`).join(" --set ");
    };
    insteadOf["accountSid=AC…"] = settings("TWILIO", "accountSid");
    insteadOf["apiKey=… --set applicationId=…"] = settings("VONAGE", "apiKey", "applicationId");
    insteadOf["publicKey=… --set connectionId=…"] = settings("TELNYX", "publicKey", "connectionId");
    typed.TYPED_twilio = accounts.get("TWILIO")?.keys.authToken ?? "";
    const { apiSecret = "", signatureSecret = "" } = accounts.get("VONAGE")?.keys ?? {};
    typed.TYPED_vonage = `${apiSecret} ${signatureSecret}`;
    files["private.key"] = accounts.get("VONAGE")?.keys.privateKey ?? "";
    files["keys.json"] = JSON.stringify({ apiKey: accounts.get("TELNYX")?.keys.apiKey });
  }

  async #call(apiKey: string): Promise<string> {
    const { reply } = await this.#request(apiKey, "POST /outbound/calls", { customerNumber: "+12025550100" });
    const { rowId } = JSON.parse(reply) as { rowId: string };
    for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
      const { reply: row } = await this.#request(apiKey, `GET /call-rows/${rowId}`);
      if ((JSON.parse(row) as { endedAt: string | null }).endedAt !== null) return rowId;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The call of the page did not end.");
  }

  async #makeJob(apiKey: string): Promise<string> {
    const body = { name: "Demo", startAt: "2099-01-01T00:00:00Z", rows: [{ customerNumber: "+12025550100" }] };
    const { reply } = await this.#request(apiKey, "POST /call-jobs", body);
    return (JSON.parse(reply) as { id: string }).id;
  }

  async #request(apiKey: string, operation: string, body?: unknown): Promise<{ status: number; reply: string }> {
    const [method = "", path = ""] = operation.split(" ");
    const reply = await fetch(`${this.url}/api/external/v1${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json", prefer: "handling=strict" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, reply: await reply.text() };
  }
}

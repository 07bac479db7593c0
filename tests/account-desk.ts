import { randomBytes } from "node:crypto";
import type { AccountDeskParts } from "#src/carrier-accounts/account-input.ts";
import { createAccountBook } from "#src/carrier-accounts/open-accounts.ts";
import { MediaDesk } from "#src/carriers/media-desk.ts";
import { type Database, openDatabase } from "#src/db/database.ts";
import { createLog } from "#src/kernel/log.ts";
import { createSecretBox } from "#src/kernel/secret-box.ts";
import { createCarrierCommands } from "#src/operator/carrier-commands.ts";
import { createWorkspace } from "#src/workspaces/workspaces.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { OwnCarrier } from "./own-carrier.ts";

/** A database with a LIVE workspace, a carrier of the test's own, and the operator's commands; no server. */
export class AccountDesk implements AsyncDisposable {
  readonly own = new OwnCarrier();
  readonly box = createSecretBox(randomBytes(32));
  readonly test: TestDatabase;
  readonly database: Database;
  readonly workspaceId: string;
  readonly parts: AccountDeskParts;
  readonly #commands: ReturnType<typeof createCarrierCommands>;

  private constructor(test: TestDatabase, database: Database, workspaceId: string) {
    this.test = test;
    this.database = database;
    this.workspaceId = workspaceId;
    this.parts = { ...this.bookParts(), db: database.db };
    this.#commands = createCarrierCommands(this.parts);
  }

  static async open(): Promise<AccountDesk> {
    const test = await createDatabase();
    const database = openDatabase({ connectionString: test.url }, { main: 8, limiter: 1 }, () => undefined);
    const { id } = await createWorkspace(database.db, { name: "Live", mode: "LIVE" });
    return new AccountDesk(test, database, id);
  }

  /** What a book of accounts is made of. */
  bookParts() {
    const log = createLog("error", () => undefined);
    const publicUrl = "https://parley.example.com";
    const media = new MediaDesk({ publicUrl, key: randomBytes(32), log });
    const fetch = () => Promise.reject(new Error("no network in this test"));
    const account = { fetch, publicUrl, media, log, now: Date.now };
    return { db: this.database.db, box: this.box, account, deliver: () => undefined, providers: [this.own.provider()] };
  }

  book = () => createAccountBook(this.bookParts());

  /** One command of the operator. */
  async run(command: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const found = this.#commands.get(command);
    if (!found) throw new Error(`no command ${command}`);
    return (await found(body)) as Record<string, unknown>;
  }

  /** Adds an account; gives its id. */
  async addAccount(input: Record<string, unknown> = {}): Promise<string> {
    const given = { settings: { accountSid: "AC12ab" }, secrets: { authToken: "s3cret00" }, ...input };
    const made = await this.run("carrier.add", { provider: "twilio", workspaceId: this.workspaceId, ...given });
    return made.id as string;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close();
    await this.test.drop();
  }
}

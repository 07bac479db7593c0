import { randomUUID } from "node:crypto";
import { createModelOpener } from "#src/authoring/language-models/open-model.ts";
import type { SessionPortParts } from "#src/authoring/session-plans/granted-ports.ts";
import { openToolRuns } from "#src/authoring/tool-runs/tool-runs.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { Node } from "#src/interactions/dispatch/node.ts";
import { openKeyRing } from "#src/platform/config/secret.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createWebFetch } from "#src/platform/http/web-fetch.ts";
import { createLog, type Log } from "#src/platform/kernel/log.ts";
import { createSecretBox } from "#src/platform/kernel/secret-box.ts";
import type { World } from "./world.ts";

/** Parts of a process, for tests that run some of them beside a world, on the same database. */
export class SecondNode implements AsyncDisposable {
  readonly database: Database;
  readonly log: Log;
  /** Lines logged so far. */
  readonly logged: string[] = [];
  readonly node: Node;
  readonly sessionPortParts: SessionPortParts;
  readonly openModel: ReturnType<typeof createModelOpener>;
  readonly #closers: (() => Promise<void>)[] = [];

  private constructor(world: World) {
    this.database = openDatabase({ connectionString: world.database.url }, { max: 8 }, () => undefined);
    this.log = createLog("info", (line) => this.logged.push(line));
    const { database, log } = this;
    this.node = new Node(database, { id: randomUUID(), place: world.dataDir, renew: () => undefined }, log);
    const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
    const box = createSecretBox(
      openKeyRing({ secret: undefined, previousSecret: undefined, dataDir: world.dataDir }).keys,
    );
    const fetch = createWebFetch(createSafeOpen(guard), 10_000);
    this.openModel = createModelOpener({ box, log, scripted: createScriptedModel(), fetch });
    const safeFetch = createSafeFetch(guard);
    const toolRuns = openToolRuns({ database, log, guard, safeFetch, box, publicUrl: world.url });
    const refuse = () => Promise.reject(new Error("Nothing is arranged in this test."));
    this.sessionPortParts = {
      database,
      toolRuns,
      actions: { sendMessage: refuse, scheduleCallback: refuse, wake: () => undefined },
      embed: refuse,
    };
    this.#closers.push(() => toolRuns.close());
  }

  static async join(world: World): Promise<SecondNode> {
    const second = new SecondNode(world);
    await second.node.join();
    return second;
  }

  /** Registers work to be done before the node leaves; the last registered runs first. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    await this.node.leave();
    await this.database.close();
  }
}

import { randomUUID } from "node:crypto";
import {
  createToolRunner,
  grantTools,
  type LoadedTool,
  openToolRuns,
  type ToolRunParts,
  type ToolSession,
} from "#src/authoring/tool-runs/tool-runs.ts";
import type { ToolRunResult } from "#src/engine/conversation/tool-port.ts";
import { openKeyRing } from "#src/platform/config/secret.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { createSecretBox } from "#src/platform/kernel/secret-box.ts";
import type { Sample, World } from "./world.ts";

type Json = Record<string, unknown>;
export type Run = (name: string, input?: Json, variables?: Json, signal?: AbortSignal) => Promise<ToolRunResult>;

/** Another node that runs the tools of a world's workspaces: with its own pool, on the same database. */
export class ToolHarness implements AsyncDisposable {
  readonly parts: ToolRunParts;
  /** Lines logged so far. */
  readonly log: string[] = [];
  readonly #world: World;
  readonly #database: Database;

  constructor(world: World) {
    this.#world = world;
    this.#database = openDatabase({ connectionString: world.database.url }, { max: 8 }, () => undefined);
    const log: Log = createLog("debug", (line) => this.log.push(line));
    const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
    const box = createSecretBox(
      openKeyRing({ secret: undefined, previousSecret: undefined, dataDir: world.dataDir }).keys,
    );
    const safeFetch = createSafeFetch(guard);
    this.parts = openToolRuns({ database: this.#database, log, guard, safeFetch, box, publicUrl: world.url });
  }

  /** Creates a tool through the API; returns its id. */
  async make(body: Json, sample: Sample = this.#world.sample): Promise<string> {
    const defaults = { description: "A tool of a test.", toolType: "API", apiMethod: "POST" };
    const reply = await this.#world.request("POST", "/tools", { key: sample.apiKey, body: { ...defaults, ...body } });
    if (reply.status !== 201) throw new Error(reply.text);
    return String(reply.body.id);
  }

  /** Loads the tools that a session is granted. */
  load(ids: string[], sample: Sample = this.#world.sample, language = "en-US"): Promise<LoadedTool[]> {
    return grantTools(this.#database.db, this.parts, sample.workspaceId, ids, { language });
  }

  /** Opens a session that was granted these tools; its calls are named by the tool. */
  async open(ids: string[], of: Partial<ToolSession> = {}, sample: Sample = this.#world.sample): Promise<Run> {
    const tools = await this.load(ids, sample);
    const session: ToolSession = {
      workspaceId: sample.workspaceId,
      sessionId: randomUUID(),
      flowId: null,
      contactKey: null,
      channel: "CHAT",
      language: "en-US",
      ...of,
    };
    const runner = createToolRunner(this.parts, session, tools);
    let calls = 0;
    return (name, input = {}, variables = {}, signal = new AbortController().signal) => {
      const tool = tools.find(({ grant }) => grant.offer.name === name);
      if (!tool) throw new Error(`${name} was not loaded`);
      return runner.run({ callId: `call-${++calls}`, tool: tool.grant, input, variables }, signal);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parts.close();
    await this.#database.close();
  }
}

/** Returns the final result of a pending call; any other result unchanged. */
export function settled(result: ToolRunResult): Promise<ToolRunResult> {
  return result.kind === "PENDING" ? result.result : Promise.resolve(result);
}

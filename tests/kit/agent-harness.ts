import { lastToolAnswer, ModelServer, type ModelReply } from "./model-server.ts";
import { ToolServer } from "./tool-server.ts";
import { World } from "./world.ts";

type Json = Record<string, unknown>;

/** The last thing a model says. */
export const BYE: ModelReply = { text: "Goodbye.", calls: [{ name: "end_call", input: {} }] };

/** One line of a transcript. */
export interface Said {
  role: string;
  content: string;
  startMs: number;
  citations?: { title: string }[];
}

/** A world whose flows speak through a model server of the test's, with tools at a server of the test's. */
export class AgentHarness implements AsyncDisposable {
  readonly world: World;
  readonly model: ModelServer;
  readonly server: ToolServer;
  #modelId = "";
  #systemTools = new Map<string, string>();

  private constructor(world: World, model: ModelServer, server: ToolServer) {
    this.world = world;
    this.model = model;
    this.server = server;
  }

  static async open(env: Record<string, string> = {}): Promise<AgentHarness> {
    const world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1", ...env } });
    const harness = new AgentHarness(world, await ModelServer.start(), await ToolServer.start());
    const own = { name: "Own", provider: "OPENAI_COMPATIBLE", model: "trial", baseUrl: harness.model.url };
    harness.#modelId = String((await harness.make("/models", own)).id);
    const tools = (await world.request("GET", "/tools")).body as unknown as { id: string; name: string }[];
    harness.#systemTools = new Map(tools.map(({ id, name }) => [name, id]));
    return harness;
  }

  /** Forgets what was asked before. */
  reset(): void {
    this.model.asked.length = 0;
    this.server.requests.length = 0;
    this.server.answer = (_request, response) => ToolServer.json(response, { ok: true });
  }

  async make(path: string, body: Json): Promise<Json> {
    const reply = await this.world.request("POST", path, { body });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body;
  }

  async tool(body: Json): Promise<string> {
    const apiUrl = `${this.server.url}/act`;
    const made = await this.make("/tools", {
      description: "A tool of a test.",
      toolType: "API",
      apiMethod: "POST",
      apiUrl,
      ...body,
    });
    return String(made.id);
  }

  /** The id of a system tool. */
  systemTool(name: string): string {
    return this.#systemTools.get(name) as string;
  }

  flow(body: Json): Json {
    return { name: "Trial", firstMessage: "Hello.", model: { modelId: this.#modelId }, ...body };
  }

  /** A call of a flow to its end. */
  async call(body: Json, customerNumber = "+12025550100", more: Json = {}): Promise<Json> {
    const placed = await this.make("/outbound/calls", { customerNumber, flow: this.flow(body), ...more });
    return this.world.until(`/call-rows/${String(placed.rowId)}`, (row) => row.endedAt !== null);
  }

  /** The model calls one tool, then says goodbye. */
  callOnce(name: string, input: Json): void {
    this.model.think = (question) => (lastToolAnswer(question) === null ? { calls: [{ name, input }] } : BYE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
  }
}

/** The transcript as "ROLE: words". */
export function said(row: Json): string[] {
  return (row.transcript as Said[]).map(({ role, content }) => `${role}: ${content}`);
}

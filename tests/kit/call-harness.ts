import type { TestReply, World } from "./world.ts";

type Body = TestReply["body"];

/** One passage that a search gave. */
export interface Hit {
  itemId: string;
  title: string;
  headings: string[];
  page: number | null;
  position: number;
  text: string;
  score: number;
}

/** An agent of the sample workspace and its knowledge base, as the tests handle them. */
export class CallHarness {
  readonly agentId: string;
  readonly #world: World;

  private constructor(world: World, agentId: string) {
    this.#world = world;
    this.agentId = agentId;
  }

  static async create(world: World): Promise<CallHarness> {
    const made = await world.request("POST", "/agents", { body: { name: "Desk" } });
    if (made.status !== 200) throw new Error(made.text);
    return new CallHarness(world, String(made.body.id));
  }

  get items(): string {
    return `/agents/${this.agentId}/knowledge-base/items`;
  }

  pathOf(item: Body): string {
    return `${this.items}/${String(item.id)}`;
  }

  async addItem(body: Body): Promise<Body> {
    const made = await this.#world.request("POST", this.items, { body: { title: "Item", ...body } });
    if (made.status !== 200) throw new Error(made.text);
    return made.body;
  }

  addText(content: string, more: Body = {}): Promise<Body> {
    return this.addItem({ type: "TEXT", content, ...more });
  }

  addUrl(url: string, more: Body = {}): Promise<Body> {
    return this.addItem({ type: "URL", url, ...more });
  }

  settled(item: Body, status = "READY"): Promise<Body> {
    return this.#world.until(this.pathOf(item), (body) => body.status === status);
  }

  async change(item: Body, body: Body): Promise<Body> {
    const reply = await this.#world.request("PUT", this.pathOf(item), { body });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  }

  async search(q: string, limit = 5): Promise<Hit[]> {
    const query = `limit=${limit}&q=${encodeURIComponent(q)}`;
    const reply = await this.#world.request("GET", `/agents/${this.agentId}/knowledge-base/search?${query}`);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.results as Hit[];
  }

  async upload(
    name: string,
    bytes: Uint8Array,
    type: string,
    { agentId = this.agentId, headers = {} }: { agentId?: string; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; body: Body; isReplayed: boolean }> {
    const form = new FormData();
    form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name);
    const reply = await fetch(`${this.#world.url}/api/external/v1/agents/${agentId}/knowledge-base/files`, {
      method: "POST",
      headers: { "x-api-key": this.#world.sample.apiKey, ...headers },
      body: form,
    });
    const isReplayed = reply.headers.get("idempotent-replayed") === "true";
    return { status: reply.status, body: (await reply.json()) as Body, isReplayed };
  }
}

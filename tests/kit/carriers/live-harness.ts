import type { Role } from "#src/platform/config/config.ts";
import { World } from "../world.ts";
import type { FakeCarrier } from "./fake-carrier.ts";

type Body = Record<string, unknown>;

/** Real number ranges of San Francisco; the fake carriers ring nobody there. */
const PEOPLE = 14_155_552_000;
const OUR_NUMBER = "+14155559000";
const ALWAYS = {
  windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], start: "00:00", end: "24:00" }],
};

/** Speech of tones, which needs no program. */
export const TONES = { SPEECH_TO_TEXT: "TONE", TEXT_TO_SPEECH: "TONE" };

/** Other nodes beside the world, on its database. */
export interface Beside {
  /** Roles of the world itself; all when left out. */
  roles?: Role[];
  /** Starts the other nodes. */
  beside?: (world: World) => Promise<void>;
}

/** A LIVE workspace with an account of a carrier that the test runs by itself, and a number of it. */
export class LiveHarness implements AsyncDisposable {
  readonly world: World;
  readonly fake: FakeCarrier;
  readonly provider: string;
  workspaceId = "";
  accountId = "";
  phoneNumber = { id: "", number: "" };
  #key = "";
  #people = 0;

  private constructor(world: World, fake: FakeCarrier, provider: string) {
    this.world = world;
    this.fake = fake;
    this.provider = provider;
  }

  /** Opens it: the account is checked at the carrier, and the number configured there. */
  static async open(
    provider: string,
    fake: FakeCarrier,
    speech: Record<string, string> = TONES,
    { roles, beside }: Beside = {},
  ): Promise<LiveHarness> {
    const world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1", ...speech }, ...(roles ? { roles } : {}) });
    await beside?.(world);
    const harness = new LiveHarness(world, fake, provider);
    const made = await world.operator("workspace.create", {
      name: "Live",
      mode: "LIVE",
      sample: true,
      rateLimit: { capacity: 1_000_000, refill: 1_000_000, periodSeconds: 1 },
    });
    harness.workspaceId = String(made.workspaceId);
    harness.#key = String(made.apiKey);
    await world.operator("workspace.update", { id: harness.workspaceId, countries: ["US"], callingWindow: ALWAYS });
    const account = await world.operator("carrier.add", { ...(await harness.keys()), callsPerSecond: 100 });
    harness.accountId = String(account.id);
    if (!fake.owned.includes(OUR_NUMBER)) fake.owned.push(OUR_NUMBER);
    harness.phoneNumber = await harness.addNumber(OUR_NUMBER);
    return harness;
  }

  /** Returns the fields that the operator enters for the account. */
  async keys(change: Record<string, string> = {}): Promise<Body> {
    const { fields } = await this.world.operator("carrier.fields", { provider: this.provider });
    const isSecret = new Map(
      (fields as { name: string; isSecret: boolean }[]).map((field) => [field.name, field.isSecret]),
    );
    const entries = Object.entries({ ...this.fake.keys, apiUrl: this.fake.url, ...change });
    const pick = (secret: boolean) => Object.fromEntries(entries.filter(([name]) => isSecret.get(name) === secret));
    return { provider: this.provider, workspaceId: this.workspaceId, settings: pick(false), secrets: pick(true) };
  }

  /** Adds a number, and waits until the carrier has given it. */
  async addNumber(number: string): Promise<{ id: string; number: string }> {
    const made = await this.ask("POST", "/phone-numbers", {
      provider: this.provider,
      phoneNumber: number,
      isDefault: true,
      maxConcurrentCalls: 50,
    });
    const id = String(made.id);
    await this.until(
      () => this.readNumber(id),
      ({ status }) => status !== "PENDING",
    );
    const added = await this.readNumber(id);
    if (added.status !== "ACTIVE") throw new Error(JSON.stringify(added));
    return { id, number };
  }

  /** Returns a number as the API shows it. */
  async readNumber(id = this.phoneNumber.id): Promise<Body> {
    const all = (await this.ask("GET", "/phone-numbers")) as unknown as Body[];
    return all.find((one) => one.id === id) ?? {};
  }

  /** Returns a number of a person that nobody else in this test has. */
  newPerson(): string {
    return `+${PEOPLE + ++this.#people}`;
  }

  /** Sends a request that must be answered with 200. */
  async ask(method: string, path: string, body?: unknown): Promise<Body> {
    const reply = await this.try(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  /** Sends a request. */
  try(method: string, path: string, body?: unknown) {
    return this.world.request(method, path, { key: this.#key, ...(body === undefined ? {} : { body }) });
  }

  /** Waits until `done` holds; throws with the last value otherwise. */
  async until<T>(read: () => Promise<T>, done: (value: T) => boolean, patienceMs = 30_000): Promise<T> {
    const begun = performance.now();
    for (;;) {
      const value = await read();
      if (done(value)) return value;
      const waitedMs = performance.now() - begun;
      if (waitedMs > patienceMs) throw new Error(JSON.stringify(value).slice(0, 4_000));
      // Asked less often while it takes long: each question costs as much as a part of a call.
      await new Promise((resolve) => setTimeout(resolve, Math.min(50 + waitedMs / 8, 400)));
    }
  }

  /** Calls people, each once unless `retry` says more, and returns their rows when all have ended. */
  async callAll(people: string[], retry: Body = { maxAttempts: 1 }, patienceMs = 150_000): Promise<Body[]> {
    const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 10 };
    const rows = people.map((customerNumber) => ({ customerNumber }));
    const job = await this.ask("POST", "/call-jobs", { flow, rows, retryConfig: retry });
    const path = `/call-jobs/${String(job.id)}`;
    await this.until(
      () => this.ask("GET", path),
      ({ status }) => status === "COMPLETED",
      patienceMs,
    );
    return (await this.ask("GET", `${path}/rows?size=200`)).content as Body[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    await this.fake.close();
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import type { FakeCarrier } from "../carriers/fake-carrier.ts";
import { TelnyxServer } from "../carriers/telnyx-server.ts";
import { TwilioServer } from "../carriers/twilio-server.ts";
import { VonageServer } from "../carriers/vonage-server.ts";
import { createDatabase, type TestDatabase } from "../database.ts";
import { freePort } from "../free-port.ts";
import { readLedger } from "../ledger-check.ts";
import { ServerProcess } from "../server-process.ts";
import { DialLedger, type Ring } from "./dial-ledger.ts";
import { ReadingTime } from "./reading-time.ts";
import { SipLedger } from "./sip-ledger.ts";

type Body = Record<string, unknown>;

/** The carriers that a run may dial over; none of them bars an attempt that it is asked about. */
export const CARRIERS = ["TWILIO", "TELNYX", "VONAGE", "BYO_SIP", "SANDBOX"] as const;
export type CarrierName = (typeof CARRIERS)[number];

/** Dials a second of each account and number. */
export const CALLS_PER_SECOND = 1;

const FAKES: Partial<Record<CarrierName, () => Promise<FakeCarrier>>> = {
  TWILIO: () => TwilioServer.start(),
  TELNYX: () => TelnyxServer.start(),
  VONAGE: () => VonageServer.start(),
};
const OUR_NUMBER = "+14155559000";
const ALWAYS = {
  windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], start: "00:00", end: "24:00" }],
};
const FLOW = { name: "Paused", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 10 };

/** A workspace that calls over one carrier. */
interface Caller {
  workspaceId: string;
  key: string;
  fake: FakeCarrier | null;
  people: number;
}

/** Two servers on one database, carriers with ledgers of their own, and a workspace for each of them. */
export class PausedNodes implements AsyncDisposable {
  readonly nodes: [ServerProcess, ServerProcess];
  readonly database: TestDatabase;
  readonly #rings: Ring[] = [];
  readonly #reading = new ReadingTime();
  readonly #callers = new Map<CarrierName, Caller>();
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #ledgerPath: string;

  private constructor(database: TestDatabase, nodes: [ServerProcess, ServerProcess], ledgerPath: string) {
    this.database = database;
    this.nodes = nodes;
    this.#ledgerPath = ledgerPath;
  }

  static async open(carriers: readonly CarrierName[]): Promise<PausedNodes> {
    const folder = mkdtempSync(join(tmpdir(), "parley-pauses-"));
    const ledgerPath = join(folder, "ledger.jsonl");
    const database = await createDatabase();
    const exchange = await serveSandboxExchange({ port: 0, ledgerPath, fsync: false, isUnforgiving: true });
    const create = async () =>
      ServerProcess.create({
        DATABASE_URL: database.url,
        SANDBOX_CARRIER_URL: exchange.url,
        ALLOW_PRIVATE_NETWORK: "1",
        SPEECH_TO_TEXT: "TONE",
        TEXT_TO_SPEECH: "TONE",
        SIP_HOST: "127.0.0.1",
        SIP_PORT: String(await freePort("UDP")),
      });
    const paused = new PausedNodes(database, [await create(), await create()], ledgerPath);
    paused.#closers.push(
      async () => paused.#reading[Symbol.dispose](),
      async () => rmSync(folder, { recursive: true, force: true }),
      () => database.drop(),
      () => exchange.close(),
    );
    for (const node of paused.nodes) {
      await node.start();
      paused.#closers.push(() => node.stop());
    }
    for (const carrier of carriers) await paused.#openCaller(carrier);
    return paused;
  }

  async #openCaller(carrier: CarrierName): Promise<void> {
    const [node] = this.nodes;
    const made = await node.operator("workspace.create", {
      name: carrier,
      mode: carrier === "SANDBOX" ? "SANDBOX" : "LIVE",
      sample: true,
      sandboxSpeed: "instant",
      rateLimit: { capacity: 1e6, refill: 1e6, periodSeconds: 1 },
    });
    const fake = (await FAKES[carrier]?.()) ?? null;
    const caller: Caller = { workspaceId: String(made.workspaceId), key: String(made.apiKey), fake, people: 0 };
    this.#callers.set(carrier, caller);
    if (carrier === "SANDBOX") return;
    const id = caller.workspaceId;
    await node.operator("workspace.update", { id, countries: ["US"], callingWindow: ALWAYS });
    if (fake) await this.#addAccount(carrier, fake, id);
    const trunk = fake ? {} : { sipTrunk: { host: "127.0.0.1", port: await this.#openTrunk(), srtp: "OFF" } };
    const pace = fake ? {} : { callsPerSecond: CALLS_PER_SECOND };
    const number = await this.ask(carrier, "POST", "/phone-numbers", {
      provider: carrier,
      phoneNumber: OUR_NUMBER,
      isDefault: true,
      maxConcurrentCalls: 50,
      ...trunk,
      ...pace,
    });
    await this.until(
      async () =>
        ((await this.ask(carrier, "GET", "/phone-numbers")) as unknown as Body[]).find((one) => one.id === number.id),
      (one) => one?.status === "ACTIVE",
    );
  }

  async #openTrunk(): Promise<number> {
    const trunk = await SipLedger.start((ring) => this.#note(ring));
    this.#closers.push(() => trunk[Symbol.asyncDispose]());
    return trunk.port;
  }

  async #addAccount(provider: CarrierName, fake: FakeCarrier, workspaceId: string): Promise<void> {
    const [node] = this.nodes;
    const ledger = await DialLedger.start(provider, fake.url, (ring) => this.#note(ring));
    this.#closers.push(
      () => fake.close(),
      () => ledger[Symbol.asyncDispose](),
    );
    fake.owned.push(OUR_NUMBER);
    const { fields } = await node.operator("carrier.fields", { provider });
    const isSecret = new Map((fields as { name: string; isSecret: boolean }[]).map((one) => [one.name, one.isSecret]));
    const entries = Object.entries({ ...fake.keys, apiUrl: ledger.url });
    const pick = (secret: boolean) => Object.fromEntries(entries.filter(([name]) => isSecret.get(name) === secret));
    const account = { provider, workspaceId, settings: pick(false), secrets: pick(true) };
    await node.operator("carrier.add", { ...account, callsPerSecond: CALLS_PER_SECOND });
  }

  #note(ring: Ring): void {
    this.#rings.push({ ...ring, earliestMs: Math.min(ring.atMs, this.#reading.earliestMs()) });
  }

  /** Returns a person whom nobody has called yet, and who is busy. */
  newPerson(carrier: CarrierName): string {
    const caller = this.#callerOf(carrier);
    const to = `+${14_155_560_000 + ++caller.people}`;
    caller.fake?.plan(to, { person: "BUSY" });
    return to;
  }

  /** Posts a job that calls each person at most once; returns its id. */
  async post(carrier: CarrierName, people: string[], node = this.nodes[0]): Promise<string> {
    const rows = people.map((customerNumber) => ({ customerNumber }));
    const job = { flow: FLOW, rows, retryConfig: { maxAttempts: 1 } };
    return String((await this.ask(carrier, "POST", "/call-jobs", job, node)).id);
  }

  /** Sends a request to a node that must be answered with 200. */
  async ask(carrier: CarrierName, method: string, path: string, body?: unknown, node = this.nodes[0]): Promise<Body> {
    const reply = await fetch(`${node.url}/api/external/v1${path}`, {
      method,
      headers: { "x-api-key": this.#callerOf(carrier).key, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  /** Waits until `done` holds; throws with the last value otherwise. */
  async until<T>(read: () => Promise<T>, done: (value: T) => boolean, patienceMs = 60_000): Promise<T> {
    for (const deadline = performance.now() + patienceMs; ;) {
      const value = await read();
      if (done(value)) return value;
      if (performance.now() > deadline) throw new Error(JSON.stringify(value)?.slice(0, 4_000));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Returns every dial that a carrier has received so far. */
  rings(): Ring[] {
    const lines = readLedger(this.#ledgerPath, true).filter((line) => line.event === "RING");
    const sandbox = lines.map(({ at, attemptId, to }) => ({ carrier: "SANDBOX", atMs: Date.parse(at), attemptId, to }));
    return [...this.#rings, ...sandbox];
  }

  /** Returns the number of attempts between claim and dial. */
  async countWaiting(): Promise<number> {
    const states = "'CLAIMED', 'SUBMITTING'";
    const text = `select count(*)::int as n from call_attempts where state in (${states}) and provider_call_id is null`;
    return (await this.database.query<{ n: number }>(text))[0]?.n ?? 0;
  }

  #callerOf(carrier: CarrierName): Caller {
    const caller = this.#callers.get(carrier);
    if (!caller) throw new Error(`${carrier} is not part of this run.`);
    return caller;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) node.kill("SIGCONT");
    for (const close of this.#closers.reverse()) await close();
  }
}

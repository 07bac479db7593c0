import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asked, dialTo, EventLog, placeTrialCall } from "#kit/trial-sandbox-call.ts";
import type { Carrier, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { SandboxExchange } from "./exchange.ts";
import { createSandboxCarrier } from "./sandbox-carrier.ts";
import { createRemoteSandboxCarrier } from "./sandbox-client.ts";
import type { SandboxDial } from "./sandbox-dial.ts";
import { serveSandboxExchange, type ServeOptions } from "./sandbox-server.ts";

const NEVER = new AbortController().signal;
/** Longer than a busy machine needs to answer. */
const PATIENCE_MS = 20_000;
const LINES = [
  "Hello, this is Ada. Do you have a minute?",
  "What is your e-mail?",
  "Which day suits you?",
  "Thank you, goodbye.",
];

/** A receiver of events that can be closed and reopened on the same port. */
class Receiver {
  readonly log = new EventLog();
  #server: Server | undefined;
  port = 0;
  status = 200;

  async open(): Promise<void> {
    this.#server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        if (this.status === 200) this.log.put(JSON.parse(text) as CarrierEvent);
        response.writeHead(this.status).end();
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.port, "127.0.0.1", resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }
}

let folder: string;
let receiver: Receiver;
let closing: (() => Promise<void>)[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-server-"));
  receiver = new Receiver();
  await receiver.open();
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  await receiver.close();
  await rm(folder, { recursive: true });
});

async function serve(more: Partial<ServeOptions> = {}): Promise<{ url: string; close(): Promise<void> }> {
  const served = await serveSandboxExchange({ port: 0, ledgerPath: join(folder, "ledger.jsonl"), ...more });
  closing.push(() => served.close());
  return served;
}

function remoteDial(to: string, attemptId: string, more: Partial<SandboxDial> = {}): SandboxDial {
  return dialTo(to, attemptId, { eventsUrl: receiver.url, ...more });
}

async function post(url: string, body: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { method: "POST", body });
  return { status: response.status, body: await response.json() };
}

describe("an exchange in another process behaves as the one in this process", () => {
  test("over every answering, failing and refusing number", async () => {
    const log = new EventLog();
    const exchange = await SandboxExchange.open({ deliver: (event) => log.put(event) });
    closing.push(() => exchange.close());
    const here = createSandboxCarrier({ exchange });
    const there = createRemoteSandboxCarrier({ url: (await serve()).url, timeoutMs: PATIENCE_MS });
    const codes = [
      "00",
      "01",
      "02",
      "03",
      "04",
      "05",
      "06",
      "07",
      "08",
      "09",
      "10",
      "11",
      "12",
      "13",
      "20",
      "21",
      "22",
      "24",
    ];
    codes.push("30", "31", "40", "41", "42", "43", "46", "50", "51", "53", "54", "80");
    const calls: Record<"here" | "there", Record<string, unknown>> = { here: {}, there: {} };
    for (const code of codes) {
      const to = `+120255501${code}`;
      calls.here[code] = await placeTrialCall(here, log, dialTo(to, `a${code}`), LINES);
      calls.here[`${code} looked up`] = withoutTime(await here.lookUp(asked(`a${code}`), NEVER));
      calls.there[code] = await placeTrialCall(there, receiver.log, remoteDial(to, `a${code}`), LINES);
      calls.there[`${code} looked up`] = withoutTime(await there.lookUp(asked(`a${code}`), NEVER));
    }
    expect(calls.there).toEqual(calls.here);
    expect(calls.here["00"]).toMatchObject({ ended: { outcome: "ANSWERED" }, dialogue: { length: 8 } });
  });

  // Drops the wall clock's stamp, which always differs.
  function withoutTime(found: Awaited<ReturnType<Carrier["lookUp"]>>): object {
    if (found.kind !== "ENDED") return found;
    const { at: _at, ...event } = found.event;
    return { ...found, event };
  }

  test("ten dials at once, of ten attempts and of one", async () => {
    const carrier = createRemoteSandboxCarrier({ url: (await serve()).url, timeoutMs: PATIENCE_MS });
    const ids = Array.from({ length: 10 }, (_, i) => `a${i}`);
    const calls = await Promise.all(
      ids.map((id) => placeTrialCall(carrier, receiver.log, remoteDial("+12025550100", id), LINES)),
    );
    for (const call of calls) expect(call.ended).toMatchObject({ outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
    const same = await Promise.all(ids.map(() => carrier.dial(remoteDial("+12025550110", "one"), NEVER)));
    expect(new Set(same.map((result) => JSON.stringify(result))).size).toBe(1);
    await receiver.log.wait("one", "ENDED");
    expect(receiver.log.typesOf("one")).toEqual(["RINGING", "ENDED"]);
  });

  test("an aborted say tells what had been heard, in real time", async () => {
    const carrier = createRemoteSandboxCarrier({ url: (await serve()).url, timeoutMs: PATIENCE_MS });
    await carrier.dial(remoteDial("+12025550100", "a1", { sandboxSpeed: 100 }), NEVER);
    await receiver.log.wait("a1", "ANSWERED");
    const cutting = new AbortController();
    const text = "word ".repeat(10_000);
    const line = carrier.openLine("sbx-a1");
    const saying = line.say(text, cutting.signal);
    setTimeout(() => cutting.abort(), 500);
    const spoken = await saying;
    expect(spoken).toMatchObject({ interrupted: true, hungUp: false, startMs: 0 });
    expect(spoken.heard.length).toBeGreaterThan(0);
    expect(spoken.heard.length).toBeLessThan(text.length / 2);
    expect(line.elapsedMs()).toBe(spoken.endMs);
    await line.hangUp();
    expect(await line.listen(1_000, NEVER)).toMatchObject({ kind: "HUNG_UP" });
  });
});

describe("what may have been dialled", () => {
  test("an exchange that is not there refuses: nobody was rung", async () => {
    const served = await serve();
    await served.close();
    const carrier = createRemoteSandboxCarrier({ url: served.url, timeoutMs: PATIENCE_MS });
    expect(await carrier.dial(remoteDial("+12025550100", "a1"), NEVER)).toMatchObject({
      kind: "REFUSED",
      then: "REQUEUE",
      code: "ECONNREFUSED",
    });
    expect(await carrier.lookUp(asked("a1"), NEVER)).toMatchObject({ kind: "UNCERTAIN" });
    await carrier.hangUp("sbx-a1");
    expect(await carrier.openLine("sbx-a1").listen(1_000, NEVER)).toMatchObject({ kind: "DROPPED" });
  });

  test("a dial that is accepted and never answered is uncertain, and known by look-up", async () => {
    const { url } = await serve();
    // Longer than a busy machine needs to send the dial.
    const impatient = createRemoteSandboxCarrier({ url, timeoutMs: 1_500 });
    expect(await impatient.dial(remoteDial("+12025550145", "a1"), NEVER)).toMatchObject({
      kind: "UNCERTAIN",
      code: "TIMEOUT",
    });
    await receiver.log.wait("a1", "ANSWERED");
    const carrier = createRemoteSandboxCarrier({ url, timeoutMs: PATIENCE_MS });
    expect(await carrier.lookUp(asked("a1"), NEVER)).toMatchObject({ kind: "ANSWERED", providerCallId: "sbx-a1" });
  });

  test("a connection that breaks after the dial was sent is uncertain", async () => {
    const breaking = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => breaking.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`;
    const dialled = await createRemoteSandboxCarrier({ url, timeoutMs: PATIENCE_MS }).dial(
      remoteDial("+12025550100", "a1"),
      NEVER,
    );
    expect(dialled).toMatchObject({ kind: "UNCERTAIN", code: "ECONNRESET" });
    await new Promise((resolve) => breaking.close(resolve));
  });

  test("a request the exchange cannot read is refused for good", async () => {
    const carrier = createRemoteSandboxCarrier({ url: (await serve()).url, timeoutMs: PATIENCE_MS });
    expect(await carrier.dial(remoteDial("0123", "a1"), NEVER)).toMatchObject({
      kind: "REFUSED",
      then: "TERMINAL",
      code: "HTTP_400",
    });
    expect(await carrier.lookUp(asked("a1"), NEVER)).toEqual({ kind: "ABSENT" });
  });

  test("a restarted exchange knows what it had rung", async () => {
    const ledgerPath = join(folder, "kept.jsonl");
    const first = await serve({ ledgerPath });
    await createRemoteSandboxCarrier({ url: first.url, timeoutMs: PATIENCE_MS }).dial(
      remoteDial("+12025550100", "a1"),
      NEVER,
    );
    await first.close();
    const second = await serve({ ledgerPath });
    const found = await createRemoteSandboxCarrier({ url: second.url, timeoutMs: PATIENCE_MS }).lookUp(
      asked("a1"),
      NEVER,
    );
    expect(found).toMatchObject({ kind: "ENDED", event: { outcome: "CARRIER_FAILURE" } });
  });
});

describe("events", () => {
  test("are posted again until a restarted receiver takes them", async () => {
    await receiver.close();
    const carrier = createRemoteSandboxCarrier({ url: (await serve()).url, timeoutMs: PATIENCE_MS });
    await carrier.dial(remoteDial("+12025550110", "a1"), NEVER);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await receiver.open();
    expect(await receiver.log.wait("a1", "ENDED")).toMatchObject({ outcome: "BUSY", eventKey: "sbx-a1:ENDED" });
  });

  test("are posted again after anything but 2xx", async () => {
    receiver.status = 503;
    const carrier = createRemoteSandboxCarrier({ url: (await serve()).url, timeoutMs: PATIENCE_MS });
    await carrier.dial(remoteDial("+12025550110", "a1"), NEVER);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receiver.log.events).toEqual([]);
    receiver.status = 200;
    expect(await receiver.log.wait("a1", "ENDED")).toMatchObject({ outcome: "BUSY" });
  });
});

describe("the HTTP interface", () => {
  test.each([
    ["{", 400, "INVALID_JSON"],
    ["[]", 400, "INVALID_BODY"],
    ["{}", 400, "INVALID_BODY"],
    [`{"attemptId":"${"x".repeat(1024 * 1024)}"}`, 413, "PAYLOAD_TOO_LARGE"],
  ])("refuses a bad dial (%#) with one error shape", async (body, status, code) => {
    const { url } = await serve();
    const answer = await post(`${url}/calls`, body);
    expect(answer).toEqual({ status, body: { error: { code, message: expect.any(String) } } });
  });

  test("knows no other path", async () => {
    const { url } = await serve();
    expect(await post(`${url}/calls/sbx-1/sing`, "{}")).toMatchObject({ status: 404 });
    expect(await post(`${url}/attempts/a1`, "{}")).toMatchObject({ status: 404 });
    expect((await fetch(`${url}/%zz`)).status).toBe(400);
  });

  test("shows the whole ledger", async () => {
    const { url } = await serve();
    const carrier = createRemoteSandboxCarrier({ url, timeoutMs: PATIENCE_MS });
    await carrier.dial(remoteDial("+12025550110", "a1"), NEVER);
    await receiver.log.wait("a1", "ENDED");
    await carrier.lookUp(asked("nobody"), NEVER);
    const lines = (await (await fetch(`${url}/ledger`)).text()).trim().split("\n");
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(["ACCEPTED", "RING", "END", "BARRED"]);
  });
});

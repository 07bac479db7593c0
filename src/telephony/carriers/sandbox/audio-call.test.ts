import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MessagePort, Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { dialTo, EventLog } from "#kit/trial-sandbox-call.ts";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import type { TransferOrder } from "#src/audio/line/line.ts";
import type { MediaMessage } from "#src/audio/line/media-source.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import { SandboxExchange } from "./exchange.ts";
import type { LedgerLine } from "./ledger.ts";
import { createSandboxCarrier } from "./sandbox-carrier.ts";
import type { SandboxDial } from "./sandbox-dial.ts";

const NEVER = new AbortController().signal;
const FRAME = 160;
const ID = "sbx-a1";
const QUIET = encodeMuLaw(new Int16Array(FRAME));
const ABANDONED_MS = 120_000;

const realSetTimeout = setTimeout;

let folder: string;
let ledgerPath: string;
let log: EventLog;
let exchange: SandboxExchange;
let carrier: Carrier;
let nowMs: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  folder = mkdtempSync(join(tmpdir(), "sandbox-audio-"));
  ledgerPath = join(folder, "ledger.jsonl");
  log = new EventLog();
  nowMs = Date.parse("2026-11-21T10:00:00Z");
  exchange = await SandboxExchange.open({ deliver: (event) => log.put(event), ledgerPath, now: () => nowMs });
  carrier = createSandboxCarrier({ exchange });
});
afterEach(async () => {
  await exchange.close();
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Our side of an audio call: sends frames by hand and collects the received ones. */
class Agent {
  readonly heard: number[] = [];
  readonly keys: string[] = [];
  frames = 0;
  isClosed = false;
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (message: MediaMessage) => {
      if ("closed" in message) this.isClosed = true;
      else if ("digits" in message) this.keys.push(message.digits);
      else {
        this.frames++;
        this.heard.push(...decodeMuLaw(message));
      }
    });
  }

  send(message: MediaMessage): void {
    this.#port.postMessage(message);
  }

  close(): void {
    this.#port.close();
  }

  /** Sends speech, or this many milliseconds of silence, and receives audio of the same length. */
  async pass(what: string | number): Promise<void> {
    const samples = typeof what === "string" ? encodeToneSpeech(what) : new Int16Array(what * 8);
    const bytes = encodeMuLaw(samples);
    for (let at = 0; at < bytes.length; at += FRAME) {
      const frame = QUIET.slice();
      frame.set(bytes.subarray(at, at + FRAME));
      this.send(frame);
      await letMessagesPass();
    }
  }

  /** Texts received so far. */
  get texts(): string[] {
    return decodeToneSpeech(Int16Array.from(this.heard));
  }
}

/** Waits a few turns of the event loop, until messages have crossed the port. */
async function letMessagesPass(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5_000 && !isTrue(); turn++) await new Promise((resolve) => realSetTimeout(resolve, 1));
  expect(isTrue()).toBe(true);
}

async function dial(code: string, more: Partial<SandboxDial> = {}): Promise<void> {
  await carrier.dial(dialTo(`+120255501${code}`, "a1", { sandboxSpeed: 1, ...more }), NEVER);
  await until(() => log.typesOf("a1").includes("RINGING"));
  vi.advanceTimersByTime(2_000);
  await until(() => log.typesOf("a1").includes("ANSWERED"));
}

function openMedia(): MessagePort {
  const source = carrier.openMedia?.(ID);
  if (source?.kind !== "PORT") throw new Error("The call offers no port.");
  return source.port;
}

async function answer(code: string): Promise<Agent> {
  await dial(code);
  return new Agent(openMedia());
}

/** Returns the ledger's line about the end, once it is written. */
async function readEnd(): Promise<LedgerLine | undefined> {
  const find = (): LedgerLine | undefined => {
    const lines = readFileSync(ledgerPath, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as LedgerLine).find(({ event }) => event === "END");
  };
  await until(() => find() !== undefined);
  return find();
}

describe("the audio of a call", () => {
  test("answers each frame with one, and the agent's words with words", async () => {
    const agent = await answer("00");
    await agent.pass("Hello, this is Ada. Do you have a minute?");
    await agent.pass(2_500);
    expect(agent.texts).toEqual(["Yes, that works for me."]);
    expect(agent.heard).toHaveLength(agent.frames * FRAME);
    agent.send({ closed: true });
    expect(await readEnd()).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT", reason: "The agent hung up." });
    expect(log.typesOf("a1")).toEqual(["RINGING", "ANSWERED", "ENDED"]);
  });

  test("counts its time in frames, and tells it once it is over", async () => {
    const agent = await answer("00");
    await agent.pass(700);
    await carrier.hangUp(ID);
    expect(carrier.openLine(ID).elapsedMs()).toBe(700);
  });

  test("reaches another thread: the port may be handed over", async () => {
    await dial("00");
    const port = openMedia();
    const worker = new Worker(
      `const { workerData: port, parentPort } = require("node:worker_threads");
       port.once("message", (frame) => { parentPort.postMessage(frame.length); port.postMessage({ closed: true }); });
       port.postMessage(new Uint8Array(160).fill(255));`,
      { eval: true, workerData: port, transferList: [port] },
    );
    const [length] = await new Promise<unknown[]>((resolve) => worker.once("message", (...given) => resolve(given)));
    expect(length).toBe(FRAME);
    await readEnd();
    await worker.terminate();
  });

  test("keys go to the menu, which stops to answer them", async () => {
    const agent = await answer("22");
    await agent.pass(2_000);
    agent.send({ digits: "2" });
    await agent.pass(6_000);
    expect(agent.texts).toEqual([expect.stringMatching(/^That is not a valid choice[.] Welcome/)]);
  });

  test("what is no frame is ignored", async () => {
    const agent = await answer("00");
    agent.send(new Uint8Array(3));
    agent.send(new Uint8Array(0));
    await letMessagesPass();
    expect(agent.frames).toBe(0);
    await agent.pass(40);
    expect(agent.frames).toBe(2);
  });
});

describe("text or audio, whichever is opened first", () => {
  test("a call that is talked to as text has no audio", async () => {
    await dial("00");
    const line = carrier.openLine(ID);
    const listening = line.listen(5_000, NEVER);
    expect(carrier.openMedia?.(ID)).toBeNull();
    await carrier.hangUp(ID);
    expect(await listening).toMatchObject({ kind: "HUNG_UP" });
  });

  test("a call whose audio was opened gives it once, and has no text", async () => {
    const agent = await answer("00");
    expect(carrier.openMedia?.(ID)).toBeNull();
    expect(await carrier.openLine(ID).listen(1_000, NEVER)).toMatchObject({ kind: "DROPPED" });
    expect(await carrier.openLine(ID).say("Hello?", NEVER)).toMatchObject({ heard: "", interrupted: true });
    await agent.pass(1_500);
    expect(agent.texts).toEqual(["Hello?"]);
  });

  test.each(["instant", 10, 2] as const)("a call at speed %s has text only", async (sandboxSpeed) => {
    await dial("00", { sandboxSpeed });
    expect(carrier.openMedia?.(ID)).toBeNull();
  });

  test("a call that rings, has ended or never was has no audio", async () => {
    await carrier.dial(dialTo("+12025550100", "a1", { sandboxSpeed: 1 }), NEVER);
    expect(carrier.openMedia?.(ID)).toBeNull();
    await carrier.hangUp(ID);
    expect(carrier.openMedia?.(ID)).toBeNull();
    expect(carrier.openMedia?.("sbx-none")).toBeNull();
  });
});

describe("ends", () => {
  test("hung up through the carrier, the port says so", async () => {
    const agent = await answer("00");
    await agent.pass(100);
    await carrier.hangUp(ID);
    await until(() => agent.isClosed);
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ENDED", event: { hungUpBy: "AGENT" } });
  });

  test("the person hangs up: the last frame, then the word of it, then the ENDED event", async () => {
    const agent = await answer("50");
    await agent.pass(1_200);
    expect(agent).toMatchObject({ isClosed: true, frames: 49 });
    expect(await readEnd()).toMatchObject({ outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
    expect(log.typesOf("a1").filter((type) => type === "ENDED")).toHaveLength(1);
  });

  test("43 goes silent without a word, as a broken path does", async () => {
    const agent = await answer("43");
    await agent.pass(11_000);
    expect(agent).toMatchObject({ isClosed: false, frames: 499 });
    expect(await readEnd()).toMatchObject({ outcome: "CARRIER_FAILURE", hungUpBy: "CARRIER" });
    agent.send({ closed: true });
  });

  test("23 ends after four seconds as a fax", async () => {
    const agent = await answer("23");
    await agent.pass(4_100);
    expect(agent.isClosed).toBe(true);
    expect(await readEnd()).toMatchObject({ outcome: "FAX", hungUpBy: "CUSTOMER" });
  });

  test("23 ends after four seconds also when nobody sends a frame", async () => {
    const agent = await answer("23");
    vi.advanceTimersByTime(4_000);
    await until(() => agent.isClosed);
    expect(await readEnd()).toMatchObject({ outcome: "FAX", hungUpBy: "CUSTOMER" });
  });

  test.each([
    ["whose audio nobody opens", false],
    ["whose port broke", true],
  ])("a person %s hangs up after two minutes", async (_title, opens) => {
    await dial("00");
    if (opens) {
      const agent = new Agent(openMedia());
      await agent.pass(100);
      agent.close();
    }
    nowMs += ABANDONED_MS - 1_000;
    vi.advanceTimersByTime(10_000);
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ANSWERED" });
    nowMs += 2_000;
    vi.advanceTimersByTime(10_000);
    expect(await readEnd()).toMatchObject({ outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
  });

  test("frames keep the person on the line for longer", async () => {
    const agent = await answer("00");
    nowMs += ABANDONED_MS - 1_000;
    await agent.pass(100);
    nowMs += 2_000;
    vi.advanceTimersByTime(10_000);
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ANSWERED" });
  });

  test("an exchange that closes ends the call as broken off", async () => {
    await answer("00");
    await exchange.close();
    expect(await readEnd()).toMatchObject({ outcome: "CARRIER_FAILURE", reason: "the exchange was closed" });
  });
});

describe("handing over", () => {
  const transfer = (order: Partial<TransferOrder>, signal = NEVER) =>
    carrier.transfer?.(ID, { ...COLD_ORDER, ...order }, signal);

  test("rings the target in call time, and then the call is the carrier's", async () => {
    const agent = await answer("00");
    await agent.pass(1_500);
    const transferring = transfer({});
    await agent.pass(1_900);
    expect(agent.isClosed).toBe(false);
    await agent.pass(200);
    expect(await transferring).toEqual({ kind: "TRANSFERRED" });
    expect(agent.isClosed).toBe(true);
    expect(await readEnd()).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT" });
  });

  test.each([
    ["+12025550110", "BUSY"],
    ["+12025550112", "REJECTED"],
    ["no number", "UNREACHABLE"],
  ])("to %s fails (%s), and the person is still there", async (destination, reason) => {
    const agent = await answer("00");
    await agent.pass(1_500);
    const transferring = transfer({ destination });
    await agent.pass(4_000);
    expect(await transferring).toMatchObject({ kind: "FAILED", reason });
    await agent.pass("Do you have a minute?");
    await agent.pass(2_500);
    expect(agent.texts).toEqual(["Hello?", "Yes, that works for me."]);
  });

  test("a call that is text is handed over as well", async () => {
    await dial("00");
    const listening = carrier.openLine(ID).listen(0, NEVER);
    await listening;
    expect(await transfer({ destination: "no number" })).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
  });

  test("fails when the path breaks while the target rings, because nobody has hung up", async () => {
    const agent = await answer("43");
    await agent.pass(9_000);
    const transferring = transfer({});
    await agent.pass(4_000);
    expect(await transferring).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
  });

  test("is over when our side hangs up, or gives it up", async () => {
    const agent = await answer("00");
    const giving = new AbortController();
    const given = transfer({}, giving.signal);
    giving.abort();
    expect(await given).toMatchObject({ kind: "FAILED", reason: "NO_ANSWER" });
    const cut = transfer({});
    agent.send({ closed: true });
    expect(await cut).toEqual({ kind: "HUNG_UP" });
    expect(await transfer({})).toEqual({ kind: "HUNG_UP" });
  });
});

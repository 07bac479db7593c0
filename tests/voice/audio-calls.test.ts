import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { BYE } from "../kit/agent-harness.ts";
import { ModelServer } from "../kit/model-server.ts";
import { World } from "../kit/world.ts";

/* Sandbox calls in real time are held in audio: tone speech, frame by frame, through the media thread. */

let world: World;
beforeAll(async () => {
  world = await World.start({ speed: 1, env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

interface Turn {
  role: string;
  content: string;
  startMs: number;
  endMs: number;
  interrupted: boolean;
  latency?: Record<string, number>;
}

/** A short flow, because a minute of conversation takes a minute. */
const FLOW = {
  name: "Short",
  firstMessage: "Hello from Acme.",
  masterPrompt: "Ask whether they come.",
  language: "en-US",
  structuredOutputs: [
    {
      name: "visit",
      schema: { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } },
    },
  ],
};

/** Runs a call to its end; returns its row and the channels of its recording: the agent left, the person right. */
async function call(number: string, flow: Record<string, unknown> = {}) {
  const placed = await world.request("POST", "/outbound/calls", {
    body: { customerNumber: number, flow: { ...FLOW, ...flow } },
  });
  expect(placed.status, placed.text).toBe(200);
  const path = `/call-rows/${String(placed.body.rowId)}`;
  const row = await world.until(path, (body) => body.endedAt !== null, 60_000);
  const headers = { "x-api-key": world.sample.apiKey };
  const recording = await fetch(`${world.url}/api/external/v1${path}/recording`, { headers });
  const wav = parseWav(new Uint8Array(await recording.arrayBuffer()));
  const [agent = new Int16Array(0), person = new Int16Array(0)] = wav.channels;
  return { row, turns: row.transcript as Turn[], agent, person };
}

type Call = Awaited<ReturnType<typeof call>>;
const said = ({ turns }: Call, role: string) =>
  turns.filter((turn) => turn.role === role).map(({ content }) => content);

/**
 * Returns the times, in milliseconds, at which sound begins and ends in a channel; pauses of less than 100 ms are left
 * out.
 */
function findSounds(samples: Int16Array): { fromMs: number; toMs: number }[] {
  const sounds: { fromMs: number; toMs: number }[] = [];
  for (let at = 0; at + 160 <= samples.length; at += 160) {
    const isLoud = samples.subarray(at, at + 160).some((sample) => Math.abs(sample) > 500);
    const last = sounds.at(-1);
    if (isLoud && last && at / 8 - last.toMs < 100) last.toMs = at / 8 + 20;
    else if (isLoud) sounds.push({ fromMs: at / 8, toMs: at / 8 + 20 });
  }
  return sounds;
}

/** The longest silence of both sides until the end of the recording. */
function findLongestSilence({ agent, person }: Call): number {
  const sounds = [...findSounds(agent), ...findSounds(person)].toSorted((a, b) => a.fromMs - b.fromMs);
  let [longestMs, endMs] = [0, 0];
  for (const { fromMs, toMs } of sounds) {
    longestMs = Math.max(longestMs, fromMs - endMs);
    endMs = Math.max(endMs, toMs);
  }
  return longestMs;
}

describe.concurrent("a call in audio", () => {
  test("is understood both ways, recorded as it was, and measured", async () => {
    const done = await call("+12025550100");
    const { row, turns, agent, person } = done;
    expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", extractedFields: { coming: true } });
    expect(row.answer).toMatchObject({ answeredBy: "HUMAN", confidence: expect.any(Number) });
    expect(row.latency).toMatchObject({ p50Ms: expect.any(Number), p95Ms: expect.any(Number) });
    expect(decodeToneSpeech(agent).join(" ")).toBe(said(done, "ASSISTANT").join(" "));
    expect(decodeToneSpeech(person).join(" ")).toContain(said(done, "USER").at(-1));
    const answer = turns.find((turn) => turn.role === "ASSISTANT" && turn.latency) as Turn;
    const { totalMs, ...stages } = answer.latency as Record<string, number>;
    const sum = Object.values(stages).reduce((a, b) => a + b, 0);
    // The total comes from the audio, the stages from clocks; the pause that ends a turn is most of it.
    expect(Math.abs(sum - (totalMs as number))).toBeLessThan(60);
    expect(stages.endpointingMs).toBeGreaterThanOrEqual(200);
    const metrics = await world.request("GET", "/metrics");
    expect(metrics.text).toMatch(/parley_answer_latency_seconds_count\{stage="total"\} [1-9]/);
    expect(findLongestSilence(done)).toBeLessThan(2_500);
    // No program speaks here, so the tones stay, and every turn is where the transcript has it.
    const spoken = await world.request("GET", `/call-rows/${String(row.id)}/recording/peaks?spoken=true`);
    expect([spoken.status, spoken.body.turns, spoken.body.durationMs]).toEqual([200, null, agent.length / 8]);
  }, 90_000);

  test("connects to its model when it is answered, before the person has said anything to ask it about", async () => {
    await using model = await ModelServer.start();
    let askedMs = Infinity;
    model.think = () => {
      askedMs = Math.min(askedMs, performance.now());
      return BYE;
    };
    const own = { name: "Own", provider: "OPENAI_COMPATIBLE", model: "trial", baseUrl: model.url };
    const { body } = await world.request("POST", "/models", { body: own });
    await call("+12025550100", { model: { modelId: body.id }, structuredOutputs: [] });
    expect(model.connectedMs).toHaveLength(1);
    // The greeting alone takes 640 ms.
    expect(askedMs - (model.connectedMs[0] as number)).toBeGreaterThan(500);
  }, 90_000);

  test("leaves its message on a voicemail after the beep", async () => {
    const message = "This is Acme. Please call us back.";
    const done = await call("+12025550120", { voicemailConfig: { action: "LEAVE_MESSAGE", message } });
    const { row, agent, person } = done;
    expect(row).toMatchObject({ status: "COMPLETED", outcome: "VOICEMAIL" });
    expect(row.answer).toMatchObject({ answeredBy: "MACHINE_VOICEMAIL" });
    const beep = findSounds(person).at(-1) as { toMs: number };
    const [before, after] = [agent.subarray(0, beep.toMs * 8), agent.subarray(beep.toMs * 8)];
    expect(decodeToneSpeech(after)).toEqual([message]);
    expect(decodeToneSpeech(before)).toEqual([]);
    expect(said(done, "ASSISTANT")).toEqual([message]);
  }, 90_000);

  test("says nothing to a fax", async () => {
    const { row, agent } = await call("+12025550123");
    expect(row).toMatchObject({ status: "FAILED", outcome: "FAX", endReason: "AGENT_HUNG_UP_ON_MACHINE" });
    expect(row.answer).toMatchObject({ answeredBy: "FAX" });
    expect(decodeToneSpeech(agent)).toEqual([]);
  }, 90_000);

  test("presses the key of a menu and talks to the person behind it", async () => {
    const done = await call("+12025550122");
    expect(done.row).toMatchObject({ status: "COMPLETED", outcome: "IVR", extractedFields: { coming: true } });
    expect(said(done, "SYSTEM")).toEqual(["Pressed 1"]);
    expect(decodeToneSpeech(done.agent)[0]).toBe("Hello from Acme.");
  }, 90_000);

  test("is silent soon after somebody talks over it, and remembers only what they heard", async () => {
    const firstMessage =
      "Hello from Acme, we are calling to ask whether you would like to come to our open day on the first of December, where we show all that we make.";
    const done = await call("+12025550103", { firstMessage });
    const cut = done.turns.find(({ interrupted }) => interrupted) as Turn;
    expect(cut.role).toBe("ASSISTANT");
    // Tone speech takes 40 ms for each character: only what was audible is in the transcript.
    const sounded = findSounds(done.agent).filter(({ fromMs }) => fromMs >= cut.startMs - 40 && fromMs < cut.endMs);
    const soundedMs = sounded.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    expect(cut.content.length * 40).toBeLessThanOrEqual(soundedMs + 40);
    const overlaps = findSounds(done.person).flatMap(({ fromMs }) =>
      findSounds(done.agent)
        .filter((spoken) => spoken.fromMs < fromMs && spoken.toMs > fromMs)
        .map((spoken) => spoken.toMs - fromMs),
    );
    expect(overlaps.length).toBeGreaterThan(0);
    expect(Math.max(...overlaps)).toBeLessThan(700);
  }, 90_000);

  test("ends with the person who hangs up in the middle of a sentence, and keeps what they had heard", async () => {
    const done = await call("+12025550151");
    const { row, turns, agent } = done;
    expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", endReason: "CUSTOMER_HUNG_UP" });
    expect(turns.findLast(({ role }) => role === "ASSISTANT")).toMatchObject({ interrupted: true });
    const heard = decodeToneSpeech(agent).join(" ");
    expect(said(done, "ASSISTANT").slice(0, -1).join(" ")).toBe(heard);
  }, 90_000);

  test("keeps its transcript and its recording when the media path breaks", async () => {
    const firstMessage = `Hello from Acme. ${"We have so much to tell you about our open day. ".repeat(8)}`;
    const done = await call("+12025550143", { firstMessage });
    const { row, turns, agent } = done;
    expect(row).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED", endReason: "CARRIER_CONNECTION_LOST" });
    expect(turns.at(-1)).toMatchObject({ role: "ASSISTANT", interrupted: true });
    expect(firstMessage.startsWith((turns.at(-1) as Turn).content)).toBe(true);
    expect(agent.length / 8_000).toBeGreaterThan(9);
  }, 90_000);
});

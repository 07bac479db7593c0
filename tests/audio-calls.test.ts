import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeToneSpeech } from "#src/media/tone-speech.ts";
import { parseWav } from "#src/media/wav.ts";
import { World } from "./world.ts";

/* Sandbox calls in real time are held in audio: tone speech, frame by frame, through the media thread. */

let world: World;
beforeAll(async () => {
  world = await World.start({ speed: 1 });
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

/** A short flow, because a minute of talk takes a minute. */
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

async function call(number: string, flow: Record<string, unknown> = {}) {
  const placed = await world.request("POST", "/outbound/calls", {
    body: { customerNumber: number, flow: { ...FLOW, ...flow } },
  });
  expect(placed.status, placed.text).toBe(200);
  const path = `/call-rows/${String(placed.body.rowId)}`;
  const row = await world.until(path, (body) => body.endedAt !== null, 60_000);
  return { path, row, turns: row.transcript as Turn[] };
}

describe.concurrent("a call in audio", () => {
  test("is understood both ways, recorded as it was, and measured", async () => {
    const { path, row, turns } = await call("+12025550100");
    expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", extractedFields: { coming: true } });
    expect(row.answer).toMatchObject({ answeredBy: "HUMAN" });
    const headers = { "x-api-key": world.sample.apiKey };
    const recording = await fetch(`${world.url}/api/external/v1${path}/recording`, { headers });
    const wav = parseWav(new Uint8Array(await recording.arrayBuffer()));
    expect(wav.channels).toHaveLength(2);
    const [agent, person] = wav.channels.map((channel) => decodeToneSpeech(channel));
    const said = (role: string) => turns.filter((turn) => turn.role === role).map(({ content }) => content);
    expect(agent?.join(" ")).toBe(said("ASSISTANT").join(" "));
    expect(person?.join(" ")).toContain(said("USER").at(-1));
    const answer = turns.find((turn) => turn.role === "ASSISTANT" && turn.latency);
    const { totalMs, ...stages } = answer?.latency ?? {};
    const sum = Object.values(stages).reduce((a, b) => a + b, 0);
    // The whole is taken from the audio, the stages from clocks; the pause that ends a turn is the most of it.
    expect(Math.abs(sum - (totalMs as number))).toBeLessThan(60);
    expect(stages.endpointingMs).toBeGreaterThanOrEqual(200);
    const metrics = await world.request("GET", "/metrics");
    expect(metrics.text).toMatch(/parley_answer_latency_seconds_count\{stage="total"\} [1-9]/);
  }, 90_000);
});

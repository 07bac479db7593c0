import { sleep } from "#src/platform/kernel/async.ts";
import { parseMetrics, type ShownMetric, sumOf } from "./metrics-reader.ts";
import { STREAMED_TURN, TrialServer } from "./model-vendors/trial-server.ts";
import { Receiver } from "./receiver.ts";
import type { World } from "./world.ts";

/** Counts of what `makeTraffic` did. */
export const TRAFFIC = {
  answered: 2,
  busy: 1,
  blocked: 1,
  unknownPaths: 3,
  failedDeliveries: 1,
  modelAnswers: 1,
  inputTokens: 21,
  outputTokens: 8,
};

const ANSWERS = "+12025550100";
const IS_BUSY = "+12025550110";
const FLOW = {
  name: "Short",
  firstMessage: "Hello from Acme.",
  masterPrompt: "Ask whether they come.",
  language: "en-US",
};

/**
 * Uses a server for a little of everything that is measured: calls that are answered, busy and refused, one of them in
 * audio, a webhook whose receiver fails once, a model's answer, and paths that do not exist.
 */
export async function makeTraffic(world: World): Promise<void> {
  await using receiver = await Receiver.start([500]);
  await using model = await TrialServer.start();
  model.answer = { body: STREAMED_TURN.OPENAI_COMPATIBLE };
  await demand(world, "/session-webhooks", { url: receiver.url, events: ["session.ended"] });
  const flowId = world.sample.flow.id;
  await world.call(ANSWERS, { flowId });
  await world.call(IS_BUSY, { flow: FLOW });
  await demand(world, "/do-not-call", { numbers: ["+12025550111"] });
  await world.call("+12025550111", { flow: FLOW });
  const own = await demand(world, "/models", {
    name: "Own",
    provider: "OPENAI_COMPATIBLE",
    model: "trial",
    baseUrl: model.url,
  });
  await demand(world, `/models/${String(own.id)}/check`, {});
  await world.request("DELETE", `/models/${String(own.id)}`);
  for (const name of ["a", "b", "c"]) await world.request("GET", `/no-such-path/${name}`);
  await callInAudio(world);
  await receiver.waitFor(TRAFFIC.failedDeliveries + 1);
  // The end of the delivery is stored, and then counted, after the receiver has answered.
  while (sumOf(await readMetrics(world), "parley_webhook_lag_seconds_count") === 0) await sleep(50);
}

/** Returns what `/metrics` of a server shows now. */
export async function readMetrics(world: World): Promise<Map<string, ShownMetric>> {
  const reply = await world.request("GET", "/metrics", { key: null });
  if (reply.status !== 200) throw new Error(reply.text);
  return parseMetrics(reply.text);
}

async function demand(world: World, path: string, body: unknown): Promise<Record<string, unknown>> {
  const reply = await world.request("POST", path, { body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}

/** Holds a call in real time, so that the latency of an answer is measured. */
async function callInAudio(world: World): Promise<void> {
  const { apiKey: key } = await world.createWorkspace({ speed: 1 });
  const outputs = [
    {
      name: "visit",
      schema: { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } },
    },
  ];
  const body = { customerNumber: ANSWERS, flow: { ...FLOW, structuredOutputs: outputs } };
  const placed = await world.request("POST", "/outbound/calls", { key, body });
  for (let row = placed.body; row.endedAt === null || row.endedAt === undefined;) {
    await sleep(200);
    row = (await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key })).body;
  }
}

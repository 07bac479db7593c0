import { afterEach, describe, expect, test, vi } from "vitest";
import { sumOf } from "../kit/metrics-reader.ts";
import { readMetrics } from "../kit/metrics-traffic.ts";
import { type CollectedSpan, OtlpCollector } from "../kit/otlp-collector.ts";
import { World } from "../kit/world.ts";

afterEach(() => vi.unstubAllEnvs());

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
const ANSWERS = "+12025550100";

interface Turn {
  index: number;
  latency?: Record<string, number>;
}

const lengthOf = (span: CollectedSpan) => span.endMs - span.startMs;

describe("a traced call in audio", () => {
  test("has turns of the length that the row shows, made of the stages that it shows", async () => {
    await using collector = await OtlpCollector.start();
    await using world = await World.start({ speed: 1, env: collector.stubEnvironment() });
    const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber: ANSWERS, flow: FLOW } });
    const rowId = String(placed.body.rowId);
    const row = await world.until(`/call-rows/${rowId}`, (body) => body.endedAt !== null, 60_000);
    const spans = await collector.untilTraced(rowId.replaceAll("-", ""));
    const measured = (row.transcript as Turn[]).filter(({ latency }) => latency);
    expect(measured.length).toBeGreaterThan(0);
    const attempt = spans.find(({ name }) => name === "attempt") as CollectedSpan;
    for (const { index, latency = {} } of measured) {
      const turn = spans.find(({ attributes }) => attributes["parley.turn.index"] === index) as CollectedSpan;
      expect(turn).toMatchObject({ name: "turn", parentSpanId: attempt.spanId });
      expect(lengthOf(turn)).toBeCloseTo(Number(latency.totalMs), 1);
      expect(turn.startMs).toBeGreaterThan(attempt.startMs);
      expect(turn.endMs).toBeLessThan(attempt.endMs);
      const stages = spans.filter(({ parentSpanId, kind }) => parentSpanId === turn.spanId && kind === 1);
      const lengths = Object.fromEntries(stages.map((stage) => [stage.name, lengthOf(stage)]));
      const { endpointingMs = 0, sttMs = 0, modelMs = 0, toolsMs = 0, ttsMs = 0, transportMs = 0 } = latency;
      const shown = { endpointing: endpointingMs, stt: sttMs, thinking: modelMs + toolsMs, tts: ttsMs };
      for (const [name, ms] of Object.entries({ ...shown, transport: transportMs })) {
        expect(lengths[name], name).toBeCloseTo(ms, 1);
      }
    }
    const turns = new Map(spans.filter(({ name }) => name === "turn").map((turn) => [turn.spanId, turn]));
    // The opening answers a greeting without a model.
    const asked = spans.flatMap((span) => {
      const turn = turns.get(String(span.parentSpanId));
      return turn && span.name.startsWith("chat ") ? [{ span, turn }] : [];
    });
    expect(asked.length).toBeGreaterThan(0);
    // What was asked after the first sound of the answer begins after the turn.
    for (const { span, turn } of asked) expect(span.startMs).toBeGreaterThanOrEqual(turn.startMs);
  });
});

describe("a server whose calls are not all traced", () => {
  /** Calls to 40 people who answer: one person is called by one call at a time. */
  const burst = (world: World) => {
    const people = Array.from({ length: 40 }, (_, i) => `+12025${550_100 + 100 * i}`);
    return Promise.all(people.map((number) => world.call(number, { flow: FLOW })));
  };

  test("traces a share of them while more begin than TRACED_CALLS_PER_SECOND", async () => {
    await using collector = await OtlpCollector.start();
    await using world = await World.start({ env: collector.stubEnvironment({ TRACED_CALLS_PER_SECOND: "1" }) });
    await burst(world);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await burst(world);
    const rows = await burst(world);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const tracedBy = (name: string) =>
      rows.filter(({ id }) => collector.trace(String(id).replaceAll("-", "")).some((span) => span.name === name));
    expect(tracedBy("call").length).toBeLessThan(20);
    expect(tracedBy("attempt")).toEqual(tracedBy("call"));
  });

  test.each([
    ["parentbased_always_off", 0],
    ["parentbased_always_on", 40],
  ])("asks the sampler %s instead, where one is set", async (name, expected) => {
    await using collector = await OtlpCollector.start();
    await using world = await World.start({ env: collector.stubEnvironment({ OTEL_TRACES_SAMPLER: name }) });
    const rows = await burst(world);
    if (expected > 0) for (const { id } of rows) await collector.untilTraced(String(id).replaceAll("-", ""));
    expect(collector.spans.filter((span) => span.name === "call")).toHaveLength(expected);
  });
});

describe("a server that exports its metrics and log", () => {
  test("sends what /metrics shows, and each line without personal data", async () => {
    await using collector = await OtlpCollector.start();
    const signals = { OTEL_METRICS_EXPORTER: "otlp", OTEL_LOGS_EXPORTER: "otlp", OTEL_TRACES_EXPORTER: "none" };
    const env = { ...collector.stubEnvironment(signals), LOG_LEVEL: "error,app=info" };
    {
      await using world = await World.start({ env });
      await world.call(ANSWERS, { flow: FLOW });
      await world.call("+12025550110", { flow: FLOW });
      const shown = await readMetrics(world);
      expect(sumOf(shown, "parley_dials_total", { result: "ACCEPTED" })).toBe(2);
      await world.operator("drain", { seconds: 0 });
    }
    const dials = collector.metrics.get("parley_dials_total") as { sum: { isMonotonic: boolean; dataPoints: Point[] } };
    expect(dials.sum.isMonotonic).toBe(true);
    const accepted = dials.sum.dataPoints.filter((point) => labelOf(point, "result") === "ACCEPTED");
    expect(accepted.reduce((sum, { asDouble = 0 }) => sum + asDouble, 0)).toBe(2);
    const placed = histogramOf(collector, "parley_http_request_duration_seconds", "route", "/outbound/calls");
    expect(Number(placed?.count)).toBe(2);
    expect(placed?.bucketCounts?.map(Number).reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(placed?.bucketCounts).toHaveLength((placed?.explicitBounds?.length ?? 0) + 1);
    expect(collector.metrics.get("parley_live_calls")).toHaveProperty("gauge");
    expect(collector.logs).toContainEqual({
      level: "INFO",
      body: "The server drains: it begins nothing new.",
      attributes: expect.objectContaining({ room: "app" }) as object,
    });
    expect(collector.spans).toEqual([]);
  });
});

interface Point {
  attributes: { key: string; value: { stringValue?: string } }[];
  asDouble?: number;
  count?: number | string;
  bucketCounts?: (number | string)[];
  explicitBounds?: number[];
}

const labelOf = ({ attributes }: Point, label: string) =>
  attributes.find(({ key }) => key === label)?.value.stringValue;

function histogramOf(collector: OtlpCollector, name: string, label: string, ending: string): Point | undefined {
  const { histogram } = collector.metrics.get(name) as { histogram: { dataPoints: Point[] } };
  return histogram.dataPoints.find((point) => labelOf(point, label)?.endsWith(ending));
}

describe("a collector", () => {
  test("that hangs stops neither calls nor the stop of the server", async () => {
    await using collector = await OtlpCollector.start();
    const never = Promise.withResolvers<void>();
    collector.gate = never.promise;
    const logs = { OTEL_METRICS_EXPORTER: "otlp", OTEL_LOGS_EXPORTER: "otlp", OTEL_METRIC_EXPORT_INTERVAL: "1000" };
    const world = await World.start({ env: collector.stubEnvironment({ ...logs, OTEL_BSP_MAX_QUEUE_SIZE: "64" }) });
    const rows = await Promise.all(Array.from({ length: 20 }, () => world.call(ANSWERS, { flow: FLOW })));
    expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "COMPLETED"));
    expect(collector.requests).toBeGreaterThan(0);
    await world[Symbol.asyncDispose]();
    // It still holds every request that it got.
    never.resolve();
  });

  test("that is not there stops no call, and is named in the log once", async () => {
    const gone = await OtlpCollector.start();
    const env = gone.stubEnvironment({ OTEL_EXPORTER_OTLP_TIMEOUT: "200" });
    await gone[Symbol.asyncDispose]();
    const lines: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
    try {
      await using world = await World.start({ env: { ...env, LOG_LEVEL: "warn" } });
      for (let calls = 0; calls < 5; calls++) {
        expect(await world.call(ANSWERS, { flow: FLOW })).toMatchObject({ status: "COMPLETED" });
      }
      await vi.waitUntil(() => lines.some((line) => line.includes("could not be sent")), { timeout: 10_000 });
    } finally {
      write.mockRestore();
    }
    const noted = lines.filter((line) => line.includes("could not be sent to the collector"));
    expect(noted.map((line) => (JSON.parse(line) as { room: string }).room)).toEqual(["app"]);
  });
});

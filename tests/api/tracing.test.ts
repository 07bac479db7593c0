import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AgentHarness, BYE } from "../kit/agent-harness.ts";
import { lastToolAnswer } from "../kit/model-server.ts";
import { type CollectedSpan, OtlpCollector } from "../kit/otlp-collector.ts";
import { Receiver } from "../kit/receiver.ts";

let collector: OtlpCollector;
let harness: AgentHarness;
beforeAll(async () => {
  collector = await OtlpCollector.start();
  const more = { OTEL_SERVICE_NAME: "front-desk", OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=acme" };
  harness = await AgentHarness.open(collector.stubEnvironment(more));
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});
beforeEach(() => harness.reset());

type Json = Record<string, unknown>;

const CONTACT = { contactName: "Ada Lovelace", contactEmail: "ada@example.com" };
const NUMBER = "+12025550100";
const traceOf = (row: Json) => String(row.id).replaceAll("-", "");
const named = (spans: CollectedSpan[], name: string) => spans.filter((span) => span.name === name);
const one = (spans: CollectedSpan[], name: string) => {
  expect(named(spans, name).map((span) => span.name)).toEqual([name]);
  return named(spans, name)[0] as CollectedSpan;
};

/** A tool that the model calls once, then says goodbye. */
async function makeTool(body: Json = {}): Promise<string> {
  harness.model.think = (question) =>
    lastToolAnswer(question) === null ? { calls: [{ name: "book", input: { day: "Monday" } }] } : BYE;
  return harness.tool({ name: "book", parameters: [{ name: "day", type: "string" }], ...body });
}

/** Runs a call of a saved flow with the tool. */
async function callWithTool(toolId: string): Promise<Json> {
  const flow = await harness.make("/flows", harness.flow({ name: "Traced", toolIds: [toolId] }));
  return harness.world.call(NUMBER, { flowId: flow.id, ...CONTACT });
}

describe("a traced call", () => {
  test("is one tree of spans, each within the time of its parent", async () => {
    const row = await callWithTool(await makeTool());
    expect(row).toMatchObject({ status: "COMPLETED", endReason: "AGENT_ENDED_CALL" });
    const spans = await collector.untilTraced(traceOf(row));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(spans.filter((span) => span.parentSpanId === undefined).map(({ name }) => name)).toEqual(["call"]);
    const [call, attempt, turn] = [one(spans, "call"), one(spans, "attempt"), one(spans, "turn")];
    expect(attempt.parentSpanId).toBe(call.spanId);
    expect(turn.parentSpanId).toBe(attempt.spanId);
    const asked = named(spans, "chat trial");
    expect(asked.length).toBe(harness.model.asked.length);
    for (const span of spans.filter(({ parentSpanId }) => parentSpanId !== undefined)) {
      const parent = byId.get(String(span.parentSpanId)) as CollectedSpan;
      expect(parent, span.name).toBeDefined();
      expect(span.startMs, span.name).toBeGreaterThanOrEqual(parent.startMs);
      expect(span.startMs, span.name).toBeLessThanOrEqual(parent.endMs);
      expect(span.endMs, span.name).toBeGreaterThanOrEqual(span.startMs);
      expect(span.endMs, span.name).toBeLessThanOrEqual(call.endMs);
    }
    expect(attempt.endMs).toBeLessThanOrEqual(call.endMs);
    expect(turn.endMs).toBeLessThanOrEqual(attempt.endMs);
  });

  test("shows models and tools by the GenAI conventions, with the tokens that the model's server counts", async () => {
    const toolId = await makeTool();
    const row = await callWithTool(toolId);
    const spans = await collector.untilTraced(traceOf(row));
    const asked = named(spans, "chat trial");
    expect(asked[0]).toMatchObject({
      kind: 3,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "trial",
      },
    });
    const sum = (name: string) => asked.reduce((total, { attributes }) => total + Number(attributes[name]), 0);
    // The model server counts 100 tokens for each question and 10 for each answer.
    const rounds = harness.model.asked.length;
    expect(sum("gen_ai.usage.input_tokens")).toBe(100 * rounds);
    expect(sum("gen_ai.usage.output_tokens")).toBe(10 * rounds);
    expect(one(spans, "execute_tool book").attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "book",
      "parley.tool.id": toolId,
    });
    const { workspaceId } = harness.world.sample;
    expect(one(spans, "call").attributes).toMatchObject({
      "parley.workspace.id": workspaceId,
      "parley.call.id": row.id,
      "parley.call.status": row.status,
      "parley.end_reason": row.endReason,
    });
  });

  test("tells its collector nothing of the person, and names the service as configured", async () => {
    const row = await callWithTool(await makeTool());
    await collector.untilTraced(traceOf(row));
    const words = (row.transcript as { role: string; content: string }[]).filter(({ role }) => role !== "TOOL");
    expect(words.length).toBeGreaterThan(1);
    const secrets = [NUMBER.slice(1), "Ada", "ada@", "Monday", ...words.map(({ content }) => content)];
    expect(secrets.filter((secret) => collector.text.includes(secret))).toEqual([]);
    expect(collector.resource).toMatchObject({ "service.name": "front-desk" });
    expect(collector.headers["x-tenant"]).toBe("acme");
  });

  test("sends its tools and webhooks the span that they belong to", async () => {
    await using receiver = await Receiver.start();
    const webhook = await harness.make("/session-webhooks", { url: receiver.url, events: ["session.ended"] });
    const row = await callWithTool(await makeTool());
    await receiver.waitFor(1);
    const spans = await collector.untilTraced(traceOf(row), "webhook");
    const headerOf = (name: string) => `00-${traceOf(row)}-${one(spans, name).spanId}-01`;
    expect(harness.server.last.headers.traceparent).toBe(headerOf("execute_tool book"));
    expect(receiver.received[0]?.headers.traceparent).toBe(headerOf("webhook"));
    expect(one(spans, "webhook").parentSpanId).toBe(one(spans, "call").spanId);
    await harness.world.request("DELETE", `/session-webhooks/${String(webhook.id)}`);
  });

  test("leaves a tool's own traceparent as it is", async () => {
    const own = "00-11111111111111111111111111111111-2222222222222222-00";
    await callWithTool(await makeTool({ apiHeaders: { TraceParent: own } }));
    expect(harness.server.last.headers.traceparent).toBe(own);
  });

  test("that nobody answered has an attempt with its outcome, and no turn", async () => {
    const row = await harness.call({}, "+12025550110");
    const spans = await collector.untilTraced(traceOf(row));
    expect(spans.map(({ name }) => name).sort()).toEqual(["attempt", "call"]);
    expect(one(spans, "attempt").attributes).toMatchObject({ "parley.attempt.outcome": row.outcome });
  });
});

describe("a request with a traceparent", () => {
  const PARENT = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

  /** Places a call with a header, and returns its trace, and the spans of the caller's. */
  async function place(traceparent: string) {
    harness.model.think = () => BYE;
    const body = { customerNumber: NUMBER, flow: harness.flow({}) };
    const placed = await harness.world.request("POST", "/outbound/calls", { body, headers: { traceparent } });
    expect(placed.status, placed.text).toBe(200);
    const traceId = String(placed.body.rowId).replaceAll("-", "");
    return { call: one(await collector.untilTraced(traceId), "call"), requests: () => collector.trace(PARENT.traceId) };
  }

  test("is a span of the caller's trace that links to the call's", async () => {
    const { call, requests } = await place(`00-${PARENT.traceId}-${PARENT.spanId}-01`);
    await vi.waitUntil(() => requests().length > 0);
    expect(requests()).toMatchObject([
      {
        name: "POST /api/external/v1/outbound/calls",
        kind: 2,
        parentSpanId: PARENT.spanId,
        links: [{ traceId: call.traceId, spanId: call.spanId }],
      },
    ]);
  });

  test.each([
    ["that its caller does not record", `00-${PARENT.traceId}-${PARENT.spanId}-00`],
    ["that is none", "00-zz-01"],
    ["of zeros", `00-${"0".repeat(32)}-${PARENT.spanId}-01`],
  ])("%s is not recorded, and the call is placed all the same", async (_which, traceparent) => {
    const before = collector.trace(PARENT.traceId).length;
    const { call, requests } = await place(traceparent);
    expect(call.traceId).not.toBe(PARENT.traceId);
    expect(requests().length).toBe(before);
  });
});

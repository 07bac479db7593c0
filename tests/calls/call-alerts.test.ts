import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentHarness } from "../kit/agent-harness.ts";
import { setUpOwner, type Tab } from "../kit/console-harness.ts";
import { EventReader } from "../kit/event-reader.ts";
import type { ModelReply } from "../kit/model-server.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { Receiver } from "../kit/receiver.ts";
import { ToolServer } from "../kit/tool-server.ts";
import type { World } from "../kit/world.ts";

/* What supervisors see of live calls: alerts on the row, by webhook and in the stream, and the tiles of the room. */

type Json = Record<string, unknown>;
interface Alert {
  kind: string;
  state: string;
  raisedAt: string;
  clearedAt: string | null;
  times: number;
}

interface Tile {
  fields: Record<string, string>;
}

let harness: AgentHarness;
let world: World;
let owner: Tab;
beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world } = harness);
  owner = await setUpOwner(world);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

function enterRoom(query = "?room=true"): Promise<EventReader> {
  const url = `${world.url}/api/console/workspaces/${world.sample.workspaceId}/events${query}`;
  return EventReader.open(url, { cookie: owner.cookie ?? "" });
}

/** A call in text, whose person is the test. */
async function answerCall(flowId: unknown): Promise<{ page: PageSocket; rowId: string }> {
  const made = await harness.make("/web-calls", { flowId, customerNumber: "+12025550104" });
  const page = await PageSocket.hello(String(made.socketUrl), String(made.token));
  await page.next("ready");
  page.send({ type: "accept", mode: "TEXT" });
  await page.next("text");
  return { page, rowId: String(made.callRowId) };
}

async function alertsOf(rowId: string): Promise<Alert[]> {
  return (await world.request("GET", `/call-rows/${rowId}`)).body.alerts as Alert[];
}

/** The alerts but for silences, which a busy machine makes. */
const statesOf = async (rowId: string) =>
  (await alertsOf(rowId)).filter(({ kind }) => kind !== "LONG_SILENCE").map(({ kind, state }) => `${kind} ${state}`);

describe("alerts of a live call", () => {
  test("are on its row, in the stream and at the webhook, are cleared, and end with the call", async () => {
    await using receiver = await Receiver.start();
    harness.server.answer = (_request, response) => ToolServer.json(response, {}, 500);
    const apiId = `alerts-${randomUUID()}`;
    const toolIds = [await harness.tool({ name: "find_table" })];
    const schema = { type: "object", properties: { day: { type: "string" }, people: { type: "integer" } } };
    const flow = await harness.make("/flows", {
      ...harness.flow({ apiId, toolIds }),
      structuredOutputs: [{ name: "table", schema, fillDuring: true }],
    });
    await harness.make("/session-webhooks", { url: receiver.url, flowId: flow.id, events: ["call.alert"] });
    let next: ModelReply = { text: "I am sorry to hear that." };
    harness.model.think = ({ wantsJson }) => {
      if (wantsJson) return { text: JSON.stringify({ day: "Tuesday" }) };
      const reply = next;
      next = { text: "It does not work now." };
      return reply;
    };
    using room = await enterRoom();
    await room.until(({ type, data }) => type === "room.tiles" && data.isWhole === true);
    const { page, rowId } = await answerCall(flow.id);
    using _page = page;

    page.send({ type: "text", text: "I am sick of your company" });
    await expect.poll(() => statesOf(rowId)).toEqual(["ANGER OPEN"]);
    const inRoom = (fits: (call: Json) => boolean) =>
      room.until(
        ({ type, data }) =>
          type === "room.tiles" && (data.calls as Json[]).some((call) => call.rowId === rowId && fits(call)),
      );
    await inRoom(({ alerts }) => (alerts as Alert[]).some(({ kind }) => kind === "ANGER"));
    await inRoom(({ tile }) => JSON.stringify(tile).includes("I am sorry to hear that."));
    await inRoom(({ tile }) => (tile as Tile | null)?.fields.day === "Tuesday");
    await room.until(({ type, data }) => type === "counters" && data.alertedCalls === 1);
    const tiles = room.events.flatMap(({ type, data }) => (type === "room.tiles" ? (data.calls as Json[]) : []));
    const last = tiles.findLast((call) => call.rowId === rowId);
    expect(last).toMatchObject({
      tile: { tone: "ANGRY", isText: true, wanted: 2, latencyMs: null },
      status: "IN_PROGRESS",
    });

    for (const text of ["Is there a table?", "And now?"]) {
      next = { calls: [{ name: "find_table", input: {} }] };
      const before = page.messages.length;
      page.send({ type: "text", text });
      await expect.poll(() => page.messages.slice(before).some((message) => message.type === "text")).toBe(true);
    }
    await expect.poll(() => statesOf(rowId)).toEqual(["ANGER CLEARED", "TOOL_FAILING OPEN"]);
    await world.request("POST", `/call-rows/${rowId}/end`, { body: {} });
    await world.until(`/call-rows/${rowId}`, ({ endedAt }) => endedAt !== null);
    expect(await statesOf(rowId)).toEqual(["ANGER CLEARED", "TOOL_FAILING CLEARED"]);
    for (const { raisedAt, clearedAt } of await alertsOf(rowId)) expect(clearedAt && clearedAt >= raisedAt).toBe(true);
    await room.until(({ type, data }) => type === "room.tiles" && (data.gone as string[]).includes(rowId));
    await room.until(({ type, data }) => type === "counters" && data.alertedCalls === 0);

    const sent = () => receiver.received.map(({ body }) => JSON.parse(body) as Json & { alert: Alert });
    await expect
      .poll(() => sent().map(({ alert }) => alert.kind))
      .toEqual(expect.arrayContaining(["ANGER", "TOOL_FAILING"]));
    expect(sent().find(({ alert }) => alert.kind === "ANGER")).toMatchObject({
      eventType: "call.alert",
      session: { status: "IN_PROGRESS", flowApiId: apiId },
      row: { id: rowId, jobId: null, humanRequested: false },
      alert: { kind: "ANGER", times: 1, raisedAt: expect.any(String) },
      retrieval: { endpoints: { callRow: expect.stringContaining(rowId) } },
    });
    const [stored] = await world.database.query("select monitor from call_results where row_id = $1", [rowId]);
    expect(stored).toEqual({ monitor: null });
  });

  test("come of a silence, and of words that may be an opt-out; a call of another workspace has nobody's", async () => {
    const { page, rowId } = await answerCall(
      (await harness.make("/flows", harness.flow({ apiId: `doubt-${randomUUID()}` }))).id,
    );
    using _page = page;
    harness.model.think = () => ({ text: "Fine." });
    page.send({ type: "text", text: "unsubscribe me from the newsletter but keep the appointment" });
    await expect.poll(() => statesOf(rowId)).toEqual(["OPT_OUT_DOUBTFUL OPEN"]);
    page.send({ type: "text", text: "No, you can call" });
    await expect.poll(() => statesOf(rowId)).toEqual(["OPT_OUT_DOUBTFUL CLEARED"]);
    const stranger = await world.createWorkspace();
    expect((await world.request("GET", `/call-rows/${rowId}`, { key: stranger.apiKey })).status).toBe(404);
    await world.request("POST", `/call-rows/${rowId}/end`, { body: {} });
    const silent = await harness.call({ silenceTimeoutSeconds: 20 }, "+12025550104");
    expect(silent.alerts).toMatchObject([{ kind: "LONG_SILENCE", state: "CLEARED", times: 1 }]);
    const fine = await harness.call({ silenceTimeoutSeconds: 20 }, "+12025550100");
    expect(fine.alerts).toEqual([]);
  });

  test("cost the stream one frame a second, however many calls there are, and nothing without a room", async () => {
    using page = await enterRoom("");
    using room = await enterRoom();
    await room.until(({ type }) => type === "room.tiles");
    const seconds = 4;
    const from = room.events.length;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const of = (type: string) => room.events.slice(from).filter((event) => event.type === type).length;
    expect(of("room.tiles")).toBeLessThanOrEqual(seconds + 1);
    expect(of("room.levels")).toBeLessThanOrEqual(2 * seconds + 1);
    expect(page.events.filter(({ type }) => type.startsWith("room."))).toEqual([]);
  });
});

describe("the tile of a live call", () => {
  test("fills as the person answers, with the model that needs no account too", async () => {
    const schema = {
      type: "object",
      properties: { coming: { type: "boolean" }, people: { type: "integer" } },
      required: ["coming", "people"],
    };
    const flow = await harness.make("/flows", {
      name: "Table",
      firstMessage: "Hello, this is about your table.",
      structuredOutputs: [{ name: "table", schema }],
    });
    using room = await enterRoom();
    const { page, rowId } = await answerCall(flow.id);
    using _page = page;
    page.send({ type: "text", text: "Hello." });
    await page.next("text");
    page.send({ type: "text", text: "Yes, we will." });
    const tiles = () => room.events.flatMap(({ type, data }) => (type === "room.tiles" ? (data.calls as Json[]) : []));
    const shown = () => (tiles().findLast((call) => call.rowId === rowId)?.tile as Tile | null | undefined)?.fields;
    await expect.poll(shown, { timeout: 10_000 }).toEqual({ coming: "true" });
    await world.request("POST", `/call-rows/${rowId}/end`, { body: {} });
    await world.until(`/call-rows/${rowId}`, ({ endedAt }) => endedAt !== null);
  });
});

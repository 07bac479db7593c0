import { expect, test } from "vitest";
import { AgentHarness } from "../kit/agent-harness.ts";
import { ToolServer } from "../kit/tool-server.ts";

type Json = Record<string, unknown>;

test("results count failing tools and wishes for a human, and name their calls, also once a person is erased", async () => {
  await using harness = await AgentHarness.open();
  const get = async (path: string) => (await harness.world.request("GET", path)).body;
  const results = (query = "") =>
    harness.world.until(`/results?${query}`, ({ waiting, isFilling }) => waiting === 0 && isFilling === false);
  const callsBehind = async (figure: string) =>
    ((await get(`/results/calls?${figure}`)).content as Json[]).map(({ id }) => id);
  const failing = await harness.tool({ name: "find_order" });
  const masked = await harness.tool({ name: "check_credit", disclosure: "NAME_ONLY" });
  const hold = async (name: string, isDown: boolean, customerNumber: string) => {
    harness.server.answer = (_request, response) => ToolServer.json(response, {}, isDown ? 500 : 200);
    harness.callOnce(name, {});
    return (await harness.call({ toolIds: [failing, masked] }, customerNumber)).id;
  };
  const failed = await hold("find_order", true, "+12025550100");
  const done = await hold("find_order", false, "+12025550101");
  const hidden = await hold("check_credit", true, "+12025550101");
  const wished = await hold("request_human", false, "+12025550107");
  const tools = [
    { tool: "find_order", calls: 2, failed: 1 },
    { tool: "check_credit", calls: 1, failed: 1 },
  ];
  // Without a criterion, a conversation whose tool failed is no success.
  expect(await results()).toMatchObject({ askedForHuman: 1, tools, funnel: { calls: 4, succeeded: 2 }, fields: [] });
  expect(new Set(await callsBehind("step=SUCCEEDED"))).toEqual(new Set([done, wished]));
  expect(await callsBehind("tool=find_order")).toEqual([failed]);
  expect(await callsBehind("tool=find_order&toolResult=DONE")).toEqual([done]);
  expect(await callsBehind("tool=check_credit")).toEqual([hidden]);
  expect(await callsBehind("step=ASKED_FOR_HUMAN")).toEqual([wished]);
  // A tool is no field.
  expect(await callsBehind("field=find_order&value=FAILED")).toEqual([]);
  expect(await results("goalField=find_order&goalValue=FAILED")).toMatchObject({ funnel: { succeeded: 0 } });
  for (const [query, path] of [
    ["toolResult=DONE", "tool"],
    ["tool=find_order&step=TALKED", "tool"],
    ["step=ASKED_FOR_HUMAN&outcome=ANSWERED", "step=ASKED_FOR_HUMAN"],
  ] as const) {
    const reply = await harness.world.request("GET", `/results/calls?${query}`);
    expect([reply.status, (reply.body.details as Json[])[0]?.path], query).toEqual([422, path]);
  }
  const headers = { "x-api-key": harness.world.sample.apiKey };
  const file = await fetch(`${harness.world.url}/api/external/v1/results/csv?table=tools`, { headers });
  // With the byte order mark, by which Excel knows UTF-8; text() would leave it out.
  const text = Buffer.from(await file.arrayBuffer()).toString();
  expect(text).toBe("\uFEFFtool,calls,failed\r\nfind_order,2,1\r\ncheck_credit,1,1\r\n");

  const [contact] = (await get("/contacts?phone=%2B12025550100")).content as Json[];
  const erased = await harness.world.request("DELETE", `/contacts/${String(contact?.id)}`);
  expect(erased.status, erased.text).toBe(204);
  await expect
    .poll(async () => (await get(`/call-rows/${String(failed)}`)).customerNumber, { timeout: 20_000 })
    .toBe("ERASED");
  expect(await results()).toMatchObject({ tools });
});

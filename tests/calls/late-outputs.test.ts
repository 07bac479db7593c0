import { afterAll, beforeAll, expect, test } from "vitest";
import { BYE } from "../kit/agent-harness.ts";
import { STREAMED_TURN, TrialServer, wholeAnswer } from "../kit/model-vendors/trial-server.ts";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let server: TrialServer;
let model: string;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  server = await TrialServer.start();
  const body = { name: "Own", provider: "OPENAI_COMPATIBLE", model: "gpt-4o", baseUrl: server.url };
  model = String((await world.request("POST", "/models", { body })).body.id);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const FILL = '{"note":"was there"}';
const flow = () => ({
  name: "x",
  firstMessage: "Good day.",
  model: { modelId: model },
  structuredOutputs: [{ name: "visit", schema: { type: "object", properties: { note: { type: "string" } } } }],
});

/** Makes the model say goodbye, and fail to fill outputs until `works` is set. */
function failing(status: number): { works: boolean } {
  const state = { works: false };
  const stream = STREAMED_TURN.OPENAI_COMPATIBLE.replace("look_up", BYE.calls?.[0]?.name ?? "");
  server.think = (body) => {
    if (body.stream === true) return { body: stream };
    const headers = { "content-type": "application/json" };
    if (state.works) return { body: wholeAnswer("OPENAI_COMPATIBLE", FILL), headers };
    return { status, body: '{"error":{"message":"busy"}}', headers };
  };
  return state;
}

/** Expects that the model was told last the day on which the person spoke, by which it reads "tomorrow". */
function expectClock(saidAt: Date): void {
  const asked = server.requests.at(-1)?.body.messages as { content: string }[];
  const told = asked.map(({ content }) => content).join("\n");
  const timeZone = /^Time zone: (\S+)/m.exec(told)?.[1] ?? "";
  expect(told).toContain(`\nDate: ${new Intl.DateTimeFormat("en-CA", { timeZone }).format(saidAt)}`);
}

test("fields that a busy model could not fill come later; the completion waits for them", async () => {
  await using receiver = await Receiver.start();
  const state = failing(500);
  const made = await world.request("POST", "/flows", { body: flow() });
  const body = {
    rows: [{ customerNumber: "+12025550100" }],
    flowId: made.body.id,
    completionWebhook: { url: receiver.url },
  };
  const job = await world.request("POST", "/call-jobs", { body });
  const path = `/call-jobs/${String(job.body.id)}`;
  await world.until(path, ({ completedAt }) => completedAt !== null);
  const [row] = (await world.request("GET", `${path}/rows`)).body.content as Json[];
  const rowPath = `/call-rows/${String(row?.id)}`;
  const ended = (await world.request("GET", rowPath)).body;
  expect(ended).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED" });
  expect(ended.structuredOutputs).toMatchObject({ visit: { value: null, valid: false, pending: true } });
  expect(receiver.received).toHaveLength(0);
  state.works = true;
  const filled = await world.until(rowPath, ({ extractedFields }) => (extractedFields as Json).note !== undefined);
  expect(filled.structuredOutputs).toMatchObject({ visit: { value: { note: "was there" }, valid: true } });
  expect(JSON.stringify(filled.structuredOutputs)).not.toContain("pending");
  expectClock(new Date(String(ended.endedAt)));
  await receiver.waitFor(1);
});

test("the report of a job and a scheduled digest wait for fields that come later", async () => {
  const state = failing(500);
  const make = async (path: string, body: Json) => String((await world.request("POST", path, { body })).body.id);
  const report = await make("/automations", { name: "Report", kind: "CALL_JOB_REPORT" });
  const digest = await make("/automations", { name: "Digest", kind: "DAILY_DIGEST" });
  const flowId = await make("/flows", flow());
  const path = `/call-jobs/${await make("/call-jobs", { rows: [{ customerNumber: "+12025550100" }], flowId })}`;
  await world.until(path, ({ completedAt }) => completedAt !== null);
  const due = `update tasks set due_at = now(), payload = jsonb_set(payload::jsonb, '{runAt}', to_jsonb(now()))::json
                where subject_id = $1 and kind = 'automation.schedule' and status = 'PENDING'`;
  await world.database.query(due, [digest]);
  // By hand, after both: nothing waits for it.
  const byHand = await make(`/automations/${digest}/run`, {});
  const runsOf = (id: string) => `/automations/${id}/runs`;
  const hasEnded = (id: string) => (page: Json) =>
    (page.content as Json[]).some((run) => run.endedAt !== null && (id === byHand) === (run.trigger === "MANUAL"));
  await world.until(runsOf(digest), hasEnded(byHand));
  await world.until(runsOf(digest), ({ totalElements }) => totalElements === 2);
  expect(hasEnded(report)((await world.request("GET", runsOf(report))).body)).toBe(false);
  state.works = true;
  for (const id of [report, digest]) {
    await world.until(runsOf(id), hasEnded(id));
    const made = (await world.request("GET", `/automations/${id}/artifacts?size=200`)).body.content as Json[];
    // The newest come first, and the digest by hand came before.
    const json = made.find(({ type }) => type === "JSON");
    const { content } = (await world.request("GET", `/artifacts/${String(json?.id)}`)).body;
    expect((content as Json).extractedFields).toMatchObject([{ field: "note", filled: expect.any(Number) as number }]);
  }
});

test("an output that comes later and found nothing takes no value from one that came before", async () => {
  failing(500);
  const busy = server.think;
  let works = false;
  server.think = (body, ...more) => {
    const text = JSON.stringify(body.messages);
    if (body.stream === true || (text.includes("the late one") && !works)) return busy(body, ...more);
    const value = text.includes("the late one") ? '{"note":null,"other":1}' : FILL;
    return { body: wholeAnswer("OPENAI_COMPATIBLE", value), headers: { "content-type": "application/json" } };
  };
  const note = { type: ["string", "null"] };
  const late = { type: "object", properties: { note, other: { type: "integer" } } };
  const structuredOutputs = [...flow().structuredOutputs, { name: "late", description: "the late one", schema: late }];
  const made = await world.request("POST", "/flows", { body: { ...flow(), structuredOutputs } });
  const body = { rows: [{ customerNumber: "+12025550100" }], flowId: made.body.id };
  const path = `/call-jobs/${String((await world.request("POST", "/call-jobs", { body })).body.id)}`;
  await world.until(path, ({ completedAt }) => completedAt !== null);
  const [row] = (await world.request("GET", `${path}/rows`)).body.content as Json[];
  works = true;
  const filled = await world.until(`/call-rows/${String(row?.id)}`, ({ extractedFields }) => {
    return (extractedFields as Json).other !== undefined;
  });
  expect(filled.structuredOutputs).toMatchObject({ late: { value: { note: null, other: 1 }, valid: true } });
  expect(filled.extractedFields).toEqual({ note: "was there", other: 1 });
});

test("a chat that is over is announced with its fields, though the model was busy when it ended", async () => {
  const state = failing(429);
  const started = await world.request("POST", "/outbound/chats", {
    body: { flow: flow(), contactIdentifier: "p", channel: "CHAT" },
  });
  const id = String((started.body.session as Json).id);
  await world.request("POST", `/chat-sessions/${id}/messages`, { body: { content: "Hello" } });
  const ended = await world.until(`/chat-sessions/${id}`, ({ endedAt }) => endedAt !== null);
  expect(ended.structuredOutputs).toBeNull();
  const asked = server.requests.length;
  while (server.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 10));
  const saidAt = new Date(Date.now() - 72 * 3_600_000);
  await world.database.query("update chat_sessions set last_message_at = $2 where id = $1", [id, saidAt.toISOString()]);
  state.works = true;
  const filled = await world.until(`/chat-sessions/${id}`, ({ extractedFields }) => extractedFields !== null);
  expect(filled.extractedFields).toEqual({ note: "was there" });
  expectClock(saidAt);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { ProviderServer } from "../kit/provider-server.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;
let base: string;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  owner = await setUpOwner(world);
  base = `/workspaces/${world.sample.workspaceId}`;
});
afterAll(() => world[Symbol.asyncDispose]());

const UNKNOWN = "0d5e1a52-7c9a-4f5e-8a53-4e6f3f3b7c11";

async function makeTool(body: object): Promise<string> {
  const made = await world.request("POST", "/tools", { body: { name: "t", description: "A test.", ...body } });
  expect(made.text).toContain('"id"');
  return String(made.body.id);
}

test("a tool that is run once tells what it sent and got, without its credentials", async () => {
  const toolId = await makeTool({
    toolType: "API",
    apiMethod: "POST",
    apiUrl: `${world.url}/api/external/v1/test/sync-echo`,
    apiHeaders: { "X-API-Key": world.sample.apiKey },
    parameters: [{ name: "orderId", type: "string", required: true }],
    internalOnly: true,
  });
  const { status, body, text } = await owner.ask("POST", `${base}/tools/${toolId}/run`, { input: { orderId: "A-17" } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    outcome: "VALUE",
    exchanges: [{ method: "POST", status: 200, requestBody: '{"orderId":"A-17"}' }],
  });
  expect(text).not.toContain(world.sample.apiKey);
  const wrong = await owner.ask("POST", `${base}/tools/${toolId}/run`, { input: { orderId: 5 } });
  expect(wrong.body).toMatchObject({ outcome: "FAILED", errorCode: "INPUT_INVALID", exchanges: [] });
});

test("a transfer is told, not dialled; a mock and code send nothing", async () => {
  const forward = await makeTool({ toolType: "FORWARD_CALL", forwardCallConfig: { destination: "+12025550123" } });
  const reported = await owner.ask("POST", `${base}/tools/${forward}/run`, {});
  expect(reported.body).toMatchObject({
    outcome: "TRANSFER",
    transfer: { destination: "+12025550123" },
    exchanges: [],
  });
  const code = await makeTool({ toolType: "CODE", executionPlan: [{ type: "CODE", code: "return 6 * 7" }] });
  const done = await owner.ask("POST", `${base}/tools/${code}/run`, {});
  expect(done.body).toMatchObject({ outcome: "VALUE", content: "42", exchanges: [] });
});

test("only who may write tools runs them; a foreign or built-in one is none", async () => {
  const viewer = await inviteMember(world, world.sample.workspaceId, "VIEWER");
  const refused = await viewer.ask("POST", `${base}/tools/${UNKNOWN}/run`, {});
  expect(refused.status).toBe(403);
  const tools = (await world.request("GET", "/tools")).body as unknown as { id: string; isSystem: boolean }[];
  const system = tools.find(({ isSystem }) => isSystem)?.id ?? "";
  const statuses = await Promise.all(
    [UNKNOWN, system].map(async (id) => (await owner.ask("POST", `${base}/tools/${id}/run`, {})).status),
  );
  expect(statuses).toEqual([404, 404]);
});

test("a change made for another version of a tool is refused, and changes nothing", async () => {
  const toolId = await makeTool({ toolType: "CODE", executionPlan: [{ type: "CODE", code: "1" }] });
  const put = (ifMatch: string, description: string) =>
    world.request("PUT", `/tools/${toolId}`, { headers: { "If-Match": ifMatch }, body: { description } });
  expect((await put('"1"', "First.")).status).toBe(200);
  expect((await put('"1"', "Second.")).status).toBe(409);
  expect((await put("nonsense", "Third.")).status).toBe(400);
  expect((await put("*", "Fourth.")).body).toMatchObject({ description: "Fourth.", version: 3 });
});

test("numbers for sale are searched without those that are there; a country without any has none", async () => {
  const search = (query: string) => owner.ask("GET", `${base}/number-offers?${query}`);
  const offered = (await search("provider=TWILIO&countryCode=US")).body as unknown as { number: string }[];
  expect(offered.length).toBeGreaterThan(0);
  expect(offered.map(({ number }) => number)).not.toContain(world.sample.phoneNumber.number);
  expect((await search("provider=SANDBOX&countryCode=FR")).body).toEqual([]);
  expect((await search("provider=NOBODY")).status).toBe(400);
});

test("the voices of a speech account are listed with price and latency, and say a sentence", async () => {
  const sound = Buffer.alloc(24_000, 1);
  await using server = await ProviderServer.start([
    { status: 500, json: {} },
    { status: 200, json: { voices: ["af_bella", { id: "af_sky", name: "Sky" }, 7] } },
    (response) => response.writeHead(200, { "content-type": "audio/pcm" }).end(sound),
  ]);
  await owner.ask("PUT", `${base}/speech-accounts/OPENAI_COMPATIBLE`, {
    apiKey: "sk-own",
    baseUrl: `${server.origin}/v1`,
    voice: "coral",
  });
  const read = async () => (await owner.ask("GET", `${base}/voices`)).body as { providers: object[] };
  const provider = { provider: "OPENAI_COMPATIBLE", defaultVoice: "coral", voices: [], firstSoundMs: null };
  expect((await read()).providers[0]).toMatchObject({ ...provider, error: { code: "UNAVAILABLE" } });
  // A list that could not be had is asked for anew, one that came is kept.
  const named = (id: string, name = id) => ({ id, name, languages: [], description: null });
  const voices = [named("af_bella"), named("af_sky", "Sky")];
  const library = await read();
  expect(library).toMatchObject({ pricePerMinute: "0.018", currency: "USD" });
  expect(library.providers[0]).toMatchObject({ ...provider, voices, error: null });

  const sample = { provider: "OPENAI_COMPATIBLE", voiceId: "af_sky", language: "de-DE" };
  const builder = await inviteMember(world, world.sample.workspaceId, "BUILDER");
  expect((await builder.ask("POST", `${base}/voices/sample`, sample)).body).toMatchObject({
    text: expect.stringContaining("Guten Tag") as string,
    durationSeconds: 0.5,
    audio: expect.stringMatching(/^UklGR/) as string,
    error: null,
  });
  expect(server.received.at(-1)?.body.toString()).toContain('"voice":"af_sky"');
  expect((await read()).providers[0]).toMatchObject({ sentences: 1, firstSoundMs: expect.any(Number) as number });
  expect(server.received).toHaveLength(3);
  const operator = await inviteMember(world, world.sample.workspaceId, "OPERATOR");
  expect((await operator.ask("POST", `${base}/voices/sample`, sample)).status).toBe(403);
  const unknown = await owner.ask("POST", `${base}/voices/sample`, { ...sample, provider: "ELEVENLABS" });
  expect(unknown.body).toMatchObject({ details: [{ path: "provider", code: "NOT_CONFIGURED" }] });
});

test("the uses of a flow are the numbers, jobs under way, widgets, lead sources and flows that take its next version", async () => {
  const make = async (to: string, body: object) => (await world.request("POST", to, { body })).body as { id: string };
  const flow = await make("/flows", { name: "Answers", firstMessage: "Hello.", stages: [{ id: "end", type: "END" }] });
  const uses = async (id = flow.id) => (await owner.ask("GET", `${base}/flows/${id}/uses`)).body as { uses: object[] };
  expect(await uses()).toEqual({ uses: [] });
  const [number] = (await world.request("GET", "/phone-numbers")).body as unknown as {
    id: string;
    phoneNumber: string;
  }[];
  await world.request("PUT", `/phone-numbers/${number?.id}`, { body: { inboundFlowId: flow.id } });
  const rows = [{ customerNumber: "+12025550100" }, { customerNumber: "+12025550101" }];
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const job = await make("/call-jobs", { name: "Later", rows, flowId: flow.id, startAt });
  await make("/widgets", { name: "Shop", flowId: flow.id, allowedOrigins: ["https://shop.example"] });
  const stages = [
    { id: "answers", type: "SUBFLOW", flowId: flow.id, edges: [{ id: "done", to: "end", when: { type: "ALWAYS" } }] },
    { id: "end", type: "END" },
  ];
  await make("/flows", { name: "Outer", stages });
  const use = (kind: string, name: unknown, more = {}) => ({
    kind,
    total: 1,
    first: [expect.objectContaining({ name, byDefault: false, waiting: null, ...more }) as object],
  });
  expect(await uses()).toEqual({
    uses: [
      use("PHONE_NUMBER", number?.phoneNumber),
      use("CALL_JOB", "Later", { id: job.id, waiting: 2 }),
      use("WIDGET", "Shop"),
      use("FLOW", "Outer"),
    ],
  });
  await world.request("PUT", `/phone-numbers/${number?.id}`, { body: { inboundFlowId: null } });
  await world.request("POST", `/call-jobs/${job.id}/cancel`);
  // The workspace's default flow answers the numbers that name none.
  const { uses: byDefault } = await uses(String(world.sample.flow.id));
  const [numbers] = byDefault as { kind: string; total: number; first: { byDefault: boolean }[] }[];
  expect(numbers?.kind).toBe("PHONE_NUMBER");
  expect(numbers?.first.map((number) => number.byDefault)).toEqual(Array(numbers?.total).fill(true));
  expect((await owner.ask("GET", `${base}/flows/${randomUUID()}/uses`)).status).toBe(404);
});

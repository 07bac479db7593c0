import { afterAll, beforeAll, expect, test } from "vitest";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
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

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealClearBodies } from "#src/authoring/tools/tools.ts";
import { openKeyRing } from "#src/platform/config/secret.ts";
import { openDatabase } from "#src/platform/db/database.ts";
import { createSecretBox } from "#src/platform/kernel/secret-box.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
});
afterAll(() => world[Symbol.asyncDispose]());

const minimal = {
  name: "look_up_order",
  description: "Finds an order.",
  toolType: "API",
  apiMethod: "POST",
  apiUrl: "https://api.example.com/orders/{{ orderId }}",
};

const create = (body: object) => world.request("POST", "/tools", { body });
async function make(body: object): Promise<Record<string, unknown>> {
  const reply = await create(body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}
const paths = (body: Record<string, unknown>) => (body.details as { path: string }[]).map((fault) => fault.path);

test("an application must be one of the workspace, unless the tool named it before", async () => {
  for (const applicationId of [randomUUID(), stranger.application.id]) {
    const reply = await create({ ...minimal, applicationId });
    expect([reply.status, reply.body.message]).toEqual([404, expect.stringContaining(applicationId) as string]);
  }
  const application = await world.request("POST", "/applications", { body: { name: "Shop" } });
  const tool = await make({ ...minimal, applicationId: application.body.id });
  const put = (body: object) => world.request("PUT", `/tools/${String(tool.id)}`, { body });
  expect((await put({ applicationId: stranger.application.id })).status).toBe(404);
  expect((await world.request("DELETE", `/applications/${String(application.body.id)}`)).status).toBe(204);
  expect((await put({ ...tool, iconKey: "x" })).body).toMatchObject({ applicationId: application.body.id });
  expect((await put({ applicationId: null })).body.applicationId).toBeNull();
});

describe("the secrets of a tool", () => {
  const secrets = { apiHeaders: { Authorization: "Bearer s3cret" }, apiBody: { login: { apiKey: "k3y" }, order: "1" } };
  const masked = { apiHeaders: { Authorization: "********" }, apiBody: { login: { apiKey: "********" }, order: "1" } };
  const bySecret = ["apiHeaders.Authorization", "apiBody.login.apiKey"];
  const elsewhere = { apiUrl: "https://evil.example/orders" };

  test("must be sent again when the origin of its address changes, whether they are left out or masked", async () => {
    const tool = await make({ ...minimal, ...secrets });
    const path = `/tools/${String(tool.id)}`;
    const put = (body: object) => world.request("PUT", path, { body });
    const hosts = { apiUrl: "https://{{ host }}/orders", networkAllowList: ["evil.example"] };
    for (const body of [elsewhere, { ...tool, ...elsewhere }, hosts, { toolType: "CODE", apiUrl: null }]) {
      const refused = await put({ executionPlan: [{ type: "CODE", code: "1" }], ...body });
      expect([refused.status, paths(refused.body)]).toEqual([422, bySecret]);
    }
    expect((await world.request("GET", path)).body).toEqual(tool);
    const sent = await put({ ...elsewhere, ...secrets });
    expect([sent.status, sent.body]).toMatchObject([200, { ...elsewhere, ...masked }]);
    expect((await put({ apiUrl: minimal.apiUrl, apiHeaders: null, apiBody: { order: "2" } })).status).toBe(200);
  });

  test("stay when only the path changes", async () => {
    const tool = await make({ ...minimal, ...secrets });
    const path = `/tools/${String(tool.id)}`;
    const moved = await world.request("PUT", path, { body: { ...tool, apiUrl: "https://api.example.com/other" } });
    expect([moved.status, moved.body]).toMatchObject([200, masked]);
  });
});

describe("the body of a tool's request", () => {
  const MASK = "********";
  const apiBody = { order: "body-canary-plain", login: { apiKey: "body-canary-key", user: "{{ who }}" }, list: [1.5] };
  const rowOf = async (id: unknown) => {
    const [row] = await world.database.query<{ t: string; api_body: Buffer | null }>(
      "select t::text, api_body from tools t where id = $1",
      [id],
    );
    return row as { t: string; api_body: Buffer | null };
  };
  const masked = { ...apiBody, login: { ...apiBody.login, apiKey: MASK } };

  test("is encrypted at rest as a whole, what speaks of a credential is masked, and the mask means unchanged", async () => {
    const tool = await make({ ...minimal, apiBody });
    expect(tool.apiBody).toEqual(masked);
    const stored = await rowOf(tool.id);
    expect(stored.t).not.toContain("canary");
    expect(stored.t).not.toContain(Buffer.from("canary").toString("hex"));
    const put = (body: object | null) =>
      world.request("PUT", `/tools/${String(tool.id)}`, { body: { apiBody: body, iconKey: "x" } });
    expect((await put({ ...masked, order: "other" })).body.apiBody).toEqual({ ...masked, order: "other" });
    const lost = await put({ login: { apiSecret: MASK } });
    expect([lost.status, paths(lost.body)]).toEqual([422, ["apiBody.login.apiSecret"]]);
    expect((await put(null)).body.apiBody).toBeNull();
    expect((await rowOf(tool.id)).api_body).toBeNull();
  });

  test("that an earlier version stored in clear is read, masked, and sealed by and by; version and time stay", async () => {
    const damaged = await make({ ...minimal, apiBody });
    const tool = await make({ ...minimal, apiBody });
    const path = `/tools/${String(tool.id)}`;
    const clear = () =>
      world.database.query(
        "update tools set api_body = null, definition = (definition::jsonb || jsonb_build_object('apiBody', $2::jsonb))::json where id = $1",
        [tool.id, JSON.stringify(apiBody)],
      );
    await clear();
    expect((await world.request("GET", path)).body.apiBody).toEqual(masked);
    // A tool before it, whose headers were changed by hand, is left as it is and told.
    await world.database.query(
      "update tools set api_headers = '\\\\x00', definition = (definition::jsonb || '{\"apiBody\": {}}')::json where id = $1",
      [damaged.id],
    );
    const database = openDatabase({ connectionString: world.database.url }, { max: 2 }, () => undefined);
    const { keys } = openKeyRing({ secret: undefined, previousSecret: undefined, dataDir: world.dataDir });
    await expect(sealClearBodies(database, createSecretBox(keys))).rejects.toThrow(/secret/);
    await world.request("DELETE", `/tools/${String(damaged.id)}`);
    await database.close();
    expect((await rowOf(tool.id)).t).not.toContain("canary");
    expect((await world.request("GET", path)).body).toEqual(tool);
    await clear();
    expect((await world.request("PUT", path, { body: { iconKey: "y" } })).body.apiBody).toEqual(masked);
    expect((await rowOf(tool.id)).t).not.toContain("canary");
  });
});

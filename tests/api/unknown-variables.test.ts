import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

/* A variable that nothing fills is said as nothing: "Hello , this is …". */

interface Warning {
  path: string;
  member: string;
  nearest: string | null;
}

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const localVariables = [{ variableName: "company", type: "string" }];

async function ask(method: string, path: string, body: unknown, status = 200): Promise<Record<string, unknown>> {
  const reply = await world.request(method, path, { body });
  expect([path, reply.status, reply.text]).toEqual([path, status, expect.any(String)]);
  return reply.body;
}

function warningsOf(body: Record<string, unknown>): Warning[] {
  return ((body.warnings ?? []) as Warning[]).map(({ path, member, nearest }) => ({ path, member, nearest }));
}

test("saving a flow warns of variables that nothing declares, once", async () => {
  const flow = {
    name: "Variables",
    localVariables,
    firstMessage: "Hello {{ first_name }}, this is {{ compny }}.",
    masterPrompt:
      "{{ contactName }} {{ memory.a }} {{ company }} {{ plan | default: 'x' }}{% if vip %}{{ vip }}{% endif %}",
    voicemailConfig: { action: "LEAVE_MESSAGE", message: "{% for one in itmes %}{{ one.name }}{% endfor %}" },
  };
  const made = await ask("POST", "/flows", flow);
  expect(warningsOf(made)).toEqual([
    { path: "/firstMessage", member: "first_name", nearest: null },
    { path: "/firstMessage", member: "compny", nearest: "company" },
    { path: "/voicemailConfig/message", member: "itmes", nearest: null },
  ]);
  const path = `/flows/${String(made.id)}`;
  const { body: whole } = await world.request("GET", path);
  expect(await ask("PUT", path, whole)).not.toHaveProperty("warnings");
  expect(await ask("PUT", path, { name: "Other" })).not.toHaveProperty("warnings");
  const emptied = await ask("PUT", path, { localVariables: [] });
  expect(warningsOf(emptied)).toEqual([{ path: "/masterPrompt", member: "company", nearest: null }]);
  const refused = await world.request("PUT", path, {
    body: { firstMessage: "{{ nosuch }}" },
    headers: { prefer: "handling=strict" },
  });
  expect(refused.status).toBe(422);
  expect((await world.request("GET", path)).body.version).toBe(emptied.version);
});

test("a tool's saveToVariable declares a variable", async () => {
  const tool = {
    name: "look_up_plan",
    description: "Looks the plan up.",
    toolType: "API",
    apiMethod: "GET",
    apiUrl: "https://example.com/plan",
    returnValue: { type: "string", saveToVariable: "plan" },
  };
  const { id } = await ask("POST", "/tools", tool, 201);
  const body = { name: "With a tool", masterPrompt: "{{ plan }}", toolIds: [id] };
  expect(await ask("POST", "/flows", body)).not.toHaveProperty("warnings");
});

test("publishing asks first, and not again for what was accepted", async () => {
  const made = await ask("POST", "/flows", { name: "To publish", localVariables, firstMessage: "{{ company }}" });
  const path = `/flows/${String(made.id)}`;
  await ask("PUT", `${path}/draft`, { firstMessage: "Hello {{ nosuch }}." });
  const refused = await ask("POST", `${path}/publish`, {}, 422);
  expect(refused).toMatchObject({
    code: "UNKNOWN_VARIABLES",
    details: [
      { path: "firstMessage", code: "UNKNOWN_VARIABLE", message: expect.stringContaining("{{ nosuch }}") as string },
    ],
  });
  expect((await ask("GET", path, undefined)).version).toBe(made.version);
  await ask("POST", `${path}/publish`, { acceptUnknownVariables: true });
  await ask("PUT", `${path}/draft`, { name: "Only renamed" });
  await ask("POST", `${path}/publish`, {});
});

test("a change that holds nothing known makes no version", async () => {
  const made = await ask("POST", "/flows", { name: "Still" });
  const path = `/flows/${String(made.id)}`;
  const changed = await ask("PUT", path, { masterPromt: "x" });
  expect(warningsOf(changed)).toEqual([{ path: "/masterPromt", member: "masterPromt", nearest: "masterPrompt" }]);
  expect(changed.version).toBe(made.version);
  expect(changed.updatedAt).toBe(made.updatedAt);
  expect((await ask("PUT", path, { masterPrompt: "x" })).version).toBe(Number(made.version) + 1);
});

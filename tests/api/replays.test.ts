import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Comparison } from "#src/workbench/simulations/compare.ts";
import type { SuiteReport } from "#src/workbench/simulations/report.ts";
import { World } from "../kit/world.ts";

let world: World;
let rowIds: string[];
beforeAll(async () => {
  world = await World.start();
  rowIds = [];
  for (const code of ["00", "01", "05", "09"]) {
    const row = await world.call(`+120255501${code}`, { contactName: "Wilhelmina Quist" });
    rowIds.push(String(row.id));
  }
});
afterAll(() => world[Symbol.asyncDispose]());

interface Run {
  id: string;
  kind: string;
  state: string;
  report: SuiteReport;
  comparison: Comparison;
}

async function replay(body: Record<string, unknown>): Promise<Run> {
  const { status, text, body: started } = await world.request("POST", "/simulations/replays", { body });
  expect({ status, text: status === 200 ? "" : text }).toEqual({ status: 200, text: "" });
  return (await world.until(`/simulations/${String(started.id)}`, (run) => run.endedAt !== null)) as unknown as Run;
}

describe("POST /simulations/replays", () => {
  it("finds no difference in the flow that the calls were held with", async () => {
    const run = await replay({ flowApiId: "appointment-reminder", last: 10 });
    expect(
      run.report.scenarios.flatMap(({ conversations }) => conversations.flatMap(({ failures }) => failures)),
    ).toEqual([]);
    expect(run).toMatchObject({ kind: "REPLAY", state: "PASSED" });
    expect(run.report.conversations).toBe(4);
    expect(
      run.comparison.scenarios.flatMap(({ conversations }) => conversations.flatMap(({ fields }) => fields)),
    ).toEqual([]);
  });

  it("tells of a draft what differs, and where it parts from what was recorded", async () => {
    const flow = await world.request("GET", `/flows/${world.sample.flow.id}`);
    const firstMessage = "Good day, this is about your appointment.";
    const structuredOutputs = [
      {
        name: "appointment",
        schema: {
          type: "object",
          properties: { people: { type: "integer", description: "How many people will come?" } },
        },
      },
    ];
    const draft = { firstMessage, structuredOutputIds: [], structuredOutputs };
    const put = await world.request("PUT", `/flows/${String(flow.body.id)}/draft`, { body: draft });
    expect(put.status).toBe(200);
    const run = await replay({ flowId: world.sample.flow.id, draft: true, rowIds: rowIds.slice(0, 1) });
    expect(run.state).toBe("FAILED");
    const [conversation] = run.report.scenarios[0]?.conversations ?? [];
    expect(conversation?.failures.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["fields.confirmed", "fields.partySize"]),
    );
    expect(conversation?.failures.every(({ turn }) => turn !== null)).toBe(true);
    const [change] = run.comparison.scenarios[0]?.conversations ?? [];
    expect(change?.firstDifference).toMatchObject({ turn: 1, after: firstMessage });
    expect(change?.fields.map(({ name }) => name)).toContain("confirmed");
  });

  it("shows what people said to nobody who may not read calls", async () => {
    const { id } = await replay({ flowApiId: "appointment-reminder", rowIds: rowIds.slice(0, 1) });
    const made = (await world.operator("key.create", {
      workspaceId: world.sample.workspaceId,
      name: "flows only",
      permissions: ["FLOWS_READ", "FLOWS_WRITE"],
    })) as { key?: string; apiKey?: string };
    const key = made.key ?? made.apiKey ?? "";
    const seen = await world.request("GET", `/simulations/${id}`, { key });
    expect(seen.body).toMatchObject({ state: "PASSED", report: null, comparison: null });
    expect((await world.request("GET", `/simulations/${id}/junit`, { key })).status).toBe(403);
    const compared = await world.request("POST", "/simulations", { key, body: { suite: SUITE, compareWith: id } });
    expect(compared.status).toBe(404);
  });

  it("forgets the run with the person", async () => {
    const row = await world.call("+12025550108", { contactName: "Zacharias Erased" });
    const { id } = await replay({ flowApiId: "appointment-reminder", rowIds: [row.id] });
    const contacts = await world.request("GET", "/contacts?phone=%2B12025550108");
    const [contact] = contacts.body.content as { id: string }[];
    const erased = await world.request("DELETE", `/contacts/${String(contact?.id)}`);
    expect(erased.status).toBeLessThan(300);
    expect((await world.request("GET", `/simulations/${id}`)).status).toBe(404);
  });

  it.each([
    [{}, 422],
    [{ flowId: "appointment-reminder", flowApiId: "appointment-reminder" }, 422],
    [{ flowId: "appointment-reminder", draft: true, version: 1 }, 422],
    [{ flowId: "nobody" }, 404],
    [{ flowId: "appointment-reminder", rowIds: ["00000000-0000-7000-8000-000000000000"] }, 404],
    [{ flowId: "appointment-reminder", jobId: "00000000-0000-7000-8000-000000000000" }, 409],
  ])("refuses %j with %i", async (body, status) => {
    expect((await world.request("POST", "/simulations/replays", { body })).status).toBe(status);
  });

  it("passes nothing when the calls are gone by the time it runs", async () => {
    const { id, state } = await replay({ flowApiId: "appointment-reminder", rowIds: rowIds.slice(0, 1) });
    expect(state).toBe("PASSED");
    await world.database.query(
      `update simulations set state = 'QUEUED', report = null, comparison = null, ended_at = null,
         source = '{"rowIds": ["00000000-0000-7000-8000-000000000000"]}' where id = $1`,
      [id],
    );
    await world.database.query("update tasks set status = 'PENDING', finished_at = null where subject_id = $1", [id]);
    const run = (await world.until(`/simulations/${id}`, (body) => body.endedAt !== null)) as unknown as Run;
    expect(run).toMatchObject({ state: "FAILED", report: { passed: false, conversations: 0 } });
    expect(run.report.warnings).toEqual(["1 of the calls do not exist any more and were passed over."]);
  });

  it("waits its turn: no more than 200 runs of a workspace are open", async () => {
    const { workspaceId, apiKey: key } = await world.createWorkspace();
    await world.database.query(
      `insert into simulations (workspace_id, id, suite_name, flow_key, flow, source, prepared, total)
       select $1, gen_random_uuid(), 'x', 'x', '{}', '{}', '{}', 1 from generate_series(1, 200)`,
      [workspaceId],
    );
    const refused = await world.request("POST", "/simulations/replays", {
      body: { flowId: "appointment-reminder" },
      key,
    });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("are not over yet")]);
  });

  it("knows no calls of another workspace", async () => {
    const other = await world.createWorkspace();
    const body = { flowId: "appointment-reminder", rowIds: rowIds.slice(0, 1) };
    expect((await world.request("POST", "/simulations/replays", { body, key: other.apiKey })).status).toBe(404);
  });
});

const SUITE = { suite: "One", flow: "appointment-reminder", scenarios: [{ name: "agrees", persona: "agrees" }] };

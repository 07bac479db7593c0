import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Proposal {
  suite: string;
  removed: { kind: string; count: number }[];
  notes: string[];
}

async function propose(rowId: string): Promise<Proposal> {
  const { status, text } = await world.request("POST", `/call-rows/${rowId}/simulation`);
  expect({ status, text: status === 200 ? "" : text }).toEqual({ status: 200, text: "" });
  return JSON.parse(text) as Proposal;
}

describe("POST /call-rows/{rowId}/simulation", () => {
  it.each([
    ["00", "agrees"],
    ["01", "declines"],
    ["02", "asks three questions"],
    ["03", "interrupts"],
    ["04", "stays silent"],
    ["05", "speaks another language"],
    ["07", "is the wrong person"],
    ["09", "corrects bad data"],
    ["20", "is a mailbox"],
    ["22", "is a menu"],
    ["51", "hangs up mid-sentence"],
  ])("gives a suite that passes, of a call to somebody who … (%s: %s)", async (code) => {
    const row = await world.call(`+120255501${code}`, {
      contactName: "Wilhelmina Quist",
      contactEmail: "wilhelmina@quist.example.net",
      rowData: { appointment: "Thursday at noon with Dr. Zvonimir" },
      contextData: { file: "PAT-99172" },
    });
    const { suite, removed, notes } = await propose(String(row.id));
    expect(notes).toEqual([]);
    expect(removed.map(({ kind }) => kind)).toContain("NAME");
    for (const lost of ["wilhelmina", "quist", "zvonimir", "99172", `120255501${code}`]) {
      expect(suite.toLowerCase()).not.toContain(lost);
    }
    const started = await world.request("POST", "/simulations", { body: { suite } });
    expect(started.status).toBe(200);
    const run = await world.until(`/simulations/${String(started.body.id)}`, (body) => body.endedAt !== null);
    expect({ code, state: run.state, report: run.state === "PASSED" ? null : run.report }).toEqual({
      code,
      state: "PASSED",
      report: null,
    });
  });

  it("takes the person out of a flow that was written for this call alone, too", async () => {
    const flow = {
      name: "Wilhelmina's visit",
      language: "en-US",
      masterPrompt: "Ask Wilhelmina Quist for her visit on file PAT-99172. Call {{ contactName }} by her first name.",
      firstMessage: "Hello Wilhelmina Quist, this is about order ORD-77812.",
      structuredOutputs: [
        {
          name: "visit",
          schema: { type: "object", properties: { coming: { type: "boolean", description: "Will Ms Quist come?" } } },
        },
      ],
    };
    const row = await world.call("+12025550100", {
      flow,
      contactName: "Wilhelmina Quist",
      rowData: { order: "ORD-77812", locale: "en-US" },
      contextData: { file: "PAT-99172" },
    });
    const { suite, notes } = await propose(String(row.id));
    expect(notes).toEqual([]);
    for (const lost of ["wilhelmina", "quist", "77812", "99172"]) expect(suite.toLowerCase()).not.toContain(lost);
    expect(suite).toContain("{{ contactName }}");
    const started = await world.request("POST", "/simulations", { body: { suite } });
    const run = await world.until(`/simulations/${String(started.body.id)}`, (body) => body.endedAt !== null);
    expect(run.state, JSON.stringify(run.report)).toBe("PASSED");
  });

  it("expects other words of the agent, without the person in them", async () => {
    const row = await world.call("+12025550100", { contactName: "Wilhelmina Quist" });
    const [{ content: said }] = row.transcript as [{ content: string }];
    const body = { rowId: row.id, says: ["Dear Wilhelmina Quist"], neverSays: [said] };
    const { status, body: made } = await world.request("POST", "/simulations/sentences", { body });
    expect([status, made.notes]).toEqual([200, []]);
    const { expect: expected, contact } = made.scenario as {
      expect: Record<string, unknown>;
      contact: { name: string };
    };
    expect(expected).toMatchObject({ says: [`Dear ${contact.name}`], outcome: "ANSWERED" });
    expect(made.suite).not.toMatch(/wilhelmina|quist/i);
    const failing = async (flow: object) => {
      const started = await world.request("POST", "/simulations", { body: { suite: made.suite, flow } });
      const run = await world.until(`/simulations/${String(started.body.id)}`, ({ endedAt }) => endedAt !== null);
      const { scenarios } = run.report as { scenarios: { conversations: { failures: { path: string }[] }[] }[] };
      return scenarios
        .flatMap(({ conversations }) => conversations.flatMap(({ failures }) => failures))
        .map(({ path }) => path);
    };
    const flow = (await world.request("GET", `/flows/${world.sample.flow.id}`)).body;
    expect(await failing({ flow: flow.apiId })).toEqual(["says[0]", "neverSays[0]"]);
    const { id: _id, apiId: _apiId, version: _version, createdAt: _at, updatedAt: _now, ...fields } = flow;
    const draft = {
      ...fields,
      firstMessage: "Dear {{ contactName }}, this is an automated call about your appointment.",
    };
    expect((await world.request("PUT", `/flows/${world.sample.flow.id}/draft`, { body: draft })).status).toBe(200);
    expect(await failing({ draft: world.sample.flow.id })).toEqual([]);
    const empty = await world.request("POST", "/simulations/sentences", { body: { rowId: row.id, says: [""] } });
    const other = await world.createWorkspace();
    const foreign = await world.request("POST", "/simulations/sentences", { body, key: other.apiKey });
    expect([empty.status, foreign.status]).toEqual([422, 404]);
  });

  it("refuses calls of which nothing can be made, and knows none of another workspace", async () => {
    const busy = await world.call("+12025550110");
    const nothing = await world.request("POST", `/call-rows/${String(busy.id)}/simulation`);
    expect(nothing.status).toBe(409);
    const other = await world.createWorkspace();
    const foreign = await world.request("POST", `/call-rows/${String(busy.id)}/simulation`, { key: other.apiKey });
    const unknown = await world.request("POST", "/call-rows/00000000-0000-7000-8000-000000000000/simulation");
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body.code).toBe(unknown.body.code);
  });
});

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
  warnings: string[];
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
    const { suite, removed, warnings } = await propose(String(row.id));
    expect(warnings).toEqual([]);
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
    const { suite, warnings } = await propose(String(row.id));
    expect(warnings).toEqual([]);
    for (const lost of ["wilhelmina", "quist", "77812", "99172"]) expect(suite.toLowerCase()).not.toContain(lost);
    expect(suite).toContain("{{ contactName }}");
    const started = await world.request("POST", "/simulations", { body: { suite } });
    const run = await world.until(`/simulations/${String(started.body.id)}`, (body) => body.endedAt !== null);
    expect(run.state, JSON.stringify(run.report)).toBe("PASSED");
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

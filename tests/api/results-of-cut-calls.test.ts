import { expect, test } from "vitest";
import { World } from "../kit/world.ts";

test("a call that a limit cut off is no success of its version, whatever else it has", async () => {
  await using world = await World.start();
  const limits = { maxTurns: 1 };
  const flow = (await world.request("POST", "/flows", { body: { name: "Cut", firstMessage: "Good day.", limits } }))
    .body;
  const rows = [{ customerNumber: "+12025550100" }];
  const job = await world.request("POST", "/call-jobs", { body: { flowId: flow.id, rows } });
  await world.until(`/call-jobs/${String(job.body.id)}`, ({ completedAt }) => completedAt !== null, 60_000);
  const found = await world.until("/results", ({ waiting }) => waiting === 0);
  expect(found).toMatchObject({
    reasons: [{ code: "LIMIT_TURNS", count: 1 }],
    funnel: { answeredByPerson: 1, talked: 1, succeeded: 0 },
    versions: [{ flowApiId: flow.apiId, succeeded: 0 }],
  });
});

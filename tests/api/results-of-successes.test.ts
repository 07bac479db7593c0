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

test("a conversation in which none of what the flow asks for was found is no success", async () => {
  await using world = await World.start();
  // The sandbox's ordinary person, and one whom the call does not concern, which leaves the outputs empty.
  const rows = [{ customerNumber: "+12025550100" }, { customerNumber: "+12025550107" }];
  const job = await world.request("POST", "/call-jobs", { body: { flowId: world.sample.flow.id, rows } });
  await world.until(`/call-jobs/${String(job.body.id)}`, ({ completedAt }) => completedAt !== null, 60_000);
  const found = await world.until("/results", ({ waiting }) => waiting === 0);
  expect(found).toMatchObject({ funnel: { answeredByPerson: 2, talked: 2, succeeded: 1 } });
});

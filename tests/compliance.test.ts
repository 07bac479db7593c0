import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

test("a number that is put on the do-not-call list while its retry waits is not rung again", async () => {
  const retryConfig = { maxAttempts: 3, delaysSeconds: [3_600], jitterPercent: 0 };
  await world.operator("workspace.update", { id: world.sample.workspaceId, sandboxSpeed: 1000 });
  const placed = await world.request("POST", "/outbound/calls", {
    body: { customerNumber: "+12025550110", retryConfig },
  });
  const path = `/call-rows/${String(placed.body.rowId)}`;
  const waiting = await world.until(path, (row) => row.status === "WAITING_FOR_RETRY");
  expect(waiting).toMatchObject({ attempt: 1, maxAttempts: 3, outcome: "BUSY" });
  await world.database.query(
    "insert into do_not_call (workspace_id, number, source) values ($1, '+12025550110', 'OPERATOR')",
    [world.sample.workspaceId],
  );
  const row = await world.until(path, (body) => body.endedAt !== null);
  expect(row).toMatchObject({ status: "SKIPPED", attempt: 1, error: { code: "DO_NOT_CALL" } });
  expect(row.attempts).toHaveLength(1);
});

test("only enabled countries are dialled; the check is made at the dial, not when the call is queued", async () => {
  const other = await world.createWorkspace();
  await world.operator("workspace.update", { id: other.workspaceId, countries: ["GB"] });
  const call = async (customerNumber: string) => {
    const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber }, key: other.apiKey });
    for (;;) {
      const { body } = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key: other.apiKey });
      if (body.endedAt !== null) return body;
    }
  };
  expect(await call("+442079460100")).toMatchObject({ status: "COMPLETED" });
  expect(await call("+12025550100")).toMatchObject({ status: "SKIPPED", error: { code: "COUNTRY_NOT_ENABLED" } });
  await world.operator("workspace.update", { id: other.workspaceId, countries: ["GB", "US"] });
  expect(await call("+12025550100")).toMatchObject({ status: "COMPLETED" });
});

test("a LIVE workspace dials no country until one is enabled, and no number that does not exist", async () => {
  const live = (await world.operator("workspace.create", {
    name: "Live",
    mode: "LIVE",
    sample: true,
    sandboxSpeed: "instant",
  })) as {
    workspaceId: string;
    apiKey: string;
  };
  const call = async (customerNumber: string) => {
    const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber }, key: live.apiKey });
    for (;;) {
      const { body } = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key: live.apiKey });
      if (body.endedAt !== null) return body;
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
  };
  expect(await call("+12025550100")).toMatchObject({ status: "SKIPPED", error: { code: "COUNTRY_NOT_ENABLED" } });
  await world.operator("workspace.update", { id: live.workspaceId, countries: ["US"] });
  expect(await call("+15551234567")).toMatchObject({ status: "SKIPPED", error: { code: "INVALID_NUMBER" } });
  expect(await call("+12025550100")).toMatchObject({ status: "COMPLETED" });
});

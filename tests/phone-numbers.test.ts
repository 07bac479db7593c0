import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

test("the list is a bare array with status, provider information and live calls", async () => {
  const { body } = await world.request("GET", "/phone-numbers");
  expect(body).toHaveLength(3);
  expect(body).toMatchObject([
    {
      phoneNumber: "+12025550190",
      status: "ACTIVE",
      isDefault: true,
      currentActiveCalls: 0,
      providerInfo: { name: "SANDBOX" },
    },
    { phoneNumber: "+12025550191", maxConcurrentCalls: 1 },
    { phoneNumber: "+12025550192", status: "SUSPENDED" },
  ]);
});

test("a number is added, changed and released with 200 and no body", async () => {
  const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX", maxConcurrentCalls: 3 } });
  expect([made.status, made.body.maxConcurrentCalls]).toEqual([200, 3]);
  const path = `/phone-numbers/${String(made.body.id)}`;
  const changed = await world.request("PUT", path, { body: { label: "Desk", maxConcurrentCalls: 5 } });
  expect(changed.body).toMatchObject({ label: "Desk", maxConcurrentCalls: 5, status: "ACTIVE" });
  const gone = await world.request("DELETE", path);
  expect([gone.status, gone.text]).toEqual([200, ""]);
  expect((await world.request("DELETE", path)).status).toBe(404);
  const again = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: made.body.phoneNumber },
  });
  expect(again.status).toBe(200);
});

test("409 for one the workspace has, and while calls are queued on it; 422 for a carrier without an account", async () => {
  const taken = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: "+12025550190" },
  });
  expect(taken.status).toBe(409);
  const carrier = await world.request("POST", "/phone-numbers", {
    body: { provider: "TWILIO", phoneNumber: "+12025550123" },
  });
  expect([carrier.status, carrier.text]).toEqual([422, expect.stringContaining("TWILIO") as string]);
  const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX" } });
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const rows = [{ customerNumber: "+12025550100" }];
  await world.request("POST", "/call-jobs", { body: { rows, startAt, fromPhoneNumber: made.body.phoneNumber } });
  const refused = await world.request("DELETE", `/phone-numbers/${String(made.body.id)}`);
  expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
});

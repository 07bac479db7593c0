import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeSystem } from "../kit/fake-system.ts";
import { World } from "../kit/world.ts";

/* Values that no server takes, on command lines that reach a whole server: exit code 2, as for any other usage error. */

let world: World;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
});
afterAll(() => world[Symbol.asyncDispose]());

async function parley(line: string): Promise<{ code: number; err: string }> {
  await using system = new FakeSystem();
  const { workspaceId, apiKey } = world.sample;
  Object.assign(system.env, { DATA_DIR: world.dataDir, PARLEY_URL: world.url, PARLEY_API_KEY: apiKey });
  const code = await system.run(...line.replace("WORKSPACE", workspaceId).split(" "));
  return { code, err: system.err };
}

test.each([
  ["key create --workspace WORKSPACE --permissions FLOW_READ,AGENTS", /no permission FLOW_READ\. Did you mean FLOWS_/],
  [
    "client create --workspace WORKSPACE --permissions FLOWS_READS",
    /no permission FLOWS_READS\. Did you mean FLOWS_READ\?/,
  ],
  ["client permissions cid --set NOTHING", /no permission NOTHING\. There are: CALL_JOBS_READ, /],
  ["workspace prices WORKSPACE --set SMS=1", /must be one of /],
  ["workspace update WORKSPACE --countries Utopia", /ISO 3166/],
  ["workspace update WORKSPACE --time-zone Nowhere", /IANA zone/],
  ["carrier fields twillio", /must be one of .*TWILIO/],
  ["dnc list --source ME", /must be one of /],
  ["dnc reviews --state CLOSED", /must be one of /],
  ["calls list --sort age", /Allowed choices are/],
  ["results --from yesterday", /from/],
])("parley %s", async (line, says) => {
  const { code, err } = await parley(line);
  expect([code, err]).toEqual([2, expect.stringMatching(says)]);
});

test("what the state of things forbids is refused with 1, and what does not exist with 4", async () => {
  expect((await parley("workspace prices WORKSPACE --currency EUR")).code).toBe(0);
  expect((await parley("workspace top-up WORKSPACE 5")).code).toBe(0);
  expect((await parley("workspace prices WORKSPACE --currency USD")).code).toBe(1);
  expect((await parley("key revoke 0198f000-0000-7000-8000-000000000108")).code).toBe(4);
});

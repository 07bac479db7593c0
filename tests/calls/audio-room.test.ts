import { expect, test } from "vitest";
import { LiveHarness, TONES } from "../kit/carriers/live-harness.ts";
import { TwilioServer } from "../kit/carriers/twilio-server.ts";
import { World } from "../kit/world.ts";

/* A server takes no more rows than it has room for, and keeps nothing of dials that never left it. */

const ROWS = 30;

async function startJob(world: World, customerNumber: (i: number) => string): Promise<string> {
  const body = {
    rows: Array.from({ length: ROWS }, (_, i) => ({ customerNumber: customerNumber(i) })),
    flowId: world.sample.flow.id,
    fromPhoneNumbers: [world.sample.phoneNumber.number],
    retryConfig: { maxAttempts: 1 },
  };
  const { status, text, body: job } = await world.request("POST", "/call-jobs", { body });
  expect(status, text).toBe(200);
  return `/call-jobs/${String(job.id)}`;
}

const attempts = (world: World) =>
  world.database.query<{ state: string; code: string | null }>(
    "select state, error ->> 'code' as code from call_attempts",
  );

test("calls in text need no room for audio: each is dialled once, and none is refused", async () => {
  await using world = await World.start({ env: { MAX_AUDIO_CALLS: "1" } });
  const path = await startJob(world, (i) => `+1415555${2000 + i}`);
  await world.until(path, ({ completedAt }) => completedAt !== null);
  const made = await attempts(world);
  expect(made).toHaveLength(ROWS);
  expect(made.filter(({ state }) => state === "REFUSED")).toEqual([]);
});

test("a server that is full of audio leaves the other rows in the queue, where nothing is noted of them", async () => {
  await using harness = await LiveHarness.open("TWILIO", await TwilioServer.start(), {
    ...TONES,
    MAX_AUDIO_CALLS: "1",
  });
  const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello." };
  const rows = Array.from({ length: ROWS }, () => ({ customerNumber: harness.newPerson() }));
  const job = await harness.ask("POST", "/call-jobs", { rows, flow, fromPhoneNumbers: [harness.phoneNumber.number] });
  await expect.poll(() => harness.fake.placed.length).toBeGreaterThan(0);
  // Twice as long as a refused row waits.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const { content } = await harness.ask("GET", `/call-jobs/${String(job.id)}/rows?size=${ROWS}`);
  const errors = (content as { error: unknown }[]).map(({ error }) => error).filter((error) => error !== null);
  // A row that was claimed is still refused when the machine stands still for a moment. The others stay untouched.
  expect(errors.length).toBeLessThan(ROWS / 3);
  const unplaced = async () => (await attempts(harness.world)).length - harness.fake.placed.length;
  await expect.poll(unplaced).toBe(0);
  expect((await attempts(harness.world)).map(({ state }) => state)).not.toContain("REFUSED");
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY_CARRIER } from "../kit/carriers/every-carrier.ts";
import { LiveHarness, TONES } from "../kit/carriers/live-harness.ts";
import { ServerProcess } from "../kit/server-process.ts";
import type { World } from "../kit/world.ts";

/*
 * Two nodes behind one PARLEY_URL: the world takes every webhook and socket of the carriers and dials nothing, the other
 * node holds every call.
 */

type Body = Record<string, unknown>;

const SECRET = "a secret that both nodes share";
/** Longer than a test may last: a node that must ask the carrier after the ringing fails it. */
const RING_SECONDS = 120;

describe.each(EVERY_CARRIER)("%s", (provider, start) => {
  let harness: LiveHarness;
  let holder: ServerProcess | undefined;
  beforeAll(async () => {
    const env = { ...TONES, PARLEY_SECRET: SECRET };
    const beside = async ({ url, database }: World) => {
      holder = await ServerProcess.create({
        ...env,
        ALLOW_PRIVATE_NETWORK: "1",
        DATABASE_URL: database.url,
        PARLEY_URL: url,
      });
      await holder.start();
    };
    harness = await LiveHarness.open(provider, await start(), env, { roles: ["api"], beside });
  }, 90_000);
  afterAll(async () => {
    await holder?.stop();
    await harness[Symbol.asyncDispose]();
  });

  async function call(person: "BUSY" | "PICKS_UP"): Promise<Body> {
    const to = harness.newPerson();
    harness.fake.plan(to, { person });
    const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: RING_SECONDS };
    const placed = await harness.ask("POST", "/outbound/calls", { customerNumber: to, flow });
    return harness.until(
      () => harness.ask("GET", `/call-rows/${String(placed.rowId)}`),
      (row) => row.endedAt !== null || row.status === "WAITING_FOR_RETRY",
      60_000,
    );
  }

  test("the end of a call that another node holds reaches that node at once", async () => {
    expect(await call("BUSY")).toMatchObject({ outcome: "BUSY" });
  }, 90_000);

  test("the answer and the audio of a call that another node holds reach that node", async () => {
    const row = await call("PICKS_UP");
    // At the end our Vonage drops its socket before its event is there, which counts as a lost connection.
    expect(["ANSWERED", "INTERRUPTED"], JSON.stringify([row.outcome, row.error])).toContain(row.outcome);
    expect((row.transcript as Body[]).map(({ content }) => content)).toContain("Hello.");
  }, 90_000);

  test("a call that comes in at a node that drains is taken by the other one", async () => {
    const flow = { name: "Inbound", masterPrompt: "Help.", firstMessage: "Thank you for calling." };
    const { id: inboundFlowId } = (await harness.try("POST", "/flows", flow)).body;
    await harness.ask("PUT", `/phone-numbers/${harness.phoneNumber.id}`, { inboundFlowId });
    await harness.world.operator("drain", {});
    const from = harness.newPerson();
    await harness.fake.callIn(from, harness.phoneNumber.number);
    const path = `/call-history?direction=INBOUND&customerNumber=${encodeURIComponent(from)}`;
    const [row, ...others] = await harness.until(
      async () => (await harness.ask("GET", path)).content as Body[],
      ([row]) => row?.endedAt !== undefined && row.endedAt !== null,
      60_000,
    );
    expect(others).toEqual([]);
    const transcript = (row?.transcript ?? []) as Body[];
    expect(transcript[0]).toMatchObject({ content: "Thank you for calling." });
  }, 90_000);
});

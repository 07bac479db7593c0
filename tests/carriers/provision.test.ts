import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY_CARRIER } from "../kit/carriers/every-carrier.ts";
import { LiveHarness } from "../kit/carriers/live-harness.ts";

/* Accounts and numbers of each carrier, from the operator's command to the carrier's own list of numbers. */

describe.each(EVERY_CARRIER)("%s", (provider, start) => {
  let harness: LiveHarness;
  beforeAll(async () => {
    const fake = await start();
    fake.owned.unshift("+14155551200");
    fake.forSale.unshift("+14155551201");
    harness = await LiveHarness.open(provider, fake);
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  const doctor = async () => {
    const { checks } = await harness.world.operator("doctor", {});
    return (checks as { name: string; ok: boolean; message: string }[]).find(({ name }) => name === "carrier accounts");
  };

  test("a number for sale is found, bought once, made ready, and given back when it is released", async () => {
    const before = harness.fake.owned.length;
    const made = await harness.ask("POST", "/phone-numbers", { provider, countryCode: "US" });
    expect(made).toMatchObject({ provider, status: "PENDING", carrierAccountId: harness.accountId });
    const number = String(made.phoneNumber);
    const ready = await harness.until(
      () => harness.readNumber(String(made.id)),
      ({ status }) => status !== "PENDING",
    );
    expect(ready).toMatchObject({ status: "ACTIVE", statusMessage: null });
    expect(ready.capabilities).toContain("VOICE");
    expect(harness.fake.owned.filter((one) => one === number)).toHaveLength(1);
    expect(harness.fake.owned).toHaveLength(before + 1);
    const gone = await harness.try("DELETE", `/phone-numbers/${String(made.id)}`);
    expect([gone.status, gone.text]).toEqual([200, ""]);
    await harness.until(
      async () => harness.fake.owned.length,
      (count) => count === before,
    );
    expect(harness.fake.owned).not.toContain(number);
  });

  test("a number that the carrier neither holds nor sells is FAILED with the carrier's words", async () => {
    const made = await harness.ask("POST", "/phone-numbers", { provider, phoneNumber: "+14155559999" });
    const failed = await harness.until(
      () => harness.readNumber(String(made.id)),
      ({ status }) => status !== "PENDING",
    );
    expect(failed.status, JSON.stringify(failed)).toBe("FAILED");
    expect(String(failed.statusMessage).length).toBeGreaterThan(10);
    expect((await harness.try("DELETE", `/phone-numbers/${String(made.id)}`)).status).toBe(200);
  });

  test("an account whose carrier cannot be reached is not stored; neither is a number", async () => {
    const keys = await harness.keys({ apiUrl: "http://127.0.0.1:9" });
    await expect(harness.world.operator("carrier.add", keys)).rejects.toThrow(/could not be reached.*--unchecked/);
    const account = await harness.world.operator("carrier.add", { ...keys, unchecked: true, label: "Away" });
    const reply = await harness.try("POST", "/phone-numbers", {
      provider,
      phoneNumber: "+14155559998",
      carrierAccountId: account.id,
    });
    expect([reply.status, reply.body.error], reply.text).toEqual([503, "Service unavailable"]);
    await harness.world.operator("carrier.remove", { id: account.id });
  });

  test("wrong keys are refused in the carrier's words, and nothing is stored", async () => {
    const keys = await harness.keys();
    const secrets = Object.entries(keys.secrets as Record<string, string>).map(([name, value]) => [
      name,
      value.startsWith("-----") ? value : value.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    ]);
    const wrong = { ...keys, secrets: Object.fromEntries(secrets) as Record<string, string>, unchecked: true };
    await expect(harness.world.operator("carrier.add", wrong)).rejects.toThrow(/"path":"secrets"/);
    const change = { id: harness.accountId, secrets: wrong.secrets };
    await expect(harness.world.operator("carrier.update", change)).rejects.toThrow(/"path":"secrets"/);
    expect(await harness.world.operator("carrier.list", {})).toMatchObject([
      { id: harness.accountId, status: "ACTIVE" },
    ]);
    expect(await harness.readNumber()).toMatchObject({ status: "ACTIVE" });
  });

  test("secrets are never shown, and the doctor tells how each account is", async () => {
    expect(await doctor()).toMatchObject({ ok: true, message: expect.stringMatching(`${provider}.*ACTIVE`) as string });
    const shown = JSON.stringify([await harness.world.operator("carrier.list", {}), await doctor()]);
    const secrets = Object.values((await harness.keys()).secrets as Record<string, string>);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
  });
});

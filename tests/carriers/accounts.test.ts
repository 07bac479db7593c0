import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getAccounts } from "#src/numbers/carrier-accounts/carrier-accounts.ts";
import { changeAccount } from "#src/numbers/phone-numbers/account-changes.ts";
import { reserveDial } from "#src/numbers/phone-numbers/dial-pace.ts";
import { noteRefusal } from "#src/numbers/phone-numbers/number-health.ts";
import { openDatabase } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { AccountHarness } from "../kit/account-harness.ts";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await AccountHarness.open();
});
beforeEach(() => {
  harness.own.check = { kind: "WORKS", message: "It works." };
});
afterAll(() => harness[Symbol.asyncDispose]());

let last = 30_000;
async function addNumber(accountId: string, callsPerSecond: number | null = null): Promise<string> {
  const id = uuidv7();
  await harness.test.query(
    `insert into phone_numbers (workspace_id, id, number, provider, asked_provider, status, max_concurrent_calls,
       carrier_account_id, calls_per_second) values ($1, $2, $3, 'TWILIO', 'TWILIO', 'ACTIVE', 10, $4, $5)`,
    [harness.workspaceId, id, `+4930901${(last += 1)}`, accountId, callsPerSecond],
  );
  return id;
}

async function readNumber(id: string): Promise<Record<string, unknown>> {
  const [row] = await harness.test.query(
    "select status, suspended_by, status_message from phone_numbers where id = $1",
    [id],
  );
  return row ?? {};
}

test("an account is checked before it is stored, and its secret is neither readable in the database nor shown", async () => {
  const id = await harness.addAccount({ label: "Main" });
  const [shown] = (await harness.run("carrier.list", {})) as unknown as Record<string, unknown>[];
  expect(shown).toMatchObject({ id, provider: "TWILIO", label: "Main", status: "ACTIVE", callsPerSecond: 1 });
  expect(JSON.stringify(shown)).not.toContain("s3cret00");
  const [stored] = await harness.test.query<{ text: string }>(
    "select a::text || encode(secrets, 'escape') as text from carrier_accounts a where id = $1",
    [id],
  );
  expect(stored?.text).toContain("AC12ab");
  expect(stored?.text).not.toContain("s3cret00");
  const account = await harness.cache().open(harness.workspaceId, id);
  expect(account?.id).toBe(id);
  expect(harness.own.opened.at(-1)).toMatchObject({
    settings: { accountSid: "AC12ab" },
    secrets: { authToken: "s3cret00" },
  });
  await harness.run("carrier.remove", { id });
});

test("what a carrier refuses, or cannot be asked, is not stored; --unchecked stores what could not be asked", async () => {
  harness.own.check = { kind: "REFUSED", code: "20003", message: "TWILIO refuses the account: Authenticate" };
  await expect(harness.addAccount()).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining("Authenticate"),
  });
  await expect(harness.addAccount({ unchecked: true })).rejects.toMatchObject({ status: 422 });
  harness.own.check = { kind: "UNREACHABLE", code: "ECONNREFUSED", message: "TWILIO could not be reached." };
  await expect(harness.addAccount()).rejects.toMatchObject({ status: 503 });
  expect(await harness.run("carrier.list", {})).toEqual([]);
  const id = await harness.addAccount({ unchecked: true });
  expect(await harness.run("carrier.list", {})).toMatchObject([{ id, checkedAt: null, status: "ACTIVE" }]);
  await harness.run("carrier.remove", { id });
});

test.each([
  [{ settings: {} }, "settings.accountSid"],
  [{ settings: { accountSid: "BC12ab" } }, "settings.accountSid"],
  [{ settings: { accountSid: "AC12ab", authToken: "s3cret00" } }, "settings.authToken"],
  [{ secrets: {} }, "secrets.authToken"],
  [{ secrets: { authToken: "x" } }, "secrets.authToken"],
  [{ callsPerSecond: 0 }, "callsPerSecond"],
  [{ provider: "acme" }, "provider"],
])("422 names what is wrong: %j", async (input, path) => {
  const refused = await harness.addAccount(input).then(
    () => null,
    (error: { status: number; details: { path: string }[] }) => error,
  );
  expect([refused?.status, refused?.details[0]?.path]).toEqual([422, path]);
});

test("a SANDBOX workspace takes no account", async () => {
  const [row] = await harness.test.query<{ id: string }>(
    "insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds) select gen_random_uuid(), name, 'SANDBOX', rate_capacity, rate_refill, rate_period_seconds from workspaces limit 1 returning id",
  );
  await expect(harness.addAccount({ workspaceId: row?.id })).rejects.toMatchObject({ status: 409 });
});

test("an account stays open until its keys change; an update asks the carrier with the old and the new ones merged", async () => {
  const id = await harness.addAccount();
  const cache = harness.cache();
  const before = await cache.open(harness.workspaceId, id);
  expect(await cache.open(harness.workspaceId, id)).toBe(before);
  expect((await cache.openForWebhook("twilio", id))?.account).toBe(before);
  expect(await cache.openForWebhook("telnyx", id)).toBeNull();
  expect(await cache.openForWebhook("twilio", "no-uuid")).toBeNull();
  expect(await cache.open(uuidv7(), id)).toBeNull();
  await harness.run("carrier.update", { id, label: "Another name" });
  expect(await cache.open(harness.workspaceId, id)).toBe(before);
  await harness.run("carrier.update", { id, secrets: { authToken: "an0ther0" } });
  expect(await cache.open(harness.workspaceId, id)).not.toBe(before);
  expect(harness.own.opened.at(-1)).toMatchObject({
    settings: { accountSid: "AC12ab" },
    secrets: { authToken: "an0ther0" },
  });
  await harness.run("carrier.remove", { id });
  expect(await cache.open(harness.workspaceId, id)).toBeNull();
});

test("the secrets must be given again when requests go to another host, and the old ones are not sent there", async () => {
  const id = await harness.addAccount();
  const move = (settings: object, more: object = {}) => harness.run("carrier.update", { id, settings, ...more });
  const secrets = { authToken: "s3cret00" };
  const before = harness.own.opened.length;
  await expect(move({ apiUrl: "https://evil.example/v1" })).rejects.toMatchObject({
    status: 422,
    details: [{ path: "secrets.authToken", code: "REQUIRED" }],
  });
  expect(harness.own.opened).toHaveLength(before);
  await move({ apiUrl: "https://carrier.example/v1" }, { secrets });
  await move({ apiUrl: "https://carrier.example/v2" });
  await expect(move({ apiUrl: null })).rejects.toMatchObject({ status: 422 });
  await move({ apiUrl: null }, { secrets });
  await harness.run("carrier.remove", { id });
});

test("a refused account fails with its numbers, once announced; a check that succeeds gives back those and no others", async () => {
  const id = await harness.addAccount();
  const [one, two, byHand] = [await addNumber(id), await addNumber(id), await addNumber(id)];
  await harness.test.query("update phone_numbers set status = 'SUSPENDED', suspended_by = 'OPERATOR' where id = $1", [
    byHand,
  ]);
  const number = { workspaceId: harness.workspaceId, phoneNumberId: one, carrierAccountId: id };
  await noteRefusal(
    harness.database,
    { ...number, phoneNumberId: two },
    { blame: "NUMBER", code: "21212", message: "Not yours." },
  );
  const refusal = { blame: "ACCOUNT", code: "20003", message: "Authenticate" } as const;
  await Promise.all(Array.from({ length: 10 }, () => noteRefusal(harness.database, number, refusal)));
  expect(await readNumber(one)).toEqual({
    status: "SUSPENDED",
    suspended_by: "CARRIER",
    status_message: "Authenticate",
  });
  expect(await readNumber(two)).toMatchObject({ status: "SUSPENDED", status_message: "Not yours." });
  const events = await harness.test.query(
    "select subject_id from events where type = 'phone_number.suspended' order by id",
  );
  expect(events.map((event) => event.subject_id as string)).toEqual([two, one]);
  harness.own.check = { kind: "UNREACHABLE", code: "TIMEOUT", message: "No answer." };
  expect(await harness.run("carrier.check", { id })).toMatchObject({ status: "FAILED", statusMessage: "Authenticate" });
  harness.own.check = { kind: "WORKS", message: "It works." };
  expect(await harness.run("carrier.check", { id })).toMatchObject({
    status: "ACTIVE",
    statusMessage: null,
    numbersResumed: 1,
  });
  const states = await Promise.all([one, two, byHand].map(readNumber));
  expect(states.map((state) => state.status)).toEqual(["ACTIVE", "SUSPENDED", "SUSPENDED"]);
  await expect(harness.run("carrier.remove", { id })).rejects.toMatchObject({ status: 409 });
});

test("a refusal of keys that were mended meanwhile stops nothing", async () => {
  const id = await harness.addAccount();
  const number = { workspaceId: harness.workspaceId, phoneNumberId: await addNumber(id), carrierAccountId: id };
  const [row] = await harness.test.query<{ at: Date }>("select updated_at as at from carrier_accounts where id = $1", [
    id,
  ]);
  const mendedMs = (row as { at: Date }).at.getTime();
  const refusal = { blame: "ACCOUNT", code: "20003", message: "Authenticate" } as const;
  await noteRefusal(harness.database, number, { ...refusal, askedAt: new Date(mendedMs - 1_000) });
  expect(await readNumber(number.phoneNumberId)).toMatchObject({ status: "ACTIVE" });
  await noteRefusal(harness.database, number, { ...refusal, askedAt: new Date(mendedMs + 1_000) });
  expect(await readNumber(number.phoneNumberId)).toMatchObject({ status: "SUSPENDED" });
});

test("a check that the carrier refuses stops the numbers", async () => {
  const id = await harness.addAccount();
  const number = await addNumber(id);
  harness.own.check = { kind: "REFUSED", code: "20003", message: "Closed." };
  expect(await harness.run("carrier.check", { id })).toMatchObject({ status: "FAILED", statusMessage: "Closed." });
  expect(await readNumber(number)).toMatchObject({ status: "SUSPENDED", status_message: "Closed." });
});

test("200 reservations from four pools at ten a second are never closer than a tenth of a second", async () => {
  const id = await harness.addAccount({ callsPerSecond: 10 });
  const numbers = [await addNumber(id), await addNumber(id)];
  const pools = Array.from({ length: 4 }, () =>
    openDatabase({ connectionString: harness.test.url }, { max: 4 }, () => undefined),
  );
  const [began] = await harness.test.query<{ at: Date }>("select clock_timestamp() as at");
  const reserve = (index: number, maxWaitMs: number) =>
    reserveDial(
      pools[index % 4] as (typeof pools)[0],
      { workspaceId: harness.workspaceId, phoneNumberId: numbers[index % 2] as string, carrierAccountId: id },
      maxWaitMs,
    );
  const slots = await Promise.all(Array.from({ length: 200 }, (_, index) => reserve(index, 60_000)));
  expect(slots.every((slot) => "waitMs" in slot)).toBe(true);
  const readNext = async () => {
    const [row] = await harness.test.query<{ at: Date }>(
      "select next_dial_at as at from carrier_accounts where id = $1",
      [id],
    );
    return (row as { at: Date }).at.getTime();
  };
  // Each slot moves the next one on by a tenth of a second, for any node: 200 of them are 20 seconds.
  const next = await readNext();
  expect(next - (began as { at: Date }).at.getTime()).toBeGreaterThanOrEqual(20_000 - 2);
  const waits = slots.map((slot) => ("waitMs" in slot ? slot.waitMs : 0)).toSorted((a, b) => a - b);
  expect(new Set(waits).size).toBeGreaterThan(150);
  // Beyond the longest wait nothing is reserved, and rows come back at different times.
  const refused = await Promise.all(Array.from({ length: 40 }, (_, index) => reserve(index, 1_000)));
  const putOff = refused.map((slot) => ("putOffMs" in slot ? slot.putOffMs : 0));
  expect(Math.min(...putOff)).toBeGreaterThan(1_000);
  expect(new Set(putOff).size).toBeGreaterThan(30);
  expect(await readNext()).toBe(next);
  await Promise.all(pools.map((pool) => pool.close()));
});

test("of two changes that were based on the same account one is stored, and a later one is refused unasked", async () => {
  const id = await harness.addAccount({ label: "Begun" });
  const read = async () => (await getAccounts(harness.database.db, harness.workspaceId)).find((one) => one.id === id);
  const ifUpdatedAt = (await read())?.updatedAt;
  await new Promise((resolve) => setTimeout(resolve, 3));
  const change = (label: string, seen = ifUpdatedAt) =>
    changeAccount(harness.parts, id, { input: { label }, mayBeUnchecked: false, ifUpdatedAt: seen });
  const stale = { status: 409, details: [expect.objectContaining({ code: "STALE" })] };
  const ends = await Promise.allSettled([change("One"), change("Other")]);
  const won = ends.findIndex(({ status }) => status === "fulfilled");
  expect(ends[1 - won]).toMatchObject({ status: "rejected", reason: stale });
  const asked = harness.own.opened.length;
  await expect(change("Late")).rejects.toMatchObject(stale);
  expect(harness.own.opened.length).toBe(asked);
  expect((await read())?.label).toBe(["One", "Other"][won]);
  expect(await change("Late", (await read())?.updatedAt)).toMatchObject({ label: "Late" });
});

test("a number slower than its account does not hold up the account's other numbers", async () => {
  const id = await harness.addAccount({ callsPerSecond: 100 });
  const [slow, fast] = [await addNumber(id, 0.1), await addNumber(id)];
  const reserve = (phoneNumberId: string) =>
    reserveDial(harness.database, { workspaceId: harness.workspaceId, phoneNumberId, carrierAccountId: id }, 60_000);
  expect(await reserve(slow)).toMatchObject({ waitMs: expect.any(Number) as number });
  expect(await reserve(slow)).toMatchObject({ putOffMs: expect.any(Number) as number });
  expect((await reserve(fast)) as { waitMs: number }).toSatisfy(({ waitMs }: { waitMs: number }) => waitMs < 5_000);
});

test("a number without a pace is never held up", async () => {
  const [row] = await harness.test.query<{ id: string }>(
    `insert into phone_numbers (workspace_id, id, number, provider, asked_provider, status, max_concurrent_calls)
     values ($1, gen_random_uuid(), '+493090199999', 'BYO_SIP', 'BYO_SIP', 'ACTIVE', 10) returning id`,
    [harness.workspaceId],
  );
  const number = { workspaceId: harness.workspaceId, phoneNumberId: row?.id as string, carrierAccountId: null };
  for (let round = 0; round < 3; round++)
    expect(await reserveDial(harness.database, number, 0)).toEqual({ waitMs: 0, perSecond: null });
});

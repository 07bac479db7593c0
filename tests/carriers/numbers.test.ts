import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { noteRefusal } from "#src/numbers/phone-numbers/number-health.ts";
import { AccountHarness, type HarnessReply } from "../kit/account-harness.ts";

let harness: AccountHarness;
let send: (method: string, path: string, body?: unknown, headers?: object) => Promise<HarnessReply>;
let accountId: string;

beforeAll(async () => {
  harness = await AccountHarness.open();
  send = await harness.serve();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  harness.own.lookUp = null;
  accountId ??= await harness.addAccount({ callsPerSecond: 5 });
});

let last = 40_000;
const nextNumber = () => `+4930901${(last += 1)}`;
const add = (body: object, headers?: object) =>
  send("POST", "/phone-numbers", { provider: "TWILIO", ...body }, headers);

async function readNumber(id: unknown): Promise<Record<string, unknown>> {
  const { body } = await send("GET", "/phone-numbers");
  return (body as unknown as Record<string, unknown>[]).find((row) => row.id === id) ?? {};
}

async function untilNumber(id: unknown, status: string, message = /(?:)/): Promise<Record<string, unknown>> {
  for (let round = 0; round < 500; round++) {
    const row = await readNumber(id);
    if (row.status === status && message.test(String(row.statusMessage))) return row;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${String(id)} did not become ${status}: ${JSON.stringify(await readNumber(id))}`);
}

async function untilOrders(count: number, order: string): Promise<void> {
  for (let round = 0; round < 500; round++) {
    if (harness.own.orders.filter((one) => one === order).length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no ${order} in ${harness.own.orders.join(", ")}`);
}

test("without an account 422 says which command adds one", async () => {
  const { body, status } = await add({ provider: "TELNYX", phoneNumber: nextNumber() });
  expect([status, (body.details as { code: string }[])[0]?.code]).toEqual([422, "CARRIER_NOT_CONFIGURED"]);
  expect(JSON.stringify(body)).toContain("parley carrier add telnyx");
});

test("a number that the account holds is pointed at us, never bought, and not given back when it is released", async () => {
  const phoneNumber = nextNumber();
  harness.own.owned.add(phoneNumber);
  const made = await add({ phoneNumber, label: "Desk", isDefault: true });
  expect([made.status, made.body.status]).toEqual([200, "PENDING"]);
  const ready = await untilNumber(made.body.id, "ACTIVE");
  expect(ready).toMatchObject({
    provider: "TWILIO",
    statusMessage: null,
    suspendedBy: null,
    carrierAccountId: accountId,
    capabilities: ["VOICE", "SMS"],
    callsPerSecond: 5,
    answerRate7d: null,
    isDefault: true,
    providerInfo: { name: "TWILIO", externalId: `PN${phoneNumber.slice(1)}`, region: "DE", simulated: false },
  });
  expect(harness.own.configured).toContain(phoneNumber);
  expect((await send("DELETE", `/phone-numbers/${String(made.body.id)}`)).status).toBe(200);
  expect(harness.own.orders).toEqual([]);
  expect(harness.own.owned.has(phoneNumber)).toBe(true);
});

test("a number that the account does not hold is bought once, and given back when it is released", async () => {
  const phoneNumber = nextNumber();
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "ACTIVE");
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`]);
  await send("DELETE", `/phone-numbers/${String(made.body.id)}`);
  await untilOrders(1, `release ${phoneNumber}`);
  expect(harness.own.owned.has(phoneNumber)).toBe(false);
  harness.own.orders.splice(0);
});

test("without a number one of the country is picked that the workspace does not have", async () => {
  const [first, second] = [nextNumber(), nextNumber()];
  harness.own.forSale = [first, second];
  const one = await add({ countryCode: "DE" });
  const two = await add({ countryCode: "DE", areaCode: "30" });
  expect([one.body.phoneNumber, two.body.phoneNumber]).toEqual([first, second]);
  const none = await add({ countryCode: "DE" });
  expect([none.status, none.text]).toEqual([422, expect.stringContaining("no number for sale in DE") as string]);
  for (const { body } of [one, two]) await untilNumber(body.id, "ACTIVE");
  harness.own.orders.splice(0);
});

test("an order that was placed although its answer was lost is found, not repeated", async () => {
  const phoneNumber = nextNumber();
  harness.own.buyPlan.push("LOST");
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "ACTIVE");
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`]);
});

test("an order that the account never shows is not repeated either: FAILED says so in the end", async () => {
  const phoneNumber = nextNumber();
  harness.own.buyPlan.push("NOT_PLACED");
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "PENDING", /does not show it yet/);
  await harness.test.query("update phone_numbers set ordered_at = now() - interval '2 hours' where id = $1", [
    made.body.id,
  ]);
  await untilNumber(made.body.id, "FAILED", /does not show it yet/);
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`]);
});

test("a number that was bought although the answer was lost is given back", async () => {
  const phoneNumber = nextNumber();
  harness.own.buyPlan.push("LOST");
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "ACTIVE");
  await send("DELETE", `/phone-numbers/${String(made.body.id)}`);
  await untilOrders(1, `release ${phoneNumber}`);
  expect(harness.own.owned.has(phoneNumber)).toBe(false);
  harness.own.orders.splice(0);
});

test("a number that is released while its order is under way is given back all the same", async () => {
  const phoneNumber = nextNumber();
  harness.own.buyPlan.push("LOST");
  const made = await add({ phoneNumber });
  await untilOrders(1, `buy ${phoneNumber}`);
  expect((await send("DELETE", `/phone-numbers/${String(made.body.id)}`)).status).toBe(200);
  await untilOrders(1, `release ${phoneNumber}`);
  expect(harness.own.owned.has(phoneNumber)).toBe(false);
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`, `release ${phoneNumber}`]);
  expect(await readNumber(made.body.id)).toEqual({});
});

test("a number that is added again before it was given back is kept", async () => {
  const phoneNumber = nextNumber();
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "ACTIVE");
  await harness.test.query("update tasks set status = 'DONE' where status = 'PENDING'");
  // As a node would find it that comes back later: released, and its task not begun.
  await harness.test.query("update phone_numbers set status = 'RELEASED' where id = $1", [made.body.id]);
  const again = await add({ phoneNumber });
  await untilNumber(again.body.id, "ACTIVE");
  await harness.test.query(
    `insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
     values (gen_random_uuid(), $1, 'phone_number.release', $2, $3, now())`,
    [harness.workspaceId, again.body.id, { number: phoneNumber, accountId, externalId: `PN${phoneNumber.slice(1)}` }],
  );
  const isPending = async () =>
    (await harness.test.query("select 1 from tasks where kind = 'phone_number.release' and finished_at is null"))
      .length;
  for (let round = 0; round < 500 && (await isPending()) > 0; round++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`]);
  await send("DELETE", `/phone-numbers/${String(again.body.id)}`);
  await untilOrders(1, `release ${phoneNumber}`);
  harness.own.orders.splice(0);
});

test("what the carrier refuses is FAILED with its words; ACTIVE tries again", async () => {
  const phoneNumber = nextNumber();
  harness.own.buyPlan.push("REFUSED");
  const made = await add({ phoneNumber });
  const path = `/phone-numbers/${String(made.body.id)}`;
  const failed = await untilNumber(made.body.id, "FAILED");
  expect(failed.statusMessage).toBe("Trial accounts hold one number.");
  expect((await send("PUT", path, { status: "SUSPENDED" })).status).toBe(409);
  expect((await send("PUT", path, { status: "ACTIVE" })).body.status).toBe("PENDING");
  await untilNumber(made.body.id, "ACTIVE");
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`, `buy ${phoneNumber}`]);
  const events = await harness.test.query("select type from events where subject_id = $1 order by id", [made.body.id]);
  expect(events.map((event) => event.type as string)).toEqual(["phone_number.failed", "phone_number.ready"]);
});

test("a number that was never bought here is not given back, however often it was ordered", async () => {
  const phoneNumber = nextNumber();
  harness.own.buyPlan.push("REFUSED");
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "FAILED");
  // Its owner buys it at the carrier's console, and takes it out of here.
  harness.own.owned.add(phoneNumber);
  await send("DELETE", `/phone-numbers/${String(made.body.id)}`);
  const tasks = "select 1 from tasks where subject_id = $1 and kind = 'phone_number.release'";
  expect(await harness.test.query(tasks, [made.body.id])).toEqual([]);
  expect(harness.own.orders.splice(0)).toEqual([`buy ${phoneNumber}`]);
});

test("a number whose webhooks cannot be set yet stays PENDING and says why", async () => {
  const phoneNumber = nextNumber();
  harness.own.owned.add(phoneNumber);
  harness.own.configurePlan = ["UNCERTAIN", "UNCERTAIN"];
  const made = await add({ phoneNumber });
  await untilNumber(made.body.id, "ACTIVE");
  harness.own.configurePlan = ["REFUSED"];
  const other = nextNumber();
  harness.own.owned.add(other);
  const refused = await add({ phoneNumber: other });
  expect((await untilNumber(refused.body.id, "FAILED")).statusMessage).toBe("The number cannot call.");
});

test("a carrier that refuses or does not answer when it is asked: nothing is stored, in its words", async () => {
  const phoneNumber = nextNumber();
  harness.own.lookUp = "REFUSED";
  expect(await add({ phoneNumber })).toMatchObject({ status: 409, text: expect.stringContaining("Authenticate") });
  harness.own.lookUp = "UNCERTAIN";
  expect(await add({ phoneNumber })).toMatchObject({ status: 503, text: expect.stringContaining("No answer.") });
  const rows = await harness.test.query("select 1 from phone_numbers where number = $1", [phoneNumber]);
  expect(rows).toEqual([]);
});

test("a repeat with the same key gets the stored answer even when the carrier answers no more", async () => {
  const phoneNumber = nextNumber();
  harness.own.owned.add(phoneNumber);
  const key = { "Idempotency-Key": `number-${phoneNumber}` };
  const made = await add({ phoneNumber }, key);
  harness.own.lookUp = "UNCERTAIN";
  const again = await add({ phoneNumber }, key);
  expect([again.status, again.text]).toEqual([200, made.text]);
  harness.own.lookUp = null;
  await untilNumber(made.body.id, "ACTIVE");
});

test("422 names the field of what cannot be: fictional numbers, foreign accounts, several accounts", async () => {
  const cases: [object, string][] = [
    [{ phoneNumber: "+12025550190" }, "phoneNumber"],
    [{ phoneNumber: "+19112025" }, "phoneNumber"],
    [{ phoneNumber: nextNumber(), carrierAccountId: "00000000-0000-4000-8000-000000000000" }, "carrierAccountId"],
    [{ phoneNumber: nextNumber(), sipTrunk: { host: "sip.example.com" } }, "sipTrunk"],
    [{ provider: "BYO_SIP", phoneNumber: "+12025550190", sipTrunk: { host: "sip.example.com" } }, "phoneNumber"],
    [{ callsPerSecond: 0 }, "callsPerSecond"],
    [{ areaCode: "abc" }, "areaCode"],
  ];
  for (const [body, path] of cases) {
    const reply = await add(body);
    expect([reply.status, (reply.body.details as { path: string }[])[0]?.path], JSON.stringify(body)).toEqual([
      422,
      path,
    ]);
  }
  const second = await harness.addAccount({ label: "Second" });
  const reply = await add({ phoneNumber: nextNumber() });
  expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([422, "carrierAccountId"]);
  expect((await add({ phoneNumber: nextNumber(), carrierAccountId: second })).body.carrierAccountId).toBe(second);
  await harness.test.query(
    "update phone_numbers set status = 'RELEASED', was_bought = false, ordered_at = null where carrier_account_id = $1",
    [second],
  );
  await harness.run("carrier.remove", { id: second });
});

test("a trunk of one's own needs no account in a LIVE workspace", async () => {
  const sipTrunk = { host: "sip.example.com", username: "ada", password: "s3cret-trunk" };
  const made = await add({ provider: "BYO_SIP", phoneNumber: nextNumber(), sipTrunk, callsPerSecond: 2 });
  expect([made.status, made.body.status]).toEqual([200, "ACTIVE"]);
  expect(made.body).toMatchObject({ callsPerSecond: 2, capabilities: ["VOICE"], carrierAccountId: null });
  expect((made.body.providerInfo as { simulated: boolean }).simulated).toBe(false);
});

test("a number that its carrier refused calls from tries again when it is set ACTIVE, unless its account failed", async () => {
  const phoneNumber = nextNumber();
  harness.own.owned.add(phoneNumber);
  const { body } = await add({ phoneNumber });
  await untilNumber(body.id, "ACTIVE");
  const path = `/phone-numbers/${String(body.id)}`;
  const number = { workspaceId: harness.workspaceId, phoneNumberId: body.id as string, carrierAccountId: accountId };
  await noteRefusal(harness.database, number, { blame: "NUMBER", code: "21210", message: "Not verified." });
  expect(await readNumber(body.id)).toMatchObject({
    status: "SUSPENDED",
    suspendedBy: "CARRIER",
    statusMessage: "Not verified.",
  });
  const again = await send("PUT", path, { status: "ACTIVE" });
  expect(again.body).toMatchObject({ status: "ACTIVE", suspendedBy: null, statusMessage: null });
  await noteRefusal(harness.database, number, { blame: "ACCOUNT", code: "20003", message: "Authenticate" });
  const refused = await send("PUT", path, { status: "ACTIVE" });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("parley carrier check") as string]);
  expect((await add({ phoneNumber: nextNumber() })).status).toBe(409);
  // A person who stops it means it: the account's recovery does not give it back.
  await send("PUT", path, { status: "SUSPENDED" });
  await harness.run("carrier.check", { id: accountId });
  expect(await readNumber(body.id)).toMatchObject({ status: "SUSPENDED", suspendedBy: "OPERATOR" });
});

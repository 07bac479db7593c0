import { expect, test } from "vitest";
import { openVonage, VonageHarness } from "../../kit/carriers/vonage-harness.ts";
import { ProviderServer } from "../../kit/provider-server.ts";

const NEVER = new AbortController().signal;

test("numbers for sale are searched by country and area, with what they cost", async () => {
  await using harness = await VonageHarness.start();
  const { numbers } = harness.account;
  const found = await numbers.search({ countryCode: "US", areaCode: "212", limit: 1 }, NEVER);
  const price = { amount: "0.90", currency: "EUR" };
  const offered = { number: "+12125550142", capabilities: ["VOICE", "SMS"], monthlyPrice: price };
  expect(found).toEqual({ kind: "DONE", value: [offered] });
  const asked = harness.vonage.requests.at(-1)?.query;
  expect(Object.fromEntries(asked ?? [])).toMatchObject({ country: "US", pattern: "1212", search_pattern: "0" });
  const none = await numbers.search({ countryCode: "US", areaCode: "999", limit: 5 }, NEVER);
  expect(none).toEqual({ kind: "DONE", value: [] });
  const all = await numbers.search({ countryCode: "US", areaCode: null, limit: 5 }, NEVER);
  expect(all.kind === "DONE" && all.value.length).toBe(2);
});

test("a number is bought once, configured, and given back", async () => {
  await using harness = await VonageHarness.start();
  const { numbers } = harness.account;
  expect(await numbers.findOwned("+12125550142", NEVER)).toMatchObject({ kind: "ABSENT" });
  const bought = await numbers.buy("+12125550142", NEVER);
  if (bought.kind !== "DONE") throw new Error(JSON.stringify(bought));
  expect(bought.value).toEqual({
    number: "+12125550142",
    externalId: "US:12125550142",
    capabilities: ["VOICE", "SMS"],
  });
  // Nobody knows of the first order any more: the second finds what it bought.
  expect(await numbers.buy("+12125550142", NEVER)).toEqual(bought);
  expect(harness.vonage.owned.filter((number) => number === "+12125550142").length).toBe(1);
  expect(await numbers.configure(bought.value, NEVER)).toEqual(bought);
  expect(harness.vonage.linked.get("+12125550142")).toBe(harness.vonage.keys.applicationId);
  expect(await numbers.release(bought.value, NEVER)).toEqual({ kind: "DONE", value: null });
  expect(await numbers.release(bought.value, NEVER)).toMatchObject({ kind: "ABSENT" });
  expect(await numbers.buy("+12125550999", NEVER)).toMatchObject({ kind: "ABSENT" });
  expect(await numbers.buy("+99912345", NEVER)).toMatchObject({ kind: "ABSENT" });
});

test("the application's webhooks are pointed at us and signed, once, and the rest of it is kept", async () => {
  await using harness = await VonageHarness.start();
  harness.vonage.application = {
    ...harness.vonage.application,
    privacy: { improve_ai: false },
    capabilities: {
      vbc: {},
      voice: { region: "eu-west", webhooks: { fallback_answer_url: { address: "https://x" } } },
    },
  };
  const owned = await harness.account.numbers.findOwned("+447700900100", NEVER);
  if (owned.kind !== "DONE") throw new Error("not owned");
  expect(owned.value.externalId).toBe("GB:447700900100");
  for (let i = 0; i < 2; i++) await harness.account.numbers.configure(owned.value, NEVER);
  expect(harness.vonage.requests.filter(({ method }) => method === "PUT").length).toBe(1);
  const at = (path: string) => ({
    address: `${harness.publicUrl}/api/webhooks/carriers/vonage/${harness.accountId}/${path}`,
    http_method: "POST",
  });
  expect(harness.vonage.application).toMatchObject({
    name: "Parley",
    privacy: { improve_ai: false },
    keys: { public_key: expect.stringContaining("PUBLIC KEY") as string },
    capabilities: {
      vbc: {},
      voice: {
        region: "eu-west",
        signed_callbacks: true,
        webhooks: { answer_url: at("calls-in"), event_url: at("calls"), fallback_answer_url: { address: "https://x" } },
      },
      messages: { version: "v1", webhooks: { inbound_url: at("messages"), status_url: at("message-status") } },
    },
  });
});

test.each([
  [420, { "error-code": "420", "error-code-label": "Numbers require a valid local address" }, "REFUSED", "papers"],
  [401, { "error-code": "401", "error-code-label": "authentication failed" }, "REFUSED", "API key"],
  [200, { "error-code": "401", "error-code-label": "authentication failed" }, "REFUSED", "API key"],
  [402, { title: "Payment Required", detail: "Balance too low" }, "REFUSED", "Top up"],
  [429, { title: "Rate limited" }, "UNCERTAIN", "cannot tell now"],
  [500, {}, "UNCERTAIN", "500"],
])("an order that is answered with %i %j is %s", async (status, json, kind, words) => {
  await using harness = await VonageHarness.start();
  await using server = await ProviderServer.start([{ status, json }]);
  const { numbers } = openVonage("a", { ...harness.vonage.keys, apiUrl: server.origin }, harness);
  const result = await numbers.buy("+12125550142", NEVER);
  expect(result).toMatchObject({ kind, message: expect.stringContaining(words) as string });
});

test("an application that is not there, and an address where nobody is, are told apart", async () => {
  await using harness = await VonageHarness.start();
  const owned = { number: "+12025550199", externalId: "US:12025550199", capabilities: [] };
  const fields = { ...harness.vonage.keys, apiUrl: harness.vonage.url };
  const applicationId = "00000000-0000-4000-8000-000000000000";
  const wrong = openVonage("a", { ...fields, applicationId }, harness);
  expect(await wrong.numbers.configure(owned, NEVER)).toMatchObject({ kind: "REFUSED", blame: "ACCOUNT" });
  const gone = openVonage("a", { ...fields, apiUrl: "http://127.0.0.1:9" }, harness);
  expect(await gone.numbers.findOwned(owned.number, NEVER)).toMatchObject({ kind: "UNCERTAIN" });
  expect(await gone.numbers.configure(owned, NEVER)).toMatchObject({ kind: "UNCERTAIN" });
});

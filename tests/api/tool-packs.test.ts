import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectionHarness, type Trial } from "../kit/connected-apps/connection-harness.ts";
import type { Vendor } from "../kit/connected-apps/oauth-rules.ts";
import type { VendorServer } from "../kit/connected-apps/vendor-server.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let harness: ConnectionHarness;
const servers: VendorServer[] = [];
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  harness = await ConnectionHarness.open(world);
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** A vendor with a connected account, and a pack installed for it. */
async function installed(vendor: Vendor, pack: string, settings: Json = {}) {
  const server = await harness.startVendor(vendor);
  servers.push(server);
  const connectionId = await harness.connect(vendor, server);
  const tools = await harness.install(pack, connectionId, settings);
  const run = async (name: string, input: Json): Promise<unknown> => {
    const trial: Trial = await harness.run(tools[name], input);
    expect(server.faults).toEqual([]);
    expect(trial, trial.content).toMatchObject({ outcome: "VALUE", errorCode: null });
    return JSON.parse(/^[[{]/.test(trial.content) ? trial.content : JSON.stringify(trial.content)) as unknown;
  };
  return { server, connectionId, tools, run };
}

describe("Google Calendar", () => {
  test("finds free times, creates, moves and cancels an event", async () => {
    const { server, run } = await installed("GOOGLE", "google-calendar", { timeZone: "Europe/Berlin" });
    const day = { from: "2026-12-01T09:00:00", to: "2026-12-01T12:00:00" };
    // The vendor's calendar is busy from 08:30 to 10:00 UTC.
    expect(await run("find_free_times", { ...day, durationMinutes: 30 })).toEqual({
      free: ["2026-12-01T09:00:00", "2026-12-01T11:00:00", "2026-12-01T11:30:00"],
      timeZone: "Europe/Berlin",
    });
    const time = { start: "2026-12-01T11:00:00", end: "2026-12-01T11:30:00" };
    expect(await run("create_event", { summary: "Viewing", ...time })).toMatchObject({ id: "event1" });
    expect(server.calls.at(-1)?.body).toEqual({
      summary: "Viewing",
      start: { dateTime: time.start, timeZone: "Europe/Berlin" },
      end: { dateTime: time.end, timeZone: "Europe/Berlin" },
    });
    await run("create_event", { summary: "Viewing", attendeeEmail: "ada@example.com", ...time });
    expect(server.calls.at(-1)?.body.attendees).toEqual([{ email: "ada@example.com" }]);
    await run("move_event", { eventId: "event1", ...time });
    expect(await run("cancel_event", { eventId: "event1" })).toEqual({ cancelled: true });
    expect(server.calls.at(-1)).toMatchObject({
      method: "DELETE",
      path: "/calendar/v3/calendars/primary/events/event1?sendUpdates=all",
    });
  });
});

describe("a time of Google Calendar", () => {
  test("is by the calendar's clock on both sides of a change of clocks", async () => {
    const { run } = await installed("GOOGLE", "google-calendar", { timeZone: "Europe/Berlin" });
    // Clocks go back on Sunday. The vendor's calendar is busy on Monday from 07:30 to 08:30 UTC, there 08:30 to 09:30.
    const days = { from: "2026-10-24T20:00:00", to: "2026-10-26T19:30:00" };
    expect(await run("find_free_times", { ...days, durationMinutes: 600 })).toEqual({
      free: ["2026-10-24T20:00:00", "2026-10-25T06:00:00", "2026-10-25T16:00:00", "2026-10-26T09:30:00"],
      timeZone: "Europe/Berlin",
    });
  });

  test("has no offset, which would be another than the calendar's after a change of clocks", async () => {
    const { server, tools } = await installed("GOOGLE", "google-calendar");
    const times = { start: "2026-12-01T11:00:00+01:00", end: "2026-12-01T11:30:00+01:00" };
    expect(await harness.run(tools.create_event, { summary: "Viewing", ...times })).not.toMatchObject({
      outcome: "VALUE",
    });
    expect(server.calls).toEqual([]);
  });
});

describe("Google Sheets", () => {
  // Without quotes, Q4 is a cell, and the others are nothing.
  test.each([
    ["Orders 1", "'Orders 1'"],
    ["Q4", "'Q4'"],
    ["Bo's", "'Bo''s'"],
  ])("looks up and appends rows of the sheet %s; what a person said is no formula", async (sheet, quoted) => {
    const { server, run } = await installed("GOOGLE", "google-sheets", { spreadsheetId: "sheet-id", sheet });
    expect(await run("look_up_row", { column: "order", value: "a-1" })).toEqual({
      rows: [{ Order: "A-1", Name: "Ada", State: "" }],
    });
    expect(await run("append_row", { cells: ["A-3", '=IMPORTXML("http://x")'] })).toBe(`${quoted}!A4:B4`);
    expect(server.calls.at(-1)?.path).toContain(`/values/${quoted}:append?valueInputOption=RAW`);
    expect(server.calls.at(-1)?.body.values).toEqual([["A-3", '=IMPORTXML("http://x")']]);
  });
});

describe("Cal.com", () => {
  test("lists slots, books, reschedules and cancels", async () => {
    const { server, run } = await installed("CAL_COM", "cal-com", { eventTypeId: "123", timeZone: "Europe/Berlin" });
    const slots = await run("list_slots", { start: "2026-12-01", end: "2026-12-02" });
    expect(slots).toEqual({ "2026-12-01": [{ start: "2026-12-01T09:00:00.000+01:00" }] });
    const person = { name: "Ada Lovelace", email: "ada@example.com" };
    const start = "2026-12-01T08:00:00Z";
    expect(await run("book_slot", { start, ...person })).toMatchObject({ uid: "booking7" });
    expect(server.calls.at(-1)?.body).toEqual({
      eventTypeId: 123,
      start,
      attendee: { ...person, timeZone: "Europe/Berlin" },
    });
    await run("reschedule_booking", { bookingUid: "booking7", start });
    expect(await run("cancel_booking", { bookingUid: "booking8" })).toMatchObject({ status: "cancelled" });
  });

  test("works with a key instead of a sign-in", async () => {
    const server = await harness.startVendor("CAL_COM");
    servers.push(server);
    const key = {
      name: "Key",
      provider: "CAL_COM",
      method: "API_KEY",
      apiKey: server.makeKey(),
      baseUrl: server.origin,
    };
    const { id, apiKey, state } = await harness.ask("POST", "/connections", key);
    expect({ apiKey, state }).toEqual({ apiKey: "********", state: "CONNECTED" });
    const tools = await harness.install("cal-com", String(id), { eventTypeId: "123" });
    const days = { start: "2026-12-01", end: "2026-12-02" };
    expect(await harness.run(tools.list_slots, days)).toMatchObject({ outcome: "VALUE" });
    server.endAccess();
    expect(await harness.run(tools.list_slots, days)).toMatchObject({ errorCode: "CONNECTION_NEEDS_SIGN_IN" });
  });
});

describe("HubSpot", () => {
  test("finds and creates contacts, writes notes, moves deals", async () => {
    const { server, run } = await installed("HUBSPOT", "hubspot");
    const found = await run("find_contact", { property: "email", value: "ada@example.com" });
    expect(found).toMatchObject([{ id: "501" }]);
    expect(await run("create_contact", { email: "bo@example.com", firstName: "Bo" })).toBe("502");
    expect(server.calls.at(-1)?.body).toEqual({ properties: { email: "bo@example.com", firstname: "Bo" } });
    await run("add_note", { contactId: "501", note: "Wants <b>two</b>\nCall back" });
    expect(server.calls.at(-1)?.body).toMatchObject({
      properties: { hs_note_body: "Wants &lt;b&gt;two&lt;/b&gt;<br>Call back" },
    });
    expect(await run("move_deal", { dealId: "9", stage: "closedwon" })).toBe("closedwon");
  });
});

describe("Salesforce", () => {
  test("finds people whatever they say, creates tasks, and changes only what is given", async () => {
    const { server, run } = await installed("SALESFORCE", "salesforce");
    const value = String.raw`x' OR Name != '\ --`;
    const found = await run("find_person", { kind: "Lead", field: "Email", value });
    expect(found).toMatchObject([{ searched: String.raw`x\' OR Name != \'\\ --` }]);
    await run("find_person", { kind: "Contact", field: "Phone", value: "+14155550123" });
    expect(await run("create_task", { personId: "00Q000000000001", subject: "Call back" })).toBe("00T000000000001");
    expect(await run("update_lead", { leadId: "00Q000000000001", status: "Working" })).toEqual({ updated: true });
    expect(server.calls.at(-1)?.body).toEqual({ Status: "Working" });
  });

  test("is installed after the sign-in alone, which names the organisation's server", async () => {
    const server = await harness.startVendor("SALESFORCE");
    servers.push(server);
    const connectionId = await harness.make("SALESFORCE", server);
    const path = `${harness.path}/tool-packs/salesforce/install`;
    expect(await harness.owner.ask("POST", path, { connectionId })).toMatchObject({ status: 409 });
  });
});

describe("Slack", () => {
  test("posts a message that calls nobody, and hears a refusal that comes with status 200", async () => {
    const { server, run, connectionId } = await installed("SLACK", "slack", { channel: "C0123456789" });
    expect(await run("post_to_slack", { message: "Call <!channel> & Bo" })).toBe("1700000000.000100");
    expect(server.calls.at(-1)?.body).toEqual({ channel: "C0123456789", text: "Call &lt;!channel&gt; &amp; Bo" });
    const tools = await harness.install("slack", connectionId, { channel: "nowhere" });
    const refused = await harness.run(tools.post_to_slack, { message: "Hello" });
    expect(refused).toMatchObject({ errorCode: "TOOL_FAILED", content: expect.stringContaining("channel_not_found") });
  });
});

describe("an installation", () => {
  test("repeated, keeps the tools' ids and what was added to them", async () => {
    const { tools, connectionId } = await installed("GOOGLE", "google-sheets", { spreadsheetId: "one" });
    await harness.ask("PUT", `/tools/${tools.append_row}`, {
      messages: { start: "One moment." },
      description: "Mine.",
    });
    const again = await harness.install("google-sheets", connectionId, { spreadsheetId: "two" });
    expect(again).toEqual(tools);
    const tool = await harness.ask("GET", `/tools/${tools.append_row}`);
    expect(tool).toMatchObject({ messages: { start: "One moment." }, connectionId, groupName: "Google Sheets" });
    const { defaultValue } = (tool.parameters as Json[]).find(({ name }) => name === "spreadsheetId") ?? {};
    expect(defaultValue).toBe("two");
  });

  test("refuses another provider's connection, a missing setting, an unknown one, and another workspace's", async () => {
    const { connectionId } = await installed("SLACK", "slack", { channel: "C1" });
    const path = `${harness.path}/tool-packs`;
    const install = async (pack: string, body: Json) => {
      const { status, body: error } = await harness.owner.ask("POST", `${path}/${pack}/install`, body);
      return [status, String(error.message)];
    };
    expect(await install("hubspot", { connectionId })).toEqual([422, expect.stringMatching(/^connectionId: /)]);
    expect(await install("slack", { connectionId })).toEqual([422, "settings.channel: is required."]);
    const settings = { channel: "C1", chanel: "C2" };
    expect(await install("slack", { connectionId, settings })).toEqual([
      422,
      expect.stringMatching(/settings\.chanel/),
    ]);
    expect(await install("nothing", { connectionId })).toEqual([404, expect.any(String)]);
    const other = await world.createWorkspace();
    const body = { connectionId, settings: { channel: "C1" } };
    const foreign = await world.request("POST", "/tool-packs/slack/install", { key: other.apiKey, body });
    expect(foreign.status).toBe(404);
  });
});

test("every pack says what it is, and is read as a portable document", async () => {
  const packs = (await world.request("GET", "/tool-packs")).body as unknown as { name: string; tools: Json[] }[];
  expect(packs.map(({ name }) => name)).toEqual([
    "cal-com",
    "google-calendar",
    "google-sheets",
    "hubspot",
    "salesforce",
    "slack",
  ]);
  for (const { name, tools } of packs) {
    const { document } = (await world.request("GET", `/tool-packs/${name}`)).body;
    expect(document).toMatchObject({ format: "parley.tool-pack", formatVersion: 1 });
    expect((document as { tools: Json[] }).tools).toHaveLength(tools.length);
  }
});

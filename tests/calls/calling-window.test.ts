import { getCountries } from "libphonenumber-js/max";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallingWindow, isInWindow, WEEKDAYS } from "#src/tenancy/compliance/calling-window.ts";
import { World } from "../kit/world.ts";

let world: World;
let key: string;
let workspaceId: string;
beforeAll(async () => {
  world = await World.start();
  const live = { name: "Live", mode: "LIVE", sample: true, sandboxSpeed: "instant" };
  const made = (await world.operator("workspace.create", live)) as { apiKey: string; workspaceId: string };
  key = made.apiKey;
  workspaceId = made.workspaceId;
  await world.operator("workspace.update", { id: workspaceId, countries: ["US", "JP", "DE", "RU"] });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = { [name: string]: unknown };
type Row = {
  id: string;
  status: string;
  nextAttemptAt: string;
  attempts: unknown[];
  customerNumber: string;
  error: Body;
};

const HOUR_MS = 3_600_000;
const EVERY_DAY = [...WEEKDAYS];
const ALWAYS = { windows: [{ days: EVERY_DAY, start: "00:00", end: "24:00" }] };
/** People of the sandbox's hash, in LIVE: not fictional, so the window holds for them. */
const NUMBER = "+14155552671";

/** A window that opens once, in about three days, at midnight UTC; and that moment. */
function closedForDays(): { rules: Body; opensAt: string } {
  const day = new Date(Date.now() + 72 * HOUR_MS);
  const days = [EVERY_DAY[(day.getUTCDay() + 6) % 7]];
  const windows = [{ days, start: "00:00", end: "24:00" }];
  return {
    rules: { timeZoneMode: "FIXED", timeZone: "UTC", windows },
    opensAt: `${day.toISOString().slice(0, 10)}T00:00`,
  };
}

async function send(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await world.request(method, path, { key, ...(body === undefined ? {} : { body }) });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function make(body: Body): Promise<string> {
  return `/call-jobs/${String((await send("POST", "/call-jobs", { retryConfig: { maxAttempts: 1 }, ...body })).id)}`;
}

async function rowsOf(path: string): Promise<Row[]> {
  return (await send("GET", `${path}/rows?size=200`)).content as Row[];
}

async function until<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (const deadline = performance.now() + 20_000; ;) {
    const value = await read();
    if (done(value)) return value;
    if (performance.now() > deadline) throw new Error(JSON.stringify(value));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const waits = (row: Row | undefined) => row?.status === "WAITING_FOR_WINDOW";

describe("a calling window of a LIVE workspace", () => {
  test("holds rows until its next opening; they are not dialled even when they come due before", async () => {
    const { rules, opensAt } = closedForDays();
    const path = await make({
      rows: [{ customerNumber: NUMBER }, { customerNumber: "+14155552672" }],
      callingWindow: rules,
    });
    const settled = (rows: Row[]) => rows.every((row) => waits(row) && row.nextAttemptAt.startsWith(opensAt));
    await until(() => rowsOf(path), settled);
    expect(await send("GET", `${path}/rows?status=WAITING_FOR_WINDOW`)).toMatchObject({ totalElements: 2 });
    expect(await send("GET", `${path}/rows?status=QUEUED`)).toMatchObject({ totalElements: 0 });
    expect(await send("GET", path)).toMatchObject({ status: "RUNNING", processedRows: 0, callingWindow: rules });
    await world.database.query("update call_rows set due_at = now() - interval '1 day' where workspace_id = $1", [
      workspaceId,
    ]);
    const rows = await until(() => rowsOf(path), settled);
    expect(rows.map((row) => row.attempts)).toEqual([[], []]);
    expect(await send("POST", `${path}/preflight`)).toMatchObject({
      totalRows: 2,
      callableRows: 2,
      waitingForWindowRows: 2,
    });
    expect(await send("POST", `${path}/cancel`)).toMatchObject({ status: "CANCELLED", errorRows: 2 });
  });

  test("that is changed while the job runs lets waiting rows out at once, or holds them", async () => {
    const { rules } = closedForDays();
    const path = await make({ rows: [{ customerNumber: NUMBER }], callingWindow: rules });
    await until(
      () => rowsOf(path),
      (rows) => waits(rows[0]),
    );
    expect(await send("PATCH", path, { callingWindow: ALWAYS })).toMatchObject({
      callingWindow: { timeZoneMode: "RECIPIENT", timeZone: null, excludeDates: [] },
    });
    const [row] = await until(
      () => rowsOf(path),
      (rows) => rows[0]?.attempts.length === 1,
    );
    expect(waits(row)).toBe(false);
    await until(
      () => send("GET", path),
      (job) => job.completedAt !== null,
    );
  });

  test("that is changed calls nobody again before the wait of their retry is over", async () => {
    const { rules, opensAt } = closedForDays();
    const path = await make({
      rows: [{ customerNumber: NUMBER }, { customerNumber: "+14155552672" }],
      callingWindow: rules,
    });
    const isPutOff = (row: Row | undefined) => waits(row) && row?.nextAttemptAt.startsWith(opensAt) === true;
    const [first, second] = await until(
      () => rowsOf(path),
      (rows) => rows.every(isPutOff),
    );
    const retryAt = new Date(Date.now() + 3_600_000).toISOString();
    const setDue = "update call_rows set status = $2, due_at = $3, window_opens_at = null where id = $1";
    await world.database.query(setDue, [second?.id, "WAITING_FOR_RETRY", retryAt]);
    await world.database.query(setDue, [first?.id, "QUEUED", new Date().toISOString()]);
    await until(
      () => rowsOf(path),
      (rows) => isPutOff(rows[0]),
    );
    await send("PATCH", path, { callingWindow: ALWAYS });
    await until(
      () => rowsOf(path),
      (rows) => rows[0]?.attempts.length === 1,
    );
    expect((await rowsOf(path))[1]).toMatchObject({
      status: "WAITING_FOR_RETRY",
      nextAttemptAt: retryAt,
      attempts: [],
    });
    await send("POST", `${path}/cancel`);
  });

  test("goes by the row's own zone, or else by every zone of the number's country", async () => {
    const tokyo = new Date(Date.now() + 9 * HOUR_MS).getUTCHours();
    const next = (tokyo + 1) % 24;
    const windows = [tokyo, next].map((hour) => {
      const start = `${String(hour).padStart(2, "0")}:00`;
      return { days: EVERY_DAY, start, end: `${String(hour + 1).padStart(2, "0")}:00` };
    });
    const rows = [
      { customerNumber: "+81312345678" },
      { customerNumber: "+493012345678" },
      { customerNumber: "+14155552673", timeZone: "Asia/Tokyo" },
      { customerNumber: "+14155552674", timeZone: "America/New_York" },
      { customerNumber: "+81312345679", timeZone: "America/New_York" },
    ];
    const path = await make({ rows, callingWindow: { windows } });
    const found = await until(
      () => rowsOf(path),
      (all) => all.every((row) => waits(row) || row.attempts.length > 0),
    );
    expect(found.map(waits)).toEqual([false, true, false, true, true]);
    await send("POST", `${path}/cancel`);
  });

  test("does not hold fictional numbers, nor a SANDBOX workspace", async () => {
    const { rules } = closedForDays();
    const path = await make({
      rows: [{ customerNumber: NUMBER }, { customerNumber: "+12025550100" }],
      callingWindow: rules,
    });
    await until(
      () => rowsOf(path),
      ([real, fictional]) => waits(real) && fictional?.status === "COMPLETED",
    );
    await send("POST", `${path}/cancel`);
    const row = await world.call(NUMBER, { callingWindow: rules });
    expect(row.attempts).toHaveLength(1);
  });

  test("holds a single call, too", async () => {
    const { rules, opensAt } = closedForDays();
    const asked = { rows: [{ customerNumber: "+14155552675" }], callingWindow: rules };
    const { firstCall } = await send("POST", "/call-jobs/preflight", asked);
    expect(firstCall).toMatchObject({ callingWindow: rules, opensAt: expect.stringMatching(opensAt) as string });
    const placed = await send("POST", "/outbound/calls", { customerNumber: "+14155552675", callingWindow: rules });
    const read = () => send("GET", `/call-rows/${String(placed.rowId)}`);
    const settled = (row: Body) => row.status === "WAITING_FOR_WINDOW" && String(row.nextAttemptAt).startsWith(opensAt);
    expect(await until(read, settled)).toMatchObject({ attempts: [], callingWindow: rules });
  });

  test("that never opens for somebody is a fault of the row, not a wait for ever", async () => {
    const windows = [{ days: ["MON", "TUE", "WED", "THU", "FRI"], start: "09:00", end: "18:00" }];
    const rows = [{ customerNumber: "+74951234567" }, { customerNumber: "+74951234567", timeZone: "Europe/Moscow" }];
    const body = { rows, callingWindow: { windows } };
    const fault = { line: 1, column: "timeZone", code: "WINDOW_NEVER_OPENS" };
    expect(await send("POST", "/call-jobs/preflight", body)).toMatchObject({ totalRows: 1, rowErrors: [fault] });
    const created = await world.request("POST", "/call-jobs", { body, key });
    expect(created.body).toMatchObject({ totalRows: 1, rejectedRows: 1, rowErrors: [fault] });
    await send("POST", `/call-jobs/${String(created.body.id)}/cancel`).catch(() => undefined);
    const call = { customerNumber: "+74951234567", callingWindow: { windows } };
    expect((await world.request("POST", "/outbound/calls", { body: call, key })).status).toBe(422);
    const later = new Date(Date.now() + HOUR_MS).toISOString();
    const open = await make({ rows: [{ customerNumber: "+74951234567" }], startAt: later });
    expect((await world.request("PATCH", open, { body: { callingWindow: { windows } }, key })).status).toBe(422);
    await send("POST", `${open}/cancel`);
  });

  test("that never opens for a row takes no externalId from the row that mends it", async () => {
    const windows = [{ days: ["MON", "TUE", "WED", "THU", "FRI"], start: "09:00", end: "18:00" }];
    const row = { customerNumber: "+74951234567", externalId: "crm-1" };
    const rows = [row, { ...row, timeZone: "Europe/Moscow" }];
    const startAt = new Date(Date.now() + HOUR_MS).toISOString();
    const counts = { totalRows: 1, rowErrors: [{ line: 1, code: "WINDOW_NEVER_OPENS" }] };
    const body = { rows, callingWindow: { windows }, startAt };
    expect(await send("POST", "/call-jobs/preflight", body)).toMatchObject(counts);
    const created = await send("POST", "/call-jobs", body);
    expect(created).toMatchObject(counts);
    const path = `/call-jobs/${String(created.id)}`;
    const more = rows.map((one) => ({ ...one, externalId: "crm-2" }));
    const added = await send("POST", `${path}/rows`, { rows: more });
    expect(added).toMatchObject({ acceptedRows: 1, duplicateRows: 0, rowErrors: [{ code: "WINDOW_NEVER_OPENS" }] });
    await send("POST", `${path}/cancel`);
  });

  test("in a zone that the database does not know lets nobody out, and holds up no one else", async () => {
    const { rules } = closedForDays();
    const path = await make({ rows: [{ customerNumber: NUMBER }], callingWindow: { windows: rules.windows } });
    await until(
      () => rowsOf(path),
      (rows) => waits(rows[0]),
    );
    await world.database.query("update call_rows set time_zone = 'Mars/Olympus', due_at = now() where job_id = $1", [
      path.split("/").at(-1),
    ]);
    const other = await make({ rows: [{ customerNumber: "+12025550100" }] });
    await until(
      () => send("GET", other),
      (job) => job.completedAt !== null,
    );
    const [row] = await until(
      () => rowsOf(path),
      (rows) => rows[0]?.status === "SKIPPED",
    );
    expect(row).toMatchObject({ attempts: [], error: { code: "TIME_ZONE_UNKNOWN" } });
  });

  test("moves waiting rows with their order, so that higher priority still goes first", async () => {
    const { rules, opensAt } = closedForDays();
    const rows = Array.from({ length: 300 }, (_, i) => ({
      customerNumber: `+1415${6_000_000 + i}`,
      priority: i === 299 ? 9 : 0,
    }));
    const path = await make({ rows, callingWindow: rules });
    const jobId = path.split("/").at(-1);
    const read = () =>
      world.database.query<{ line: number; due_at: Date }>(
        "select line, due_at from call_rows where job_id = $1 order by due_at, id",
        [jobId],
      );
    const sorted = await until(read, (all) => all.every((row) => row.due_at.toISOString().startsWith(opensAt)));
    expect(sorted[0]?.line).toBe(300);
    await send("POST", `${path}/cancel`);
  });
});

describe("the window of a LIVE workspace", () => {
  /** One clock each, so that at any time it is deep night by one of them and broad day by another. */
  const PLACES = [
    { customerNumber: "+81312345678", zone: "Asia/Tokyo" },
    { customerNumber: "+493012345678", zone: "Europe/Berlin" },
    { customerNumber: "+5112345678", zone: "America/Lima" },
  ];
  const hourIn = (zone: string) =>
    Number(new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" }).format());
  const isNight = ({ zone }: { zone: string }) => hourIn(zone) >= 21 || hourIn(zone) < 7;
  const isDay = ({ zone }: { zone: string }) => hourIn(zone) >= 8 && hourIn(zone) < 20;

  async function createLive(): Promise<{ id: string; key: string }> {
    const settings = { name: "By day", mode: "LIVE", sample: true, sandboxSpeed: "instant" };
    const made = (await world.operator("workspace.create", settings)) as { apiKey: string; workspaceId: string };
    await world.operator("workspace.update", { id: made.workspaceId, countries: ["JP", "DE", "PE", "US"] });
    return { id: made.workspaceId, key: made.apiKey };
  }

  test("is 08:00 to 21:00 at the number unless job or call bring their own; the operator sets another or none", async () => {
    const live = await createLive();
    const ask = async (method: string, path: string, body?: unknown) => {
      const reply = await world.request(method, path, { key: live.key, ...(body ? { body } : {}) });
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    const rows = PLACES.filter((place) => isNight(place) || isDay(place)).map(({ customerNumber }) => ({
      customerNumber,
    }));
    const expected = PLACES.filter((place) => isNight(place) || isDay(place)).map(isNight);
    expect(expected).toContain(true);
    expect(expected).toContain(false);
    const { id } = await ask("POST", "/call-jobs", { rows, retryConfig: { maxAttempts: 1 } });
    const read = async () => (await ask("GET", `/call-jobs/${String(id)}/rows`)).content as Row[];
    const settled = (all: Row[]) => all.every((row) => waits(row) || row.attempts.length > 0);
    expect((await until(read, settled)).map(waits)).toEqual(expected);
    expect(await ask("POST", `/call-jobs/${String(id)}/preflight`)).toMatchObject({
      waitingForWindowRows: expected.filter(Boolean).length,
    });

    const night = PLACES.find(isNight) as (typeof PLACES)[number];
    const call = async (body: Body) => {
      const { rowId } = await ask("POST", "/outbound/calls", { customerNumber: night.customerNumber, ...body });
      return until(
        () => ask("GET", `/call-rows/${String(rowId)}`) as unknown as Promise<Row>,
        (row) => settled([row]),
      );
    };
    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: night.zone, timeStyle: "short" });
    const { id: waiting } = await call({});
    await until(
      () => ask("GET", `/call-rows/${waiting}`) as unknown as Promise<Row>,
      (row) => waits(row) && clock.format(new Date(row.nextAttemptAt)) === "08:00",
    );
    expect(waits(await call({ customerNumber: "+493012345679", callingWindow: ALWAYS }))).toBe(false);

    await world.operator("workspace.update", { id: live.id, callingWindow: null });
    const out = await until(read, (all) => all.every((row) => row.attempts.length > 0));
    expect(out.map(waits)).toEqual(expected.map(() => false));
  });

  test("is refused when it never opens for a country that may be dialled, and shown to the operator", async () => {
    const live = await createLive();
    const rules = { windows: [{ days: EVERY_DAY, start: "12:00", end: "13:00" }] };
    const update = (body: Body) => world.operator("workspace.update", { id: live.id, ...body });
    await expect(update({ callingWindow: rules })).rejects.toThrow("WINDOW_NEVER_OPENS");
    expect(await update({ callingWindow: rules, countries: ["DE"] })).toMatchObject({ callingWindow: rules });
    await expect(update({ countries: ["US"] })).rejects.toThrow("WINDOW_NEVER_OPENS");
    await expect(update({ callingWindow: { windows: [] } })).rejects.toThrow("VALIDATION_FAILED");
    await expect(update({ callingWindow: "noon" })).rejects.toThrow("INVALID_BODY");
    const listed = (await world.operator("workspace.list", {})) as unknown as { id: string; callingWindow: unknown }[];
    expect(listed.find(({ id }) => id === live.id)?.callingWindow).toMatchObject(rules);
    expect(listed.find(({ id }) => id === world.sample.workspaceId)?.callingWindow).toBeNull();
  });

  test("by default is from 08:00 to 21:00 and opens for every country", async () => {
    const made = (await world.operator("workspace.create", { name: "New", mode: "LIVE" })) as { workspaceId: string };
    const found = await world.database.query<{ calling_window: CallingWindow }>(
      "select calling_window from workspaces where id = $1",
      [made.workspaceId],
    );
    const windows = [{ days: EVERY_DAY, start: "08:00", end: "21:00" }];
    expect(found[0]?.calling_window).toEqual({
      timeZoneMode: "RECIPIENT",
      timeZone: null,
      windows,
      excludeDates: [],
    });
    await world.operator("workspace.update", { id: made.workspaceId, countries: [...getCountries()] });
  });
});

describe("the database's judgement", () => {
  test("knows a clock for every country that a number can have, and each clock", async () => {
    const countries = await world.database.query<{ country: string }>("select country from country_time_zones");
    expect(countries.map((row) => row.country).sort()).toEqual([...getCountries()].sort());
    const strange = await world.database.query(
      "select zone from country_time_zones, unnest(zones) zone where zone not in (select name from pg_timezone_names)",
    );
    expect(strange).toEqual([]);
  });

  test("agrees with the rules written down apart from it, at any time and on the days on which clocks change", async () => {
    const rules: CallingWindow = {
      timeZoneMode: "RECIPIENT",
      timeZone: null,
      windows: [
        { days: ["MON", "TUE", "SUN"], start: "01:17", end: "13:00" },
        { days: ["SUN", "FRI"], start: "20:00", end: "24:00" },
      ],
      excludeDates: ["2025-03-30", "2025-12-25"],
    };
    const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/St_Johns"];
    const instants = Array.from({ length: 2_000 }, (_, i) => Date.UTC(2025, 0, 1) + i * 4.37 * HOUR_MS);
    for (const zone of zones) {
      const judged = await world.database.query<{ open: boolean }>(
        `select is_calling_window_open($1::jsonb, $2, 'ZZ', t) as open from unnest($3::timestamptz[]) with ordinality as x(t, n) order by n`,
        [JSON.stringify(rules), zone, instants.map((ms) => new Date(ms).toISOString())],
      );
      expect(judged.map((row) => row.open)).toEqual(instants.map((ms) => isInWindow(rules, [zone], ms)));
    }
  });

  test("is no without a zone, and no for a country of several clocks as long as one of them is closed", async () => {
    const ask = async (country: string, instant: string) => {
      const rules = {
        timeZoneMode: "RECIPIENT",
        timeZone: null,
        windows: [{ days: EVERY_DAY, start: "09:00", end: "18:00" }],
        excludeDates: [],
      };
      const found = await world.database.query<{ open: boolean | null }>(
        "select is_calling_window_open($1::jsonb, null, $2, $3) as open",
        [JSON.stringify(rules), country, instant],
      );
      return found[0]?.open;
    };
    expect(await ask("ZZ", "2025-07-07T16:00:00Z")).toBeNull();
    // 19:00Z in July: 15:00 in New York and 09:00 in Honolulu; a minute before, Honolulu sleeps.
    expect(await ask("US", "2025-07-07T18:59:59Z")).toBe(false);
    expect(await ask("US", "2025-07-07T19:00:00Z")).toBe(true);
    expect(await ask("US", "2025-07-07T22:00:00Z")).toBe(false);
  });
});

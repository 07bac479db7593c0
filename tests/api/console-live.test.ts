import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#src/platform/db/database.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { Feeds } from "#src/surfaces/console/feeds.ts";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { EventReader } from "../kit/event-reader.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;
let path: string;

beforeAll(async () => {
  world = await World.start({ speed: 20 });
  owner = await setUpOwner(world);
  path = `/workspaces/${world.sample.workspaceId}`;
});
afterAll(() => world[Symbol.asyncDispose]());

function follow(tab: Tab, query = "", headers: Record<string, string> = {}): Promise<EventReader> {
  const url = `${world.url}/api/console${path}/events${query}`;
  return EventReader.open(url, { cookie: tab.cookie ?? "", ...headers });
}

async function place(customerNumber = "+12025550100"): Promise<string> {
  const placed = await owner.ask("POST", `${path}/outbound/calls`, { customerNumber });
  return String(placed.body.rowId);
}

describe("the live stream", () => {
  it("tells of a call from its ringing to its end, and its talk line by line", async () => {
    const stream = await follow(owner);
    await stream.until(({ type }) => type === "hello");
    const rowId = await place();
    const watching = await follow(owner, `?watch=${rowId}`);
    const isOfRow = (list: unknown) => (list as { rowId: string }[]).some((one) => one.rowId === rowId);
    await stream.until(({ type, data }) => type === "calls.changed" && isOfRow(data.rows));
    await stream.until(({ type, data }) => type === "calls.live" && isOfRow(data.calls));
    const ended = await watching.until(({ type, data }) => type === "row" && data.endedAt !== null);
    expect(ended.data).toMatchObject({ rowId, status: "COMPLETED" });
    await stream.until(
      ({ type, data }) =>
        type === "calls.changed" && JSON.stringify(data).includes(`"${rowId}","jobId":null,"type":"call.ended"`),
    );
    const row = await owner.ask("GET", `${path}/call-rows/${rowId}`);
    const lines: unknown[] = [];
    for (const { type, data } of watching.events) {
      if (type === "transcript") lines.splice(Number(data.from), Infinity, ...(data.turns as unknown[]));
    }
    expect(lines).toEqual(row.body.transcript);
    expect(watching.events.filter(({ type }) => type === "transcript").length).toBeGreaterThan(1);
    stream.close();
    watching.close();
  });

  it("gives whoever comes back what was missed, and asks to read anew what is too long ago", async () => {
    const stream = await follow(owner);
    const { id } = await stream.until(({ type }) => type === "hello");
    stream.close();
    const rowId = await place("+12025550110");
    const again = await follow(owner, "", { "last-event-id": id });
    await again.until(({ type, data }) => type === "calls.changed" && JSON.stringify(data).includes(rowId));
    again.close();
    const late = await follow(owner, `?lastEventId=${Number(id) - 3_600_000}`);
    await late.until(({ type }) => type === "reset");
    late.close();
    for (const wrong of ["x", "1e9", "-1"]) {
      const refused = await follow(owner, "", { "last-event-id": wrong });
      expect([wrong, refused.status]).toEqual([wrong, 400]);
      refused.close();
    }
  });

  it("gives a new page what happened between its reading and the opening of its stream", async () => {
    const rowId = await place("+12025550110");
    await world.until(`/call-rows/${rowId}`, ({ endedAt }) => endedAt !== null);
    const stream = await follow(owner);
    const { data } = await stream.until(({ type }) => type === "calls.changed");
    expect(JSON.stringify(data)).toContain(`"${rowId}","jobId":null,"type":"call.ended"`);
    stream.close();
  });

  it("costs a page a few small frames a second while a job of thousands runs", async () => {
    await world.operator("workspace.update", { id: world.sample.workspaceId, sandboxSpeed: "instant" });
    const stream = await follow(owner);
    await stream.until(({ type }) => type === "hello");
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ customerNumber: `+1202555${String(2_000 + i)}` }));
    const startedAt = performance.now();
    const made = await owner.ask("POST", `${path}/call-jobs`, { name: "Many", flowId: world.sample.flow.id, rows });
    expect(made.status).toBe(200);
    const jobOf = (data: { [name: string]: unknown }) =>
      (data.jobs as { jobId: string; status: string; processedRows: number }[]).find(
        (job) => job.jobId === made.body.id,
      );
    await stream.until(({ data, type }) => type === "jobs.progress" && jobOf(data)?.status === "COMPLETED", 60_000);
    const seconds = (performance.now() - startedAt) / 1_000;
    const ofType = (name: string) => stream.events.filter(({ type }) => type === name);
    for (const name of new Set(stream.events.map(({ type }) => type))) {
      expect([name, ofType(name).length / (seconds + 1) <= 2.5]).toEqual([name, true]);
    }
    for (const { data } of ofType("calls.changed")) expect((data.rows as unknown[]).length).toBeLessThanOrEqual(50);
    expect(jobOf(ofType("jobs.progress").at(-1)?.data ?? {})).toMatchObject({ processedRows: 1_000, totalRows: 1_000 });
    stream.close();
  });

  it("ends with the session, and with the membership", async () => {
    const ends = {
      VIEWER: "delete from user_sessions where user_id = $1",
      BUILDER: "delete from memberships where user_id = $1",
    };
    const gone = Object.entries(ends).map(async ([role, end]) => {
      const tab = await inviteMember(world, world.sample.workspaceId, role);
      const { body } = await tab.ask("GET", "/session");
      const stream = await follow(tab);
      await stream.until(({ type }) => type === "hello");
      await world.database.query(end, [(body.user as { id: string }).id]);
      const { data } = await stream.until(({ type }) => type === "bye");
      await stream.end();
      return data;
    });
    expect(await Promise.all(gone)).toEqual([{ reason: "SIGNED_OUT" }, { reason: "SIGNED_OUT" }]);
  });

  it("says while nothing happens that it lives, and does not end for a page that joins while sessions are checked", async () => {
    const operator = await inviteMember(world, world.sample.workspaceId, "OPERATOR");
    const people = await Promise.all([owner, operator].map((tab) => tab.ask("GET", "/session")));
    const sessions = await world.database.query(
      "select distinct on (user_id) id, user_id from user_sessions where user_id = any($1)",
      [people.map(({ body }) => (body.user as { id: string }).id)],
    );
    const database = openDatabase({ connectionString: world.database.url }, { max: 2 }, () => undefined);
    const log = createLog("error", () => undefined);
    const feeds = new Feeds(database.db, log, { tickMs: 1, sessionCheckMs: 0, keepAliveMs: 1, maxPerPerson: 200 });
    const open = ({ id, user_id: userId }: Record<string, unknown>) =>
      feeds.open({
        workspaceId: world.sample.workspaceId,
        userId: String(userId),
        sessionId: String(id),
        watch: [],
        room: false,
        sinceMs: null,
      });
    const [first = {}, second = {}] = sessions;
    let text = "";
    const read = (bytes: Buffer) => void (text += String(bytes));
    open(first).on("data", read);
    for (let i = 0; i < 60; i++) {
      const joined = open(second).on("data", read);
      await pause(5 + (i % 7));
      joined.destroy();
      await pause(i % 5);
    }
    expect(text).toContain("event: hello");
    expect(text).toContain("event: alive\ndata: {}\n\n");
    expect(text).not.toContain("event: bye");
    feeds.close();
    await database.close();
  });

  it("is of one workspace: nobody else's shows, and strangers find none", async () => {
    const other = await world.createWorkspace();
    const stranger = await inviteMember(world, other.workspaceId, "OWNER");
    const refused = await follow(stranger);
    await refused.end();
    expect(refused.status).toBe(404);
    const stream = await follow(owner);
    await stream.until(({ type }) => type === "hello");
    const body = { customerNumber: "+12025550100" };
    const theirs = await world.request("POST", "/outbound/calls", { key: other.apiKey, body });
    const rowId = await place("+12025550111");
    await stream.until(({ type, data }) => type === "calls.changed" && JSON.stringify(data).includes(rowId));
    expect(JSON.stringify(stream.events)).not.toContain(String(theirs.body.rowId));
    stream.close();
  });
});

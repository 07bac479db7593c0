import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setUpOwner } from "../kit/console-harness.ts";
import { type TestReply, World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = TestReply["body"];

async function ask(method: string, path: string, body?: unknown, status = 200): Promise<Body> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
  return reply.body;
}

/** A flow whose versions 1 to `count` each open with their own number. */
async function makeFlow(count = 1): Promise<{ id: string; path: string }> {
  const made = await ask("POST", "/flows", { name: "Versions", firstMessage: "This is 1." });
  const path = `/flows/${String(made.id)}`;
  for (let version = 2; version <= count; version++) await ask("PUT", path, { firstMessage: `This is ${version}.` });
  return { id: String(made.id), path };
}

async function versionsOf(path: string): Promise<Body[]> {
  return (await ask("GET", `${path}/versions?size=200`)).content as Body[];
}

function firstWords(row: Body): unknown {
  return (row.transcript as { content: string }[])[0]?.content;
}

/** The rule of the documentation, written anew: md5 of the session's id, its first 32 bits, modulo 100. */
function bucketOf(sessionId: string): number {
  return createHash("md5").update(sessionId).digest().readUInt32BE(0) % 100;
}

describe("two people on one flow", () => {
  test("the second save and a publication of what was not seen are 409, and change nothing", async () => {
    const { path } = await makeFlow();
    const begun = await ask("GET", `${path}/editing`);
    expect(begun).toMatchObject({ draft: null, differs: false, splits: null, flow: { version: 1 } });
    const seen = encodeURIComponent(String((begun.flow as Body).updatedAt));
    const first = await ask("PUT", `${path}/draft?ifUpdatedAt=${seen}`, { firstMessage: "The first one's." });
    await ask("PUT", `${path}/draft?ifUpdatedAt=${seen}`, { firstMessage: "The second one's." }, 409);
    expect(await ask("GET", `${path}/editing`)).toMatchObject({ draft: first, differs: true });
    await ask("POST", `${path}/publish?ifUpdatedAt=${seen}`, {}, 409);
    const fresh = encodeURIComponent(String(first.updatedAt));
    await ask("PUT", `${path}/draft?ifUpdatedAt=${fresh}`, { name: "Both" });
    expect(await ask("POST", `${path}/publish`, {})).toMatchObject({ firstMessage: "The first one's.", name: "Both" });
    await ask("PUT", `${path}/draft?ifUpdatedAt=${fresh}`, { name: "After the publication" }, 409);
    await ask("PUT", `${path}/draft?ifUpdatedAt=yesterday`, {}, 400);
  });

  test("a structured output is guarded alike", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const made = await ask("POST", "/structured-outputs", { name: "guarded", schema }, 201);
    const path = `/structured-outputs/${String(made.id)}?ifUpdatedAt=${encodeURIComponent(String(made.updatedAt))}`;
    await ask("PUT", path, { description: "first" });
    await ask("PUT", path, { description: "second" }, 409);
    expect(await ask("PUT", `/structured-outputs/${String(made.id)}`, {})).toMatchObject({ description: "first" });
  });
});

describe("who changed a flow last", () => {
  const changeOf = async (id: string) =>
    ((await ask("GET", "/flows/changes?size=200")).content as Body[]).find((change) => change.id === id);

  test("names the person or the credential, and tells a draft that says something else from one that does not", async () => {
    const { id, path } = await makeFlow();
    const owner = await setUpOwner(world);
    expect(await changeOf(id)).toMatchObject({ changedBy: "First key", differs: false, draft: null });
    const inside = `/workspaces/${world.sample.workspaceId}${path}`;
    const draft = await owner.ask("PUT", `${inside}/draft`, { firstMessage: "This is better." });
    expect(draft.status, draft.text).toBe(200);
    const change = await changeOf(id);
    expect(change).toMatchObject({ changedBy: "Olive Owner", differs: true, changedAt: draft.body.updatedAt });
    expect(change?.draft).toMatchObject({ firstMessage: "This is better.", updatedBy: "Olive Owner", baseVersion: 1 });
    await ask("PUT", `${path}/draft`, { firstMessage: "This is 1." });
    expect(await changeOf(id)).toMatchObject({ changedBy: "First key", differs: false });
    expect(await ask("GET", `${path}/editing`)).toMatchObject({ differs: false, draft: { baseVersion: 1 } });
    expect((await owner.ask("POST", `${inside}/publish`, {})).status).toBe(200);
    expect(await changeOf(id)).toMatchObject({ changedBy: "Olive Owner", differs: false, draft: null });
    expect((await versionsOf(path)).map(({ createdBy }) => createdBy)).toEqual(["Olive Owner", "First key"]);
  });
});

describe("published versions", () => {
  test("every PUT publishes at once: calls use it, and what was before is kept as it was", async () => {
    const { id, path } = await makeFlow();
    const before = await world.call("+12025550100", { flowId: id });
    await ask("PUT", path, { firstMessage: "This is 2." });
    const after = await world.call("+12025550100", { flowId: id });
    expect([before.flowVersion, firstWords(before)]).toEqual([1, "This is 1."]);
    expect([after.flowVersion, firstWords(after)]).toEqual([2, "This is 2."]);
    expect((await versionsOf(path)).map(({ version, published }) => [version, published])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(await ask("GET", `${path}/versions/1`)).toMatchObject({ firstMessage: "This is 1.", masterPrompt: null });
  });

  test("a call shows no version before its first dial, nor for an inline flow", async () => {
    const inline = await world.call("+12025550100", { flow: { name: "Inline", firstMessage: "Hello." } });
    expect([inline.flowVersion, inline.inlineFlow]).toEqual([null, true]);
    const { id } = await makeFlow();
    const startAt = new Date(Date.now() + 86_400_000).toISOString();
    const rowsToCall = [{ customerNumber: "+12025550100" }];
    const job = await world.request("POST", "/call-jobs", {
      body: { name: "Later", flowId: id, rows: rowsToCall, startAt },
    });
    const rows = (await ask("GET", `/call-jobs/${String(job.body.id)}/rows`)).content as Body[];
    expect(rows.map((row) => row.flowVersion)).toEqual([null]);
  });

  test("a list of versions is paged newest first, by page and by cursor", async () => {
    const { path } = await makeFlow(5);
    const first = await ask("GET", `${path}/versions?size=2`);
    expect([first.totalElements, first.totalPages, first.last]).toEqual([5, 3, false]);
    const next = await ask("GET", `${path}/versions?size=2&cursor=${String(first.nextCursor)}`);
    const third = await ask("GET", `${path}/versions?size=2&page=2`);
    const seen = [first, next, third].flatMap((page) => (page.content as Body[]).map((one) => one.version));
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    expect(third.last).toBe(true);
  });

  test("restoring makes a new version of what an earlier one said, with a note, and leaves a draft alone", async () => {
    const { path } = await makeFlow(3);
    await ask("PUT", `${path}/draft`, { name: "Draft" });
    const restored = await ask("POST", `${path}/versions/1/restore`, { note: "Version 3 was rude." });
    expect([restored.version, restored.firstMessage]).toEqual([4, "This is 1."]);
    expect((await versionsOf(path))[0]).toMatchObject({ version: 4, note: "Version 3 was rude.", published: true });
    expect((await ask("GET", `${path}/draft`)).name).toBe("Draft");
    expect((await ask("GET", `${path}/versions/3`)).firstMessage).toBe("This is 3.");
  });

  test("the database itself refuses to change a published version", async () => {
    const { id } = await makeFlow();
    const change = world.database.query("update flow_versions set definition = '{}' where flow_id = $1", [id]);
    await expect(change).rejects.toThrow(/cannot change/);
  });

  test("404 for a version or a flow that is not there, 400 for a version that is no number, 422 beyond all versions", async () => {
    const { path } = await makeFlow();
    await ask("GET", `${path}/versions/2`, undefined, 404);
    await ask("POST", `${path}/versions/2/restore`, {}, 404);
    await ask("GET", `${path}/versions/first`, undefined, 400);
    const huge = await world.request("GET", `${path}/versions/99999999999999`);
    expect([400, 404, 422]).toContain(huge.status);
    for (const part of ["draft", "versions", "versions/1", "versions/results", "split"]) {
      await ask("GET", `/flows/${randomUUID()}/${part}`, undefined, 404);
    }
  });
});

describe("drafts", () => {
  test("a draft follows the four update rules, and no call hears of it before it is published", async () => {
    const { id, path } = await makeFlow();
    await ask("GET", `${path}/draft`, undefined, 404);
    const localVariables = [{ variableName: "a", type: "string" }];
    await ask("PUT", `${path}/draft`, { firstMessage: "Drafted.", localVariables });
    await ask("PUT", `${path}/draft`, { description: "kept", localVariables: null, id: "x", version: "9" });
    const draft = await ask("GET", `${path}/draft`);
    expect(draft).toMatchObject({ flowId: id, baseVersion: 1, name: "Versions", firstMessage: "Drafted." });
    expect(draft).toMatchObject({ description: "kept", localVariables: null });
    const during = await world.call("+12025550100", { flowId: id });
    expect([during.flowVersion, firstWords(during)]).toEqual([1, "This is 1."]);
    expect(await ask("GET", path)).toMatchObject({ version: 1, firstMessage: "This is 1." });
    const published = await ask("POST", `${path}/publish`, { note: "Kinder." });
    expect(published).toMatchObject({ version: 2, firstMessage: "Drafted.", description: "kept" });
    const after = await world.call("+12025550100", { flowId: id });
    expect([after.flowVersion, firstWords(after)]).toEqual([2, "Drafted."]);
    expect((await versionsOf(path))[0]).toMatchObject({ version: 2, note: "Kinder." });
    await ask("GET", `${path}/draft`, undefined, 404);
  });

  test("a draft is checked like a flow, and can be thrown away", async () => {
    const { path } = await makeFlow();
    await ask("PUT", `${path}/draft`, { toolIds: [randomUUID()] }, 404);
    await ask("PUT", `${path}/draft`, { name: 5 }, 400);
    await ask("GET", `${path}/draft`, undefined, 404);
    expect((await ask("PUT", `${path}/draft`, {})).firstMessage).toBe("This is 1.");
    await ask("DELETE", `${path}/draft`, undefined, 204);
    await ask("DELETE", `${path}/draft`, undefined, 404);
    await ask("POST", `${path}/publish`, {}, 409);
  });

  test("a draft that began before another publication is not published over it unless told to", async () => {
    const { path } = await makeFlow();
    await ask("PUT", `${path}/draft`, { firstMessage: "Drafted." });
    await ask("PUT", path, { firstMessage: "Mended." });
    await ask("POST", `${path}/publish`, {}, 409);
    expect((await ask("GET", path)).firstMessage).toBe("Mended.");
    expect(await ask("POST", `${path}/publish`, { overwrite: true })).toMatchObject({
      version: 3,
      firstMessage: "Drafted.",
    });
  });

  test("of publications that race, one publishes the draft; PUTs that race each get a version of their own", async () => {
    const { path } = await makeFlow();
    await ask("PUT", `${path}/draft`, { firstMessage: "Drafted." });
    const publish = () => world.request("POST", `${path}/publish`, { body: {} });
    const statuses = (await Promise.all(Array.from({ length: 10 }, publish))).map((reply) => reply.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(409)]);
    const puts = await Promise.all(
      Array.from({ length: 10 }, (_, i) => world.request("PUT", path, { body: { firstMessage: `Racer ${i}.` } })),
    );
    const got = puts.map((reply) => Number(reply.body.version)).toSorted((a, b) => a - b);
    expect(got).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    for (const { body } of puts) {
      expect((await ask("GET", `${path}/versions/${String(body.version)}`)).firstMessage).toBe(body.firstMessage);
    }
    expect(await versionsOf(path)).toHaveLength(12);
  });

  test("the same Idempotency-Key publishes once", async () => {
    const { path } = await makeFlow();
    await ask("PUT", `${path}/draft`, { firstMessage: "Drafted." });
    const headers = { "idempotency-key": randomUUID() };
    const replies = [
      await world.request("POST", `${path}/publish`, { body: {}, headers }),
      await world.request("POST", `${path}/publish`, { body: {}, headers }),
    ];
    expect(replies.map((reply) => [reply.status, reply.body.version])).toEqual([
      [200, 2],
      [200, 2],
    ]);
  });
});

describe("split", () => {
  test("is checked: sum, duplicates, versions that exist, bounds", async () => {
    const { path } = await makeFlow(2);
    const put = (splits: unknown, status: number) => ask("PUT", `${path}/split`, { splits }, status);
    const pathOf = (body: Body) => (body.details as { path: string }[])[0]?.path;
    expect(pathOf(await put([{ version: 1, percent: 50 }], 422))).toBe("splits");
    const twice = [
      { version: 1, percent: 50 },
      { version: 1, percent: 50 },
    ];
    expect(pathOf(await put(twice, 422))).toBe("splits.1.version");
    await put([{ version: 9, percent: 100 }], 404);
    await put([{ version: 0, percent: 100 }], 422);
    await put([{ version: 1, percent: 0 }], 422);
    await put([{ version: 1, percent: "100" }], 400);
    await put(7, 400);
    expect(await ask("GET", `${path}/split`)).toEqual({ splits: null });
  });

  test("of 1,000 calls split 70/30 each takes the version that its session's id draws, within the binomial's bounds", async () => {
    const { id, path } = await makeFlow(2);
    const splits = [
      { version: 1, percent: 70 },
      { version: 2, percent: 30 },
    ];
    expect(await ask("PUT", `${path}/split`, { splits })).toEqual({ splits });
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ customerNumber: `+1202556${String(i).padStart(4, "0")}` }));
    const retryConfig = { maxAttempts: 1 };
    const job = await world.request("POST", "/call-jobs", { body: { name: "Split", flowId: id, rows, retryConfig } });
    expect(job.status, job.text).toBeLessThan(300);
    await world.until(`/call-jobs/${String(job.body.id)}`, (body) => body.status === "COMPLETED", 120_000);
    const drawn = await world.database.query<{ session_id: string; flow_version: number }>(
      "select session_id, flow_version from call_rows where job_id = $1",
      [job.body.id],
    );
    expect(drawn).toHaveLength(1_000);
    for (const row of drawn) expect(row.flow_version).toBe(bucketOf(row.session_id) < 70 ? 1 : 2);
    // Five standard deviations: sqrt(1000 * 0.7 * 0.3) = 14.49.
    const ofFirst = drawn.filter((row) => row.flow_version === 1).length;
    expect(Math.abs(ofFirst - 700)).toBeLessThan(5 * Math.sqrt(1_000 * 0.7 * 0.3));
    const results = (await ask("GET", `${path}/versions/results`)) as unknown as Body[];
    expect(results.map((one) => [one.version, one.calls])).toEqual([
      [2, 1_000 - ofFirst],
      [1, ofFirst],
    ]);
  }, 180_000);

  test("chats draw by the same rule and show their version", async () => {
    const { id, path } = await makeFlow(3);
    const splits = [
      { version: 2, percent: 20 },
      { version: 3, percent: 30 },
      { version: 1, percent: 50 },
    ];
    await ask("PUT", `${path}/split`, { splits });
    const seen = new Set<unknown>();
    for (let i = 0; i < 40; i++) {
      const reply = await ask("POST", "/outbound/chats", { channel: "CHAT", flowId: id });
      const session = reply.session as { id: string; flowVersion: number };
      const bucket = bucketOf(session.id);
      expect(session.flowVersion).toBe(bucket < 20 ? 2 : bucket < 50 ? 3 : 1);
      expect((reply.messages as { content: string }[])[0]?.content).toBe(`This is ${session.flowVersion}.`);
      seen.add(session.flowVersion);
    }
    expect(seen.size).toBe(3);
    const inline = await ask("POST", "/outbound/chats", { channel: "CHAT", flow: { name: "x", firstMessage: "Hi." } });
    expect((inline.session as Body).flowVersion).toBeNull();
  });

  test("a publication ends it, restoring too; a publication by percent begins one beside the version before", async () => {
    const { path } = await makeFlow(2);
    const splits = [{ version: 1, percent: 100 }];
    await ask("PUT", `${path}/split`, { splits });
    await ask("PUT", path, { firstMessage: "This is 3." });
    expect(await ask("GET", `${path}/split`)).toEqual({ splits: null });
    await ask("PUT", `${path}/draft`, { firstMessage: "This is 4." });
    await ask("POST", `${path}/publish`, { percent: 10 });
    expect(await ask("GET", `${path}/split`)).toEqual({
      splits: [
        { version: 3, percent: 90 },
        { version: 4, percent: 10 },
      ],
    });
    await ask("POST", `${path}/versions/3/restore`, {});
    expect(await ask("GET", `${path}/split`)).toEqual({ splits: null });
    await ask("PUT", `${path}/split`, { splits });
    expect(await ask("PUT", `${path}/split`, { splits: [] })).toEqual({ splits: null });
  });

  test("a row that is dialled again keeps the version of its first dial", async () => {
    const { id, path } = await makeFlow();
    const retryConfig = { maxAttempts: 2, delaysSeconds: [2_000_000], retryOn: ["BUSY"], jitterPercent: 0 };
    const setSpeed = (speed: number | null) =>
      world.database.query("update workspaces set sandbox_speed = $1", [speed]);
    // Not instant, so that the wait before the retry is one.
    await setSpeed(100);
    const body = { customerNumber: "+12025550113", flowId: id, retryConfig };
    const placed = await ask("POST", "/outbound/calls", body);
    const rowPath = `/call-rows/${String(placed.rowId)}`;
    const waiting = await world.until(rowPath, (row) => row.status === "WAITING_FOR_RETRY");
    expect(waiting.flowVersion).toBe(1);
    await ask("PUT", path, { firstMessage: "This is 2." });
    await setSpeed(null);
    await world.database.query("update call_rows set due_at = now() where id = $1", [placed.rowId]);
    const ended = await world.until(rowPath, (row) => row.endedAt !== null);
    expect([ended.attempt, ended.flowVersion, firstWords(ended)]).toEqual([2, 1, "This is 1."]);
  });
});

test("results tell what came of the calls of each version, and of those since an instant", async () => {
  const { id, path } = await makeFlow();
  await world.call("+12025550100", { flowId: id });
  await world.call("+12025550111", { flowId: id, retryConfig: { maxAttempts: 1 } });
  await ask("PUT", path, { firstMessage: "This is 2." });
  await world.call("+12025550100", { flowId: id });
  await ask("PUT", path, { firstMessage: "This is 3." });
  const results = (await ask("GET", `${path}/versions/results`)) as unknown as Body[];
  expect(
    results.map(({ version, calls, ended, completed, successRate }) => [version, calls, ended, completed, successRate]),
  ).toEqual([
    [3, 0, 0, 0, null],
    [2, 1, 1, 1, 1],
    [1, 2, 2, 1, 0.5],
  ]);
  expect(results.map((one) => typeof one.averageDurationSeconds)).toEqual(["object", "number", "number"]);
  const since = new Date(Date.now() + 60_000).toISOString();
  const none = (await ask("GET", `${path}/versions/results?createdAfter=${since}`)) as unknown as Body[];
  expect(none.map((one) => one.calls)).toEqual([0, 0, 0]);
});

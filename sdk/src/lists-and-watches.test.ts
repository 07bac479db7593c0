import { describe, expect, test } from "vitest";
import { type CallEvent, type CallJob, type RateLimit, WaitTimeoutError } from "./client.ts";
import { FakeApi, FakeClock } from "./fake-api.ts";
import { toCsvRequest } from "./jobs.ts";
import { pollDelayMs } from "./watch.ts";

const turn = (index: number, content: string) => ({
  index,
  role: "ASSISTANT",
  content,
  startMs: 0,
  endMs: 1,
  interrupted: false,
  toolCallId: null,
});

describe("lists", () => {
  test("history follows nextCursor over all pages and repeats the filters", async () => {
    await using api = await new FakeApi((seen) => {
      const after = Number(seen.query.get("cursor") ?? 0);
      const content = [{ id: after + 1 }, { id: after + 2 }].filter((row) => row.id <= 5);
      return { body: { content, nextCursor: after + 2 < 5 ? String(after + 2) : null } };
    }).listen();
    const found: unknown[] = [];
    for await (const row of api.client(new FakeClock()).callHistory.list({ status: ["FAILED", "COMPLETED"], size: 2 }))
      found.push(row.id);
    expect(found).toEqual([1, 2, 3, 4, 5]);
    expect(api.seen).toHaveLength(3);
    expect(api.seen.every((seen) => seen.query.getAll("status").join() === "FAILED,COMPLETED")).toBe(true);
  });

  test("a list without a cursor is read by the number of its page", async () => {
    await using api = await new FakeApi((seen) => {
      const page = Number(seen.query.get("page") ?? 0);
      return { body: { content: [{ line: page }], page, last: page === 2 } };
    }).listen();
    const errors = await api.client(new FakeClock()).jobs.rowErrors("j1").toArray();
    expect(errors.map(({ line }) => line)).toEqual([0, 1, 2]);
    expect(api.seen).toHaveLength(3);
  });

  test("an array of a list ends where it is told to", async () => {
    await using api = await new FakeApi(() => ({
      body: { content: [{ id: 1 }, { id: 2 }], nextCursor: "m" },
    })).listen();
    await expect(api.client(new FakeClock()).flows.list().toArray(3)).resolves.toHaveLength(3);
    expect(api.seen).toHaveLength(2);
  });

  test("leaving early fetches no further page", async () => {
    await using api = await new FakeApi(() => ({ body: { content: [{ id: 1 }], nextCursor: "more" } })).listen();
    for await (const _row of api.client(new FakeClock()).jobs.rows("j1")) break;
    expect(api.seen).toHaveLength(1);
  });
});

describe("CSV jobs", () => {
  test("what a query can say goes as text/csv", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    await api.client(new FakeClock()).jobs.createFromCsv(new Blob(["customerNumber\n+12025550100\n"]), {
      name: "näme",
      flowId: "demo",
      fromPhoneNumbers: ["+12025550190", "+12025550191"],
      retryConfig: { maxAttempts: 3, retryOn: ["BUSY", "NO_ANSWER"], delaysSeconds: [5, 10] },
      completionWebhook: { url: "http://receiver/x?y=1" },
    });
    const [seen] = api.seen;
    expect(seen?.headers["content-type"]).toBe("text/csv");
    expect(seen?.body).toBe("customerNumber\n+12025550100\n");
    expect([...(seen?.query ?? [])]).toEqual([
      ["name", "näme"],
      ["flowId", "demo"],
      ["fromPhoneNumber", "+12025550190"],
      ["fromPhoneNumber", "+12025550191"],
      ["maxAttempts", "3"],
      ["retryOn", "BUSY,NO_ANSWER"],
      ["delaysSeconds", "5,10"],
      ["completionWebhookUrl", "http://receiver/x?y=1"],
    ]);
  });

  test("secrets go in a multipart part, never in the URL", async () => {
    const job = { completionWebhook: { url: "http://r/", authMode: "BEARER" as const, secret: "hush" } };
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    await api.client(new FakeClock()).jobs.createFromCsv("customerNumber\n", job);
    const [seen] = api.seen;
    expect(seen?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(String(seen?.query)).toBe("");
    expect(seen?.body.indexOf('"secret":"hush"')).toBeLessThan(seen?.body.indexOf('name="file"') ?? 0);
    expect(() => toCsvRequest(new ReadableStream(), job)).toThrow("Blob");
  });
});

describe("watching", () => {
  test("a call tells each status, each line once when it is whole, and its end", async () => {
    const rows = [
      { status: "QUEUED", transcript: [] },
      { status: "RINGING", transcript: [] },
      { status: "RINGING", transcript: [] },
      { status: "IN_PROGRESS", transcript: [turn(0, "Hello.")] },
      { status: "IN_PROGRESS", transcript: [turn(0, "Hello. How are you?")] },
      { status: "IN_PROGRESS", transcript: [turn(0, "Hello. How are you?"), turn(1, "Bye")] },
      { status: "COMPLETED", transcript: [turn(0, "Hello. How are you?"), turn(1, "Bye"), turn(2, "!")] },
    ];
    await using api = await new FakeApi((seen, i) => ({
      body: seen.method === "POST" ? { rowId: "r 1" } : rows[i - 1],
    })).listen();
    const events: string[] = [];
    const note = (event: CallEvent) =>
      events.push(event.type === "turn" ? event.turn.content : `${event.type} ${event.row.status}`);
    const row = await api
      .client(new FakeClock())
      .calls.createAndWait({ customerNumber: "+12025550100" }, { onEvent: note });
    expect(events).toEqual([
      "status QUEUED",
      "status RINGING",
      "status IN_PROGRESS",
      "Hello. How are you?",
      "Bye",
      "!",
      "ended COMPLETED",
    ]);
    expect(row.status).toBe("COMPLETED");
    expect(api.seen[1]?.path).toBe("/api/external/v1/call-rows/r%201");
  });

  test("each line of every attempt is told once, also while a row still has the words of the attempt before", async () => {
    const machine = [turn(0, "Leave a message."), turn(1, "Please call back.")];
    const talk = [turn(0, "Hello."), turn(1, "Yes?"), turn(2, "Bye.")];
    const rows = [
      { status: "IN_PROGRESS", attempt: 1, transcript: machine },
      { status: "WAITING_FOR_RETRY", attempt: 1, transcript: machine },
      { status: "RINGING", attempt: 2, transcript: machine },
      { status: "IN_PROGRESS", attempt: 2, transcript: machine },
      { status: "WAITING_FOR_RETRY", attempt: 2, transcript: talk },
      { status: "IN_PROGRESS", attempt: 3, transcript: talk },
      { status: "COMPLETED", attempt: 3, transcript: [...machine, turn(2, "Beep."), turn(3, "It is urgent.")] },
    ];
    await using api = await new FakeApi((_seen, i) => ({ body: rows[i] })).listen();
    const told: string[] = [];
    for await (const event of api.client(new FakeClock()).calls.events("r1")) {
      if (event.type === "turn") told.push(event.turn.content);
    }
    const words = [...machine, ...talk, ...machine].map(({ content }) => content);
    expect(told).toEqual([...words, "Beep.", "It is urgent."]);
  });

  test("a job is followed until its run has ended; an abort detaches", async () => {
    const states = ["IMPORTING", "RUNNING", "PAUSED", "RUNNING", "CANCELLED"];
    await using api = await new FakeApi((_seen, i) => ({
      body: { id: "j1", status: states[i % states.length] },
    })).listen();
    const seen: string[] = [];
    const client = api.client(new FakeClock());
    await client.jobs.wait("j1", { onProgress: (job) => seen.push(job.status) });
    expect(seen).toEqual(states);
    const stop = new AbortController();
    const reason = new Error("detached");
    const onProgress = (job: CallJob) => job.status === "PAUSED" && stop.abort(reason);
    await expect(client.jobs.wait("j1", { onProgress, signal: stop.signal })).rejects.toBe(reason);
  });

  test.each([
    [120, 120, 60],
    [30, 30, 60],
    [10, 1, 60],
    [4, 4, 60],
    [2, 2, 60],
    [1000, 5, 60],
  ])("a watch never empties a bucket of %i that refills %i in %i s", (capacity, refill, periodSeconds) => {
    const perMs = refill / periodSeconds / 1000;
    let tokens: number = capacity;
    let lowest = capacity;
    for (let i = 0; i < 5000; i++) {
      tokens -= 1;
      lowest = Math.min(lowest, tokens);
      const rate: RateLimit = {
        limit: capacity,
        remaining: Math.floor(tokens),
        resetSeconds: Math.ceil((capacity - tokens) / perMs / 1000),
      };
      tokens = Math.min(capacity, tokens + pollDelayMs(rate, 300) * perMs);
    }
    // A quarter of the bucket stays for the caller's other requests.
    expect(lowest).toBeGreaterThanOrEqual(Math.floor(capacity / 4));
  });

  test("a call in which nothing happens is looked at less and less often, and at once again when something does", async () => {
    const clock = new FakeClock();
    await using api = await new FakeApi((_seen, i) => ({
      body: { status: i < 20 ? "QUEUED" : i < 22 ? "RINGING" : "COMPLETED", transcript: [] },
    })).listen();
    await api.client(clock).calls.wait("r1", { pollMs: 100 });
    expect(clock.sleptMs.slice(0, 3)).toEqual([100, 125, 156.25]);
    expect(Math.max(...clock.sleptMs)).toBe(800);
    expect(clock.sleptMs[20]).toBe(100);
  });

  test("waiting ends at its own time, whatever is waited for goes on", async () => {
    const clock = new FakeClock();
    await using api = await new FakeApi(() => ({ body: { id: "j1", status: "RUNNING" } })).listen();
    const waiting = api.client(clock).jobs.wait("j1", { pollMs: 400, waitTimeoutMs: 1_000 });
    await expect(waiting).rejects.toThrow(WaitTimeoutError);
    expect(clock.sleptMs.reduce((sum, ms) => sum + ms)).toBe(1_000);
    expect(api.seen.every(({ method }) => method === "GET")).toBe(true);
  });

  test("a full bucket is polled as fast as asked", () => {
    expect(pollDelayMs(undefined, 300)).toBe(300);
    expect(pollDelayMs({ limit: 120, remaining: 119, resetSeconds: 1 }, 300)).toBe(300);
    expect(pollDelayMs({ limit: 120, remaining: 20, resetSeconds: 50 }, 300)).toBeGreaterThan(1000);
  });
});

describe("simulations", () => {
  test("wait tells each state until the run is over; JUnit comes as text; a start carries an Idempotency-Key", async () => {
    const states = ["QUEUED", "RUNNING", "PASSED"];
    await using api = await new FakeApi((seen) => {
      if (seen.path.endsWith("/junit")) return { body: "<testsuites/>" };
      return { body: { id: "r1", state: seen.method === "POST" ? "QUEUED" : states.shift() } };
    }).listen();
    const { simulations } = api.client(new FakeClock());
    const { id } = await simulations.start({ suite: "suite: s" });
    const reported: string[] = [];
    const ended = await simulations.wait(id, {
      transcripts: false,
      onProgress: ({ state }) => void reported.push(state),
    });
    expect(ended.state).toBe("PASSED");
    expect(reported).toEqual(["QUEUED", "RUNNING", "PASSED"]);
    expect(await simulations.junit(id)).toBe('"<testsuites/>"');
    expect(api.seen[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(api.seen[1]?.query.get("transcripts")).toBe("false");
  });
});

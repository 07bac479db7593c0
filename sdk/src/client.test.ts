import { describe, expect, test, vi } from "vitest";
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  Parley,
  ParleyError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "./client.ts";
import { FakeApi, FakeClock } from "./fake-api.ts";
import { fileFrom } from "./node.ts";

const QUEUED = { rowId: "r1", status: "QUEUED" };
const CALL = { customerNumber: "+12025550100" };

describe("retries", () => {
  test("a GET is repeated after 5xx and after a broken connection", async () => {
    const clock = new FakeClock();
    await using api = await new FakeApi((_seen, i) =>
      i === 0 ? { status: 503, body: { error: "x" } } : i === 1 ? "HANG_UP" : { body: { id: "j1" } },
    ).listen();
    await expect(api.client(clock).jobs.get("j1")).resolves.toEqual({ id: "j1" });
    expect(api.seen).toHaveLength(3);
    expect(clock.sleptMs).toEqual([375, 750]);
  });

  test("a call is repeated with the same Idempotency-Key, and two calls have two keys", async () => {
    await using api = await new FakeApi((_seen, i) => (i === 0 ? "HANG_UP" : { body: QUEUED })).listen();
    const client = api.client(new FakeClock());
    await client.calls.create(CALL);
    await client.calls.create(CALL);
    const keys = api.seen.map((seen) => seen.headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("a repeat that finds its first try still running waits for its answer", async () => {
    await using api = await new FakeApi((_seen, i) =>
      i === 0
        ? "HANG_UP"
        : i === 1
          ? {
              status: 409,
              headers: { "Retry-After": "5" },
              body: { error: "Conflict", code: "IDEMPOTENCY_KEY_IN_USE" },
            }
          : { body: QUEUED },
    ).listen();
    const clock = new FakeClock();
    await expect(api.client(clock).calls.create(CALL)).resolves.toEqual(QUEUED);
    expect(clock.sleptMs).toEqual([375, 5000]);
  });

  test("a POST or PUT without a key is sent once, whatever happens", async () => {
    await using api = await new FakeApi((seen) => (seen.method === "PUT" ? { status: 500 } : "HANG_UP")).listen();
    const client = api.client(new FakeClock());
    await expect(client.jobs.pause("j1")).rejects.toThrow(ConnectionError);
    await expect(client.flows.update("f1", { name: "x" })).rejects.toThrow(ServerError);
    // One that the operation does not take makes no difference: the server would not know the repeat by it.
    await expect(client.jobs.resume("j1", { idempotencyKey: "k" })).rejects.toThrow(ConnectionError);
    expect(api.seen).toHaveLength(3);
  });

  test("gives up after maxRetries, and tells onRetry before each wait", async () => {
    const notices: number[] = [];
    await using api = await new FakeApi(() => ({ status: 500, headers: { "X-Request-Id": "req_9" } })).listen();
    const client = api.client(new FakeClock(), {
      apiKey: "k",
      maxRetries: 3,
      onRetry: (notice) => notices.push(notice.retry),
    });
    await expect(client.jobs.get("j1")).rejects.toMatchObject({ status: 500, requestId: "req_9" });
    expect(notices).toEqual([1, 2, 3]);
    expect(api.seen).toHaveLength(4);
  });

  test("an empty key counts as none, and a placeholder is told before anything is sent", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    const ask = (apiKey: string) => api.client(new FakeClock(), { apiKey }).jobs.get("j1");
    await expect(ask("")).rejects.toThrow("No credential.");
    await expect(ask("svc_live_…")).rejects.toThrow("is it a placeholder");
    expect(api.seen).toHaveLength(0);
  });

  test("what cannot be sent is told at once, and not as a server that cannot be reached", async () => {
    const clock = new FakeClock();
    await using api = await new FakeApi(() => ({ body: QUEUED })).listen();
    const { calls } = api.client(clock);
    await expect(calls.create({ ...CALL, rowData: { order: 9007199254740993n } })).rejects.toThrow(TypeError);
    await expect(calls.create(CALL, { idempotencyKey: "注文-7" })).rejects.toThrow(TypeError);
    expect([api.seen, clock.sleptMs]).toEqual([[], []]);
  });

  test("a file that is not there is named", async () => {
    await expect(fileFrom("nope.csv")).rejects.toMatchObject({ code: "ENOENT", path: "nope.csv" });
  });

  test("the name of a file is not sent as the text of one", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    await expect(api.client(new FakeClock()).jobs.createFromCsv("contacts.csv")).rejects.toThrow("fileFrom");
    expect(api.seen).toEqual([]);
  });

  test("a stream is never sent twice; a text is", async () => {
    await using api = await new FakeApi((_seen, i) =>
      i < 2 ? { status: 429, headers: { "X-RateLimit-Reset": "1" } } : { body: {} },
    ).listen();
    const client = api.client(new FakeClock());
    await expect(client.jobs.createFromCsv(new Blob(["customerNumber\n"]).stream())).rejects.toThrow(RateLimitError);
    await client.jobs.createFromCsv("customerNumber\n+12025550100\n");
    expect(api.seen.map((seen) => seen.body.length)).toEqual([15, 28, 28]);
  });
});

describe("429", () => {
  test("waits Retry-After, then until the bucket is full, also for a POST without a key", async () => {
    const clock = new FakeClock();
    const refusal = {
      status: 429,
      headers: { "X-RateLimit-Reset": "7", "Retry-After": "1" },
      body: { status: 429, error: "Rate limit exceeded" },
    };
    await using api = await new FakeApi((_seen, i) => (i < 2 ? refusal : { body: {} })).listen();
    await api.client(clock).jobs.cancel("j1");
    expect(clock.sleptMs).toEqual([1125, 7125]);
  });

  test("a bucket that takes longer than two minutes is reported instead", async () => {
    const clock = new FakeClock();
    await using api = await new FakeApi(() => ({ status: 429, headers: { "X-RateLimit-Reset": "3600" } })).listen();
    await expect(api.client(clock).jobs.get("j1")).rejects.toMatchObject({ resetSeconds: 3600 });
    expect(clock.sleptMs).toEqual([]);
  });

  test("an abort ends the wait with the caller's own reason", async () => {
    const stop = new AbortController();
    await using api = await new FakeApi(() => ({ status: 429, headers: { "X-RateLimit-Reset": "5" } })).listen();
    const reason = new Error("enough");
    const client = api.client(new FakeClock(), { apiKey: "k", onRetry: () => stop.abort(reason) });
    await expect(client.jobs.get("j1", { signal: stop.signal })).rejects.toBe(reason);
  });
});

describe("errors", () => {
  test("a 401 without words says that the credential is not accepted", async () => {
    await using api = await new FakeApi(() => ({ status: 401, body: { error: "Unauthorized" } })).listen();
    await expect(api.client(new FakeClock()).jobs.get("x")).rejects.toThrow("does not accept this credential");
  });

  test("a 404 without words says what was not found; one of another server stays as it is", async () => {
    await using api = await new FakeApi(() => ({ status: 404, body: { error: "Not found" } })).listen();
    await expect(api.client(new FakeClock()).jobs.get("x")).rejects.toThrow("there is nothing with this id");
    await using proxy = await new FakeApi(() => ({ status: 404, body: { error: "no route" } })).listen();
    await expect(proxy.client(new FakeClock()).jobs.get("x")).rejects.toThrow(/^no route$/);
  });

  test.each([
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [422, ValidationError],
  ])("%i has its own class, with code, details and request id", async (status, Kind) => {
    const details = [{ path: "customerNumber", code: "E164", message: "no" }];
    const body = { error: "Title", message: "Text", code: "CODE", details, requestId: "req_1" };
    await using api = await new FakeApi(() => ({ status, body })).listen();
    const failure = api.client(new FakeClock()).jobs.get("x");
    await expect(failure).rejects.toBeInstanceOf(Kind);
    await expect(failure).rejects.toMatchObject({
      status,
      error: "Title",
      message: "Text",
      code: "CODE",
      details,
      requestId: "req_1",
    });
  });

  test("a success that is not JSON is an error that asks for the right server", async () => {
    const fetchPage = () => Promise.resolve(new Response("<html>"));
    await using api = await new FakeApi(() => ({})).listen();
    await expect(api.client(new FakeClock(), { apiKey: "k", fetch: fetchPage }).jobs.get("x")).rejects.toThrow(
      "Parley server",
    );
  });

  test("no answer in time is a TimeoutError, no listener a ConnectionError that names the server", async () => {
    await using api = await new FakeApi(() => new Promise(() => undefined)).listen();
    const slow = api.client(new FakeClock(), { apiKey: "k", timeoutMs: 20, maxRetries: 0 });
    await expect(slow.jobs.get("x")).rejects.toThrow(TimeoutError);
    const dead = api.client(new FakeClock(), { apiKey: "k", baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
    await expect(dead.jobs.get("x")).rejects.toThrow(/http:\/\/127\.0\.0\.1:1.*ECONNREFUSED|bad port/);
  });

  test("an upload may take longer than other requests, unless it is given a time-out", async () => {
    const late = { body: { id: "f1" } };
    await using api = await new FakeApi(() => new Promise((resolve) => setTimeout(resolve, 60, late))).listen();
    const { knowledgeBase } = api.client(new FakeClock(), { apiKey: "k", timeoutMs: 20, maxRetries: 0 });
    const body = { file: new File(["open at nine"], "hours.txt") };
    await expect(knowledgeBase.uploadFile("a1", body)).resolves.toEqual({ id: "f1" });
    await expect(knowledgeBase.uploadFile("a1", body, { timeoutMs: 20 })).rejects.toThrow(TimeoutError);
  });

  test("a time-out of Infinity, or longer than a timer can be, is none", async () => {
    const late = (_url: unknown, init?: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
        setTimeout(() => resolve(new Response("{}")), 50);
      });
    for (const timeoutMs of [Infinity, 2 ** 31]) {
      const client = new Parley({ apiKey: "k", fetch: late, timeoutMs, maxRetries: 0 });
      await expect(client.jobs.get("x")).resolves.toEqual({});
    }
  });

  test("without any credential nothing is sent", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    const before = process.env.PARLEY_API_KEY;
    delete process.env.PARLEY_API_KEY;
    try {
      await expect(api.client(new FakeClock(), {}).jobs.get("x")).rejects.toThrow(ParleyError);
    } finally {
      if (before !== undefined) process.env.PARLEY_API_KEY = before;
    }
    expect(api.seen).toHaveLength(0);
  });
});

describe("OAuth", () => {
  const credentials = { clientId: "svc_client_a", clientSecret: "s&=+" };
  const issue = (lifetimeSeconds: number) => {
    let count = 0;
    return () => ({ body: { access_token: `t${++count}`, token_type: "Bearer", expires_in: lifetimeSeconds } });
  };

  test("one token for parallel requests, renewed a minute before its end", async () => {
    const clock = new FakeClock();
    const token = issue(3600);
    await using api = await new FakeApi((seen) => (seen.path === "/api/oauth/token" ? token() : { body: {} })).listen();
    const client = api.client(clock, credentials);
    await Promise.all([client.jobs.get("a"), client.jobs.get("b")]);
    clock.advance(3_539_000);
    await client.jobs.get("c");
    clock.advance(2_000);
    await client.jobs.get("d");
    const bearers = api.seen.filter((seen) => seen.method === "GET").map((seen) => seen.headers.authorization);
    expect(bearers).toEqual(["Bearer t1", "Bearer t1", "Bearer t1", "Bearer t2"]);
    expect(Object.fromEntries(new URLSearchParams(api.seen[0]?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "svc_client_a",
      client_secret: "s&=+",
    });
  });

  test("a refused token is replaced once; a client that stays refused is an AuthenticationError", async () => {
    const token = issue(3600);
    await using api = await new FakeApi((seen) => {
      if (seen.path === "/api/oauth/token") return token();
      return seen.headers.authorization === "Bearer t2" && seen.path.endsWith("/good")
        ? { body: { id: "good" } }
        : { status: 401 };
    }).listen();
    const client = api.client(new FakeClock(), credentials);
    await expect(client.jobs.get("good")).resolves.toEqual({ id: "good" });
    await expect(client.jobs.get("bad")).rejects.toThrow(AuthenticationError);
    expect(api.seen.filter((seen) => seen.path.endsWith("/bad"))).toHaveLength(2);
  });
});

describe("warnings", () => {
  const WARNING = { path: "/nots", member: "nots", nearest: "note", message: "nots is not known." };
  const body = { added: 1, alreadyListed: 0, warnings: [WARNING], warningsTotal: 1 };

  test("of a write reach onWarning and are in the answer", async () => {
    await using api = await new FakeApi(() => ({ body })).listen();
    const heard: unknown[] = [];
    const client = api.client(new FakeClock(), { apiKey: "k", onWarning: (warning) => heard.push(warning) });
    await expect(client.doNotCall.add({ numbers: ["+12025550100"] })).resolves.toEqual(body);
    expect(heard).toEqual([WARNING]);
  });

  test("are printed when nothing is set to hear them", async () => {
    await using api = await new FakeApi(() => ({ body })).listen();
    const printed = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await api.client(new FakeClock()).doNotCall.add({ numbers: ["+12025550100"] });
    expect(printed.mock.calls).toEqual([["Parley: /nots: nots is not known."]]);
    printed.mockRestore();
  });

  test("a read has none, whatever a resource calls its members", async () => {
    const heard: unknown[] = [];
    await using api = await new FakeApi(() => ({ body })).listen();
    const client = api.client(new FakeClock(), { apiKey: "k", onWarning: (warning) => heard.push(warning) });
    await client.doNotCall.get("+12025550100");
    expect(heard).toEqual([]);
  });
});

test("the do-not-call ledger is exported as the text that the service sends", async () => {
  await using api = await new FakeApi(() => ({ body: "number,source\r\n" })).listen();
  await expect(api.client(new FakeClock()).doNotCall.export()).resolves.toBe(JSON.stringify("number,source\r\n"));
  expect(api.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/external/v1/do-not-call/export"]);
});

describe("requests", () => {
  test("an id that would lead to another operation is refused before anything is sent", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    const client = api.client(new FakeClock());
    for (const id of ["", ".", "..", undefined as unknown as string]) {
      expect(() => client.flows.delete(id), String(id)).toThrow(TypeError);
    }
    await client.flows.get("../balance?x=1#y");
    expect(api.seen.map(({ path }) => path)).toEqual(["/api/external/v1/flows/..%2Fbalance%3Fx%3D1%23y"]);
  });

  test("a base URL may be the API's own address, and must be an address", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    await api.client(new FakeClock(), { baseUrl: `${api.url}/parley/api/external/v1/`, apiKey: "k" }).flows.get("x");
    expect(api.seen.map(({ path }) => path)).toEqual(["/parley/api/external/v1/flows/x"]);
    for (const baseUrl of ["127.0.0.1:8080", "localhost", "ftp://example.com"]) {
      expect(() => new Parley({ baseUrl, apiKey: "k" })).toThrow("baseUrl must be an address");
    }
  });

  test("an unreachable server that was not chosen is named with the setting that chooses one", async () => {
    const refused = () => Promise.reject(new TypeError("fetch failed"));
    const ask = (baseUrl: string) => new Parley({ baseUrl, apiKey: "k", maxRetries: 0, fetch: refused }).jobs.get("x");
    await expect(ask("http://127.0.0.1:8080")).rejects.toThrow("set PARLEY_URL to its address.");
    await expect(ask("http://127.0.0.1:8081")).rejects.not.toThrow("PARLEY_URL");
  });

  test("headers of the options are sent, and never take the place of the credential", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    const headers = { "If-Match": "3", "X-API-Key": "other" };
    await api.client(new FakeClock()).tools.update("t1", { name: "a" }, { headers });
    expect(api.seen[0]?.headers).toMatchObject({ "if-match": "3", "x-api-key": "svc_live_test" });
  });

  test("a key of the options takes the place of the random one, and stays for the repeats", async () => {
    await using api = await new FakeApi((_seen, i) => (i === 0 ? { status: 503 } : { body: {} })).listen();
    await api.client(new FakeClock()).calls.create(CALL, { idempotencyKey: "order-7" });
    expect(api.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["order-7", "order-7"]);
  });

  test("a download is given unread, and may take longer than the time limit", async () => {
    let finish = () => {};
    const rest = new Promise<void>((resolve) => (finish = resolve));
    const fetchSlowly = async () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode("RI"));
            await rest;
            controller.enqueue(new TextEncoder().encode("FF"));
            controller.close();
          },
        }),
      );
    await using api = await new FakeApi(() => ({})).listen();
    const client = api.client(new FakeClock(), { apiKey: "k", fetch: fetchSlowly, timeoutMs: 5 });
    const response = await client.calls.recording("r1");
    await new Promise((resolve) => setTimeout(resolve, 20));
    finish();
    await expect(response.text()).resolves.toBe("RIFF");
  });

  test("a form has its file last, with its name", async () => {
    await using api = await new FakeApi(() => ({ body: {} })).listen();
    const file = new File(["sound"], "a.wav", { type: "audio/wav" });
    await api.client(new FakeClock()).transcriptions.uploadRecording("t1", { file, payload: '{"externalId":"7"}' });
    const { body = "", headers } = api.seen[0] ?? {};
    expect(headers?.["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(body.indexOf('name="payload"')).toBeGreaterThan(0);
    expect(body.indexOf('name="file"; filename="a.wav"')).toBeGreaterThan(body.indexOf('{"externalId":"7"}'));
  });
});

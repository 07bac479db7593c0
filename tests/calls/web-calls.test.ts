import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PageSocket } from "../kit/page-socket.ts";
import { Receiver } from "../kit/receiver.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1", PARLEY_SECRET: "a secret that all nodes share" } });
});
afterAll(() => world[Symbol.asyncDispose]());

const flow = {
  name: "Visit",
  masterPrompt: "Ask whether the person comes.",
  firstMessage: "Hello {{contactName}}, this is Green Street Clinic.",
  structuredOutputs: [
    { name: "visit", schema: { type: "object", properties: { coming: { type: "boolean" } }, required: ["coming"] } },
  ],
};

interface Made {
  callRowId: string;
  token: string;
  socketUrl: string;
}

async function make(body: Json = {}, key?: string): Promise<Made> {
  const reply = await world.request("POST", "/web-calls", { body, ...(key ? { key } : {}) });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as unknown as Made;
}

const rowOf = (id: string) => world.until(`/call-rows/${id}`, (row) => row.endedAt !== null);

async function join(made: Made, origin?: string): Promise<PageSocket> {
  const page = await PageSocket.hello(made.socketUrl, made.token, origin);
  await page.next("ready");
  return page;
}

describe("a call over the web, by text", () => {
  test("is a call row like any other: talk, transcript, outputs, a bill of nothing", async () => {
    const made = await make({ flow, contactName: "Ada", rowData: { floor: 3 }, displayName: "Clinic" });
    expect((await world.request("GET", `/call-rows/${made.callRowId}`)).body).toMatchObject({
      status: "QUEUED",
      fromPhoneNumber: "WEB",
      customerNumber: `web:${made.callRowId}`,
    });
    using page = await join(made);
    expect(page.messages[0]).toMatchObject({ type: "ready", kind: "CALL", name: "Clinic", audio: false });
    page.send({ type: "accept", mode: "TEXT" });
    const first = await page.next("text");
    expect(page.messages.map(({ type }) => type).slice(0, 3)).toEqual(["ready", "started", "text"]);
    expect(first.text).toBe("Hello Ada, this is Green Street Clinic.");
    const live = (await world.request("GET", `/call-rows/${made.callRowId}`)).body;
    expect(live).toMatchObject({ status: "IN_PROGRESS", attempt: 1, attempts: [{ provider: "WEB" }] });
    page.send({ type: "text", text: "Hello." });
    expect((await page.next("text", 2)).text).toContain("coming?");
    page.send({ type: "text", text: "Yes, I am coming." });
    expect(await page.next("ended")).toEqual({ type: "ended", callRowId: made.callRowId, reason: "AGENT" });
    expect((await page.until(() => page.closed)).code).toBe(1000);
    const row = await rowOf(made.callRowId);
    expect(row).toMatchObject({
      status: "COMPLETED",
      outcome: "ANSWERED",
      recording: null,
      cost: { simulated: true },
      extractedFields: { coming: true },
    });
    expect(row.transcriptText).toContain("USER: Yes, I am coming.");
    const used = await world.database.query("select kind from usage_entries where subject_id = $1", [made.callRowId]);
    expect(used.map(({ kind }) => kind)).not.toContain("TELEPHONY_SECOND");
  });
});

/** Starts a call in text and waits for its first line. */
async function dialogue(body: Json = {}): Promise<{ made: Made; page: PageSocket }> {
  const made = await make({ flow, contactName: "Ada", ...body });
  const page = await join(made);
  page.send({ type: "accept", mode: "TEXT" });
  await page.next("text");
  return { made, page };
}

describe("the end of a call over the web", () => {
  test("by the person, who hangs up or leaves the page: the talk counts, with its outputs", async () => {
    for (const leave of [(page: PageSocket) => page.send({ type: "hangup" }), (page: PageSocket) => page.close(1000)]) {
      const { made, page } = await dialogue();
      leave(page);
      await page.until(() => page.closed);
      expect(await rowOf(made.callRowId)).toMatchObject({ status: "COMPLETED", endReason: "CUSTOMER_HUNG_UP" });
    }
  });

  test("by a connection that breaks: the row says so, with what was said", async () => {
    const { made, page } = await dialogue();
    page.send({ type: "text", text: "Hello." });
    await page.next("text", 2);
    page.destroy();
    const row = await rowOf(made.callRowId);
    expect(row).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED", endReason: "CARRIER_CONNECTION_LOST" });
    expect(row.transcriptText).toContain("USER: Hello.");
  });

  test("by kill -9: the row is ended by the reaper, is not begun again, and keeps what was said", async () => {
    const server = await ServerProcess.create({ DATABASE_URL: world.database.url });
    await server.start();
    const made = await make({ flow, contactName: "Ada" });
    const url = made.socketUrl.replace(new URL(world.url).host, new URL(server.url).host);
    using page = await PageSocket.hello(url, made.token);
    await page.next("ready");
    page.send({ type: "accept", mode: "TEXT" });
    await page.next("text");
    await world.until(`/call-rows/${made.callRowId}`, (row) => String(row.transcriptText).includes("Hello Ada"));
    server.kill();
    await page.until(() => page.closed);
    const row = await rowOf(made.callRowId);
    expect(row).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED", endReason: "ERROR_INTERRUPTED", attempt: 1 });
    expect(row.transcriptText).toContain("ASSISTANT: Hello Ada");
    using again = await PageSocket.hello(made.socketUrl, made.token);
    expect((await again.until(() => again.closed)).code).toBe(4401);
    await server.stop();
  });

  test("when no page begins it in time is NO_ANSWER, told to session webhooks like that of any call", async () => {
    await using receiver = await Receiver.start();
    await world.request("POST", "/session-webhooks", { body: { url: receiver.url, events: ["session.ended"] } });
    const made = await make({ flowId: world.sample.flow.id, waitSeconds: 5 });
    await world.database.query("update tasks set due_at = now() where subject_id = $1", [made.callRowId]);
    expect(await rowOf(made.callRowId)).toMatchObject({
      status: "FAILED",
      outcome: "NO_ANSWER",
      endReason: "WEB_NO_ANSWER",
      attempts: [],
      cost: { amount: "0.00", simulated: true },
    });
    using page = await PageSocket.hello(made.socketUrl, made.token);
    expect((await page.until(() => page.closed)).code).toBe(4401);
    const [reported] = await receiver.waitFor(1);
    const { session } = JSON.parse(reported?.body ?? "{}") as { session: Json };
    expect(session).toMatchObject({ status: "FAILED", outcome: "NO_ANSWER", contactPhone: null });
  });
});

describe("a token of a call", () => {
  test("opens one call, once", async () => {
    const { made, page } = await dialogue();
    using again = await PageSocket.hello(made.socketUrl, made.token);
    expect((await again.until(() => again.closed)).code).toBe(4401);
    page.close();
    await rowOf(made.callRowId);
  });

  test("of two pages that hold it at once one begins the call, and the other is told", async () => {
    const made = await make({ flow });
    const pages = await Promise.all([join(made), join(made)]);
    for (const page of pages) page.send({ type: "accept", mode: "TEXT" });
    const ends = await Promise.all(
      pages.map((page) => page.until(() => page.messages.find(({ type }) => type === "started" || type === "ended"))),
    );
    expect(new Set(ends.map(({ type, reason }) => reason ?? type))).toEqual(new Set(["GONE", "started"]));
    for (const page of pages) page.close();
    expect(await rowOf(made.callRowId)).toMatchObject({ attempt: 1 });
  });

  test("that is invented, of another kind, or malformed opens nothing", async () => {
    const { socketUrl } = await make();
    for (const token of [`wct_${"0".repeat(44)}`, `wpt_${"0".repeat(44)}`]) {
      using page = await PageSocket.hello(socketUrl, token);
      expect((await page.until(() => page.closed)).code).toBe(4401);
    }
    for (const token of ["", 7, null, world.sample.apiKey]) {
      using page = await PageSocket.hello(socketUrl, token);
      expect((await page.next("error")).code).toBe("MALFORMED");
    }
  });

  test("serves pages of the origins that were named, and of this server", async () => {
    const allowedOrigins = ["https://www.example.com"];
    const made = await make({ flow, allowedOrigins });
    for (const origin of ["https://evil.example", "null", "https://www.example.com.evil.example"]) {
      using page = await PageSocket.hello(made.socketUrl, made.token, origin);
      expect((await page.until(() => page.closed)).code).toBe(4403);
    }
    for (const origin of ["https://www.example.com", world.url]) {
      using page = await PageSocket.hello(made.socketUrl, made.token, origin);
      expect((await page.next("ready")).kind).toBe("CALL");
    }
    const wrong = await world.request("POST", "/web-calls", {
      body: { flow, allowedOrigins: ["https://*.example.com"] },
    });
    expect([wrong.status, wrong.body.details]).toEqual([422, [expect.objectContaining({ path: "allowedOrigins.0" })]]);
  });

  test("is kept as a digest, and the call is its workspace's alone", async () => {
    const made = await make({ flow });
    const stored = await world.database.query("select w::text as text from web_calls w");
    expect(stored.every(({ text }) => !String(text).includes(made.token))).toBe(true);
    const stranger = await world.createWorkspace();
    const path = `/call-rows/${made.callRowId}`;
    expect((await world.request("GET", path, { key: stranger.apiKey })).status).toBe(404);
  });
});

describe("a page that waits to be rung", () => {
  interface Phone {
    id: string;
    token: string;
    socketUrl: string;
  }
  const makePhone = async () =>
    (await world.request("POST", "/web-phones", { body: { name: "Desk" } })).body as unknown as Phone;

  async function wait(phone: Phone): Promise<PageSocket> {
    const page = await PageSocket.hello(phone.socketUrl, phone.token);
    expect(await page.next("ready")).toMatchObject({ kind: "PHONE", name: "Desk" });
    return page;
  }

  test("accepts one call and then another over the same connection", async () => {
    const phone = await makePhone();
    using page = await wait(phone);
    for (const round of [1, 2]) {
      const made = await make({ flow, webPhoneId: phone.id, displayName: `Caller ${round}`, contactName: "Ada" });
      expect(made.token).toBeNull();
      expect(await page.next("ringing", round)).toMatchObject({
        callRowId: made.callRowId,
        displayName: `Caller ${round}`,
      });
      page.send({ type: "accept", mode: "TEXT" });
      expect((await page.next("text", round)).text).toContain("Hello Ada");
      page.send({ type: "hangup" });
      expect(await page.next("ended", round)).toMatchObject({ callRowId: made.callRowId, reason: "PERSON" });
      expect(await rowOf(made.callRowId)).toMatchObject({ status: "COMPLETED" });
    }
    expect(page.closed).toBeNull();
  });

  test("declines, misses, and is rung by the next that waits", async () => {
    const phone = await makePhone();
    using page = await wait(phone);
    const [declined, missed] = [await make({ flow, webPhoneId: phone.id }), await make({ flow, webPhoneId: phone.id })];
    expect(await page.next("ringing")).toMatchObject({ callRowId: declined.callRowId });
    page.send({ type: "decline" });
    expect(await rowOf(declined.callRowId)).toMatchObject({ outcome: "REJECTED", endReason: "WEB_DECLINED" });
    expect(await page.next("ringing", 2)).toMatchObject({ callRowId: missed.callRowId });
    await world.database.query("update tasks set due_at = now() where subject_id = $1", [missed.callRowId]);
    expect(await page.next("ended", 2)).toMatchObject({ callRowId: missed.callRowId, reason: "MISSED" });
    expect(await rowOf(missed.callRowId)).toMatchObject({ outcome: "NO_ANSWER" });
  });

  test("is let go when its token is made worthless; the list no longer has it", async () => {
    const phone = await makePhone();
    using page = await wait(phone);
    const listed = (await world.request("GET", "/web-phones")).body as unknown as Phone[];
    expect(listed.find(({ id }) => id === phone.id)).not.toHaveProperty("token");
    expect((await world.request("DELETE", `/web-phones/${phone.id}`)).status).toBe(204);
    expect((await page.until(() => page.closed)).code).toBe(4401);
    expect((await world.request("POST", "/web-calls", { body: { flow, webPhoneId: phone.id } })).status).toBe(404);
  });

  test("cannot be rung by another workspace, which is told what is told of no phone at all", async () => {
    const phone = await makePhone();
    const stranger = await world.createWorkspace();
    const ask = async (webPhoneId: string) => {
      const reply = await world.request("POST", "/web-calls", { key: stranger.apiKey, body: { flow, webPhoneId } });
      return [reply.status, reply.text.replaceAll(webPhoneId, "ID").replace(/"requestId":"[^"]+"/, "")];
    };
    expect(await ask(phone.id)).toEqual(await ask(randomUUID()));
  });
});

describe("a person whose number is known", () => {
  test("is a contact with this call, and on one call at a time", async () => {
    const customerNumber = "+12025550123";
    const { made, page } = await dialogue({ customerNumber });
    const other = await make({ flow, customerNumber });
    using second = await join(other);
    second.send({ type: "accept", mode: "TEXT" });
    expect((await second.next("ended")).reason).toBe("BUSY");
    expect(await rowOf(other.callRowId)).toMatchObject({ status: "FAILED", outcome: "BUSY" });
    page.close();
    await rowOf(made.callRowId);
    const found = await world.request("GET", `/contacts?phone=${encodeURIComponent(customerNumber)}`);
    expect(found.body.content).toEqual([expect.objectContaining({ phone: customerNumber, name: "Ada" })]);
    const web = await world.database.query("select 1 from contacts where phone like 'web:%'");
    expect(web).toEqual([]);
  });
});

describe("a page that does not keep to the rules", () => {
  const endOf = async (page: PageSocket) => (await page.until(() => page.closed)).code;

  test("is told of what is malformed, and let go when that goes on; the talks of others go on", async () => {
    const other = await dialogue();
    const made = await make({ flow });
    using page = await join(made);
    for (const bad of [
      "{",
      "null",
      "[]",
      '{"type":"hello"}',
      '{"type":"accept","mode":"VIDEO"}',
      '{"type":"text","text":7}',
    ]) {
      page.send(bad);
    }
    page.sendBytes(new Uint8Array(159));
    expect((await page.next("error", 7)).code).toBe("MALFORMED");
    for (let i = 0; i < 5; i++) page.sendBytes(new Uint8Array(1));
    expect(await endOf(page)).toBe(4400);
    const { page: fine } = other;
    fine.send({ type: "text", text: "Hello." });
    await fine.next("text", 2);
    fine.close();
    expect(await rowOf(other.made.callRowId)).toMatchObject({ status: "COMPLETED" });
  });

  test("is told when something comes at the wrong time, and no worse", async () => {
    using page = await join(await make({ flow }));
    for (const message of [
      { type: "text", text: "x" },
      { type: "digits", digits: "1" },
      { type: "accept", mode: "AUDIO" },
    ]) {
      page.send(message);
    }
    expect((await page.next("error", 3)).code).toBe("NOT_NOW");
    page.sendBytes(new Uint8Array(160));
    page.send({ type: "accept", mode: "TEXT" });
    await page.next("started");
  });

  test("is let go when it floods, by words or by frames, and its call ends as lost", async () => {
    for (const flood of [
      (page: PageSocket) => page.send({ type: "accept", mode: "TEXT" }),
      (page: PageSocket) => page.sendBytes(new Uint8Array(160)),
    ]) {
      const { made, page } = await dialogue();
      for (let i = 0; i < 400; i++) flood(page);
      expect(await endOf(page)).toBe(4429);
      expect(await rowOf(made.callRowId)).toMatchObject({ status: "FAILED", endReason: "CARRIER_CONNECTION_LOST" });
    }
  });

  test("is let go when a message is too big, or no hello comes", { timeout: 30_000 }, async () => {
    const { socketUrl } = await make({ flow });
    using silent = await PageSocket.open(socketUrl);
    using big = await PageSocket.open(socketUrl);
    big.send({ type: "hello", token: "x".repeat(20_000) });
    expect(await endOf(big)).toBe(1009);
    expect(await endOf(silent)).toBe(4408);
  });

  test("draws a token of its address like any request, and is told when there is none", async () => {
    const { socketUrl } = await make({ flow });
    await world.database.query("update address_buckets set tokens = 0, refilled_at = now() + interval '1 hour'");
    using page = await PageSocket.open(socketUrl);
    expect(page.closed?.code).toBe(1006);
    await world.database.query("delete from address_buckets");
    using next = await PageSocket.open(socketUrl);
    expect(next.closed).toBeNull();
  });

  test("gets HTTP where it asks for another protocol or another path", async () => {
    const { host, hostname, port } = new URL(world.url);
    const ask = (path: string, upgrade: string) =>
      new Promise<string>((resolve) => {
        let text = "";
        const raw = connect(Number(port), hostname, () => {
          const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: Upgrade, close", `Upgrade: ${upgrade}`];
          raw.write([...lines, "Sec-WebSocket-Version: 13", "", ""].join("\r\n"));
        });
        raw.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        raw.on("end", () => resolve(text.split("\r\n", 1)[0] as string));
      });
    expect(await ask("/health", "h2c")).toBe("HTTP/1.1 200 OK");
    expect(await ask("/health", "websocket")).toBe("HTTP/1.1 200 OK");
    expect(await ask("/api/web-calls/socket", "websocket")).toBe("HTTP/1.1 400 Bad Request");
  });
});

describe("asking for a call over the web", () => {
  test("is idempotent by its key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const ask = () => world.request("POST", "/web-calls", { body: { flow }, headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  test("is refused for a flow or phone that is not there, and for fields that break a rule", async () => {
    for (const [body, status] of [
      [{ flowId: randomUUID() }, 404],
      [{ flow, flowId: world.sample.flow.id }, 400],
      [{ webPhoneId: "x" }, 422],
      [{ waitSeconds: 1 }, 422],
      [{ displayName: 7 }, 400],
      [{ customerNumber: "12" }, 422],
      [{ timeZone: "Mars/Crater" }, 422],
      [{ rowData: { text: "x".repeat(70_000) } }, 422],
    ] as const) {
      const reply = await world.request("POST", "/web-calls", { body });
      expect([reply.status, JSON.stringify(body).slice(0, 80)]).toEqual([status, JSON.stringify(body).slice(0, 80)]);
    }
  });

  test("is refused beyond fifty that wait or are live, until one is over", async () => {
    const { apiKey: key } = await world.createWorkspace();
    const calls: Made[] = [];
    for (let i = 0; i < 50; i++) calls.push(await make({ flow }, key));
    expect((await world.request("POST", "/web-calls", { key, body: { flow } })).status).toBe(409);
    using page = await join(calls[0] as Made);
    page.send({ type: "decline" });
    await page.next("ended");
    expect((await world.request("POST", "/web-calls", { key, body: { flow } })).status).toBe(200);
  });
});

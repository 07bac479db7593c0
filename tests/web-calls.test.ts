import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PageSocket } from "./page-socket.ts";
import { World } from "./world.ts";

type Json = Record<string, unknown>;

let world: World;
beforeAll(async () => {
  world = await World.start();
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

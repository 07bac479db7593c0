import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

const later = () => new Date(Date.now() + 3_600_000).toISOString();
const isOver = (job: { [name: string]: unknown }) => job.completedAt !== null;

test("multipart takes the payload as a file of its own, with or without a byte order mark", async () => {
  const file =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\ncustomerNumber\n+12025550100\n\r\n';
  const head =
    '--b\r\nContent-Disposition: form-data; name="payload"; filename="meta.json"\r\nContent-Type: application/json\r\n\r\n';
  const send = (parts: string[]) =>
    world.request("POST", "/call-jobs", {
      raw: `${parts.join("")}--b--\r\n`,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
  for (const mark of ["", "\uFEFF"]) {
    const payload = `${head}${mark}${JSON.stringify({ name: "As a file" })}\r\n`;
    for (const parts of [
      [file, payload],
      [payload, file],
    ]) {
      const created = await send(parts);
      expect(created.body, created.text).toMatchObject({ name: "As a file", totalRows: 1 });
      await world.until(`/call-jobs/${String(created.body.id)}`, isOver);
    }
  }
  for (const parts of [
    [`${head}{}\r\n`, `${head}{}\r\n`, file],
    [`${head}${" ".repeat(1_100_000)}\r\n`, file],
  ]) {
    const refused = await send(parts);
    expect([refused.status, (refused.body.details as { path: string }[])[0]?.path]).toEqual([422, "payload"]);
  }
});

test.each(["utf16le", "utf16be"])("a spreadsheet's Unicode text is read: %s", async (encoding) => {
  const bytes = Buffer.from("\uFEFFcustomerNumber\tcontactName\r\n+12025550100\tZo\u00eb \u{1f600}\r\n", "utf16le");
  const created = await world.request("POST", "/call-jobs", {
    raw: encoding === "utf16be" ? bytes.swap16() : bytes,
    headers: { "content-type": "text/csv" },
  });
  expect(created.body, created.text).toMatchObject({ totalRows: 1, rejectedRows: 0 });
  const rows = await world.request("GET", `/call-jobs/${String(created.body.id)}/rows`);
  expect(rows.body.content).toMatchObject([{ contactName: "Zo\u00eb \u{1f600}" }]);
  await world.until(`/call-jobs/${String(created.body.id)}`, isOver);
});

test("all rejected lines of a large list are counted", async () => {
  const lines = ["customerNumber", "+12025550100", ...Array.from({ length: 10_200 }, (_, i) => `none${i}`)];
  const created = await world.request("POST", "/call-jobs", {
    raw: lines.join("\n"),
    headers: { "content-type": "text/csv" },
  });
  const path = `/call-jobs/${String(created.body.id)}`;
  const job = await world.until(path, isOver, 60_000);
  expect(job).toMatchObject({ totalRows: 1, rejectedRows: 10_200 });
  expect((await world.request("GET", `${path}/row-errors?size=200&page=50`)).body).toMatchObject({
    totalElements: 10_200,
    totalPages: 51,
    last: true,
  });
});

test("a large list without a number that can be called ends its job, and the webhook is told", async () => {
  await using receiver = await Receiver.start();
  const query = `?name=Nobody&completionWebhookUrl=${encodeURIComponent(receiver.url)}`;
  const raw = `phone\n${Array.from({ length: 10_001 }, (_, i) => `no ${i}`).join("\n")}\n`;
  const headers = { "content-type": "text/csv" };
  const made = await world.request("POST", `/call-jobs${query}`, { raw, headers });
  expect(made.body.status, made.text).toBe("IMPORTING");
  const [delivery] = await receiver.waitFor(1);
  expect(JSON.parse(delivery?.body ?? "")).toMatchObject({
    eventType: "call_job.completed",
    job: { id: made.body.id, name: "Nobody", status: "FAILED", totalRows: 0, processedRows: 0, errorRows: 0 },
  });
  const job = (await world.request("GET", `/call-jobs/${String(made.body.id)}`)).body;
  expect(job).toMatchObject({ status: "FAILED", rejectedRows: 10_001 });
});

test("JSON with a byte order mark is read, and what is exact stays so", async () => {
  const raw = '\uFEFF{"customerNumber":"+12025550100","contextData":{"n":1.10}}';
  const placed = await world.request("POST", "/outbound/calls", { raw });
  expect(placed.status, placed.text).toBe(200);
  expect(placed.text).toContain('"contextData":{"n":1.10}');
  const job = await world.request("POST", "/call-jobs", {
    raw: `\uFEFF{"rows":[{"customerNumber":"+12025550100"}]}`,
  });
  expect(job.status, job.text).toBe(200);
  await world.until(`/call-jobs/${String(job.body.id)}`, isOver);
});

test("rows that are added one at a time take the job's numbers in turn, as one list would", async () => {
  const numbers = ["+442079460173", "+442079460174", "+442079460175"];
  for (const phoneNumber of numbers)
    await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX", phoneNumber } });
  const rows = [{ customerNumber: "+12025550100" }];
  const body = { rows, startAt: later(), fromPhoneNumbers: numbers };
  const path = `/call-jobs/${String((await world.request("POST", "/call-jobs", { body })).body.id)}`;
  for (let i = 0; i < 5; i++) await world.request("POST", `${path}/rows`, { body: { rows } });
  const stored = (await world.request("GET", `${path}/rows`)).body.content as { fromPhoneNumber: string }[];
  const used = Map.groupBy(stored, ({ fromPhoneNumber }) => fromPhoneNumber);
  expect(numbers.map((number) => used.get(number)?.length)).toEqual([2, 2, 2]);
  await world.request("POST", `${path}/cancel`);
});

test("the preflight rejects a row that repeats an externalId, which a job would not take", async () => {
  const others = Array.from({ length: 600 }, (_, i) => ({ customerNumber: `+1415${2_000_000 + i}` }));
  const twice = { customerNumber: "+12025550100", externalId: "crm-1" };
  const rows = [twice, { ...twice, customerNumber: "+12025550101" }, ...others, twice];
  const told = (await world.request("POST", "/call-jobs/preflight", { body: { rows } })).body;
  const job = (await world.request("POST", "/call-jobs", { body: { rows, startAt: later() } })).body;
  expect([job.acceptedRows, job.rejectedRows]).toEqual([601, 2]);
  expect(told).toMatchObject({ totalRows: 601, rejectedRows: 2, rowErrors: job.rowErrors });
});

test("a job whose last call ends while it is paused is COMPLETED, and paused for no reason any more", async () => {
  // A call of some seconds, which is paused before it ends also on a busy machine.
  const { apiKey: key } = await world.createWorkspace({ speed: 4 });
  const created = await world.request("POST", "/call-jobs", {
    body: { rows: [{ customerNumber: "+12025550100" }] },
    key,
  });
  const path = `/call-jobs/${String(created.body.id)}`;
  const read = async () => (await world.request("GET", path, { key })).body;
  // It rings: a call that is paused between its claim and its dial goes back to the queue, and nothing ends the job.
  const isLive = async () => {
    const { content } = (await world.request("GET", `${path}/rows`, { key })).body as { content: { status: string }[] };
    return ["RINGING", "IN_PROGRESS"].includes(content[0]?.status ?? "");
  };
  while (!(await isLive())) await new Promise((resolve) => setTimeout(resolve, 5));
  const paused = await world.request("POST", `${path}/pause`, { key });
  expect(paused.body).toMatchObject({ status: "PAUSED", pauseReason: "USER" });
  await expect.poll(async () => (await read()).completedAt).not.toBeNull();
  expect(await read()).toMatchObject({ status: "COMPLETED", pauseReason: null });
});

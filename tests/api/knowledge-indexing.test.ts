import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallHarness } from "../kit/call-harness.ts";
import { createDatabase } from "../kit/database.ts";
import { docx, line, paragraph, pdf, STYLES } from "../kit/documents.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { Site } from "../kit/web-site.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

type Body = TestReply["body"];

let world: World;
let site: Site;
let harness: CallHarness;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  site = await Site.start();
  harness = await CallHarness.create(world);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

describe("indexing", () => {
  test("TEXT: PENDING at first, READY with its passages then", async () => {
    const content = Array.from({ length: 60 }, (_, i) => `Room ${i} has a view of the garden number ${i}.`).join(" ");
    const item = await harness.addText(content, { title: "Rooms" });
    expect(item).toMatchObject({ status: "PENDING", chunkCount: 0, lastIndexedAt: null, contentHash: null });
    const ready = await harness.settled(item);
    expect(ready.chunkCount).toBeGreaterThan(2);
    expect(new Date(String(ready.lastIndexedAt)).getTime()).toBeGreaterThan(0);
    expect((await harness.search('"garden number 42"'))[0]).toMatchObject({ itemId: item.id, title: "Rooms" });
  });

  test("URL: HTML is read as its text, in its character set, through redirects", async () => {
    site.text(
      "/page",
      Buffer.from("<nav>menu</nav><h1>Fl\u00fcge</h1><p>Der Flug nach K\u00f6ln.</p><script>x()</script>", "latin1"),
      "text/html; charset=ISO-8859-1",
    );
    const url = site.serve("/moved", (response) => response.writeHead(302, { location: "/page" }).end());
    const item = await harness.addUrl(url, { title: "Flights" });
    expect(await harness.settled(item)).toMatchObject({ chunkCount: 1 });
    expect((await harness.search("Köln"))[0]?.text).toBe("Flüge\n\nDer Flug nach Köln.");
    expect(await harness.search("menu")).toEqual([]);
  });

  test("FILE: CSV, JSON, HTML, Markdown and text that was uploaded before", async () => {
    const files = [
      [
        "prices.csv",
        "application/vnd.ms-excel",
        "Service,Price\nHaircut,quux4711\n",
        "Service: Haircut\nPrice: quux4711",
      ],
      ["a.json", "application/json", '{"staff":{"name":"quux4712"}}', "staff.name: quux4712"],
      ["a.html", "text/html", "<p>About <b>quux4713</b></p>", "About quux4713"],
      ["a.md", "application/octet-stream", "# quux4714", "quux4714"],
      ["notes", "text/plain", "\ufeffquux4715", "quux4715"],
    ] as const;
    for (const [name, type, text, found] of files) {
      const file = await harness.upload(name, Buffer.from(text), type);
      expect(file.status, JSON.stringify(file.body)).toBe(200);
      expect(file.body).toMatchObject({ agentId: harness.agentId, fileName: name, sizeBytes: Buffer.byteLength(text) });
      const item = await harness.addItem({ type: "FILE", fileId: file.body.id });
      expect(await harness.settled(item)).toMatchObject({ contentHash: file.body.sha256 });
      expect((await harness.search(/quux\d+/.exec(text)?.[0] ?? ""))[0]).toMatchObject({
        itemId: item.id,
        text: found,
      });
    }
  });

  test("FILE: a PDF and a Word document are found with their headings and page; a hit says where it stands", async () => {
    const pages = [line("Welcome", 700), line("Prices", 720, 20) + line("A haircut costs quux4716 euros.", 690)];
    const body = `${paragraph("Team", "Heading1")}${paragraph("Ask quux4717 first.")}`;
    const files = [
      ["a.pdf", pdf(pages), { headings: ["Prices"], page: 2, text: "Prices\n\nA haircut costs quux4716 euros." }],
      ["a.docx", docx(body, STYLES), { headings: ["Team"], page: null, text: "Team\n\nAsk quux4717 first." }],
    ] as const;
    for (const [name, bytes, found] of files) {
      const file = await harness.upload(name, bytes, "application/octet-stream");
      const item = await harness.addItem({ type: "FILE", fileId: file.body.id });
      await harness.settled(item);
      expect((await harness.search(/quux\d+/.exec(found.text)?.[0] ?? ""))[0]).toMatchObject({
        itemId: item.id,
        ...found,
      });
    }
  });

  test("a broken PDF and a bomb end FAILED with a plain statusMessage, and the next file is read", async () => {
    const bomb = docx("", { "word/notes.xml": Buffer.alloc(100 * 1024 * 1024) });
    for (const [name, bytes, message] of [
      ["broken.pdf", Buffer.from("%PDF-1.7\nbroken"), "It is not a PDF that can be read."],
      ["bomb.docx", bomb, "It is too large unpacked."],
    ] as const) {
      const file = await harness.upload(name, bytes, "application/octet-stream");
      const item = await harness.addItem({ type: "FILE", fileId: file.body.id });
      expect(await harness.settled(item, "FAILED")).toMatchObject({ statusMessage: message, chunkCount: 0 });
    }
    const file = await harness.upload("good.pdf", pdf([line("All quux4718.", 700)]), "application/pdf");
    await harness.settled(await harness.addItem({ type: "FILE", fileId: file.body.id }));
    expect(await harness.search("quux4718")).toHaveLength(1);
  });

  test("a file of several MB is stored in pieces and found to its last line", async () => {
    const text = Array.from({ length: 60_000 }, (_, i) => `Line ${i} of the long list of parts and their places.`).join(
      "\n\n",
    );
    const file = await harness.upload("long.txt", Buffer.from(text), "text/plain");
    const item = await harness.addItem({ type: "FILE", fileId: file.body.id });
    await harness.settled(item);
    expect((await harness.search('"line 59999"'))[0]?.text).toContain("Line 59999 of");
    await world.request("DELETE", harness.pathOf(item));
    const pieces = "select 1 from knowledge_file_pieces where file_id = $1";
    expect(await world.database.query(pieces, [file.body.id])).toEqual([]);
  });

  test("other files are a 422 that names what is taken; a larger one is a 413; an upload may be repeated by key", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    for (const [name, bytes, type] of [
      ["a.pdf", png, "application/pdf"],
      ["a.docx", Buffer.from("%PDF-1.7"), "application/octet-stream"],
      ["a.png", png, "image/png"],
      ["a.txt", png, "text/plain"],
      ["a.xml", Buffer.from("<a/>"), "application/xml"],
    ] as const) {
      const reply = await harness.upload(name, bytes, type);
      expect([name, reply.status]).toEqual([name, 422]);
      expect(String(reply.body.message)).toContain("PDF, DOCX and XLSX");
    }
    expect((await harness.upload("empty.txt", Buffer.alloc(0), "text/plain")).status).toBe(422);
    const large = await harness.upload("large.txt", Buffer.alloc(20 * 1024 * 1024 + 1, "a"), "text/plain");
    expect(large.status).toBe(413);
    const headers = { "idempotency-key": "upload-1" };
    const first = await harness.upload("k.txt", Buffer.from("key"), "text/plain", { headers });
    const again = await harness.upload("k.txt", Buffer.from("key"), "text/plain", { headers });
    expect([again.status, again.body, again.isReplayed]).toEqual([200, first.body, true]);
    expect((await harness.upload("k.txt", Buffer.from("other"), "text/plain", { headers })).status).toBe(422);
  });

  test("an upload that no item takes is deleted when its day is over; one that an item has is kept", async () => {
    const [lone, taken] = [
      await harness.upload("lone.txt", Buffer.from("lone"), "text/plain"),
      await harness.upload("taken.txt", Buffer.from("taken"), "text/plain"),
    ];
    await harness.settled(await harness.addItem({ type: "FILE", fileId: taken.body.id }));
    await world.database.query("update tasks set due_at = now() where kind = 'knowledge.file_expiry'");
    const left = () => world.database.query<{ id: string }>("select id from knowledge_files");
    for (let i = 0; i < 500 && (await left()).some(({ id }) => id === lone.body.id); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const ids = (await left()).map(({ id }) => id);
    expect(ids).toContain(taken.body.id);
    expect(ids).not.toContain(lone.body.id);
  });

  test("FAILED with a plain statusMessage, and nothing of an earlier source is found", async () => {
    const faults = [
      [`${site.url}/nowhere`, "The address answered 404."],
      [site.text("/image", "GIF", "image/gif"), "image/gif"],
      [site.text("/large", Buffer.alloc(10 * 1024 * 1024 + 1, "a")), "larger than 10 MB"],
      [site.text("/bytes", Buffer.from([0xfc, 0xfd, 0xfe, 0xff]), "text/plain"), "not UTF-8"],
      [site.text("/json", "{", "application/json"), "not valid JSON"],
      [site.text("/empty", "<p></p>", "text/html"), "no text"],
      [site.serve("/loop", (response) => response.writeHead(301, { location: "/loop" }).end()), "redirects more than"],
      [
        site.serve("/inside", (response) => response.writeHead(301, { location: "http://169.254.169.254/" }).end()),
        "refused",
      ],
    ] as const;
    const item = await harness.addText("An albatross was here.");
    await harness.settled(item);
    for (const [url, message] of faults) {
      await harness.change(item, { type: "URL", url });
      const failed = await harness.settled(item, "FAILED");
      expect(String(failed.statusMessage)).toContain(message);
      expect(failed).toMatchObject({ chunkCount: 0, contentHash: null });
    }
    expect(await harness.search("albatross")).toEqual([]);
    await harness.change(item, { url: site.text("/back", "An albatross is back.") });
    expect(await harness.settled(item)).toMatchObject({ statusMessage: null, chunkCount: 1 });
    expect(await harness.search("albatross")).toHaveLength(1);
  });

  test("a fault that may pass is tried again", async () => {
    let hits = 0;
    const url = site.serve("/flaky", (response) => {
      if (++hits === 1) response.writeHead(503).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("Back again with quokkas.");
    });
    const item = await harness.addUrl(url);
    const waiting = await world.until(harness.pathOf(item), (body) => body.statusMessage !== null);
    expect(waiting).toMatchObject({ status: "PENDING" });
    expect(String(waiting.statusMessage)).toContain("answered 503");
    expect(await harness.settled(item)).toMatchObject({ statusMessage: null });
    expect(await harness.search("quokkas")).toHaveLength(1);
  });

  test("a site that lets every request hang holds up neither another site nor what is uploaded", async () => {
    const hanging = await Site.start();
    const held = new Set<ServerResponse>();
    const url = hanging.serve("/hangs", (response) => {
      held.add(response);
      response.once("close", () => held.delete(response));
    });
    const items: Body[] = [];
    for (let i = 0; i < 20; i++) items.push(await harness.addUrl(url));
    await expect.poll(() => held.size).toBe(4);
    await harness.settled(await harness.addText("Neither text."));
    await harness.settled(await harness.addUrl(site.text("/quick", "Nor page.")));
    expect(held.size).toBe(4);
    // Who was sent away has its turn once the site answers again; being sent away was no attempt.
    const [last] = items.slice(-1) as [Body];
    const waits = (body: Body) => String(body.statusMessage).includes("waits for other pages");
    expect(await world.until(harness.pathOf(last), waits)).toMatchObject({ status: "PENDING" });
    hanging.text("/hangs", "It answers.");
    for (const response of held) response.writeHead(200, { "content-type": "text/plain" }).end("At last.");
    for (const item of items) await harness.settled(item);
    const attempts = "select distinct attempt from tasks where subject_id = any($1) and kind = 'knowledge.index'";
    expect(await world.database.query(attempts, [items.map(({ id }) => id)])).toEqual([{ attempt: 1 }]);
    await hanging[Symbol.asyncDispose]();
  });

  test("a change while indexing wins over the run that began before it", async () => {
    let release = () => {};
    const slow = site.serve("/slow", (response) => {
      release = () => response.writeHead(200, { "content-type": "text/plain" }).end("The stale walrus.");
    });
    const item = await harness.addUrl(slow);
    await site.waitFor("/slow");
    expect((await world.request("GET", harness.pathOf(item))).body.status).toBe("INDEXING");
    await harness.change(item, { type: "TEXT", content: "The fresh narwhal." });
    await harness.settled(item);
    release();
    const task = "select status from tasks where subject_id = $1 order by id";
    await expect
      .poll(async () => (await world.database.query<{ status: string }>(task, [item.id])).map((row) => row.status), {
        timeout: 20_000,
      })
      .toEqual(["DONE", "DONE"]);
    expect(await harness.search("walrus")).toEqual([]);
    expect(await harness.search("narwhal")).toHaveLength(1);
    expect((await world.request("GET", harness.pathOf(item))).body).toMatchObject({ status: "READY", chunkCount: 1 });
  });

  test("a new title and language hold for the passages at once, without reading the source again", async () => {
    const item = await harness.addText("We have booked hotels.", { title: "Before" });
    const ready = await harness.settled(item);
    const changed = await harness.change(item, { title: "Ocelot lodge", language: "en-GB" });
    expect(changed).toMatchObject({ status: "READY", lastIndexedAt: ready.lastIndexedAt });
    expect((await harness.search("ocelot"))[0]).toMatchObject({
      title: "Ocelot lodge",
      text: "We have booked hotels.",
    });
    expect((await harness.search('"booking hotel"'))[0]?.itemId).toBe(item.id);
  });

  test("refreshIntervalHours: the page is asked for again on time, conditionally, and what changed is found", async () => {
    let text = "Today: pangolin soup.";
    const url = site.serve("/menu", (response, headers) => {
      const etag = `"${createHash("md5").update(text).digest("hex")}"`;
      if (headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { etag, "content-type": "text/plain" }).end(text);
    });
    const item = await harness.addUrl(url, { refreshIntervalHours: 12 });
    await harness.settled(item);
    const due = () =>
      world.database.query<{ hours: number }>(
        "select round(extract(epoch from due_at - now()) / 3600)::int as hours from tasks where subject_id = $1 and status = 'PENDING'",
        [item.id],
      );
    expect(await due()).toEqual([{ hours: 12 }]);
    const refresh = async (before: Body) => {
      await world.database.query("update tasks set due_at = now() where subject_id = $1 and status = 'PENDING'", [
        item.id,
      ]);
      return world.until(
        harness.pathOf(item),
        (body) => body.status === "READY" && body.lastIndexedAt !== before.lastIndexedAt,
      );
    };
    const same = await refresh((await world.request("GET", harness.pathOf(item))).body);
    const asked = site.requests.filter((request) => request.path === "/menu");
    expect(asked.map((request) => request.headers["if-none-match"] !== undefined)).toEqual([false, true]);
    expect(await harness.search("pangolin")).toHaveLength(1);
    text = "Today: axolotl stew.";
    await refresh(same);
    expect(await harness.search("pangolin")).toEqual([]);
    expect(await harness.search("axolotl")).toHaveLength(1);
    expect(await due()).toEqual([{ hours: 12 }]);
    // A refresh that fails says so and leaves what was read before.
    site.serve("/menu", (response) => response.writeHead(410).end());
    await world.database.query("update tasks set due_at = now() where subject_id = $1 and status = 'PENDING'", [
      item.id,
    ]);
    expect(String((await harness.settled(item, "FAILED")).statusMessage)).toContain("410");
    expect(await harness.search("axolotl")).toHaveLength(1);
    await harness.change(item, { enabled: false });
  });

  test("DISABLED items are not found, and found again once they are enabled", async () => {
    const item = await harness.addText("The marmot sleeps.", { enabled: false });
    expect(item).toMatchObject({ status: "DISABLED", enabled: false });
    await harness.change(item, { enabled: true });
    await harness.settled(item);
    expect(await harness.search("marmot")).toHaveLength(1);
    expect(await harness.change(item, { enabled: false })).toMatchObject({ status: "DISABLED" });
    expect(await harness.search("marmot")).toEqual([]);
    expect(await harness.search("marmot sleeps deeply")).toEqual([]);
    await harness.change(item, { enabled: null });
    await harness.settled(item);
    expect(await harness.search("marmot")).toHaveLength(1);
  });

  test("a list shows all items of the agent, without their content", async () => {
    const own = await CallHarness.create(world);
    const made = [await own.addText("One"), await own.addText("Two"), await own.addText("Three")];
    const first = (await world.request("GET", `${own.items}?size=2`)).body;
    expect(first).toMatchObject({ totalElements: 3, last: false });
    const second = (await world.request("GET", `${own.items}?size=2&cursor=${String(first.nextCursor)}`)).body;
    const all = [...(first.content as Body[]), ...(second.content as Body[])];
    expect(all.map((item) => item.id)).toEqual(made.map((item) => item.id));
    expect(all.every((item) => !("content" in item))).toBe(true);
  });
});

test("a private address is refused when it is written out, and FAILED when only the fetch sees it", async () => {
  await using closed = await World.start();
  const path = `/agents/${closed.sample.agent.id}/knowledge-base/items`;
  const literal = { title: "A", type: "URL", url: `${site.url}/page` };
  const refused = await closed.request("POST", path, { body: literal });
  expect([refused.status, (refused.body.details as { path: string }[])[0]?.path]).toEqual([422, "url"]);
  // As if it had been written while the operator still allowed it.
  const made = await closed.request("POST", path, { body: { title: "A", type: "TEXT", content: "a" } });
  const one = `${path}/${String(made.body.id)}`;
  await closed.until(one, (item) => item.status === "READY");
  const before = site.requests.length;
  const stored = "update knowledge_items set type = 'URL', content = null, url = $2 where id = $1";
  await closed.database.query(stored, [made.body.id, `${site.url}/page`]);
  await closed.request("PUT", one, { body: { enabled: false } });
  await closed.request("PUT", one, { body: { enabled: true } });
  const failed = await closed.until(one, (item) => item.status === "FAILED");
  expect(String(failed.statusMessage)).toContain("private");
  expect(site.requests.length).toBe(before);
});

test("an acknowledged item survives kill -9 while it is being indexed", async () => {
  const database = await createDatabase();
  const server = await ServerProcess.create({ DATABASE_URL: database.url, ALLOW_PRIVATE_NETWORK: "1" });
  try {
    await server.start();
    const sample = (await server.operator("workspace.create", { name: "T", sample: true })) as unknown as Sample;
    const call = async (method: string, path: string, body?: object): Promise<Body> => {
      const reply = await fetch(`${server.url}/api/external/v1/agents/${sample.agent.id}/knowledge-base/${path}`, {
        method,
        headers: { "x-api-key": sample.apiKey, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await reply.json()) as Body;
    };
    let hits = 0;
    const url = site.serve("/killed", (response) => {
      if (++hits > 1) response.writeHead(200, { "content-type": "text/plain" }).end("A resilient tardigrade.");
    });
    const item = await call("POST", "items", { title: "Page", type: "URL", url });
    await site.waitFor("/killed");
    server.kill();
    await server.gone;
    await server.start();
    await expect
      .poll(async () => (await call("GET", `items/${String(item.id)}`)).status, { timeout: 30_000 })
      .toBe("READY");
    expect((await call("GET", "search?q=tardigrade")).results).toHaveLength(1);
  } finally {
    await server.stop();
    await database.drop();
  }
});

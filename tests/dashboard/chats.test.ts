import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { PageSocket } from "../kit/page-socket.ts";

const HOSTILE = '<img src=x onerror="document.title=1"> \u202Eمرحبا';
const BUSY = "+12025550110";
const PERSON = "+12025550156";
const ERNA = "+12025550157";

describe.skipIf(CHROMIUM === undefined)("chats and contacts", { timeout: 180_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  it("starts a chat from the empty inbox, which is taken over, answered by an operator, handed back and closed", async () => {
    const found = await startChat();
    expect([...found, ...(await handBackAndClose())]).toEqual([]);
  });

  async function startChat(): Promise<string[]> {
    const { page } = dashboard;
    await dashboard.open("/chats");
    await page.getByText("No open chats").waitFor();
    const found = await dashboard.inspect("chats-empty");
    await page.getByRole("button", { name: "Start a chat" }).first().click();
    await page.getByLabel("Name of the contact").fill("Grace Hopper");
    await page.getByLabel("First message").fill("Hello from Acme. Will you come on Friday?");
    found.push(...(await dashboard.inspect("chats-start")));
    await page.getByRole("button", { name: "Start (simulated)" }).click();
    await page.waitForURL(/chat=[0-9a-f-]{36}/);
    await page.getByLabel("Message of the person").fill("Yes, two of us.");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".bubble-assistant").count()).toBeGreaterThan(1);
    return found;
  }

  async function handBackAndClose(): Promise<string[]> {
    const { page, world } = dashboard;
    await page.evaluate("window.wasNotReloaded = true");
    await page.getByRole("button", { name: "Take over" }).click();
    await page.getByRole("button", { name: "Hand back" }).waitFor();
    await page.getByText("Operator", { exact: true }).click();
    await page.getByLabel("Message", { exact: true }).fill("This is Olive. I shall see to it.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".bubble-agent", { hasText: "Olive" }).first().waitFor();
    await page.locator(".chat-entry", { hasText: "Operator: This is Olive" }).waitFor();
    const body = { channel: "SMS", contactPhone: PERSON, contactName: HOSTILE, initialMessage: HOSTILE };
    await world.request("POST", "/outbound/chats", { body });
    await page.locator(".chat-entry", { hasText: "onerror" }).waitFor();
    const found = await dashboard.inspect("chats");
    await page.getByRole("button", { name: "Hand back" }).click();
    await dashboard.heard("The agent answers again.");
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.locator(".inbox-head").getByText("Closed").waitFor();
    // Of those that are open the other one is left.
    await expect.poll(() => page.locator(".chat-entry").count()).toBe(1);
    await page.locator("h1").click();
    await page.keyboard.press("k");
    await page.locator(".bubble-text", { hasText: "onerror" }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    found.push(...(await dashboard.inspect("chats-sms")));
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true);
    return found;
  }

  it("shows what happened with a contact, who is put on the do-not-call list, taken off it, and erased", async () => {
    const { page, world } = dashboard;
    const contactName = `Erna ${HOSTILE}`;
    const written = { channel: "SMS", contactPhone: ERNA, contactName, initialMessage: HOSTILE };
    const chat = (await world.request("POST", "/outbound/chats", { body: written })).body.session as { id: string };
    await world.call(ERNA);
    await dashboard.open("/contacts");
    const row = page.getByRole("row", { name: /Erna <img/ });
    await row.waitFor();
    const found = await dashboard.inspect("contacts");
    await row.getByRole("link").click();
    await page.getByText("We called").waitFor();
    await page.getByRole("button", { name: "Do not contact" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Do not contact" }).click();
    await page.getByText("Written down by an operator").first().waitFor();
    found.push(...(await dashboard.inspect("contact")));
    await page.getByRole("button", { name: "Allow contact again" }).click();
    await page.getByRole("button", { name: "Do not contact" }).waitFor();
    await world.request("POST", `/chat-sessions/${chat.id}/close`);
    await page.getByText("Closed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Erase" }).click();
    await page.getByRole("button", { name: "Erase for good" }).click();
    await dashboard.heard("The contact is erased.");
    await expect.poll(() => row.count()).toBe(0);
    expect(found).toEqual([]);
  });

  it("keeps a contact's timeline up to date, newest first, each entry leading to its call or chat", async () => {
    const { page, world } = dashboard;
    const missed = await world.call(BUSY, { contactName: "Barbara Liskov" });
    const written = { channel: "SMS", contactPhone: BUSY, initialMessage: "We tried to reach you." };
    const chat = await world.request("POST", "/outbound/chats", { body: written });
    const { body } = await world.request("GET", `/contacts?phone=${encodeURIComponent(BUSY)}`);
    await dashboard.open(`/contacts/${(body.content as { id: string }[])[0]?.id}`);
    await page.evaluate("window.wasNotReloaded = true");
    const entries = page.locator(".timeline li");
    await expect.poll(() => entries.count()).toBe(2);
    await entries.nth(0).getByRole("link", { name: "SMS chat" }).waitFor();
    await world.call(BUSY);
    await expect.poll(() => entries.count()).toBe(3);
    await expect.poll(() => entries.nth(0).innerText()).toMatch(/We called\s+Failed\s+Busy/);
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true);
    const links = () => Promise.all([1, 2].map((at) => entries.nth(at).getByRole("link").getAttribute("href")));
    await expect
      .poll(links)
      .toEqual([
        expect.stringContaining(`chat=${(chat.body.session as { id: string }).id}`),
        expect.stringMatching(new RegExp(`/calls/${String(missed.id)}$`)),
      ]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
    expect(lines.map((line) => line.split(",")[1])).toEqual(["What", "We called", "SMS chat", "We called"]);
    const found = await dashboard.inspect("contact-timeline");
    await entries.nth(2).getByRole("link").click();
    await page.waitForURL(new RegExp(`/calls/${String(missed.id)}$`));
    await page.goBack();
    await entries.nth(1).getByRole("link").click();
    await page.locator(".bubble-text", { hasText: "We tried to reach you." }).waitFor();
    expect(found).toEqual([]);
  });

  it("finds the chats and the calls whose person asked for a human", async () => {
    const { page, world } = dashboard;
    const start = async (contactName: string) => {
      const body = { channel: "CHAT", contactName, initialMessage: "Hello, this is Acme." };
      return ((await world.request("POST", "/outbound/chats", { body })).body.session as { id: string }).id;
    };
    await start("Vera");
    const id = await start("Wanda");
    await world.request("POST", `/chat-sessions/${id}/messages`, { body: { content: "I want to talk to a human" } });
    await dashboard.open("/chats?show=waiting");
    const entries = page.locator(".chat-entry");
    await entries.filter({ hasText: "Wanda" }).getByText("waits for a human").waitFor();
    await page
      .getByTitle(/^\d+ (person waits|people wait) for a human$/)
      .first()
      .waitFor();
    expect(await entries.count()).toBe(1);
    const found = await dashboard.inspect("chats-waiting");

    const flow = { name: "Visit", masterPrompt: "Ask whether the person comes.", firstMessage: "Hello." };
    const { body: call } = await world.request("POST", "/web-calls", { body: { flow, customerNumber: PERSON } });
    using phone = await PageSocket.hello(String(call.socketUrl), String(call.token));
    await phone.next("ready");
    phone.send({ type: "accept", mode: "TEXT" });
    await phone.next("text");
    phone.send({ type: "text", text: "I want to speak to a human" });
    const path = `/call-rows/${String(call.callRowId)}`;
    expect(await world.until(path, (row) => row.endedAt !== null)).toMatchObject({ humanRequested: true });
    await dashboard.open(`/calls/${String(call.callRowId)}`);
    await page.getByText("They asked for a human").waitFor();
    found.push(...(await dashboard.inspect("call-human-requested")));
    await page.getByRole("link", { name: "All such calls" }).click();
    await page.waitForURL(/humanRequested=true/);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect(found).toEqual([]);
  });

  it("closes several chats at once, and leaves alone what is closed", async () => {
    const { page, world } = dashboard;
    const ids: string[] = [];
    for (const contactName of ["Ida", "Joe", "Kim"]) {
      const body = { channel: "CHAT", contactName, initialMessage: "Hello." };
      const reply = await world.request("POST", "/outbound/chats", { body });
      ids.push((reply.body.session as { id: string }).id);
    }
    await world.request("POST", `/chat-sessions/${ids[2] ?? ""}/close`);
    await dashboard.open("/chats?show=all");
    for (const name of ["Ida", "Joe", "Kim"])
      await page.getByRole("checkbox", { name: `Select the chat with ${name}` }).check();
    const found = await dashboard.inspect("chats-selected");
    await page.getByRole("toolbar", { name: "Selected rows" }).getByRole("button", { name: "Close (2)" }).click();
    await page.getByRole("dialog", { name: "Close 2 chats?" }).getByRole("button", { name: "Close chats" }).click();
    await dashboard.heard("Close: 2 done.");
    await expect.poll(() => page.getByText("closed", { exact: true }).count()).toBeGreaterThan(2);
    expect(found).toEqual([]);
  });
});

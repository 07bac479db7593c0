import { existsSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard, PASSWORD } from "../kit/dashboard/dashboard-harness.ts";
import { StartedServer, Terminal } from "../kit/dashboard/started-server.ts";

const TOOLS = ["/usr/bin/curl", "/usr/bin/script", "/bin/bash"];
const HAS_ALL = CHROMIUM !== undefined && TOOLS.every(existsSync);
const SOON = { timeout: 60_000 };

/** Records every state that the page passes through, whatever else this machine does meanwhile. */
async function record(page: Page, reading: string): Promise<() => Promise<string[]>> {
  await page.evaluate(`(() => {
    const seen = (globalThis.seen = new Set());
    const note = () => seen.add(${reading});
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  })()`);
  return () => page.evaluate<string[]>("[...globalThis.seen]");
}

/** Expression for the call's state and the number of lines said. */
const CALL_STATE = `(document.querySelector(".typing") ? "live " : "over ") + document.querySelectorAll(".line").length`;

/**
 * Expression for the rows that are done or wait, as the terminal's bar counts them, and the state of the row that is
 * busy at first.
 */
const JOB_STATE = `(() => {
  const legend = [...document.querySelectorAll(".legend-entry")].map((entry) => entry.textContent);
  const count = (label) => legend.find((text) => text.startsWith(label))?.slice(label.length);
  const done = /(\\d+) of 20 rows done/.exec(document.body.textContent)?.[1];
  const row = [...document.querySelectorAll("tr")].find((one) => one.textContent.includes("Mei Chen"))?.textContent ?? "";
  const state = /retry|answered/i.exec(row)?.[0].toLowerCase();
  const ended = ["Reached", "Machine", "Not reached"].reduce((sum, label) => sum + Number(count(label)), 0);
  return done + "/20 ended " + ended + " | retry " + count("Retry later") + " | " + state;
})()`;

/**
 * Returns every state of the job that a terminal showed: counts, and the number of rows that wait for another attempt.
 */
function readBars(output: string): { counts: string; retry: number }[] {
  const found = output.matchAll(/(\d+)\/20 +ok (\d+) +retry (\d+) +failed (\d+) +live \d+/g);
  return [...found].map(([, done, ok, retry, failed]) => ({
    counts: `${done}/20 ended ${Number(ok) + Number(failed)}`,
    retry: Number(retry),
  }));
}

/** One installation, used by one person. */
interface Life {
  dashboard: Dashboard<StartedServer>;
  terminal: Terminal;
  /** Another tab, which stays on home. */
  home: Page;
  setupUrl: string;
  apiKey: string;
  curl: string;
  jobCommands: string;
}

const expectDone = ({ home }: Life, count: number) => home.getByText(`${count} of 5 done`).waitFor(SOON);

/** Begins with the printed link, an account, and a job that is prepared and not run. */
async function setUp(life: Life): Promise<void> {
  const { page } = life.dashboard;
  await page.goto(life.setupUrl);
  await page.getByLabel("Your name").fill("Olive Owner");
  await page.getByLabel("E-mail").fill("olive@example.com");
  await page.getByLabel(/^Password/).fill(PASSWORD);
  expect(await page.getByLabel("First workspace").inputValue()).toBe("Demo");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("0 of 5 done").waitFor();
  await page.getByRole("link", { name: "Open the demo job" }).click();
  await page.getByText("0 of 20 rows done").waitFor();
  await page.getByText("Ready: nobody was called yet").waitFor();
  life.jobCommands = await page.getByRole("region", { name: "commands" }).innerText();
  expect(await life.dashboard.inspect("job-prepared")).toEqual([]);
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByText("First steps").waitFor();
  await life.dashboard.picture("home-first");
  await life.home.goto(page.url());
  await expectDone(life, 0);
  await life.home.evaluate("window.wasNotReloaded = true");
}

/** Makes a key that is shown once, and appears wherever it is needed. */
async function makeKey(life: Life): Promise<void> {
  const { page } = life.dashboard;
  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Sandbox key");
  expect(await dialog.getByRole("radio", { name: "Sandbox" }).isChecked()).toBe(true);
  expect(await life.dashboard.inspect("key-preset")).toEqual([]);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Listening for the first request").waitFor();
  life.apiKey = (await page.getByRole("region", { name: "API key" }).innerText()).trim();
  expect(life.apiKey).toMatch(/^svc_live_/);
  for (const tab of ["TypeScript", "MCP", "CLI", "curl"]) {
    await page.getByRole("tab", { name: tab }).click();
    life.curl = await page.getByRole("tabpanel", { name: tab }).locator("code").innerText();
    expect(life.curl, tab).toContain(life.apiKey);
    expect(life.curl, tab).toContain(life.dashboard.world.url);
  }
  await expectDone(life, 1);
}

/** Places a call with the curl command as shown, and watches it from its first word to its fields. */
async function callOnce(life: Life): Promise<void> {
  const { page } = life.dashboard;
  const seen = await record(page, CALL_STATE);
  const placed = life.terminal.run(life.curl);
  await page.getByText("The first request has arrived").waitFor();
  await page.getByRole("link", { name: "Watch the call" }).click();
  await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
  expect(await placed.ended, placed.output()).toBe(0);
  expect(placed.output()).toContain(page.url().split("/").at(-1));
  // In real time: it rings, is talked through, and is recorded meanwhile.
  await page.getByText("This call is being recorded").waitFor(SOON);
  await page.locator(".wave div").first().waitFor({ timeout: 120_000 });
  const growing = (await seen()).filter((state) => state.startsWith("live") && !state.endsWith(" 0"));
  expect(growing.length, growing.join()).toBeGreaterThan(1);
  await page.getByText("partySize").first().waitFor();
  // Nothing has been compared: no webhook was sent.
  expect(await page.getByText(/as sent/).count()).toBe(0);
  expect(await page.getByRole("region", { name: "contextData" }).innerText()).toMatch(/"crm": "42"/);
  const read = await fetch(`${life.dashboard.world.url}/api/external/v1/call-rows/${page.url().split("/").at(-1)}`, {
    headers: { "x-api-key": life.apiKey },
  });
  const row = (await read.json()) as { transcript: unknown[] };
  expect(row).toMatchObject({ contextData: { crm: "42" } });
  // The line carried tones; what is played is spoken, by whatever program this machine has.
  const peaks = await fetch(`${read.url}/recording/peaks?spoken=true`, { headers: { "x-api-key": life.apiKey } });
  const { turns } = (await peaks.json()) as { turns: { startMs: number; endMs: number }[] | null };
  const isSpoken = existsSync("/usr/bin/flite");
  expect((turns ?? []).length > 3).toBe(isSpoken);
  await expect.poll(() => page.getByLabel("Tones, as on the line of the sandbox").count()).toBe(isSpoken ? 1 : 0);
  await page.getByRole("tab", { name: "Attempts (1)" }).click();
  await page.getByText("Ringing", { exact: true }).waitFor();
  await life.dashboard.picture("first-call");
  await expectDone(life, 2);
}

/** Runs a job from the terminal, which shows the same as the dashboard. */
async function runJob(life: Life): Promise<void> {
  const { page } = life.dashboard;
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Speed factor").fill("8");
  await page.getByRole("button", { name: /^Save/ }).click();
  await life.dashboard.heard("Saved.");
  await page.getByRole("link", { name: "Call jobs" }).click();
  const seen = await record(page, JOB_STATE);
  const commands = `export PARLEY_URL=${life.dashboard.world.url} PARLEY_API_KEY=${life.apiKey}\n${life.jobCommands}`;
  const job = life.terminal.run(commands, { isTerminal: true });
  // At once: a late visit would miss the first state.
  await page.getByRole("link", { name: "demo", exact: true }).click();
  await expect.poll(job.output, SOON).toMatch(/\d+\/20/);
  expect(await job.ended, job.output()).toBe(6);
  await page.getByText("20 of 20 rows done").waitFor();
  const bars = readBars(job.output());
  expect(job.output()).toMatch(/live \d+ +ETA \d+:\d\d/);
  expect(job.output()).toMatch(/COMPLETED {2}20 rows: 13 ok, 7 failed \(12 reached a person, \d+ a machine\)/);
  expect(bars.some(({ retry }) => retry > 0)).toBe(true);
  const states = (await seen()).join("\n");
  expect(states).toMatch(/\| retry [1-9]/);
  expect(states).toMatch(/\| retry\n[^]*\| answered/);
  const shared = bars.filter(({ counts }) => states.includes(`${counts} |`));
  expect(shared.length, `${states}\n${job.output()}`).toBeGreaterThan(0);
  const row = page.getByRole("row", { name: /Mei Chen/ });
  await row.getByText("2 of 3").waitFor();
  await expectDone(life, 4);
}

/** Shows the job's webhook as it arrived, and an event that is repeated because the first answer was a failure. */
async function lookAtWebhooks(life: Life): Promise<void> {
  const { page } = life.dashboard;
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("link", { name: "Open inspector" }).click();
  const arrivals = page.getByRole("list", { name: "What arrived" });
  await arrivals.getByText("call_job.completed").click();
  const [eventId = ""] = (
    await page
      .getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      .first()
      .innerText()
  ).split("\n");
  await expect.poll(() => page.getByText(eventId).count()).toBeGreaterThan(1);
  await arrivals.getByText(/^Attempt 1/).waitFor();
  await page.getByRole("button", { name: "Send all events here" }).click();
  await page.getByRole("button", { name: "Stop sending events here" }).waitFor();
  await page.getByRole("button", { name: "Fail once" }).click();
  await page.getByText("The next 1 get 500").waitFor();
  expect(await life.terminal.run(life.curl).ended).toBe(0);
  await arrivals.getByText(/^Attempt 2/).waitFor(SOON);
  await life.dashboard.picture("inspector-attempts");
}

/** Lets an assistant ask over MCP what failed and what to do next. */
async function askOverMcp(life: Life): Promise<void> {
  const { page } = life.dashboard;
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("link", { name: "Connect MCP" }).click();
  await page.getByRole("tab", { name: "Others" }).click();
  const [url = "", header = ""] = (await page.getByRole("region", { name: "Others settings" }).innerText()).split("\n");
  const [name = "", value = ""] = header.replace("YOUR_API_KEY", life.apiKey).split(": ");
  const client = new Client({ name: "first assistant", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { [name]: value } } }),
  );
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  expect(tools).toContain("summarise_job_failures");
  const jobs = await client.callTool({ name: "list_call_jobs", arguments: { name: "demo" } });
  const [text] = jobs.content as { text: string }[];
  const [job] = (JSON.parse(text?.text ?? "{}") as { content: { id: string; name: string }[] }).content.filter(
    (one) => one.name === "demo",
  );
  const failed = await client.callTool({ name: "summarise_job_failures", arguments: { jobId: job?.id } });
  expect(JSON.stringify(failed.content)).toContain("INVALID_NUMBER");
  await client.close();
  await page.getByRole("tab", { name: "API requests" }).click();
  await page.getByText("/api/mcp#summarise_job_failures").waitFor();
  await expectDone(life, 5);
  const next = life.home.getByRole("region", { name: "What is next" });
  await next.getByRole("button", { name: "New workspace" }).waitFor();
  await next.getByRole("link", { name: "Add a model" }).waitFor();
  await next.getByRole("link", { name: "Carriers" }).waitFor();
  expect(await life.home.evaluate("window.wasNotReloaded")).toBe(true);
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByText("What is next").waitFor();
  expect(await life.dashboard.inspect("home-all-set")).toEqual([]);
  await page.getByRole("link", { name: "Open the demo job" }).click();
  await page.getByRole("button", { name: "Start calling" }).click();
  await page.getByText(/^[1-9]\d* of 20 rows done/).waitFor();
}

async function begin(): Promise<Life & AsyncDisposable> {
  await Dashboard.build();
  const { server, setupUrl } = await StartedServer.start();
  const dashboard = await Dashboard.openOf(server);
  dashboard.page.setDefaultTimeout(SOON.timeout);
  const home = await dashboard.context.newPage();
  dashboard.listen(home);
  const terminal = new Terminal({ DATA_DIR: server.dataDir });
  return {
    dashboard,
    terminal,
    home,
    setupUrl,
    apiKey: "",
    curl: "",
    jobCommands: "",
    async [Symbol.asyncDispose]() {
      terminal[Symbol.dispose]();
      await dashboard[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!HAS_ALL)("the first five minutes", () => {
  // Each step builds on the one before, so they are one test.
  it(
    "lead from the printed link to a key, a call, a job, webhooks and an assistant",
    { timeout: 420_000 },
    async () => {
      await using life = await begin();
      await setUp(life);
      await makeKey(life);
      await callOnce(life);
      await runJob(life);
      await lookAtWebhooks(life);
      await askOverMcp(life);
      expect(life.dashboard.faults).toEqual([]);
    },
  );
});

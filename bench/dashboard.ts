import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { CALLS, fillWithCalls, RARE_FLOW, RARE_NUMBER } from "#kit/filled-workspace.ts";
import { explainLists } from "./dashboard-plans.ts";
import { BenchTab, type Step } from "./dashboard-tab.ts";
import { type BenchServer, cpuSeconds, startServer } from "./server-process.ts";

type Print = (line: string) => void;

const PORT = 18_082;
const HOME_ROUNDS = 5;
const ASK_ROUNDS = 20;
const LINES = 200_000;
const GOALS = "goals: home within 1,000 ms, no task over 100 ms";
const HOME_SHOWN = `document.querySelector('section[aria-label="Calls, 24 h"] .stat') !== null`;
const ROWS_SHOWN = `document.querySelector('[style*="opacity: 0.6"], .mantine-Skeleton-root') === null &&
  (document.querySelector("table.data-table tbody tr") !== null || /No call fits/.test(document.body.textContent))`;

/**
 * Measures the dashboard over a workspace with 100,000 calls, in Chromium: its size, and the time each step takes to
 * show its result.
 */
export async function benchDashboard(print: Print): Promise<void> {
  print(
    `Dashboard: a workspace with ${CALLS} calls of 30 days, in a tab of headless Chromium; load of the machine before: ${loadavg()[0]?.toFixed(1)}; ${GOALS}. Tasks are those of the page's main thread; on a busy machine the CPU time counts.`,
  );
  await buildPages();
  const server = await startServer(PORT);
  const client = new pg.Client(server.database);
  try {
    await client.connect();
    const startedMs = performance.now();
    await fillWithCalls(client, server.workspaceId);
    print(`  filled in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
    const cookie = await signIn(server);
    const asked = new Set<string>();
    await using tab = await BenchTab.open(server.url, cookie);
    await benchHome(tab, server, print, asked);
    await benchCalls(tab, server, print, asked);
    await benchFile(tab, server, print, asked);
    print(`  heap of the tab after all that: ${(await tab.heapMb()).toFixed(1)} MiB`);
    await benchRequests(server, cookie, asked, print);
    await explainLists(server.database, server.workspaceId, CALLS, print);
  } finally {
    await client.end();
    await server.close();
  }
}

async function buildPages(): Promise<void> {
  const builder = new URL("../bin/dashboard.js", import.meta.url).href;
  const { buildDashboard } = (await import(builder)) as { buildDashboard: (node: string) => Promise<boolean> };
  if (!(await buildDashboard(process.execPath))) throw new Error("The dashboard was not built.");
}

async function signIn(server: BenchServer): Promise<{ name: string; value: string }> {
  const { url } = await server.operator("setup-link", {});
  const reply = await fetch(`${server.url}/api/console/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.url },
    body: JSON.stringify({
      token: String(url).split("/").at(-1),
      name: "Bench",
      email: "bench@example.com",
      password: "a password of the bench",
    }),
  });
  const [cookie = ""] = reply.headers.getSetCookie();
  if (reply.status !== 200) throw new Error(await reply.text());
  const [name = "", value = ""] = (cookie.split(";", 1)[0] ?? "").split(/=(.*)/s);
  return { name, value };
}

async function benchHome(tab: BenchTab, server: BenchServer, print: Print, asked: Set<string>): Promise<void> {
  const home = `${server.url}/w/${server.workspaceId}/`;
  const cold = await tab.load(home, HOME_SHOWN);
  const { js, css } = await tab.takeBytes();
  print(
    `  first load as transferred: ${(js / 1_000).toFixed(0)} kB of scripts, those included that come after home can be used, ${(css / 1_000).toFixed(0)} kB of styles`,
  );
  report(print, "home, nothing cached", cold, asked);
  print(`  with ${cold.files} files of the dashboard`);
  const warm: Step[] = [];
  for (let i = 0; i < HOME_ROUNDS; i++) warm.push(await tab.load(home, HOME_SHOWN));
  report(print, `home again, median of ${HOME_ROUNDS}`, medianOf(warm), asked);
}

async function benchCalls(tab: BenchTab, server: BenchServer, print: Print, asked: Set<string>): Promise<void> {
  const { page } = tab;
  const calls = `${server.url}/w/${server.workspaceId}/calls`;
  const next = page.getByRole("button", { name: "Next page" });
  const last = page.getByRole("button", { name: "Last page" });
  const clear = async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear", exact: true }).click();
  };
  const pick = (label: string, option: string) => async () => {
    await page.locator(`input[aria-label="${label}"]`).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  const type = (label: string, text: string) => async () => {
    await page.locator(`input[aria-label="${label}"]`).fill(text);
  };
  const monday = new Date(Date.now() - 14 * 86_400_000).toISOString().slice(0, 10);
  const step = async (name: string, action: () => Promise<unknown>) =>
    report(print, name, await tab.act(action, ROWS_SHOWN), asked);
  await step("calls from the menu", () => page.getByRole("link", { name: "Calls", exact: true }).first().click());
  await step("page 2", () => next.click());
  await step("page 3", () => next.click());
  await step("last page", () => last.click());
  await step("back in the history", () => page.evaluate("history.back()"));
  await tab.load(calls, ROWS_SHOWN);
  for (const option of ["Completed", "Unconfirmed", "In progress", "Queued"]) {
    await step(`status ${option}`, pick("Status", option));
    await step("filters cleared", clear);
  }
  await step("outcome Voicemail", pick("Outcome", "Voicemail"));
  await step("filters cleared", clear);
  await step("flow, with the 300 ms of typing", type("Flow", RARE_FLOW));
  await step("filters cleared", clear);
  await step("number, with the 300 ms of typing", type("Name or number", RARE_NUMBER));
  await step("filters cleared", clear);
  await step("number's start, with the 300 ms of typing", type("Name or number", "+353"));
  await step("filters cleared", clear);
  await step("a part of a number, with the 300 ms", type("Name or number", "7914"));
  await step("filters cleared", clear);
  await step("a name, with the 300 ms of typing", type("Name or number", "contact 7914"));
  await step("filters cleared", clear);
  await page.getByRole("button", { name: "Any day" }).click();
  await step("until a day", () => page.getByLabel("Until day").fill(monday));
}

/** Measures a list of 200,000 people, the most that the wizard takes, from the file to the settings. */
async function benchFile(tab: BenchTab, server: BenchServer, print: Print, asked: Set<string>): Promise<void> {
  const { page } = tab;
  const note = "Would rather be called in the afternoon, after the clinic has closed. ".repeat(2);
  const lines = Array.from({ length: LINES }, (_, i) => `+1415${2_000_000 + i},Zoë ${i},"said ""yes""",${note}`);
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-file-"));
  const path = join(folder, "people.csv");
  try {
    writeFileSync(path, ["phone,name,answer,note", ...lines].join("\n"));
    await tab.load(
      `${server.url}/w/${server.workspaceId}/jobs/new`,
      `document.querySelector('input[type="file"]') !== null`,
    );
    const choose = () => page.locator('input[type="file"]').setInputFiles(path);
    const read = await tab.act(choose, `/People to call/.test(document.body.textContent)`, { isSameAddress: true });
    report(print, `a list of ${LINES} lines, ${(statSync(path).size / 1e6).toFixed(0)} MB, read`, read, asked);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function medianOf(steps: Step[]): Step {
  return steps.toSorted((a, b) => a.ms - b.ms)[Math.floor(steps.length / 2)] as Step;
}

function report(print: Print, name: string, { ms, requests, ...tasks }: Step, asked: Set<string>): void {
  for (const { path } of requests) if (!path.includes("/events")) asked.add(path);
  const slowest = requests.filter(({ path }) => !path.includes("/events")).toSorted((a, b) => b.ms - a.ms)[0];
  const asking = slowest ? `, slowest request ${slowest.ms.toFixed(0)} ms (${shorten(slowest.path)})` : "";
  const longest = `longest task ${tasks.longestTaskMs.toFixed(0)} ms (${tasks.longestTaskCpuMs.toFixed(0)} of CPU), all ${tasks.cpuMs.toFixed(0)} of CPU`;
  print(`  ${name.padEnd(42)} ${ms.toFixed(0).padStart(5)} ms, ${longest}${asking}`);
}

function shorten(path: string): string {
  return path.replace(/^\/api\/console(\/workspaces\/[^/]+)?/, "").replaceAll(/T[\d%A]+\.000Z/g, "");
}

/** Repeats the browser's requests one after the other. */
async function benchRequests(
  server: BenchServer,
  cookie: { name: string; value: string },
  asked: Set<string>,
  print: Print,
) {
  print(`  each request of the tab ${ASK_ROUNDS} times, one after the other (server CPU without the database's):`);
  for (const path of asked) {
    const times: number[] = [];
    const before = cpuSeconds(server.pid);
    for (let i = 0; i < ASK_ROUNDS; i++) {
      const startedMs = performance.now();
      const reply = await fetch(server.url + path, { headers: { cookie: `${cookie.name}=${cookie.value}` } });
      await reply.arrayBuffer();
      times.push(performance.now() - startedMs);
    }
    const cpuMs = ((cpuSeconds(server.pid) - before) * 1_000) / ASK_ROUNDS;
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0).padStart(5);
    print(`    p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   ${cpuMs.toFixed(0).padStart(3)} ms CPU   ${shorten(path)}`);
  }
}

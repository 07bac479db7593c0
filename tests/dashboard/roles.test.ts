import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { PageReads } from "../kit/dashboard/page-reads.ts";
import { kindOf, NOBODY } from "../kit/resources.ts";

const ROLES = ["VIEWER", "OPERATOR", "BUILDER"] as const;
const [CALLS, CHATS, JOBS] = ["OUTBOUND_CALLS_TRIGGER", "OUTBOUND_CHATS_TRIGGER", "CALL_JOBS_WRITE"];
const [FLOWS, TOOLS, OUTPUTS, AGENTS] = ["FLOWS_WRITE", "TOOLS_WRITE", "STRUCTURED_OUTPUTS_WRITE", "AGENTS_WRITE"];
const [DATA, AUDIO, NUMBERS] = ["DATA_STORES_WRITE", "TRANSCRIPTIONS_WRITE", "PHONE_NUMBERS_WRITE"];
const SENDING = "DELIVERIES_WRITE";

/** Changes that each role may make in a SANDBOX workspace, written by hand, as docs/dashboard.md says. */
const MAY: Record<(typeof ROLES)[number], string[]> = {
  VIEWER: [],
  OPERATOR: [CALLS, CHATS, JOBS, SENDING],
  BUILDER: [CALLS, CHATS, JOBS, SENDING, FLOWS, TOOLS, OUTPUTS, AGENTS, DATA, AUDIO, NUMBERS],
};

/** Buttons of each screen, with the permissions of which one is needed to see them. */
const BUTTONS: Record<string, Record<string, string[]>> = {
  "/calls": { "Place a call": [CALLS] },
  "/calls/:id": { "Call again": [CALLS] },
  "/jobs": { "New job": [JOBS] },
  "/jobs/new": { "Use 20 simulated people": [JOBS] },
  "/jobs/:id": { Pause: [JOBS] },
  "/flows": { "New flow": [FLOWS] },
  "/flows/:id": { "Add a variable": [FLOWS], "Start a chat": [CHATS] },
  "/tools": { "Create tool": [TOOLS], "Echo endpoints": [TOOLS, JOBS] },
  "/tools/new": { "Add parameter": [TOOLS] },
  "/tools/:id": { Delete: [TOOLS], "Run once": [TOOLS] },
  "/outputs": { "New output": [OUTPUTS] },
  "/outputs/:id": { "Add a field": [OUTPUTS] },
  "/agents": { "New knowledge base": [AGENTS] },
  "/agents/:id": { Edit: [AGENTS], "Add knowledge": [AGENTS] },
  "/data": { "Create application": [DATA] },
  "/data/:id": { "Add store": [DATA] },
  "/data/:id/customers": { "Add customer": [DATA] },
  "/data/:id/things": { "Add record": [DATA] },
  "/chats?chat=:id": { "Take over": [CHATS], Close: [CHATS] },
  "/contacts/:id": { "Do not contact": [JOBS, CHATS], Erase: [DATA] },
  "/transcriptions": { "Create job": [AUDIO], "Metadata fields": [AUDIO] },
  "/transcriptions/:id": { "Add by address": [AUDIO], "Close job": [AUDIO] },
  "/connections": { "Add connection": [TOOLS] },
  "/leads": { "New lead source": [JOBS] },
  "/leads/:id": { Change: [JOBS], "New address": [JOBS], Delete: [JOBS] },
  "/automations": { "New report": [JOBS] },
  "/automations/:id": { "Run now": [JOBS], Change: [JOBS] },
  "/numbers": { "Add number": [NUMBERS] },
  "/simulations": { "Run a suite": [FLOWS] },
  "/simulations/new": { "Add Chatty": [FLOWS] },
  "/simulations/:id": { "Run again": [FLOWS] },
  "/developers/deliveries/:id": { "Send again": [SENDING] },
  "/developers/webhooks": { "Add webhook": [FLOWS] },
  "/developers/inspector": { "Fail once": [SENDING], "Send all events here": [FLOWS] },
  "/settings/models": { "Add model": [FLOWS] },
  "/settings/do-not-call": { "Add numbers": [JOBS] },
};

/** Names of buttons that change something; a viewer has only those that affect nobody else. */
const WRITES =
  /^(Add|Allow|Cancel|Change|Close|Create|Delete|Discard|Duplicate|Edit|End|Erase|Import|Invite|New|Pause|Publish|Release|Remove|Resume|Retry|Revoke|Run|Save|Send|Start|Suspend|Take|Top up|Upload)\b/;
const FREE = /^(Change password|Retry later \d+|Edit|End .*session.*|Save the report|Send a test request)$/;

describe.skipIf(CHROMIUM === undefined)("roles in the dashboard", () => {
  let dashboard: Dashboard;
  let paths: string[];
  const tabs = new Map<string, Tab>();
  onDashboard(async () => {
    dashboard = await Dashboard.start({ env: NOBODY });
    dashboard.owner = await setUpOwner(dashboard.world);
    paths = await fillWorkspace(dashboard);
    for (const role of ROLES) {
      tabs.set(role, await inviteMember(dashboard.world, dashboard.world.sample.workspaceId, role));
    }
    return dashboard;
  });

  it("are looked at on every screen that there is", () => {
    const source = readFileSync(new URL("../../web/src/shell/screens.ts", import.meta.url), "utf8");
    const found = [...source.matchAll(/screen\(\s*"([^"]+)"/g)].map(([, path = ""]) => path);
    // It shows what a provider answered to a sign-in, and leads on.
    const screens = found.filter((path) => path !== "/connections/callback");
    expect(screens.length).toBeGreaterThan(40);
    const isVisited = (screen: string) => {
      const shape = new RegExp(`^${screen.replaceAll(/:\w+/g, "[^/]+")}$`);
      return paths.some((path) => shape.test(path.split("?")[0] ?? ""));
    };
    expect(screens.filter((screen) => !isVisited(screen))).toEqual([]);
  });

  it("open every screen to everybody, with the buttons that the role may use and no others", async () => {
    await Promise.all(
      ROLES.map(async (role) => {
        const seat = await openAs(dashboard, tabs.get(role) as Tab);
        for (const path of paths) {
          const shown = await visit(dashboard, seat, path);
          const screen = path.replaceAll(/[0-9a-f-]{36}/g, ":id");
          for (const [name, permissions] of Object.entries(BUTTONS[screen] ?? {})) {
            const isGranted = permissions.some((one) => MAY[role].includes(one));
            expect([role, screen, name, shown.includes(name)]).toEqual([role, screen, name, isGranted]);
          }
          const writes = role === "VIEWER" ? shown.filter((name) => WRITES.test(name) && !FREE.test(name)) : [];
          expect([screen, ...writes]).toEqual([screen]);
        }
        await seat.page.context().close();
      }),
    );
  }, 240_000);

  it("tell a viewer why nothing can be changed, readable for everybody", async () => {
    const { page, world } = dashboard;
    await dashboard.signInAs(tabs.get("VIEWER") as Tab);
    await dashboard.open(`/flows/${world.sample.flow.id}`);
    await page.getByText("Builders and owners of the workspace change this. Your role reads it.").waitFor();
    expect(await page.getByRole("textbox", { name: "Description" }).isDisabled()).toBe(true);
    await dashboard.picture("viewer-flow");
    const found = await dashboard.axe();
    await dashboard.open("/credentials");
    await page.getByText("Only owners of the workspace open this").waitFor();
    found.push(...(await dashboard.axe()));
    expect(found).toEqual([]);
  }, 120_000);
});

/** Creates one of everything; returns the path of every screen. */
async function fillWorkspace({ world, owner }: Dashboard): Promise<string[]> {
  const workspace = `/workspaces/${world.sample.workspaceId}`;
  const make = async (path: string) => (await kindOf(path)?.make(world, world.sample)) ?? {};
  const first = async (path: string) =>
    ((await owner.ask("GET", workspace + path)).body.content as { id: string }[])[0]?.id;
  await make("/session-webhooks/{id}");
  const call = await make("/call-rows/{rowId}");
  const chat = await make("/chat-sessions/{id}");
  const contact = await make("/contacts/{id}");
  const job = await make("/call-jobs/{jobId}");
  const agent = await make("/agents/{agentId}/knowledge-base/items/{itemId}");
  const record = await make("/applications/{appId}/stores/{storeKey}/{recordId}");
  const tool = await make("/tools/{toolId}");
  const output = await make("/structured-outputs/{id}");
  const transcription = await make("/transcriptions/jobs/{jobId}/recordings/{rowId}");
  const simulation = await make("/simulations/{id}");
  const leads = await make("/lead-sources/{id}");
  await make("/artifacts/{id}");
  await make("/phone-numbers/{id}");
  await make("/models/{modelId}");
  const data = `/data/${record.appId ?? ""}`;
  const delivery = `/developers/deliveries/${(await first("/webhook-deliveries")) ?? ""}`;
  const automation = `/automations/${(await first("/automations")) ?? ""}`;
  const text = `/ /analytics /calls /calls/${call.rowId ?? ""} /calls/${call.rowId ?? ""}/lines/0 /live /jobs /jobs/new /jobs/${job.jobId ?? ""} /jobs/${job.jobId ?? ""}/results
    /leads /leads/${leads.id ?? ""}
    /flows /flows/${world.sample.flow.id} /flows/${world.sample.flow.id}/shares /tools /tools/new /tools/${tool.toolId ?? ""} /outputs /outputs/new
    /outputs/${output.id ?? ""} /agents /agents/${agent.agentId ?? ""} /data ${data} ${data}/customers
    ${data}/${record.storeKey ?? ""} /chats /chats?chat=${chat.id ?? ""} /contacts /contacts/${contact.id ?? ""}
    /transcriptions /transcriptions/${transcription.jobId ?? ""} /connections /automations ${automation} /numbers
    /numbers?tab=carriers /simulations /simulations/new /simulations/${simulation.id ?? ""} /credentials /developers
    ${delivery} /developers/webhooks /developers/inspector /developers/requests /developers/connect
    /developers/reference /settings /settings/models /settings/speech /settings/compliance /settings/do-not-call
    /settings/opt-out-reviews /settings/people /settings/sign-on /settings/balance
    /settings/audit /settings/account`;
  return text.split(/\s+/);
}

/** One person's page, and its requests. */
interface Seat {
  page: Page;
  reads: PageReads;
}

/** Opens a page in which somebody with a role is signed in. */
async function openAs(dashboard: Dashboard, tab: Tab): Promise<Seat> {
  const { world } = dashboard;
  const page = await dashboard.openSeat(tab);
  const reads = new PageReads(page);
  // Not home, which requests some things twice as it starts: an answer that nobody reads never ends.
  await page.goto(`${world.url}/w/${world.sample.workspaceId}/settings/account`);
  return { page, reads };
}

const PRESSABLE = `[...document.querySelectorAll("main button:enabled, main [role=switch]:enabled, main a.mantine-Button-root")]
  .map((one) => (one.getAttribute("aria-label") ?? one.innerText).replaceAll(/\\s+/g, " ").trim())`;

/** Goes to a screen as a link in the page does; returns the names of everything that can be pressed there. */
async function visit({ world }: Dashboard, { page, reads }: Seat, path: string): Promise<string[]> {
  const url = JSON.stringify(`/w/${world.sample.workspaceId}${path}`);
  await page.evaluate(`history.pushState(null, "", ${url})`);
  await page.locator("main h1").first().waitFor();
  await reads.settle();
  return page.evaluate<string[]>(PRESSABLE);
}

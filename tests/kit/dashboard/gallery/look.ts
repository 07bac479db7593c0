// Pictures of every screen, empty and filled, in light and dark, on a desktop and a phone: to be looked at.
// node tests/kit/dashboard/gallery/look.ts FOLDER [part of a path]
import { type Dashboard, DESKTOP, PHONE } from "../dashboard-harness.ts";
import { type Gallery, openGallery, placeLiveCalls } from "./gallery.ts";

const [, , folder = "pictures", part = ""] = process.argv;

const LISTS = [
  "/",
  "/flows",
  "/simulations",
  "/simulations/new",
  "/tools",
  "/outputs",
  "/agents",
  "/data",
  "/jobs",
  "/leads",
  "/jobs/new",
  "/calls",
  "/live",
  "/chats",
  "/contacts",
  "/transcriptions",
  "/automations",
  "/numbers",
  "/numbers?tab=carriers",
  "/credentials",
  "/developers",
  "/developers/webhooks",
  "/developers/inspector",
  "/developers/requests",
  "/developers/connect",
  "/developers/reference",
  "/settings",
  "/settings/models",
  "/settings/speech",
  "/settings/compliance",
  "/settings/do-not-call",
  "/settings/people",
  "/settings/sign-on",
  "/settings/balance",
  "/settings/audit",
  "/settings/account",
];

await openGallery(async (gallery) => {
  const { dashboard, emptyWorkspaceId } = gallery;
  for (const path of LISTS) await look(dashboard, "empty", path, emptyWorkspaceId);
  for (const path of [...LISTS, ...detailsOf(gallery)]) await look(dashboard, "filled", path);
  const { liveWorkspaceId } = gallery.content;
  for (const path of ["/numbers", "/numbers?tab=carriers"]) await look(dashboard, "connected", path, liveWorkspaceId);
  await lookAtLiveCalls(dashboard);
});

/** Calls that are under way, and one of them with its words. */
async function lookAtLiveCalls(dashboard: Dashboard): Promise<void> {
  if (!"/live".includes(part)) return;
  const { page } = dashboard;
  await placeLiveCalls(dashboard);
  await dashboard.open("/live");
  await page.getByRole("link", { name: /Jonas/ }).waitFor();
  await takePictures(dashboard, "under-way-live");
  await page.getByRole("link", { name: /Hannah/ }).click();
  await page.locator(".line").nth(4).waitFor({ timeout: 60_000 });
  await takePictures(dashboard, "under-way-live-call");
}

function detailsOf({ dashboard, content }: Gallery): string[] {
  const { flow, application, agent, transcriptionJob, automation } = dashboard.world.sample;
  return [
    `/flows/${flow.id}`,
    ...["versions", "shares", "webhooks", "code"].map((tab) => `/flows/${flow.id}?tab=${tab}`),
    `/tools/${content.toolId}`,
    `/outputs/${content.outputId}`,
    `/agents/${agent.id}`,
    `/data/${application.id}`,
    `/data/${application.id}/customers`,
    `/data/${application.id}/${application.storeKey}`,
    `/jobs/${content.doneJobId}`,
    `/calls/${content.callId}`,
    `/chats?chat=${content.chatId}`,
    `/contacts/${content.contactId}`,
    `/simulations/${content.simulationId}`,
    `/transcriptions/${transcriptionJob.id}`,
    content.recordingPath,
    `/developers/deliveries/${content.deliveryId}`,
    `/automations/${automation.id}`,
  ];
}

async function look(dashboard: Dashboard, kind: string, path: string, workspaceId?: string): Promise<void> {
  if (!path.includes(part)) return;
  const { page } = dashboard;
  const name = `${kind}${path === "/" ? "/home" : path}`.replaceAll(/[0-9a-f-]{36}/g, "id").replaceAll(/[/?=&]/g, "-");
  await dashboard.open(path, workspaceId);
  // What is drawn after it was read: waveforms, editors.
  await page.waitForTimeout(600);
  await takePictures(dashboard, name);
}

async function takePictures({ page }: Dashboard, name: string): Promise<void> {
  for (const [device, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(120);
      await page.screenshot({ path: `${folder}/${name}-${device}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "light" });
}

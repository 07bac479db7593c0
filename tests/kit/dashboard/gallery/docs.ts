// Retakes the pictures of the documentation: docs/pictures/*.webp. node tests/kit/dashboard/gallery/docs.ts [names]
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../repository.ts";
import { PHONE } from "../dashboard-harness.ts";
import { type Gallery, openGallery, placeLiveCalls, slowDown } from "./gallery.ts";

const FOLDER = new URL("../../../../docs/pictures/", import.meta.url).pathname;
const SIZE = { width: 1280, height: 800 };
/** Keeps text sharp; a picture takes some 40 kB. */
const QUALITY = 0.8;
const only = process.argv.slice(2);

type Scene = (gallery: Gallery) => Promise<void>;

/** Steps before the picture of each name is taken; the last ones have calls under way. */
const SCENES: Record<string, Scene> = {
  home: async ({ dashboard }) => {
    await dashboard.open("/");
    await dashboard.page.locator(".hours").waitFor();
  },
  flow: async ({ dashboard }) => {
    const { page, world } = dashboard;
    await dashboard.open(`/flows/${world.sample.flow.id}`);
    await page.getByRole("button", { name: "Start a chat" }).click();
    for (const [text, reply] of [
      ["Hello, who is this?", "be able to come"],
      ["Yes, that works for me.", "How many people"],
    ] as const) {
      await page.getByPlaceholder("Answer as the customer would").fill(text);
      await page.keyboard.press("Enter");
      await page.getByRole("log").getByText(reply).waitFor();
    }
  },
  call: async ({ dashboard, content }) => {
    await dashboard.open(`/calls/${content.callId}`);
    await dashboard.page.locator(".wave div").first().waitFor();
    await dashboard.page.waitForTimeout(800);
  },
  chats: async ({ dashboard, content }) => dashboard.open(`/chats?chat=${content.chatId}`),
  tool: async ({ dashboard, content }) => {
    const { page } = dashboard;
    await dashboard.open(`/tools/${content.toolId}`);
    await page.getByLabel("Input").fill('{ "week": "2026-W48" }');
    await page.getByRole("button", { name: "Run once" }).click();
    await page.getByText("What the model is told").waitFor();
  },
  stages: async ({ dashboard }) => {
    const { page, world } = dashboard;
    const document = await readFile(join(ROOT, "examples/stages/appointment/flow.json"), "utf8");
    const { body: made } = await world.request("POST", "/flows/import", { body: JSON.parse(document) as object });
    const flowId = (made.flow as { id: string }).id;
    const rows = Array.from({ length: 100 }, (_, index) => ({
      customerNumber: `+1312555${String(index).padStart(4, "0")}`,
    }));
    const { body: job } = await world.request("POST", "/call-jobs", { body: { name: "Visits", flowId, rows } });
    await world.until(`/call-jobs/${String(job.id)}`, ({ completedAt }) => completedAt !== null, 120_000);
    await dashboard.open(`/flows/${flowId}?tab=funnel`);
    await page.locator(".react-flow__edge").first().waitFor();
  },
  simulation: ({ dashboard, content }) => dashboard.open(`/simulations/${content.simulationId}`),
  "new-job": async ({ dashboard }) => {
    const { page } = dashboard;
    await dashboard.open("/jobs/new");
    await page.getByRole("button", { name: "Use 20 simulated people" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Name of the job").fill("Reminders, Tuesday");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Start calling" }).waitFor();
    await dashboard.settle();
    await page.waitForTimeout(2_000);
  },
  results: async ({ dashboard, content }) => {
    const { page, world } = dashboard;
    await world.until(`/results?jobId=${content.doneJobId}`, ({ waiting }) => waiting === 0, 60_000);
    await dashboard.open(`/jobs/${content.doneJobId}?tab=results&goal=confirmed%3Dtrue`);
    await page.getByRole("table", { name: "Steps of the calls" }).waitFor();
    // The filters and what follows: the head of the job is in another picture.
    await page.getByRole("tab", { name: "Results" }).evaluate((tab) => tab.scrollIntoView());
    await page.mouse.wheel(0, -80);
  },
  inspector: async ({ dashboard, content }) => {
    const { page, world } = dashboard;
    await dashboard.open("/developers/inspector");
    await world.call("+12025550100", { contactName: "Ada Okafor", contextData: { crm: content.callId.slice(0, 6) } });
    await page.getByText("session.ended").first().click();
  },
  calls: async ({ dashboard }) => {
    await dashboard.open("/calls");
    await dashboard.page.locator("tbody tr").first().waitFor();
  },
  live: async ({ dashboard }) => {
    const { page } = dashboard;
    await placeLiveCalls(dashboard);
    await dashboard.open("/live");
    await page.getByRole("link", { name: /Hannah/ }).click();
    await page.locator(".line").nth(5).waitFor({ timeout: 60_000 });
  },
  job: async ({ dashboard }) => {
    const { page, world } = dashboard;
    await slowDown(dashboard, 10);
    const rows = Array.from({ length: 120 }, (_, index) => ({
      customerNumber: `+12125550${100 + index}`,
      contactName: ["Ada Okafor", "Elif Yılmaz", "Jonas Müller", "Noor de Vries"][index % 4],
    }));
    const { body } = await world.request("POST", "/call-jobs", { body: { name: "Delivery windows, south", rows } });
    await dashboard.open(`/jobs/${String(body.id)}`);
    await page.getByText(/^(4|5|6)\d of 120 rows done/).waitFor({ timeout: 90_000 });
  },
  phone: async ({ dashboard, content }) => {
    const { page } = dashboard;
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await dashboard.open(`/calls/${content.callId}`);
    await page.locator(".wave div").first().waitFor();
    await page.waitForTimeout(800);
  },
};

await mkdir(FOLDER, { recursive: true });
await openGallery(async (gallery) => {
  const { page } = gallery.dashboard;
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize(SIZE);
  const blank = await gallery.dashboard.context.newPage();
  for (const [name, prepare] of Object.entries(SCENES)) {
    if (only.length > 0 && !only.includes(name)) continue;
    await prepare(gallery);
    await page.waitForTimeout(800);
    await writeFile(join(FOLDER, `${name}.webp`), await toWebp(blank, await page.screenshot()));
    console.log(name);
  }
});

/** Converts a PNG into a WebP, a third of the size, in the browser itself. */
async function toWebp(blank: Page, png: Buffer): Promise<Buffer> {
  const draw = `fetch("data:image/png;base64,${png.toString("base64")}").then((reply) => reply.blob())
    .then(createImageBitmap).then((image) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", ${QUALITY});
    })`;
  const url = await blank.evaluate<string>(draw);
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

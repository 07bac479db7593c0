import type { Browser } from "playwright-core";
import setUp from "../../global-setup.ts";
import { Dashboard } from "../dashboard-harness.ts";
import { connectGallery, type Connections } from "./connections.ts";
import { fillGallery, type GalleryContent } from "./content.ts";

/** A dashboard over a workspace that was used for a morning, and an empty one beside it. */
export interface Gallery {
  dashboard: Dashboard;
  content: GalleryContent & Connections;
  emptyWorkspaceId: string;
}

/** Opens a gallery, has `show` walk through it, and takes all of it down. */
export async function openGallery(show: (gallery: Gallery) => Promise<void>): Promise<void> {
  const tearDown = await setUp();
  try {
    // Tests share their browser; here nobody follows.
    await (await showIn(show))?.close();
  } finally {
    await tearDown();
  }
}

/** Shows a gallery, and returns the browser, which outlives it. */
async function showIn(show: (gallery: Gallery) => Promise<void>): Promise<Browser | null> {
  await using dashboard = await Dashboard.startSignedIn({ programs: true, env: { ALLOW_PRIVATE_NETWORK: "1" } });
  const { world, owner } = dashboard;
  const { workspaceId } = await world.operator("workspace.create", { name: "Empty" });
  await owner.ask("PATCH", `/workspaces/${world.sample.workspaceId}`, { name: "Green Street Clinic" });
  const content = { ...(await fillGallery(world)), ...(await connectGallery(dashboard)) };
  await show({ dashboard, content, emptyWorkspaceId: String(workspaceId) });
  console.log(dashboard.faults.join("\n") || "No fault of the console, no request to another host.");
  return dashboard.context.browser();
}

/** From now on simulated calls take the time that real ones do. */
export async function slowDown({ owner, world }: Dashboard, speed: number): Promise<void> {
  const reply = await owner.ask("PATCH", `/workspaces/${world.sample.workspaceId}`, { sandboxSpeed: speed });
  if (reply.status !== 200) throw new Error(reply.text);
}

/** Places calls that last a while. */
export async function placeLiveCalls(dashboard: Dashboard): Promise<void> {
  await slowDown(dashboard, 3);
  for (const [code, contactName] of ["Ada Okafor", "Hannah Weiß", "Jonas Müller", "Priya Nair"].entries())
    await dashboard.world.request("POST", "/outbound/calls", {
      body: { customerNumber: `+120255501${["00", "02", "03", "54"][code]}`, contactName },
    });
}

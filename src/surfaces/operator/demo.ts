import { holdJob } from "#src/interactions/call-jobs/control.ts";
import { createFromJson } from "#src/interactions/call-jobs/create.ts";
import type { WebhookParts } from "#src/interactions/call-jobs/webhook.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { getInspector } from "#src/surfaces/webhook-inspector/webhook-inspector.ts";
import { changeWorkspace, type Workspace } from "#src/tenancy/workspaces/workspaces.ts";
import { SAMPLE_CONTACTS } from "./sample-contacts.ts";
import { fillSample } from "./sample.ts";

/** Real time: a call is followed as it is spoken, can be listened to, and sounds as it took place. */
const DEMO_SPEED = 1;
/** Seconds of call time, so that a busy person is dialled again while the user watches. */
const RETRY_AFTER_SECONDS = 30;

/** Dependencies of the demo. */
export interface DemoParts extends WebhookParts {
  publicUrl: string;
}

/** Fills a new workspace for the dashboard: the sample, and a call job that waits for its start. */
export async function fillDemo(tx: Executor, parts: DemoParts, workspace: Workspace): Promise<void> {
  await fillSample(tx, workspace);
  await changeWorkspace(tx, workspace.id, { sandboxSpeed: DEMO_SPEED });
  const { url } = await getInspector(tx, parts.publicUrl, workspace.id);
  const settings = {
    name: "Demo: 20 simulated people",
    retryConfig: { maxAttempts: 3, delaysSeconds: [RETRY_AFTER_SECONDS] },
    completionWebhook: { url },
  };
  const body = { ...settings, rows: SAMPLE_CONTACTS };
  const { id } = await createFromJson(tx, parts, workspace.id, body, JSON.stringify(body));
  await holdJob(tx, workspace.id, id);
}

import { inviteMember } from "../../console-harness.ts";
import { saidInTones } from "../../tone-recordings.ts";
import { TranscriptionClient } from "../../transcription-client.ts";
import type { World } from "../../world.ts";
import type { Dashboard } from "../dashboard-harness.ts";
import { create } from "./content.ts";

/** Ids that open the pictures of connections. */
export interface Connections {
  deliveryId: string;
  recordingPath: string;
  /** A workspace that has carriers and numbers; none of its calls leaves. */
  liveWorkspaceId: string;
}

/** Adds a workspace's outside connections: webhooks, models, colleagues, recordings, carriers. */
export async function connectGallery(dashboard: Dashboard): Promise<Connections> {
  const { world } = dashboard;
  for (const [role, name] of [
    ["BUILDER", "Bela Kovács"],
    ["OPERATOR", "Oona Virtanen"],
    ["VIEWER", "Vikram Shah"],
  ] as const) {
    const colleague = await inviteMember(world, world.sample.workspaceId, role);
    await colleague.ask("PATCH", "/profile", { name });
  }
  await create(world, "/models", {
    name: "Our own",
    provider: "OPENAI_COMPATIBLE",
    model: "llama-3.3-70b",
    baseUrl: "http://127.0.0.1:8000/v1",
    isDefault: false,
  });
  const deliveryId = await sendWebhooks(dashboard);
  return { deliveryId, recordingPath: await transcribe(world), liveWorkspaceId: await addCarriers(dashboard) };
}

/** Sends all events to the inspector, which fails one; another receiver does not exist. */
async function sendWebhooks({ owner, world }: Dashboard): Promise<string> {
  const inspector = `/workspaces/${world.sample.workspaceId}/webhook-inspector`;
  const { body } = await owner.ask("GET", inspector);
  await create(world, "/session-webhooks", { url: String(body.url) });
  await create(world, "/session-webhooks", { url: "http://127.0.0.1:8001/crm/parley" });
  await owner.ask("PATCH", inspector, { failNext: 1 });
  await world.call("+12025550100", { contactName: "Ada Okafor", contextData: { crm: "C-2042" } });
  const deliveries = `/workspaces/${world.sample.workspaceId}/webhook-deliveries`;
  for (;;) {
    const reply = await owner.ask("GET", deliveries);
    const all = reply.body.content as { id: string; attempts: number; status: string }[];
    const repeated = all.find(({ status, attempts }) => status === "DELIVERED" && attempts > 1);
    if (repeated) return repeated.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function transcribe(world: World): Promise<string> {
  const client = new TranscriptionClient(world);
  const job = `/transcriptions/jobs/${world.sample.transcriptionJob.id}`;
  let path = "";
  for (const [fileName, text] of [
    ["desk-0412.wav", "Good morning, I would like to move my appointment to Thursday."],
    ["desk-0413.wav", "Is the side entrance open on Saturdays?"],
  ] as const) {
    const file = new Blob([saidInTones(text)], { type: "audio/wav" });
    const payload = JSON.stringify({ agentName: "Front desk" });
    const receipt = await client.upload(job, { file, fileName, payload });
    await client.ended(job, receipt.body);
    path = `/transcriptions/${world.sample.transcriptionJob.id}?recording=${String(receipt.body.rowId)}`;
  }
  return path;
}

async function addCarriers({ owner, world }: Dashboard): Promise<string> {
  const made = await owner.ask("POST", "/workspaces", { name: "Green Street Clinic, live", mode: "LIVE" });
  const workspaceId = String(made.body.id);
  // No carrier can check the account here.
  await world.operator("carrier.add", {
    workspaceId,
    provider: "twilio",
    label: "Main line",
    settings: { accountSid: `AC${"0".repeat(32)}` },
    secrets: { authToken: "0".repeat(32) },
    unchecked: true,
  });
  const trunk = { host: "127.0.0.1", username: "clinic", password: "not a secret", registrationRequired: false };
  for (const [phoneNumber, label] of [
    ["+4930901820", "Front desk"],
    ["+4930901821", "Reminders"],
  ]) {
    const body = { provider: "BYO_SIP", phoneNumber, label, sipTrunk: trunk };
    const reply = await owner.ask("POST", `/workspaces/${workspaceId}/phone-numbers`, body);
    if (reply.status >= 300) throw new Error(reply.text);
  }
  return workspaceId;
}

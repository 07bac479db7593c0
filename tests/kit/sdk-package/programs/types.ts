import {
  type CallRow,
  type CreateCall,
  NotFoundError,
  type Page,
  Parley,
  RateLimitError,
  type ToolDefinitionInput,
  webhooks,
} from "@parley/sdk";
import { fileFrom } from "@parley/sdk/node";

const parley = new Parley({ apiKey: "svc_live_…", timeoutMs: 10_000, onRetry: ({ waitMs }) => void waitMs.toFixed() });

export async function callAndList(call: CreateCall): Promise<string[]> {
  const row: CallRow = await parley.calls.createAndWait(call, { signal: AbortSignal.timeout(1) });
  const first: Page<CallRow> = await parley.callHistory.list({ status: ["COMPLETED"] }).first();
  const told: string[] = [row.status, String(first.totalElements)];
  for await (const state of parley.jobs.progress("id")) told.push(state.status, String(state.processedRows));
  for await (const { name } of parley.flows.list()) told.push(name ?? "");
  return told;
}

export async function refuse(error: unknown): Promise<number | undefined> {
  if (error instanceof NotFoundError) return error.status;
  if (error instanceof RateLimitError) return error.retryAfterSeconds;
  const tool: ToolDefinitionInput = { name: "look_up", description: "Looks a person up" };
  await parley.tools.create(tool);
  await parley.transcriptions.uploadRecording("id", { file: await fileFrom("a.wav") });
  const event = await webhooks.verify({}, "{}", { signingSecret: "whsec_…" });
  return event.eventType === "call_job.completed" ? event.job.totalRows : undefined;
}

// @ts-expect-error A member that the API does not know.
void parley.calls.create({ customerNumber: "+12025550100", contextdata: {} });
// @ts-expect-error A status that does not exist.
void parley.callHistory.list({ status: ["DONE"] });

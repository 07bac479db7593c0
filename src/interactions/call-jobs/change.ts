import { isDeepStrictEqual } from "node:util";
import { endWaits } from "#src/interactions/calls/end-waits.ts";
import { RetryConfigInput, readRetryConfig } from "#src/interactions/calls/retry.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertBefore, ifUnchangedBody } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { type CallingWindow, CallingWindowInput, readCallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { NEVER_OPENS, WindowCheck } from "#src/tenancy/compliance/window-check.ts";
import type { CallJob } from "./call-jobs.ts";
import { getJob, lockJobFor } from "./control.ts";
import { findPlaces, type JobChange, lockList, setLaneLimits, updateJob } from "./run-store.ts";
import { allowsOnJob } from "./states.ts";
import { shareLanes } from "./store-contacts.ts";
import type { CallJobRow } from "./store.ts";
import { CompletionWebhookInput, resealWebhook, type WebhookParts } from "./webhook.ts";

/** Fields of a job that may change after its creation. Absent fields stay; null clears an optional one. */
export const PatchCallJob = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    maxConcurrency: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: "At least as many as the job has phone numbers; null: as many as the numbers allow.",
        }),
      ),
    ),
    retryConfig: Type.Optional(nullable(RetryConfigInput)),
    callingWindow: Type.Optional(nullable(CallingWindowInput)),
    completionWebhook: Type.Optional(nullable(CompletionWebhookInput)),
    ...ifUnchangedBody,
  },
  { $id: "PatchCallJob" },
);
export type PatchCallJob = Static<typeof PatchCallJob>;

/** Fields that control how rows are dialled, which take the action `changeDialling`. */
const DIALLING = ["maxConcurrency", "retryConfig", "callingWindow"] as const;

/**
 * Changes a job that is not over; 409 afterwards. New retry settings apply to every attempt that begins from now on, a
 * new concurrency to every call. Live calls above a lower limit go on to their end.
 */
export async function changeJob(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  id: string,
  body: PatchCallJob,
): Promise<CallJob> {
  const { callingWindow } = body;
  const window = callingWindow === undefined ? undefined : await readWindow(tx, workspaceId, id, callingWindow);
  const job = await lockJobFor(tx, workspaceId, id, "change");
  // The locked row is without its numbers.
  const shown = await getJob(tx, workspaceId, id);
  assertBefore(shown, body.before);
  assertFixedStay(shown, body);
  assertChangeable(job, body);
  const change: JobChange = {};
  if (body.name !== undefined) change.name = body.name;
  if (body.retryConfig !== undefined) change.retryConfig = readRetryConfig(body.retryConfig, 3);
  if (window !== undefined) change.callingWindow = window;
  const webhook = body.completionWebhook
    ? resealWebhook(parts, workspaceId, job, body.completionWebhook)
    : body.completionWebhook;
  if (webhook !== undefined) change.webhook = webhook;
  if (body.maxConcurrency !== undefined) {
    change.maxConcurrency = body.maxConcurrency;
    await setLaneLimits(tx, workspaceId, id, shareLanes(job.phone_number_ids, body.maxConcurrency));
  }
  await updateJob(tx, workspaceId, id, change);
  if (window !== undefined) await endWaits(tx, workspaceId, { of: "JOB_WINDOW", jobId: id });
  const changed = await getJob(tx, workspaceId, id);
  if (!changed.completionWebhook || !webhook) return changed;
  return { ...changed, completionWebhook: { ...changed.completionWebhook, signingSecret: webhook.signingSecret } };
}

/**
 * Returns the rules of a new window; 422 when they would never let some row be called. It reads all rows that are to be
 * called, which nobody adds to meanwhile, before numbers and job are locked: the ends of calls from these would wait.
 */
async function readWindow(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: CallingWindowInput | null,
): Promise<CallingWindow | null> {
  await lockList(tx, workspaceId, id);
  const { status } = await getJob(tx, workspaceId, id);
  const rules = readCallingWindow(input);
  if (!allowsOnJob(status, "changeDialling")) return rules;
  const windows = await WindowCheck.load(tx, rules);
  const places = windows.isUnlimited ? [] : await findPlaces(tx, workspaceId, id);
  if (places.some(({ time_zone, number_country }) => !windows.everOpens(time_zone, number_country))) {
    throw fieldError("callingWindow", "WINDOW_NEVER_OPENS", NEVER_OPENS);
  }
  return rules;
}

/** Members that a job shows and no change can touch, with what to do instead. */
const FIXED = {
  startAt: "cannot be changed. Pause the job, or cancel it and make another.",
  fromPhoneNumbers: "cannot be changed. Cancel the job and make another.",
  flowId: "cannot be changed. Cancel the job and make another.",
  flowApiId: "cannot be changed. Cancel the job and make another.",
  status: "is changed by POST …/pause, …/resume and …/cancel.",
} as const;

/**
 * Refuses another value of a fixed member: a caller who believes a job postponed or paused would have people called.
 * The value that the job has may be sent back; so may the status of a whole job, which moves on by itself.
 */
function assertFixedStay(shown: CallJob, body: object): void {
  const sent = body as Record<string, unknown>;
  for (const [field, instead] of Object.entries(FIXED)) {
    if (!Object.hasOwn(sent, field) || (field === "status" && Object.hasOwn(sent, "id"))) continue;
    const [from, to] = [shown[field as keyof typeof FIXED], sent[field]];
    const isMoment = field === "startAt" && typeof from === "string" && typeof to === "string";
    if (isMoment ? Date.parse(from) === Date.parse(to) : isDeepStrictEqual(from, to)) continue;
    throw fieldError(field, "NOT_CHANGEABLE", instead);
  }
}

function assertChangeable(job: CallJobRow, body: PatchCallJob): void {
  const late = DIALLING.find((field) => body[field] !== undefined);
  if (late !== undefined && !allowsOnJob(job.status, "changeDialling")) {
    throw new AppError("CONFLICT", `The job is ${job.status}: ${late} cannot change now.`);
  }
  const numbers = job.phone_number_ids.length;
  if (body.maxConcurrency && body.maxConcurrency < numbers) {
    throw fieldError(
      "maxConcurrency",
      "TOO_SMALL",
      `must be at least ${numbers}, one call for each number of the job.`,
    );
  }
}

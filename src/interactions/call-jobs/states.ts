/** States of a job. SCHEDULED is shown for a job that is stored as RUNNING and starts in the future. */
export const JOB_STATUSES = [
  "IMPORTING",
  "SCHEDULED",
  "RUNNING",
  "PAUSED",
  "CANCELLING",
  "COMPLETED",
  "CANCELLED",
  "FAILED",
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Actions on a job, each a request of the API. `changeDialling` is the part of `change` that affects later calls. */
export const JOB_ACTIONS = ["pause", "resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

const WHILE_RUNNING: readonly JobAction[] = ["pause", "cancel", "change", "changeDialling", "addRows", "retryFailed"];

/** Actions that each state permits. The replies, the live stream and the checks of the requests all read this table. */
const ACTIONS: Record<JobStatus, readonly JobAction[]> = {
  IMPORTING: ["cancel", "change"],
  SCHEDULED: WHILE_RUNNING,
  RUNNING: WHILE_RUNNING,
  PAUSED: ["resume", "cancel", "change", "changeDialling", "addRows", "retryFailed"],
  CANCELLING: ["change"],
  COMPLETED: ["addRows", "retryFailed"],
  CANCELLED: [],
  FAILED: [],
};

/** States in which a repeat of an action changes nothing and is answered like the first request. */
const DONE_IN: Partial<Record<JobAction, readonly JobStatus[]>> = {
  pause: ["PAUSED"],
  resume: ["RUNNING"],
  cancel: ["CANCELLING", "CANCELLED"],
};

/** Returns the actions that a job in this state permits. */
export function jobActions(status: JobStatus): JobAction[] {
  return [...ACTIONS[status]];
}

/** True when the state permits the action. */
export function allowsOnJob(status: JobStatus, action: JobAction): boolean {
  return ACTIONS[status].includes(action);
}

/** True when the action was already done, so that a repeat has no effect. */
export function isDoneOnJob(status: JobStatus, action: JobAction): boolean {
  return DONE_IN[action]?.includes(status) ?? false;
}

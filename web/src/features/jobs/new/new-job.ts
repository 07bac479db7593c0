import type { CallJob, RowError } from "@parley/sdk";
import {
  findFaults,
  NEW_SETTINGS,
  type SettingsForm,
  toCallingWindow,
  toRetryConfig,
} from "#web/domain/job/job-settings.ts";
import { findWebhookFaults, NO_WEBHOOK, toWebhook, type WebhookForm } from "#web/features/jobs/webhook-form.ts";

/** What a person sets for a new job. */
export interface NewJobForm extends SettingsForm {
  name: string;
  /** Null: the workspace's default. */
  flowId: string | null;
  /** Empty: the workspace's default. */
  numbers: string[];
  startsLater: boolean;
  /** Of the viewer's clock, as `2027-01-31T09:00`. */
  startAt: string;
  webhook: WebhookForm;
}

export const NEW_JOB: NewJobForm = {
  ...NEW_SETTINGS,
  name: "",
  flowId: null,
  numbers: [],
  startsLater: false,
  startAt: "",
  webhook: NO_WEBHOOK,
};

/** The reply of the creation. */
export type CreatedJob = CallJob & { acceptedRows: number; rowErrors: RowError[] };

/** People of whom the gate says the same. */
export interface SkipReason {
  code: string;
  message: string;
  count: number;
  rows: { line: number | null; customerNumber: string; externalId: string | null }[];
}

/** Who would be skipped, as the server judges it. */
export interface Preflight {
  totalRows: number;
  callableRows: number;
  waitingForWindowRows: number;
  skippedRows: number;
  rejectedRows: number;
  reasons: SkipReason[];
  /** Of the callable: who would be put off, and why. */
  waits: SkipReason[];
  rowErrors: RowError[];
}

/** How many wait because their number was called often enough. */
export function countTooOften({ waits }: Preflight): number {
  return waits.reduce((sum, { code, count }) => (code === "CALLING_WINDOW" ? sum : sum + count), 0);
}

/** The settings as the API takes them. */
export function toSettings(form: NewJobForm): Record<string, unknown> {
  const { name, flowId, numbers, maxConcurrency, startsLater, startAt, window } = form;
  const callingWindow = toCallingWindow(window);
  const completionWebhook = toWebhook(form.webhook);
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(flowId === null ? {} : { flowId }),
    ...(numbers.length === 0 ? {} : { fromPhoneNumbers: numbers }),
    ...(maxConcurrency === "" ? {} : { maxConcurrency }),
    retryConfig: toRetryConfig(form),
    ...(callingWindow ? { callingWindow } : {}),
    ...(startsLater && startAt !== "" ? { startAt: new Date(startAt).toISOString() } : {}),
    ...(completionWebhook ? { completionWebhook } : {}),
  };
}

/** What is wrong with the form before anything is sent, by field. */
export function findJobFaults(form: NewJobForm): Record<string, string> {
  const faults = findFaults(form);
  if (form.startsLater && Number.isNaN(new Date(form.startAt).getTime())) faults.startAt = "Say when it starts.";
  return { ...faults, ...findWebhookFaults(form.webhook) };
}

const VARIABLE = /\{\{-?\s*([A-Za-z_]\w*)/g;
const OWN = /\{%-?\s*(?:for|assign|capture|increment|decrement)\s+([A-Za-z_]\w*)/g;
/** What every call knows without a column. */
const ALWAYS = ["contactName", "contactEmail", "customerNumber", "forloop"];

/** Variables that a flow's texts name and no column gives; those that a template makes itself are not among them. */
export function findMissing(texts: (string | null | undefined)[], given: string[]): string[] {
  const text = texts.join("\n");
  const namesOf = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const known = new Set([...given, ...namesOf(OWN), ...ALWAYS]);
  return [...new Set(namesOf(VARIABLE))].filter((name) => !known.has(name));
}

import type { CallJob, FirstCall, RowError } from "@parley/sdk";
import {
  findFaults,
  NEW_SETTINGS,
  type SettingsForm,
  toCallingWindow,
  toRetryConfig,
} from "#web/domain/job/job-settings.ts";
import { findWebhookFaults, NO_WEBHOOK, toWebhook, type WebhookForm } from "#web/features/jobs/webhook-form.ts";
import { t } from "#web/i18n/t.ts";
import type { JobDefaults } from "./job-defaults.ts";

/** Form of a new job. */
export interface NewJobForm extends SettingsForm {
  name: string;
  /** Null: the workspace's default. */
  flowId: string | null;
  /** Empty: the workspace's default. */
  numbers: string[];
  startsLater: boolean;
  /** Start in the viewer's local time, such as `2027-01-31T09:00`. */
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

/** Reply to the creation of a job. */
export type CreatedJob = CallJob & { acceptedRows: number; rowErrors: RowError[] };

/** People skipped or delayed for the same reason. */
export interface SkipReason {
  code: string;
  message: string;
  count: number;
  rows: { line: number | null; customerNumber: string; externalId: string | null }[];
}

/** Result of the server's check: people to call, to skip, and to delay. */
export interface Preflight {
  totalRows: number;
  callableRows: number;
  waitingForWindowRows: number;
  skippedRows: number;
  rejectedRows: number;
  reasons: SkipReason[];
  /** Callable people whose calls would be delayed, by reason. */
  waits: SkipReason[];
  rowErrors: RowError[];
  /** The call that would be placed first; null when nobody would be called. */
  firstCall: FirstCall | null;
}

/** Number of people who wait because their number was called too often or too recently. */
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

/** Returns the faults of the form by field, before anything is sent. */
export function findJobFaults(form: NewJobForm, { flow, number }: JobDefaults): Record<string, string> {
  const faults = findFaults(form);
  if (form.flowId === null && flow.kind === "NONE") {
    faults.flowId = flow.hasChoices
      ? t`Choose a flow: the workspace has no default.`
      : t`There is no flow yet. Create one under Flows first.`;
  }
  if (form.numbers.length === 0 && number.kind === "NONE") {
    faults.fromPhoneNumbers = number.hasChoices
      ? t`Choose a number: the workspace has no default that can call.`
      : t`There is no number that can call. Add one under Numbers first.`;
  }
  if (form.startsLater && Number.isNaN(new Date(form.startAt).getTime())) faults.startAt = t`Say when it starts.`;
  return { ...faults, ...findWebhookFaults(form.webhook) };
}

const VARIABLE = /\{\{-?\s*([A-Za-z_]\w*)/g;
const OWN = /\{%-?\s*(?:for|assign|capture|increment|decrement)\s+([A-Za-z_]\w*)/g;
/** Variables that every call has without a column. */
const ALWAYS = ["contactName", "contactEmail", "customerNumber", "forloop"];

/** Variables used by a flow's texts but provided by no column; variables that a template sets itself are excluded. */
export function findMissing(texts: (string | null | undefined)[], given: string[]): string[] {
  const text = texts.join("\n");
  const namesOf = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const known = new Set([...given, ...namesOf(OWN), ...ALWAYS]);
  return [...new Set(namesOf(VARIABLE))].filter((name) => !known.has(name));
}

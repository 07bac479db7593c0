import type { CallJob, RowError } from "@parley/sdk";
import {
  findFaults,
  NEW_SETTINGS,
  type SettingsForm,
  toCallingWindow,
  toRetryConfig,
} from "#web/pages/jobs/job-settings.ts";

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
  webhook: { url: string; authMode: "NONE" | "BEARER" | "CUSTOM_HEADER"; secret: string; headerName: string };
}

export const NEW_JOB: NewJobForm = {
  ...NEW_SETTINGS,
  name: "",
  flowId: null,
  numbers: [],
  startsLater: false,
  startAt: "",
  webhook: { url: "", authMode: "NONE", secret: "", headerName: "" },
};

/** The reply of the creation. */
export type CreatedJob = CallJob & { acceptedRows: number; rowErrors: RowError[] };

/** Who would be skipped, as the server judges it. */
export interface Preflight {
  totalRows: number;
  callableRows: number;
  waitingForWindowRows: number;
  skippedRows: number;
  rejectedRows: number;
  reasons: {
    code: string;
    message: string;
    count: number;
    rows: { line: number | null; customerNumber: string; externalId: string | null }[];
  }[];
  rowErrors: RowError[];
}

/** The settings as the API takes them. */
export function toSettings(form: NewJobForm): Record<string, unknown> {
  const { name, flowId, numbers, maxConcurrency, startsLater, startAt, window } = form;
  const callingWindow = toCallingWindow(window);
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(flowId === null ? {} : { flowId }),
    ...(numbers.length === 0 ? {} : { fromPhoneNumbers: numbers }),
    ...(maxConcurrency === "" ? {} : { maxConcurrency }),
    retryConfig: toRetryConfig(form),
    ...(callingWindow ? { callingWindow } : {}),
    ...(startsLater && startAt !== "" ? { startAt: new Date(startAt).toISOString() } : {}),
    ...(form.webhook.url.trim() === "" ? {} : { completionWebhook: toWebhook(form.webhook) }),
  };
}

function toWebhook({ url, authMode, secret, headerName }: NewJobForm["webhook"]): Record<string, string> {
  if (authMode === "BEARER") return { url: url.trim(), authMode, secret };
  if (authMode === "CUSTOM_HEADER") return { url: url.trim(), authMode, headerName, headerValue: secret };
  return { url: url.trim(), authMode };
}

/** What is wrong with the form before anything is sent, by field. */
export function findJobFaults(form: NewJobForm): Record<string, string> {
  const faults = findFaults(form);
  if (form.startsLater && Number.isNaN(new Date(form.startAt).getTime())) faults.startAt = "Say when it starts.";
  const { url, authMode, secret, headerName } = form.webhook;
  if (url.trim() !== "") {
    if (!/^https?:\/\/\S+$/i.test(url.trim()))
      faults["completionWebhook.url"] = "Write an address that begins with https://";
    if (authMode !== "NONE" && secret === "") faults["completionWebhook.secret"] = "Write the secret.";
    if (authMode === "CUSTOM_HEADER" && headerName === "") faults["completionWebhook.headerName"] = "Name the header.";
  }
  return faults;
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

import type { LeadSource } from "./lead-source.ts";
import { MAPPED } from "./lead-source.ts";

/** Values of a source's form. */
export type SourceForm = {
  name: string;
  active: boolean;
  flowId: string | null;
  fromPhoneNumber: string | null;
  delayMinutes: number | string;
  defaultCountry: string;
  deduplicateBy: LeadSource["deduplicateBy"];
  deduplicateHours: number | string;
  dailyLimit: number | string;
  consentRequired: boolean;
  signature: LeadSource["signature"];
  signatureHeader: string;
  signingSecret: string;
  paths: Record<string, string>;
  variables: { name: string; path: string }[];
  keepsWhole: boolean;
  sample: string;
};

const SECONDS_A_MINUTE = 60;

/** Returns the form of a source; the defaults when there is none yet. */
export function toForm(source: LeadSource | null): SourceForm {
  const mapping: Partial<LeadSource["mapping"]> = source?.mapping ?? {};
  return {
    name: source?.name ?? "",
    active: source?.active ?? true,
    flowId: source?.flowId ?? null,
    fromPhoneNumber: source?.fromPhoneNumber ?? null,
    delayMinutes: (source?.delaySeconds ?? 0) / SECONDS_A_MINUTE,
    defaultCountry: source?.defaultCountry ?? "",
    deduplicateBy: source?.deduplicateBy ?? "EITHER",
    deduplicateHours: source?.deduplicateHours ?? 24,
    dailyLimit: source?.dailyLimit ?? "",
    consentRequired: source?.consentRequired ?? false,
    signature: source?.signature ?? "NONE",
    signatureHeader: source?.signatureHeader ?? "",
    signingSecret: "",
    paths: Object.fromEntries(MAPPED.map(({ name }) => [name, mapping[name] ?? ""])),
    variables: Object.entries(mapping.rowData ?? {}).map(([name, path]) => ({ name, path })),
    keepsWhole: mapping.contextData?.lead === "$",
    sample: "",
  };
}

/** Returns the mapping of a form. What of contextData the form does not show stays as it is stored. */
export function toMapping(form: SourceForm, source: LeadSource | null): LeadSource["mapping"] {
  const { lead, ...others } = source?.mapping.contextData ?? {};
  const contextData = { ...(lead === undefined || lead === "$" ? {} : { lead }), ...others };
  if (form.keepsWhole) contextData.lead = "$";
  const paths = Object.entries(form.paths).map(([name, path]) => [name, path.trim() || null]);
  const variables = form.variables.filter(({ name, path }) => name.trim() !== "" && path.trim() !== "");
  return {
    ...(Object.fromEntries(paths) as unknown as LeadSource["mapping"]),
    customerNumber: (form.paths.customerNumber ?? "").trim(),
    rowData: Object.fromEntries(variables.map(({ name, path }) => [name.trim(), path.trim()])),
    contextData,
  };
}

/** Returns the body of the request that saves a form. */
export function toInput(form: SourceForm, source: LeadSource | null): object {
  const { paths: _p, variables: _v, keepsWhole: _k, sample: _s, delayMinutes, signingSecret, ...plain } = form;
  return {
    ...plain,
    delaySeconds: Math.round(Number(delayMinutes) * SECONDS_A_MINUTE),
    deduplicateHours: Number(form.deduplicateHours),
    dailyLimit: form.dailyLimit === "" ? null : Number(form.dailyLimit),
    defaultCountry: form.defaultCountry.trim().toUpperCase() || null,
    signatureHeader: form.signatureHeader.trim() || null,
    mapping: toMapping(form, source),
    ...(signingSecret === "" ? {} : { signingSecret }),
  };
}

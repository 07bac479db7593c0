import { checkSchema } from "#src/authoring/structured-outputs/schema-check.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { AppError, type Fault } from "#src/platform/kernel/errors.ts";
import { findBodyFaults } from "./api-body.ts";
import { findHeaderFaults } from "./api-headers.ts";
import { findHostFaults, findUrlFaults } from "./host-rules.ts";
import { findParameterFaults } from "./parameters.ts";
import { SYSTEM_TOOLS } from "./system-tools.ts";
import type { ToolFields } from "./tool-fields.ts";
import type { ForwardCallConfig, ToolExecutionStep } from "./tool-shapes.ts";

const MAX_SHOWN_FAULTS = 20;

/** Throws 422 with the path of each fault when a whole tool, as it would be stored, breaks a rule. */
export function assertTool(guard: OutboundGuard, tool: ToolFields): void {
  const faults = [
    ...findMissing(tool),
    ...findNameFaults(tool),
    ...findParameterFaults(tool.parameters ?? []),
    ...findReturnFaults(tool),
    ...findRequestFaults(guard, tool),
    ...findForwardFaults(tool.forwardCallConfig ?? {}),
    ...findPlanFaults(tool.executionPlan ?? []),
    ...findLinkFaults(tool),
    ...findLimitFaults(tool),
  ].slice(0, MAX_SHOWN_FAULTS);
  const [head] = faults;
  if (head) throw new AppError("VALIDATION_FAILED", `${head.path}: ${head.message}`, faults);
}

function findMissing(tool: ToolFields): Fault[] {
  const needed: (keyof ToolFields)[] = ["name", "description", "toolType"];
  if (tool.toolType === "API") needed.push("apiUrl", "apiMethod");
  if (tool.toolType === "MCP") needed.push("apiUrl");
  if (tool.toolType === "FORWARD_CALL") needed.push("forwardCallConfig");
  if (tool.toolType === "CODE") needed.push("executionPlan");
  const missing = needed.filter((name) => tool[name] === undefined || tool[name] === null).map(String);
  if (tool.toolType === "CODE" && tool.executionPlan?.length === 0) missing.push("executionPlan.0");
  if (tool.forwardCallConfig && tool.toolType === "FORWARD_CALL" && !tool.forwardCallConfig.destination) {
    missing.push("forwardCallConfig.destination");
  }
  return missing.map((path) => ({ path, code: "REQUIRED", message: "is required and cannot be null." }));
}

function findNameFaults({ name, toolType }: ToolFields): Fault[] {
  const faults: Fault[] = [];
  if (toolType === "SYSTEM") {
    faults.push({ path: "toolType", code: "NOT_ALLOWED", message: "cannot be SYSTEM: those come with the service." });
  }
  if (SYSTEM_TOOLS.some((tool) => tool.name === name)) {
    faults.push({ path: "name", code: "RESERVED", message: `${name} is the name of a system tool.` });
  }
  return faults;
}

function findReturnFaults({ returnValue }: ToolFields): Fault[] {
  const schema = returnValue?.schema;
  if (!schema) return [];
  // An object schema is checked by itself, any other as the only member of an object.
  const isObject = schema.type === "object";
  const faults = checkSchema(isObject ? schema : { type: "object", properties: { value: schema } });
  return faults.map((fault) => {
    const inner = isObject ? fault.path : fault.path.replace(/^properties\.value\.?/, "");
    return { ...fault, path: ["returnValue.schema", inner].filter(Boolean).join(".") };
  });
}

function findRequestFaults(guard: OutboundGuard, tool: ToolFields): Fault[] {
  const { apiUrl, apiTimeoutSeconds: api, toolCallTimeoutSeconds: call, networkAllowList: hosts } = tool;
  const faults = [...findHostFaults(hosts ?? [], "networkAllowList"), ...findHeaderFaults(tool.apiHeaders ?? {})];
  faults.push(...findBodyFaults(tool.apiBody ?? {}));
  if (typeof apiUrl === "string") faults.push(...findUrlFaults(guard, apiUrl, (hosts?.length ?? 0) > 0));
  if (api && call && api > call) {
    faults.push({ path: "apiTimeoutSeconds", code: "RANGE", message: "is longer than toolCallTimeoutSeconds." });
  }
  return faults;
}

const DESTINATIONS = {
  PHONE: { form: /^\+[1-9]\d{6,14}$/, message: "is not an E.164 number, such as +12025550100." },
  SIP: {
    form: /^sips?:[^\s@<>]{1,200}@[^\s@<>/]{1,255}$/i,
    message: "is not a SIP address, such as sip:desk@example.com.",
  },
  FLOW: { form: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, message: "is not a flow's id or apiId." },
};

function findForwardFaults({ destination, destinationType, holdAudioUrl, sipHeaders }: ForwardCallConfig): Fault[] {
  const faults: Fault[] = [];
  const refuse = (field: string, code: string, message: string) =>
    faults.push({ path: `forwardCallConfig.${field}`, code, message });
  const expected = DESTINATIONS[destinationType ?? "PHONE"];
  if (destination && !destination.includes("{{") && !expected.form.test(destination)) {
    refuse("destination", destinationType ?? "PHONE", expected.message);
  }
  if (holdAudioUrl && !(/^https?:\/\//i.test(holdAudioUrl) && URL.canParse(holdAudioUrl))) {
    refuse("holdAudioUrl", "URL", "is not an http or https URL.");
  }
  for (const [name, value] of Object.entries(sipHeaders ?? {})) {
    if (/^x-[a-z0-9-]{1,100}$/i.test(name) && /^[\x20-\x7e]*$/.test(value)) continue;
    refuse(`sipHeaders.${name.slice(0, 100)}`, "HEADER", "must be an X- header of printable ASCII.");
  }
  return faults;
}

function findPlanFaults(plan: readonly ToolExecutionStep[]): Fault[] {
  const seen = new Set<string>();
  return plan.flatMap((step, i) => {
    const faults: Fault[] = [];
    const refuse = (field: string, code: string, message: string) =>
      faults.push({ path: `executionPlan.${i}.${field}`, code, message });
    if (step.id && seen.has(step.id)) refuse("id", "DUPLICATE", `${step.id} is there twice.`);
    if (step.id) seen.add(step.id);
    if (step.type === "CODE" && !step.code) refuse("code", "REQUIRED", "is required for a CODE step.");
    if (step.type === "TOOL" && !step.toolId) refuse("toolId", "REQUIRED", "is required for a TOOL step.");
    if (Object.hasOwn(step, "apiHeaders")) {
      refuse("apiHeaders", "NOT_ALLOWED", "belongs to the tool itself, where its values are sealed.");
    }
    return faults;
  });
}

function findLinkFaults({ integrations, integrationCredentialLinks }: ToolFields): Fault[] {
  const keys = new Set<string>();
  const faults: Fault[] = [];
  for (const [i, { key }] of (integrations ?? []).entries()) {
    if (!key) continue;
    if (keys.has(key)) faults.push({ path: `integrations.${i}.key`, code: "DUPLICATE", message: "is there twice." });
    keys.add(key);
  }
  for (const [i, { integrationKey }] of (integrationCredentialLinks ?? []).entries()) {
    if (!integrationKey || keys.has(integrationKey)) continue;
    const path = `integrationCredentialLinks.${i}.integrationKey`;
    faults.push({ path, code: "UNKNOWN", message: "names no integration of this tool." });
  }
  return faults;
}

function findLimitFaults(tool: ToolFields): Fault[] {
  const { toolConcurrencyConfig: limit, toolResultCacheConfig: cache } = tool;
  const faults: Fault[] = [];
  if (limit?.enabled && !limit.maxConcurrent) {
    faults.push({
      path: "toolConcurrencyConfig.maxConcurrent",
      code: "REQUIRED",
      message: "is required when enabled.",
    });
  }
  if (limit?.enabled && limit.onLimit === "FALLBACK" && !tool.concurrencyLimitFallbackMessage) {
    faults.push({
      path: "concurrencyLimitFallbackMessage",
      code: "REQUIRED",
      message: "is required when toolConcurrencyConfig.onLimit is FALLBACK.",
    });
  }
  const names = new Set((tool.parameters ?? []).map((parameter) => parameter.name));
  for (const [i, name] of (cache?.keyParameters ?? []).entries()) {
    if (names.has(name)) continue;
    const path = `toolResultCacheConfig.keyParameters.${i}`;
    faults.push({ path, code: "UNKNOWN", message: "names no parameter of this tool." });
  }
  return faults;
}

import type { OpenTool } from "#src/authoring/tools/open-tools.ts";
import { toInputSchema } from "#src/authoring/tools/parameters.ts";
import type { GrantedTool, ToolPromptText } from "#src/engine/conversation/tool-port.ts";
import type { ToolOffer } from "#src/engine/models/models.ts";
import { isRecord } from "./values.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
const DEFAULT_DELAYED_MS = 3_000;
const DEFAULT_CONFIRMED_MS = 2_000;

type Fields = OpenTool["fields"];
type Schema = Record<string, unknown>;

/** A tool in the form that the engine uses. `serverSchema` is an MCP server's schema of its input. */
export function toGrant(id: string, fields: Fields, language: string, serverSchema: Schema | null = null): GrantedTool {
  const { messages } = fields;
  return {
    id,
    offer: toOffer(fields, serverSchema),
    messages: {
      start: messages?.start || null,
      delayed: messages?.delayed || null,
      delayedAfterMs: messages?.delayedAfterMs ?? DEFAULT_DELAYED_MS,
      success: messages?.success || null,
      failure: messages?.failure || null,
    },
    prompts: pickPrompts(fields, language),
    confirmedTranscriptMs: fields.requiresConfirmedTranscript
      ? (fields.confirmedTranscriptTimeoutMs ?? DEFAULT_CONFIRMED_MS)
      : null,
    timeoutMs: (fields.toolCallTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    isAsync: isAsync(fields),
    requiresFollowUp: fields.requiresFollowUp ?? true,
    isProactive: fields.proactiveLookupEnabled ?? false,
    ...(fields.toolType === "FORWARD_CALL" ? { handsOver: true as const } : {}),
    disclosure: fields.hideFromChatTimeline ? "HIDDEN" : fields.anonymizeInChatTimeline ? "NAME_ONLY" : "FULL",
  };
}

/** True for a tool whose answer comes by the callback. MCP servers and transfers answer at once. */
export function isAsync({ isAsync: wanted, toolType }: Fields): boolean {
  return wanted === true && toolType !== "MCP" && toolType !== "FORWARD_CALL";
}

/** True for a parameter that we fill in, so the model does not get it. */
export function isHidden({ source }: { source?: string | null }): boolean {
  return source === "VARIABLE" || source === "CONSTANT";
}

function toOffer(fields: Fields, serverSchema: Schema | null): ToolOffer {
  const parameters = fields.parameters ?? [];
  const own = toInputSchema(parameters.filter((parameter) => !isHidden(parameter)));
  const hidden = parameters.filter(isHidden).map(({ name }) => name);
  const inputSchema = serverSchema === null ? own : withoutMembers(serverSchema, hidden);
  return { name: fields.name, description: describe(fields), inputSchema };
}

/** Removes the members that we fill in ourselves from the schema for the model. */
function withoutMembers(schema: Schema, names: readonly string[]): Schema {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    required: required.filter((name) => !names.includes(String(name))),
  };
}

function describe(fields: Fields): string {
  const { description, aimetaHint, returnValue, discloseOutputSchema } = fields;
  const lines = [description];
  if (aimetaHint?.whenToUse) lines.push(`When to use it: ${aimetaHint.whenToUse}`);
  if (aimetaHint?.whenNotToUse) lines.push(`When not to use it: ${aimetaHint.whenNotToUse}`);
  for (const example of aimetaHint?.examples ?? []) {
    lines.push(`Example: ${typeof example === "string" ? example : JSON.stringify(example)}`);
  }
  if (discloseOutputSchema && returnValue) {
    const { type, description: meaning, schema } = returnValue;
    const shape = schema ?? (type ? { type } : null);
    if (shape) lines.push(`Its answer fits this JSON Schema: ${JSON.stringify(shape)}`);
    if (meaning) lines.push(`Its answer: ${meaning}`);
  }
  return lines.join("\n");
}

/** Returns, for each key, the texts in the session's language, else those without a language. */
function pickPrompts({ prompts }: Fields, language: string): ToolPromptText[] {
  const spoken = language.toLowerCase();
  const fits = (of: string) => spoken === of.toLowerCase() || spoken.split("-")[0] === of.toLowerCase();
  const reported = (prompts ?? []).map((prompt) => ({ ...prompt, key: prompt.key || "instructions" }));
  const translated = new Set(reported.filter((one) => one.language && fits(one.language)).map((one) => one.key));
  return reported
    .filter((one) => (one.language ? fits(one.language) : !translated.has(one.key)))
    .map(({ key, role, content }) => ({ key, role: role ?? "SYSTEM", content }));
}

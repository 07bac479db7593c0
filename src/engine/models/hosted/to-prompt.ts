import type { JSONObject, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelMessage, OutputDefinition, ToolCall } from "#src/engine/models/models.ts";

/** Inserted before a conversation that the assistant begins, because some providers refuse that. */
const OPENING = "(The person is on the line.)";
/** Appended to a conversation in which the assistant spoke last, because some providers refuse that. */
const GO_ON = "(Go on.)";
/** Replaces an empty text, which no provider accepts. */
const NO_WORDS = "(no words)";
const NO_ANSWER = "(no answer)";
/** Providers accept 64 characters, and one may be prefixed. */
const MAX_NAME = 63;

/**
 * Converts the conversation to the prompt format of the AI SDK. `hasTools` is false for a request that offers no tools:
 * calls and their results then become words, because Anthropic and Amazon accept them only beside the tools.
 */
export function toPrompt(
  messages: readonly ModelMessage[],
  outputs: readonly OutputDefinition[],
  language: string,
  hasTools: boolean,
): LanguageModelV4Prompt {
  const system = messages.filter((message) => message.role === "SYSTEM").map((message) => message.content);
  const spoken = messages.filter((message) => message.role !== "SYSTEM");
  const dialogue = hasTools ? spoken : withoutCalls(spoken);
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: [...system, brief(outputs, language)].filter(Boolean).join("\n\n") },
  ];
  if (dialogue[0]?.role !== "USER") prompt.push(userSays(OPENING));
  prompt.push(...pairCalls(dialogue));
  if (prompt.at(-1)?.role === "assistant") prompt.push(userSays(GO_ON));
  return prompt;
}

function userSays(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/**
 * Places every call with its result right behind it, as all providers require, whatever was said in between. The ids
 * are replaced, because some servers give ids that are too long for others, or duplicates; Mistral takes nine letters
 * and digits alone. A call without a result (the person hung up meanwhile) gets one that says so.
 */
function pairCalls(dialogue: ModelMessage[]): LanguageModelV4Message[] {
  const answers = new Map<string, ModelMessage[]>();
  for (const message of dialogue) {
    if (message.role !== "TOOL") continue;
    const id = message.toolCallId ?? "";
    answers.set(id, [...(answers.get(id) ?? []), message]);
  }
  const paired: LanguageModelV4Message[] = [];
  let calls = 0;
  for (const { role, content, toolCalls } of dialogue) {
    if (role === "TOOL") continue;
    if (role === "USER") {
      paired.push(userSays(content.trim() === "" ? NO_WORDS : content));
      continue;
    }
    const named = (toolCalls ?? []).map((call) => ({ call, id: `call${String(++calls).padStart(5, "0")}` }));
    const text = content.trim() === "" ? [] : [{ type: "text" as const, text: content }];
    if (text.length + named.length === 0) continue;
    const said = [...text, ...named.map(({ call, id }) => toCall(call, id))];
    const before = paired.at(-1);
    // Consecutive actions of the assistant become one message: Google refuses a call right behind another of its
    // messages.
    if (before?.role === "assistant") {
      // Some providers join texts without a space.
      if (before.content.at(-1)?.type === "text" && said[0]?.type === "text")
        said[0] = { ...said[0], text: ` ${said[0].text}` };
      before.content.push(...said);
    } else paired.push({ role: "assistant", content: said });
    // Google accepts the results of parallel calls only in one message.
    const reported = named.map(({ call, id }) =>
      toAnswer(call, id, answers.get(call.id)?.shift()?.content ?? NO_ANSWER),
    );
    if (reported.length > 0) paired.push({ role: "tool", content: reported });
  }
  return paired;
}

function toCall(call: ToolCall, toolCallId: string) {
  return { type: "tool-call" as const, toolCallId, toolName: toToolName(call.name), input: call.input as JSONObject };
}

function toAnswer(call: ToolCall, toolCallId: string, value: string) {
  const output = { type: "text" as const, value };
  return { type: "tool-result" as const, toolCallId, toolName: toToolName(call.name), output };
}

/** Writes calls and their results as words, each result where it came. */
function withoutCalls(dialogue: readonly ModelMessage[]): ModelMessage[] {
  return dialogue.map(({ role, content, toolCalls = [] }) => {
    if (role === "TOOL") return { role: "USER", content: `(Result of the tool: ${content})` };
    const called = toolCalls.map(({ name, input }) => `(Called ${toToolName(name)} with ${JSON.stringify(input)})`);
    return { role, content: [content, ...called].filter(Boolean).join("\n") };
  });
}

/** Makes a tool name valid: models also call tools that they invent, under names that no provider accepts back. */
function toToolName(name: string): string {
  const taken = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME);
  return /^[a-zA-Z_]/.test(taken) ? taken : `_${taken}`;
}

/** Describes the wanted fields in words and by their whole schemas: a schema alone does not make a model ask. */
function brief(outputs: readonly OutputDefinition[], language: string): string {
  const wanted = outputs.map(({ name, description, schema }) =>
    ["-", `${name}:`, description, JSON.stringify(schema)].filter(Boolean).join(" "),
  );
  const spoken = `Speak the language with the BCP 47 tag ${language}, unless the person speaks another.`;
  if (wanted.length === 0) return spoken;
  return `${spoken}\nFind out, by asking naturally, what these JSON Schemas describe: the required fields first, and a conditional one only when its condition holds.\n${wanted.join("\n")}`;
}

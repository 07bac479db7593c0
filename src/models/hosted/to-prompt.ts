import type { JSONObject, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelMessage, OutputDefinition } from "#src/models/models.ts";

/** Stands for the moment before anybody spoke: some providers refuse a conversation that the assistant begins. */
const OPENING = "(The person is on the line.)";

/** The conversation so far, as the AI SDK's providers take it. */
export function toPrompt(
  messages: readonly ModelMessage[],
  outputs: readonly OutputDefinition[],
  language: string,
): LanguageModelV4Prompt {
  const system = messages.filter((message) => message.role === "SYSTEM").map((message) => message.content);
  const talk = messages.filter((message) => message.role !== "SYSTEM");
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: [...system, brief(outputs, language)].filter(Boolean).join("\n\n") },
  ];
  if (talk[0]?.role !== "USER") prompt.push({ role: "user", content: [{ type: "text", text: OPENING }] });
  const names = new Map(talk.flatMap((message) => message.toolCalls ?? []).map((call) => [call.id, call.name]));
  for (const message of talk) prompt.push(toMessage(message, names));
  return prompt;
}

function toMessage(message: ModelMessage, toolNames: ReadonlyMap<string, string>): LanguageModelV4Message {
  if (message.role === "USER") return { role: "user", content: [{ type: "text", text: message.content }] };
  if (message.role === "TOOL") {
    const toolCallId = message.toolCallId ?? "";
    const output = { type: "text" as const, value: message.content };
    return {
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName: toolNames.get(toolCallId) ?? "tool", output }],
    };
  }
  const text = message.content === "" ? [] : [{ type: "text" as const, text: message.content }];
  const calls = (message.toolCalls ?? []).map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.input as JSONObject,
  }));
  return { role: "assistant", content: [...text, ...calls] };
}

/** What a conversation is meant to find out, in words: the schema alone does not make a model ask. */
function brief(outputs: readonly OutputDefinition[], language: string): string {
  const wanted = outputs.map(
    ({ name, description, schema }) => `- ${name}: ${description} ${JSON.stringify(schema.properties ?? {})}`,
  );
  const spoken = `Speak the language with the BCP 47 tag ${language}, unless the person speaks another.`;
  if (wanted.length === 0) return spoken;
  return `${spoken}\nFind out, by asking naturally, what these fields need:\n${wanted.join("\n")}`;
}

import type { LanguageModel } from "#src/models/models.ts";
export function createScriptedModel(): LanguageModel {
  return { name: "scripted",
    async *respond() { yield { kind: "TEXT" as const, text: "Goodbye." }; yield { kind: "TOOL_CALL" as const, call: { id: "1", name: "end_call", input: {} } }; yield { kind: "USAGE" as const, inputTokens: 0, outputTokens: 0 }; },
    async extract() { return { value: {}, inputTokens: 0, outputTokens: 0 }; } };
}

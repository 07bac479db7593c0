import type {
  ExtractRequest,
  LanguageModel,
  ModelMessage,
  ModelPiece,
  ToolCall,
  TurnRequest,
} from "#src/models/models.ts";
import { introduce, nameTopic } from "./briefing.ts";
import { type Dialogue, toSpeech } from "./dialogue.ts";
import { fillOutput } from "./fill-output.ts";
import { fill } from "./questions.ts";
import { replay } from "./replay.ts";

/**
 * A model that needs no provider: it asks one question for each property of the outputs, understands plain answers
 * in five languages, and fills the outputs with what was really said. It keeps nothing between calls: the same
 * messages give the same turn.
 */
export function createScriptedModel(): LanguageModel {
  return { name: "scripted", respond, extract };
}

async function* respond(request: TurnRequest): AsyncIterable<ModelPiece> {
  request.signal.throwIfAborted();
  const dialogue = replay(request.messages, request.outputs, request.language);
  const turn = decideTurn(dialogue, request);
  if (turn.text !== "") yield { kind: "TEXT", text: turn.text };
  for (const [i, { name, input }] of turn.calls.entries()) {
    yield { kind: "TOOL_CALL", call: { id: `call_${request.messages.length}_${i}`, name, input } };
  }
  yield { kind: "USAGE", inputTokens: countTokens(request.messages), outputTokens: toTokenCount(turn.text.length) };
}

async function extract(
  request: ExtractRequest,
): Promise<{ value: unknown; inputTokens: number; outputTokens: number }> {
  request.signal.throwIfAborted();
  const outputs = request.outputs.includes(request.output) ? request.outputs : [request.output];
  const dialogue = replay(request.messages, outputs, request.language);
  const value = fillOutput(dialogue, request.output, request.faults);
  return {
    value,
    inputTokens: countTokens(request.messages),
    outputTokens: toTokenCount(JSON.stringify(value).length),
  };
}

type PlannedCall = Pick<ToolCall, "name" | "input">;

interface Turn {
  text: string;
  calls: PlannedCall[];
}

function decideTurn(dialogue: Dialogue, request: TurnRequest): Turn {
  const hasSpoken = request.messages.some((message) => message.role === "ASSISTANT");
  if (!hasSpoken) return { text: open(dialogue), calls: [] };
  if (dialogue.end === undefined) return { text: toSpeech(dialogue), calls: [] };
  const goodbye: PlannedCall[] = isOffered(request, "end_call")
    ? [{ name: "end_call", input: { reason: dialogue.end.toLowerCase() } }]
    : [];
  if (dialogue.end === "OPTED_OUT") return optOut(dialogue, request, goodbye);
  if (dialogue.end === "HUMAN") return transfer(dialogue, request, goodbye);
  return { text: toSpeech(dialogue), calls: goodbye };
}

function open(dialogue: Dialogue): string {
  const { briefing, lexicon } = dialogue;
  const greeting = fill(lexicon.phrases.opening, { self: introduce(briefing, lexicon) });
  return `${greeting} ${nameTopic(briefing, lexicon)}`.trim();
}

/** The list is written first, so that the goodbye says what is true. */
function optOut(dialogue: Dialogue, request: TurnRequest, goodbye: PlannedCall[]): Turn {
  const { phrases } = dialogue.lexicon;
  const result = resultOf(request.messages, "add_to_do_not_call");
  if (result !== undefined)
    return { text: result.startsWith("ok") ? phrases.optedOut : phrases.optOutNoted, calls: goodbye };
  if (!isOffered(request, "add_to_do_not_call")) return { text: phrases.optOutNoted, calls: goodbye };
  return { text: phrases.optOut, calls: [{ name: "add_to_do_not_call", input: {} }] };
}

function transfer(dialogue: Dialogue, request: TurnRequest, goodbye: PlannedCall[]): Turn {
  const { phrases } = dialogue.lexicon;
  const tool = request.tools.find(({ name }) => /transfer|forward/i.test(name));
  if (!tool) return { text: phrases.human, calls: goodbye };
  const result = resultOf(request.messages, tool.name);
  if (result === undefined) return { text: phrases.transfer, calls: [{ name: tool.name, input: {} }] };
  return { text: result.startsWith("failed") ? phrases.transferFailed : "", calls: goodbye };
}

function isOffered(request: TurnRequest, name: string): boolean {
  return request.tools.some((tool) => tool.name === name);
}

/** What a tool answered in this conversation; undefined when it was not called. */
function resultOf(messages: ModelMessage[], name: string): string | undefined {
  const call = messages.flatMap((message) => message.toolCalls ?? []).findLast((made) => made.name === name);
  return call && messages.findLast((message) => message.toolCallId === call.id)?.content;
}

function countTokens(messages: ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + toTokenCount(message.content.length), 0);
}

/** About four characters a token, as most tokenizers have it for European languages. */
function toTokenCount(characters: number): number {
  return Math.ceil(characters / 4);
}

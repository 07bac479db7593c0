import type {
  ExtractRequest,
  JsonSchema,
  LanguageModel,
  StageTurn,
  ModelMessage,
  ModelPiece,
  ToolOffer,
  TurnRequest,
} from "#src/engine/models/models.ts";
import { awaitedBy, MOMENT, YES_OR_NO } from "./awaited.ts";
import { introduce, nameTopic } from "./briefing.ts";
import { type Dialogue, toSpeech } from "./dialogue.ts";
import { fillOutput, fillRecorded } from "./fill-output.ts";
import { momentOf } from "./hear-callback.ts";
import { isOffered, planCalls, type PlannedCall } from "./plan-calls.ts";
import { fill } from "./questions.ts";
import { replay } from "./replay.ts";
import { ask, awaitedInStage, confirm, judgeWords, replayStage } from "./stage-words.ts";
import { isTransfer } from "./tool-names.ts";
import { stemsOf } from "./words.ts";

/** Takes the next turn: one question for each property of the outputs. */
export async function* respond(request: TurnRequest): AsyncIterable<ModelPiece> {
  request.signal.throwIfAborted();
  if (!request.stage) yield { kind: "FIELDS", fields: fieldsOf(request) };
  const turn = request.stage ? takeStageTurn(request, request.stage) : takeTurn(request);
  if (turn.text !== "") {
    yield { kind: "EXPECTS", schema: turn.awaits };
    yield { kind: "TEXT", text: turn.text };
  }
  for (const [i, { name, input }] of turn.calls.entries()) {
    yield { kind: "TOOL_CALL", call: { id: `call_${request.messages.length}_${i}`, name, input } };
  }
  yield { kind: "USAGE", inputTokens: countTokens(request.messages), outputTokens: toTokenCount(turn.text.length) };
}

/** Fills an output with the real answers. */
export async function extract(request: ExtractRequest): ReturnType<LanguageModel["extract"]> {
  request.signal.throwIfAborted();
  const outputs = request.outputs.includes(request.output) ? request.outputs : [request.output];
  const value = request.recorded
    ? fillRecorded(request.output, request.recorded)
    : fillOutput(replay(request.messages, outputs, request.language), request.output, request.faults);
  return {
    value,
    inputTokens: countTokens(request.messages),
    outputTokens: toTokenCount(JSON.stringify(value).length),
  };
}

/** Returns the answers so far that are fields of an output themselves, and not parts of one. */
function fieldsOf({ messages, outputs, language }: TurnRequest): Record<string, unknown> {
  const { answers } = replay(messages, outputs, language);
  const own = [...answers].filter(([{ field }]) => field.path.length === 1);
  return Object.fromEntries(own.map(([{ field }, value]) => [field.path[0], value]));
}

interface Turn {
  text: string;
  calls: PlannedCall[];
  /** Schema of the expected answer, when it is not that of the open question. */
  awaits?: JsonSchema;
}

/** A turn with the schema of the answer that it waits for; null: any answer. */
interface Spoken extends Omit<Turn, "awaits"> {
  awaits: JsonSchema | null;
}

function takeTurn(request: TurnRequest): Spoken {
  const dialogue = replay(request.messages, request.outputs, request.language);
  const turn = decideTurn(dialogue, request);
  return { ...turn, awaits: turn.awaits ?? awaitedBy(dialogue) };
}

/** Records and chooses from what the person said; once that is done, takes the turn in words. */
function takeStageTurn(request: TurnRequest, stage: StageTurn): Spoken {
  const dialogue = replayStage(request, stage);
  const calls = judgeWords(dialogue, request, stage);
  if (calls.length > 0) return { text: "", calls, awaits: null };
  const own = stage.type === "CONFIRM" ? confirm(dialogue, request, stage) : ask(dialogue, stage);
  if (own !== undefined)
    return { text: own, calls: planCalls(dialogue, request), awaits: awaitedInStage(dialogue, stage) };
  const turn = decideTurn(dialogue, request);
  return { ...turn, awaits: turn.awaits ?? awaitedBy(dialogue) };
}

function decideTurn(dialogue: Dialogue, request: TurnRequest): Turn {
  if (!dialogue.hasSpoken) return { text: dialogue.lead || open(dialogue), calls: [] };
  // The results of the calls decide what is said.
  const calls = planCalls(dialogue, request);
  if (calls.length > 0) return { text: "", calls };
  if (dialogue.isUnconfirmed) {
    return { text: dialogue.lexicon.phrases.isThatRight, calls: [], awaits: YES_OR_NO };
  }
  const arranging = arrangeCallback(dialogue, request);
  if (arranging) return arranging;
  // Woken without words of the person, as after a hand-back, it may have no question; a turn without words is a fault.
  if (dialogue.end === undefined)
    return { text: toSpeech(dialogue) || dialogue.lexicon.phrases.anythingElse, calls: [] };
  const goodbye: PlannedCall[] = isOffered(request.tools, "end_call")
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

/** Schedules the callback, or asks for its time. */
function arrangeCallback({ callback, end, lexicon }: Dialogue, { tools }: TurnRequest): Turn | undefined {
  if (!callback || callback.isSettled || !isOffered(tools, "schedule_callback")) return undefined;
  if (end !== undefined && end !== "CALLBACK" && end !== "COMPLETED") return undefined;
  const at = momentOf(callback);
  if (at !== undefined) return { text: "", calls: [{ name: "schedule_callback", input: { at, note: callback.note } }] };
  return { text: lexicon.phrases.callbackWhen, calls: [], awaits: MOMENT };
}

/** Writes the do-not-call list first, so that the goodbye says what is true. */
function optOut(dialogue: Dialogue, request: TurnRequest, goodbye: PlannedCall[]): Turn {
  const { phrases } = dialogue.lexicon;
  const result = resultOf(request.messages, "add_to_do_not_call");
  if (result !== undefined)
    return { text: result.startsWith("ok") ? phrases.optedOut : phrases.optOutNoted, calls: goodbye };
  if (!isOffered(request.tools, "add_to_do_not_call")) return { text: phrases.optOutNoted, calls: goodbye };
  return { text: phrases.optOut, calls: [{ name: "add_to_do_not_call", input: {} }] };
}

function transfer(dialogue: Dialogue, request: TurnRequest, goodbye: PlannedCall[]): Turn {
  const { phrases } = dialogue.lexicon;
  // In a chat both are there: humans take it over, and transfer_call leads to other agents, by their names.
  const mayAsk = isOffered(request.tools, "request_human");
  const isMeant = !mayAsk || namedTarget(dialogue, request) !== undefined;
  const tool = isMeant ? request.tools.find(({ name }) => isTransfer(name)) : undefined;
  if (!tool && mayAsk && !dialogue.isHumanNoted) return { text: "", calls: [{ name: "request_human", input: {} }] };
  if (!tool) return { text: phrases.human, calls: goodbye };
  const result = resultOf(request.messages, tool.name);
  if (result === undefined)
    return { text: phrases.transfer, calls: [{ name: tool.name, input: transferInput(dialogue, request, tool) }] };
  return { text: result.startsWith("failed") ? phrases.transferFailed : "", calls: goodbye };
}

/** Returns the target that the person named, else the first one. */
function transferInput(dialogue: Dialogue, request: TurnRequest, tool: ToolOffer): Record<string, unknown> {
  const { properties } = tool.inputSchema;
  const names = Object.keys(dialogue.briefing.transferTargets);
  if (names.length === 0 || properties === null || typeof properties !== "object" || !("target" in properties))
    return {};
  return { target: namedTarget(dialogue, request) ?? names[0] };
}

/** Returns the target that the person named in their last words. */
function namedTarget({ briefing }: Dialogue, { messages }: TurnRequest): string | undefined {
  const said = stemsOf(messages.findLast(({ role }) => role === "USER")?.content.slice(0, 2_000) ?? "");
  return Object.keys(briefing.transferTargets).find((name) => [...stemsOf(name)].some((stem) => said.has(stem)));
}

/** Returns a tool's result in this conversation; undefined when it was not called. */
function resultOf(messages: ModelMessage[], name: string): string | undefined {
  const call = messages.flatMap((message) => message.toolCalls ?? []).findLast((made) => made.name === name);
  return call && messages.findLast((message) => message.toolCallId === call.id)?.content;
}

function countTokens(messages: ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + toTokenCount(message.content.length), 0);
}

/** Estimates four characters per token, as in most tokenizers for European languages. */
function toTokenCount(characters: number): number {
  return Math.ceil(characters / 4);
}

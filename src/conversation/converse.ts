import { toError } from "#src/kernel/errors.ts";
import type { ToolCall } from "#src/models/models.ts";
import { type AgentTurn, ModelError, takeTurn } from "./agent-turn.ts";
import type { SessionEndReason } from "./plan.ts";
import type { Talk } from "./talk.ts";
import { runTool, SESSION_TOOLS } from "./tools.ts";

const MAX_AGENT_TURNS = 60;
/** A model that calls tools this often without listening is in a loop. */
const MAX_TOOL_ROUNDS = 5;

/** Talks by turns until something ends it: the first message, or the model, opens. Throws what the model throws. */
export async function converse(talk: Talk, firstMessage: string): Promise<SessionEndReason> {
  let end = firstMessage === "" ? await takeAgentTurn(talk) : await sayLine(talk, firstMessage);
  while (end === null) end = (await hearPerson(talk)) ?? (await takeAgentTurn(talk));
  return end;
}

async function sayLine(talk: Talk, text: string): Promise<SessionEndReason | null> {
  const spoken = await talk.floor.say(text);
  return spoken.hungUp ? "CUSTOMER_HUNG_UP" : null;
}

/** Says a parting line of the engine's; the reason stands whatever becomes of the line. */
async function part(talk: Talk, text: string, reason: SessionEndReason): Promise<SessionEndReason> {
  await talk.floor.say(text);
  return reason;
}

/** Waits for the person to say something; null when they did. */
async function hearPerson(talk: Talk): Promise<SessionEndReason | null> {
  for (let silences = 0; ;) {
    const leftMs = talk.maxMs - talk.floor.elapsedMs();
    if (leftMs <= 0) return part(talk, talk.phrases.timeUp, "LIMIT_DURATION");
    const heard = await talk.floor.listen(Math.min(talk.silenceMs, leftMs));
    if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
    if (heard.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
    if (talk.floor.elapsedMs() >= talk.maxMs) return part(talk, talk.phrases.timeUp, "LIMIT_DURATION");
    if (heard.kind !== "SILENCE") return null;
    if (++silences > 1) return "LIMIT_SILENCE";
    const end = await sayLine(talk, talk.phrases.stillThere);
    if (end) return end;
  }
}

/** The model's turn: spoken, its tools run, until it waits for the person (null) or the call ends. */
export async function takeAgentTurn(talk: Talk): Promise<SessionEndReason | null> {
  if (talk.agentTurns >= MAX_AGENT_TURNS) return part(talk, talk.phrases.timeUp, "LIMIT_TURNS");
  talk.agentTurns++;
  let hasSpoken = false;
  for (let round = 0; round < MAX_TOOL_ROUNDS; round++) {
    // A model that spoke beside its tools may have nothing to add to their results.
    const turn = await askModel(talk, hasSpoken);
    hasSpoken ||= turn.text !== "";
    const spoken = turn.text === "" ? null : await talk.floor.say(turn.text);
    if (spoken?.interrupted && !spoken.hungUp && mayResume(talk, turn)) return null;
    // Also when the person has hung up: a refusal of further calls is written all the same.
    const endsCall = await runTools(talk, turn.toolCalls);
    if (spoken?.hungUp) return "CUSTOMER_HUNG_UP";
    if (endsCall) return "AGENT_ENDED_CALL";
    if (turn.toolCalls.length === 0) return null;
  }
  throw await apologise(talk, new ModelError("MODEL_LOOP", "The model called tools without end."));
}

/** A goodbye that the person talks over is taken back once, to hear what they have to say. */
function mayResume(talk: Talk, turn: AgentTurn): boolean {
  if (talk.resumedAfterGoodbye || turn.toolCalls.length !== 1 || turn.toolCalls[0]?.name !== "end_call") return false;
  talk.resumedAfterGoodbye = true;
  return true;
}

/** Asks the model, twice if need be: most failures of a model server are gone a moment later. */
async function askModel(talk: Talk, mayBeEmpty: boolean): Promise<AgentTurn> {
  const { plan, ports, floor } = talk;
  const request = {
    messages: floor.messages,
    tools: SESSION_TOOLS,
    outputs: plan.outputs,
    language: plan.flow.language,
  };
  const startedMs = ports.now().getTime();
  const ask = (): Promise<AgentTurn | Error> =>
    takeTurn(ports.model, request, talk.modelLimits, mayBeEmpty, talk.signal).catch(toError);
  let turn = await ask();
  if (turn instanceof ModelError) turn = await ask();
  talk.modelMs.push(ports.now().getTime() - startedMs);
  if (turn instanceof ModelError) throw await apologise(talk, turn);
  if (turn instanceof Error) throw turn;
  talk.usage.inputTokens += turn.inputTokens;
  talk.usage.outputTokens += turn.outputTokens;
  return turn;
}

/** Speaks the apology and gives the error back to be thrown. */
async function apologise(talk: Talk, error: ModelError): Promise<ModelError> {
  await talk.floor.say(talk.phrases.apology);
  return error;
}

/** Runs the calls of one turn in their order; true when one of them ends the call. */
async function runTools(talk: Talk, calls: ToolCall[]): Promise<boolean> {
  let endsCall = false;
  if (calls.length > 0) talk.floor.rememberCalls(calls);
  for (const call of calls) {
    const result = await runTool(call, talk.ports);
    talk.floor.recordTool(call, result.content);
    talk.optedOut ||= result.optsOut;
    talk.notedError ??= result.error;
    endsCall ||= result.endsCall;
  }
  return endsCall;
}

import { applyMove, nextMove, noteGlobals } from "#src/engine/stages/next-move.ts";
import type { PlannedAction, PlannedStage } from "#src/engine/stages/stage-plan.ts";
import { noteChoice, noteSpoken, noteWords } from "#src/engine/stages/stage-state.ts";
import type { StageRun } from "./open-stages.ts";
import type { SessionEndReason } from "./plan.ts";
import type { SessionState } from "./session-state.ts";
import { currentStage, noteStageText, renderInStage, stageFacts } from "./stage-run.ts";
import { finishToolCalls, startToolCall } from "./tool-calls.ts";
import { handOver } from "./transfer.ts";

/** Moves within one turn of the agent, after which stages that go on by themselves are in a loop. */
const MAX_MOVES = 100;

/** Result of a walk to the next stage that needs the person or the model. */
export interface Walk {
  /** Reason why the session ends; null when it goes on. */
  end: SessionEndReason | null;
  /** True when the agent waits for the person, or for a tool, without asking the model. */
  waits: boolean;
}

const GO_ON: Walk = { end: null, waits: false };

/** Notes that the person has spoken since the last turn, so that the edges of the stage count. */
export function noteHeard(session: SessionState): void {
  const run = session.stages;
  if (!run) return;
  run.hasSpoken = false;
  const heard = session.transcribed.messages.filter(({ role }) => role === "USER").length;
  const isBack = heard > run.state.heard && !run.state.isEntryDue && currentStage(run).type === "TRANSFER";
  run.state = { ...noteWords(run.state, heard), isReturned: run.state.isReturned || isBack };
}

/** Notes a turn of the model: its words stand for the judgement of the person's words. */
export function noteModelTurn(session: SessionState, text: string): void {
  const run = session.stages;
  if (!run || text === "") return;
  run.state = noteSpoken(run.state.isDecided ? run.state : noteChoice(run.state, null));
}

/** True when a move follows from the state, so that the turn goes on in another stage. */
export function hasMove(session: SessionState): boolean {
  const run = session.stages;
  return run !== null && nextMove(run.plan, run.state, stageFacts(session, run)).kind !== "STAY";
}

/** Walks through the stages until one needs the person or the model; takes the actions on the way. */
export async function walkStages(session: SessionState): Promise<Walk> {
  const run = session.stages;
  if (!run) return GO_ON;
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    if (run.state.isEntryDue) {
      const end = await enter(session, run);
      if (end || session.stages !== run) return { end, waits: end === null };
    }
    const facts = stageFacts(session, run);
    const move = nextMove(run.plan, run.state, facts);
    run.state = noteGlobals(run.plan, run.state, facts);
    if (move.kind === "STAY") {
      noteStageText(session, run, "PROMPT", currentStage(run).prompt);
      return { end: null, waits: waitsInstead(session, run, facts.toAsk) };
    }
    if (move.kind === "END") return { end: await endPolitely(session), waits: false };
    if (move.edgeId !== null) {
      const end = await act(session, run, currentStage(run).onExit, "exit");
      if (end) return { end, waits: false };
    }
    const mark = { at: session.ports.now().toISOString(), turnIndex: session.transcribed.turns.length };
    run.state = applyMove(run.plan, run.state, move, mark);
    session.ports.onStage?.(run.state.path);
  }
  return { end: await endPolitely(session), waits: false };
}

async function endPolitely({ transcribed, phrases }: SessionState): Promise<SessionEndReason> {
  await transcribed.say(phrases.timeUp);
  return "LIMIT_TURNS";
}

/** Takes the actions on entry, then ends or transfers the session where the stage says so. */
async function enter(session: SessionState, run: StageRun): Promise<SessionEndReason | null> {
  run.state = { ...run.state, isEntryDue: false };
  const stage = currentStage(run);
  const end = await act(session, run, stage.onEntry, "entry");
  if (end || session.stages !== run) return end;
  if (stage.type === "END" && stage.returnsTo === null) return "AGENT_ENDED_CALL";
  return stage.type === "TRANSFER" ? transfer(session, run, stage) : null;
}

/** Hands the session over. After a failure the edges of the stage decide. */
async function transfer(
  session: SessionState,
  run: StageRun,
  { transferTarget }: PlannedStage,
): Promise<SessionEndReason | null> {
  if (session.plan.channel === "CHAT") {
    // A chat waits for an operator of the workspace. The agent has its next turn once they have handed it back.
    session.wantsHuman = true;
    return null;
  }
  const target = session.grants.transferTargets.find(({ name }) => name === transferTarget);
  const { end } = target ? await handOver(session, target.order, target.wantsSummary) : { end: null };
  if (session.stages === run) run.state = { ...run.state, isReturned: true };
  return end;
}

/** True when the stage has said what it has to say, or a tool has to end before its edges can decide. */
function waitsInstead(session: SessionState, run: StageRun, toAsk: readonly string[]): boolean {
  const stage = currentStage(run);
  if (stage.type === "TRANSFER" && session.wantsHuman) return true;
  if (stage.type !== "TALK" || toAsk.length > 0 || stage.prompt !== "" || run.state.isAnswered) return false;
  return run.hasSpoken || session.pending.size > 0;
}

async function act(
  session: SessionState,
  run: StageRun,
  actions: PlannedAction[],
  when: "entry" | "exit",
): Promise<SessionEndReason | null> {
  for (const [i, action] of actions.entries()) {
    const end = await actOnce(session, run, action, `${when}-${i}`);
    run.settled = session.transcribed.turns.length;
    if (end) return end;
  }
  return null;
}

async function actOnce(
  session: SessionState,
  run: StageRun,
  action: PlannedAction,
  place: string,
): Promise<SessionEndReason | null> {
  if (action.type === "SET") {
    session.variables = { ...session.variables, [action.name]: renderInStage(session, run, action.value) };
    return null;
  }
  if (action.type === "SAY") {
    noteStageText(session, run, "SAY", action.text);
    const text = renderInStage(session, run, action.text);
    if (text === "") return null;
    run.hasSpoken = true;
    const spoken = await session.transcribed.say(text);
    return spoken.hungUp ? "CUSTOMER_HUNG_UP" : null;
  }
  const { id } = currentStage(run);
  const input = fillInput(session, run, action.input) as Record<string, unknown>;
  // The path goes on where another flow takes over; the visits begin anew, but are counted where the path is full.
  const visit = `${run.state.path.length}.${run.state.visits[id] ?? 0}`;
  const call = { id: `stage-${id}-${visit}-${place}`, name: action.tool, input };
  const begun = startToolCall(session, call, true);
  const done = await finishToolCalls(session, [call], new Map(begun ? [[call.id, begun]] : []), run.hasSpoken);
  return done.end;
}

/** Fills in the templates of a tool's input. */
function fillInput(session: SessionState, run: StageRun, value: unknown): unknown {
  if (typeof value === "string") return renderInStage(session, run, value);
  if (Array.isArray(value)) return value.map((one) => fillInput(session, run, one));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillInput(session, run, one)]));
}

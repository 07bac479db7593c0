import type { ToolCall } from "#src/engine/models/models.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import { clockOf } from "./local-clock.ts";
import type { SessionEndReason } from "./plan.ts";
import { type PendingToolCall, type SessionState, templateVariables } from "./session-state.ts";
import { endToolStep } from "./session-trace.ts";
import { answerStageTool, noteToolOutcome } from "./stage-tools.ts";
import { mayCallInStage } from "./stage-turn.ts";
import { lateAnswerId } from "./stored-lines.ts";
import { isSystemTool, runSystemTool } from "./system-tools.ts";
import type { GrantedTool, ToolRunResult } from "./tool-port.ts";
import { handOver } from "./transfer.ts";

/** Wall-clock milliseconds that the person may wait for a tool in silence before they are asked to wait. */
const SILENT_WAIT_MS = 800;
/** Milliseconds that the agent waits after that, before it listens again and the tool goes on in the background. */
const LAST_WAIT_MS = 400;
/**
 * Milliseconds beyond a tool's own limit, after which the engine stops waiting for a runner that has not given up by
 * itself.
 */
const GRACE_MS = 1_000;
const MAX_CONTENT_CHARACTERS = 16_384;
const WRITTEN_AFTER_END = new Set(["add_to_do_not_call", "request_human"]);

/** A started call of a granted tool. */
export interface StartedToolCall {
  call: ToolCall;
  tool: GrantedTool;
  result: Promise<ToolRunResult>;
}

/** Outcome of the tool calls of one turn. */
export interface ToolCallsEnd {
  /** Reason why the session ends; null when it goes on. */
  end: SessionEndReason | null;
  /** True when the model should speak about their results. */
  followUp: boolean;
}

/**
 * Starts a tool call as soon as the model has made it; null for a system tool, an unknown name or one that the session's
 * stage does not grant, which is answered when its turn comes. `isOwn`: the stage itself makes the call.
 */
export function startToolCall(session: SessionState, call: ToolCall, isOwn = false): StartedToolCall | null {
  const tool = session.grants.tools.find(({ offer }) => offer.name === call.name);
  if (!tool || (!isOwn && !mayCallInStage(session, call.name))) return null;
  const step = session.transcribed.trace?.begin();
  const result = runGuarded(session, tool, call, step?.span.traceparent);
  if (step) void result.then((done) => endToolStep(step, tool, call, done.kind === "FAILED" ? done.code : null));
  return { call, tool, result };
}

/** Runs one tool call to its end or its time limit. Never rejects. */
async function runGuarded(
  session: SessionState,
  tool: GrantedTool,
  call: ToolCall,
  traceparent: string | undefined,
): Promise<ToolRunResult> {
  const refused = (await refuseCall(session, tool)) ?? null;
  if (refused) return refused;
  const { tools } = session.ports;
  if (!tools) return failed("UNAVAILABLE", "this session runs no tools");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ToolRunResult>((resolve) => {
    timer = setTimeout(() => resolve(failed("TIMEOUT", "the tool took too long")), tool.timeoutMs + GRACE_MS);
  });
  try {
    const run = { callId: call.id, tool, input: call.input, variables: templateVariables(session), traceparent };
    return await Promise.race([tools.run(run, session.toolsStop.signal), late]);
  } catch (thrown) {
    if (session.toolsStop.signal.aborted) return failed("CANCELLED", "the session is over");
    session.notedError ??= { code: "TOOL_FAILED", message: `${call.name}: ${toError(thrown).message}`.slice(0, 500) };
    return failed("TOOL_FAILED", "the tool failed");
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Refuses a call when there were too many of them, or when the person's words are not final or have changed. Null when
 * it may be made.
 */
async function refuseCall(session: SessionState, tool: GrantedTool): Promise<ToolRunResult | null> {
  if (++session.toolCalls > session.limits.maxToolCalls) return failed("LIMIT", "no more tools may be called");
  if (tool.confirmedTranscriptMs === null) return null;
  const confirmed = await session.transcribed.confirm(tool.confirmedTranscriptMs).catch(() => null);
  if (!confirmed) {
    return failed("UNCONFIRMED", "what the person said is not final; ask them to confirm it, then call again");
  }
  if (!confirmed.changed) return null;
  return failed("CHANGED", `what the person really said is: ${confirmed.text}. Decide again`);
}

function failed(code: string, message: string): ToolRunResult {
  return { kind: "FAILED", code, message };
}

/**
 * Finishes the tool calls of one turn in their order. On a line, slow tools are announced and go on in the background
 * (`pending`); a chat waits for them.
 */
export async function finishToolCalls(
  session: SessionState,
  calls: ToolCall[],
  started: ReadonlyMap<string, StartedToolCall>,
  hasSpoken: boolean,
): Promise<ToolCallsEnd> {
  if (calls.length === 0) return { end: null, followUp: false };
  session.transcribed.rememberToolCalls(calls);
  const own = calls.flatMap((call) => started.get(call.id) ?? []);
  const done = await waitFor(session, own, hasSpoken);
  let end: SessionEndReason | null = null;
  let followUp = false;
  for (const call of calls) {
    const begun = started.get(call.id);
    const came: ToolCallsEnd = begun
      ? await recordResult(session, begun, call, done.get(begun))
      : await runOther(session, call, end !== null);
    end ??= came.end;
    followUp ||= came.followUp;
  }
  return { end, followUp };
}

/** Runs a system tool, or refuses a name that the plan does not grant. */
async function runOther(session: SessionState, call: ToolCall, hasEnded: boolean): Promise<ToolCallsEnd> {
  const ofStage = answerStageTool(session, call);
  if (ofStage !== null) {
    // No line of the transcript: the path and the fields show it.
    session.transcribed.messages.push({ role: "TOOL", content: ofStage, toolCallId: call.id });
    return { end: null, followUp: true };
  }
  if (!isSystemTool(session, call.name)) {
    session.transcribed.recordTool(call, `failed: there is no tool named ${call.name.slice(0, 100)}`);
    return { end: null, followUp: true };
  }
  // After the end of the call there is no line to press keys on, but requests are still stored.
  if (hasEnded && !WRITTEN_AFTER_END.has(call.name)) {
    session.transcribed.recordTool(call, "failed: the conversation has ended");
    return { end: null, followUp: false };
  }
  const { content, end } = await runSystemTool(session, call);
  session.transcribed.recordTool(call, content);
  return { end, followUp: end === null };
}

/** Waits for tools, fills the silence, and returns the results that have come. */
async function waitFor(
  session: SessionState,
  started: StartedToolCall[],
  hasSpoken: boolean,
): Promise<Map<StartedToolCall, ToolRunResult>> {
  const done = new Map<StartedToolCall, ToolRunResult>();
  if (started.length === 0) return done;
  const all = Promise.all(started.map(async (begun) => void done.set(begun, await begun.result)));
  if (session.isText) {
    await all;
    return done;
  }
  const opening = firstStartMessage(session, started);
  const isQuick = opening === "" && (await settles(all, SILENT_WAIT_MS));
  if (isQuick) return done;
  if (opening !== "") await session.transcribed.say(opening);
  else if (!hasSpoken) await session.transcribed.say(session.phrases.oneMoment);
  await settles(all, LAST_WAIT_MS);
  return done;
}

async function settles(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function recordResult(
  session: SessionState,
  begun: StartedToolCall,
  call: ToolCall,
  result: ToolRunResult | undefined,
): Promise<ToolCallsEnd> {
  const { tool } = begun;
  if (result !== undefined) noteToolOutcome(session, call.name, result);
  if (result === undefined) {
    waitInBackground(session, call, tool, begun.result);
    session.transcribed.recordTool(
      call,
      "not done yet: the answer will come by itself; go on talking",
      tool.disclosure,
    );
    return { end: null, followUp: false };
  }
  if (result.kind === "PENDING") {
    waitInBackground(session, call, tool, result.result, result.taskId);
    session.transcribed.recordTool(call, "started: the answer will come by itself; go on talking", tool.disclosure);
    return { end: null, followUp: true };
  }
  if (result.kind === "TRANSFER") {
    const { content, end } = await handOver(session, result.order, result.wantsSummary);
    session.transcribed.recordTool(call, content, tool.disclosure);
    return { end, followUp: end === null };
  }
  await recordAnswer(session, call, tool, result);
  return { end: null, followUp: tool.requiresFollowUp || result.kind === "FAILED" };
}

/** Records a result, adopts its variables, and says the tool's own message about it. */
async function recordAnswer(
  session: SessionState,
  call: ToolCall,
  tool: GrantedTool,
  result: ToolRunResult & { kind: "VALUE" | "FAILED" },
): Promise<void> {
  if (result.kind === "VALUE") Object.assign(session.variables, result.variables);
  const reported = result.kind === "VALUE" ? result.content : `failed: ${result.message}`;
  const after = tool.prompts.filter(({ key }) => key === "after_result").map(({ content }) => render(session, content));
  const said = render(session, (result.kind === "VALUE" ? tool.messages.success : tool.messages.failure) ?? "");
  // Providers expect the tool's result as the last message of a turn, so the words said about it go into the result.
  const note = said === "" ? "" : `Said to the person already: ${said}`;
  const content = [reported.slice(0, MAX_CONTENT_CHARACTERS), ...after, note].filter(Boolean).join("\n\n");
  session.transcribed.recordTool(call, content, tool.disclosure);
  if (said !== "") await session.transcribed.sayAside(said);
}

/** Records the result of a tool call that was made before the first word; nothing is said about it. */
export function adoptAnswer(
  session: SessionState,
  { call, tool, result }: StartedToolCall,
  came: ToolRunResult | undefined,
): void {
  if (came === undefined) waitInBackground(session, call, tool, result);
  else if (came.kind === "PENDING") waitInBackground(session, call, tool, came.result, came.taskId);
  const content =
    came?.kind === "VALUE" ? came.content : came?.kind === "FAILED" ? `failed: ${came.message}` : "not done yet";
  session.transcribed.recordTool(call, content.slice(0, MAX_CONTENT_CHARACTERS), tool.disclosure);
}

function waitInBackground(
  session: SessionState,
  call: ToolCall,
  tool: GrantedTool,
  result: Promise<ToolRunResult>,
  taskId: string | null = null,
): void {
  const pending: PendingToolCall = {
    taskId,
    call,
    tool,
    result: undefined,
    delayedAtMs: tool.messages.delayed === null ? Infinity : performance.now() + tool.messages.delayedAfterMs,
  };
  session.pending.add(pending);
  void result.then(
    (value) => {
      pending.result = value;
      session.wake.abort();
    },
    () => {
      pending.result = failed("TOOL_FAILED", "the tool failed");
      session.wake.abort();
    },
  );
}

/**
 * Records the results that came in the background, each as a tool call with its result, the form that every provider
 * accepts.
 */
export async function recordLateAnswers(session: SessionState): Promise<ToolCallsEnd> {
  let followUp = false;
  let end: SessionEndReason | null = null;
  for (const pending of session.pending) {
    const { result, tool } = pending;
    if (result === undefined) continue;
    session.pending.delete(pending);
    const call = { ...pending.call, id: lateAnswerId(pending.call.id) };
    session.transcribed.messages.push({ role: "ASSISTANT", content: "", toolCalls: [call] });
    const came = await recordResult(session, { call, tool, result: Promise.resolve(result) }, call, result);
    followUp ||= came.followUp;
    end ??= came.end;
  }
  return { end, followUp };
}

/** Milliseconds until the next delay message is due; Infinity when none is. */
export function untilDelayedMs(session: SessionState): number {
  let atMs = Infinity;
  for (const pending of session.pending) atMs = Math.min(atMs, pending.delayedAtMs);
  return Math.max(0, atMs - performance.now());
}

/** Says the delay message of each tool for which it is due, once. */
export async function sayDelayed(session: SessionState): Promise<void> {
  for (const pending of session.pending) {
    if (pending.delayedAtMs > performance.now() || pending.result !== undefined) continue;
    pending.delayedAtMs = Infinity;
    const text = render(session, pending.tool.messages.delayed ?? "");
    if (text !== "") await session.transcribed.say(text);
  }
}

function firstStartMessage(session: SessionState, started: StartedToolCall[]): string {
  for (const { tool } of started) {
    const text = render(session, tool.messages.start ?? "");
    if (text !== "") return text;
  }
  return "";
}

function render(session: SessionState, template: string): string {
  try {
    return renderTemplate(template, templateVariables(session), {}, clockOf(session.plan)).trim();
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown;
    session.notedError ??= { code: thrown.code, message: thrown.message.slice(0, 500) };
    return "";
  }
}

import type { ToolCall } from "#src/engine/models/models.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { renderTemplate, TemplateError } from "#src/platform/template/template.ts";
import type { SessionEndReason } from "./plan.ts";
import { isSystemTool, runSystemTool } from "./system-tools.ts";
import { type PendingCall, type Talk, templateVariables } from "./talk.ts";
import type { GrantedTool, ToolRunResult } from "./tool-port.ts";
import { handOver } from "./transfer.ts";

/** How long the person may wait for a tool in silence before they are told to wait, in wall-clock milliseconds. */
const SILENT_WAIT_MS = 800;
/** How long the agent waits on after that before it listens again and the tool goes on beside the talk. */
const LAST_WAIT_MS = 400;
/** Beyond a tool's own limit: whoever runs it should have given up by itself. */
const GRACE_MS = 1_000;
const MAX_CONTENT_CHARACTERS = 16_384;
const WRITTEN_AFTER_END = new Set(["add_to_do_not_call", "request_human"]);

/** A call of a granted tool that has begun. */
export interface StartedCall {
  call: ToolCall;
  tool: GrantedTool;
  result: Promise<ToolRunResult>;
}

/** What the calls of one turn came to. */
export interface CallsEnd {
  /** Why the session ends; null when it goes on. */
  end: SessionEndReason | null;
  /** Whether the model has something to say about their results. */
  followUp: boolean;
}

/** Begins a call as soon as the model has made it; null for what is no tool of the plan, which begins in its turn. */
export function startCall(talk: Talk, call: ToolCall): StartedCall | null {
  const tool = talk.grants.tools.find(({ offer }) => offer.name === call.name);
  if (!tool) return null;
  const result = runGuarded(talk, tool, call);
  return { call, tool, result };
}

/** Runs one call to its end or its limit. Never rejects. */
async function runGuarded(talk: Talk, tool: GrantedTool, call: ToolCall): Promise<ToolRunResult> {
  const refused = (await refuseCall(talk, tool)) ?? null;
  if (refused) return refused;
  const { tools } = talk.ports;
  if (!tools) return failed("UNAVAILABLE", "this session runs no tools");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ToolRunResult>((resolve) => {
    timer = setTimeout(() => resolve(failed("TIMEOUT", "the tool took too long")), tool.timeoutMs + GRACE_MS);
  });
  try {
    const run = { callId: call.id, tool, input: call.input, variables: templateVariables(talk) };
    return await Promise.race([tools.run(run, talk.toolsStop.signal), late]);
  } catch (thrown) {
    if (talk.toolsStop.signal.aborted) return failed("CANCELLED", "the session is over");
    talk.notedError ??= { code: "TOOL_FAILED", message: `${call.name}: ${toError(thrown).message}`.slice(0, 500) };
    return failed("TOOL_FAILED", "the tool failed");
  } finally {
    clearTimeout(timer);
  }
}

/** What keeps a call from being made: too many of them, or words that are not final. */
async function refuseCall(talk: Talk, tool: GrantedTool): Promise<ToolRunResult | null> {
  if (++talk.toolCalls > talk.limits.maxToolCalls) return failed("LIMIT", "no more tools may be called");
  if (tool.confirmedTranscriptMs === null) return null;
  const confirmed = await talk.floor.confirm(tool.confirmedTranscriptMs).catch(() => null);
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
 * Ends the calls of one turn in their order. Tools that take long are told of, then go on beside the talk (`pending`);
 * a text channel waits for them.
 */
export async function finishCalls(
  talk: Talk,
  calls: ToolCall[],
  started: ReadonlyMap<string, StartedCall>,
  hasSpoken: boolean,
): Promise<CallsEnd> {
  if (calls.length === 0) return { end: null, followUp: false };
  talk.floor.rememberCalls(calls);
  const own = calls.flatMap((call) => started.get(call.id) ?? []);
  const done = await waitFor(talk, own, hasSpoken);
  let end: SessionEndReason | null = null;
  let followUp = false;
  for (const call of calls) {
    const begun = started.get(call.id);
    const came: CallsEnd = begun
      ? await recordResult(talk, begun, call, done.get(begun))
      : await runOther(talk, call, end !== null);
    end ??= came.end;
    followUp ||= came.followUp;
  }
  return { end, followUp };
}

/** A system tool, or a name that the plan does not grant. */
async function runOther(talk: Talk, call: ToolCall, hasEnded: boolean): Promise<CallsEnd> {
  if (!isSystemTool(talk, call.name)) {
    talk.floor.recordTool(call, `failed: there is no tool named ${call.name.slice(0, 100)}`);
    return { end: null, followUp: true };
  }
  // A call that has ended has no line to press keys on; what is written down is written all the same.
  if (hasEnded && !WRITTEN_AFTER_END.has(call.name)) {
    talk.floor.recordTool(call, "failed: the conversation has ended");
    return { end: null, followUp: false };
  }
  const { content, end } = await runSystemTool(talk, call);
  talk.floor.recordTool(call, content);
  return { end, followUp: end === null };
}

/** Waits for tools while the person is kept from silence; gives the results that have come. */
async function waitFor(
  talk: Talk,
  started: StartedCall[],
  hasSpoken: boolean,
): Promise<Map<StartedCall, ToolRunResult>> {
  const done = new Map<StartedCall, ToolRunResult>();
  if (started.length === 0) return done;
  const all = Promise.all(started.map(async (begun) => void done.set(begun, await begun.result)));
  if (talk.isText) {
    await all;
    return done;
  }
  const opening = firstText(talk, started, "start");
  const isQuick = opening === "" && (await settles(all, SILENT_WAIT_MS));
  if (isQuick) return done;
  if (opening !== "") await talk.floor.say(opening);
  else if (!hasSpoken) await talk.floor.say(talk.phrases.oneMoment);
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
  talk: Talk,
  begun: StartedCall,
  call: ToolCall,
  result: ToolRunResult | undefined,
): Promise<CallsEnd> {
  const { tool } = begun;
  if (result === undefined) {
    waitBeside(talk, call, tool, begun.result);
    talk.floor.recordTool(call, "not done yet: the answer will come by itself; go on talking", tool.disclosure);
    return { end: null, followUp: false };
  }
  if (result.kind === "PENDING") {
    waitBeside(talk, call, tool, result.result, result.taskId);
    talk.floor.recordTool(call, "started: the answer will come by itself; go on talking", tool.disclosure);
    return { end: null, followUp: true };
  }
  if (result.kind === "TRANSFER") {
    const { content, end } = await handOver(talk, result.order, result.wantsSummary);
    talk.floor.recordTool(call, content, tool.disclosure);
    return { end, followUp: end === null };
  }
  await recordAnswer(talk, call, tool, result);
  return { end: null, followUp: tool.requiresFollowUp || result.kind === "FAILED" };
}

/** Writes an answer down, takes over its variables, and says what the tool has to say about it. */
async function recordAnswer(
  talk: Talk,
  call: ToolCall,
  tool: GrantedTool,
  result: ToolRunResult & { kind: "VALUE" | "FAILED" },
): Promise<void> {
  if (result.kind === "VALUE") Object.assign(talk.variables, result.variables);
  const told = result.kind === "VALUE" ? result.content : `failed: ${result.message}`;
  const after = tool.prompts.filter(({ key }) => key === "after_result").map(({ content }) => render(talk, content));
  const said = render(talk, (result.kind === "VALUE" ? tool.messages.success : tool.messages.failure) ?? "");
  // Providers want the last word of a turn to be the tool's, so what is said of it stands in its answer.
  const note = said === "" ? "" : `Said to the person already: ${said}`;
  const content = [told.slice(0, MAX_CONTENT_CHARACTERS), ...after, note].filter(Boolean).join("\n\n");
  talk.floor.recordTool(call, content, tool.disclosure);
  if (said !== "") await talk.floor.sayAside(said);
}

/** Takes down the answer of a call that was made before the first word: nothing is said of it. */
export function adoptAnswer(talk: Talk, { call, tool, result }: StartedCall, came: ToolRunResult | undefined): void {
  if (came === undefined) waitBeside(talk, call, tool, result);
  else if (came.kind === "PENDING") waitBeside(talk, call, tool, came.result, came.taskId);
  const content =
    came?.kind === "VALUE" ? came.content : came?.kind === "FAILED" ? `failed: ${came.message}` : "not done yet";
  talk.floor.recordTool(call, content.slice(0, MAX_CONTENT_CHARACTERS), tool.disclosure);
}

function waitBeside(
  talk: Talk,
  call: ToolCall,
  tool: GrantedTool,
  result: Promise<ToolRunResult>,
  taskId: string | null = null,
): void {
  const pending: PendingCall = {
    taskId,
    call,
    tool,
    result: undefined,
    delayedAtMs: tool.messages.delayed === null ? Infinity : performance.now() + tool.messages.delayedAfterMs,
  };
  talk.pending.add(pending);
  void result.then(
    (value) => {
      pending.result = value;
      talk.wake.abort();
    },
    () => {
      pending.result = failed("TOOL_FAILED", "the tool failed");
      talk.wake.abort();
    },
  );
}

/**
 * Takes down the answers that have come beside the talk, each as a call and its answer, for that is the shape in which
 * every provider takes them. True when the model has something to say about one.
 */
export async function recordLateAnswers(talk: Talk): Promise<CallsEnd> {
  let followUp = false;
  let end: SessionEndReason | null = null;
  for (const pending of talk.pending) {
    const { result, tool } = pending;
    if (result === undefined) continue;
    talk.pending.delete(pending);
    const call = { ...pending.call, id: `${pending.call.id}-answer` };
    talk.floor.messages.push({ role: "ASSISTANT", content: "", toolCalls: [call] });
    const came = await recordResult(talk, { call, tool, result: Promise.resolve(result) }, call, result);
    followUp ||= came.followUp;
    end ??= came.end;
  }
  return { end, followUp };
}

/** How long, in milliseconds, until somebody should be told that a tool takes longer; Infinity: nobody. */
export function untilDelayedMs(talk: Talk): number {
  let atMs = Infinity;
  for (const pending of talk.pending) atMs = Math.min(atMs, pending.delayedAtMs);
  return Math.max(0, atMs - performance.now());
}

/** Says that a tool takes longer, once for each that is due. */
export async function sayDelayed(talk: Talk): Promise<void> {
  for (const pending of talk.pending) {
    if (pending.delayedAtMs > performance.now() || pending.result !== undefined) continue;
    pending.delayedAtMs = Infinity;
    const text = render(talk, pending.tool.messages.delayed ?? "");
    if (text !== "") await talk.floor.say(text);
  }
}

function firstText(talk: Talk, started: StartedCall[], name: "start"): string {
  for (const { tool } of started) {
    const text = render(talk, tool.messages[name] ?? "");
    if (text !== "") return text;
  }
  return "";
}

function render(talk: Talk, template: string): string {
  try {
    return renderTemplate(template, templateVariables(talk)).trim();
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown;
    talk.notedError ??= { code: thrown.code, message: thrown.message.slice(0, 500) };
    return "";
  }
}

import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { Line } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, SessionPlan, Turn } from "#src/engine/conversation/plan.ts";
import type { GrantedPorts, SessionPorts } from "#src/engine/conversation/ports.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import { answererOf, hasFailed, outcomeOfSession } from "#src/interactions/calls/session-outcome.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { CallClock } from "#src/telephony/carriers/sandbox/call-clock.ts";
import { SandboxDialogue } from "#src/telephony/carriers/sandbox/dialogue.ts";
import { costOfSession, type UsageKind } from "#src/tenancy/usage/prices.ts";
import { type ConversationRecord, findOptOut, listCalls, measureSilence } from "./conversation-record.ts";
import { createMemoryServices } from "./memory-services.ts";
import { answeredBy, openPersona } from "./persona-choice.ts";
import type { OpenedLine, PreparedFlow, SuitePorts } from "./prepared-flow.ts";
import { toDecimal } from "./report.ts";
import type { Scenario } from "./suite.ts";
import { TemplateWatch } from "./template-watch.ts";
import { type PassTime, ToolMocks } from "./tool-mocks.ts";
import { type Watchdog, watchProgress } from "./watchdog.ts";

/** Data that the conversations of one scenario share; plain, because it may go to a worker thread. */
export interface ScenarioJob {
  scenario: Scenario;
  plan: SessionPlan;
  /** Plans of the flows that a transfer may lead to, by the name it gives them. */
  otherPlans: Record<string, SessionPlan>;
  prices: Record<UsageKind, string>;
  now: string;
  mode: "TEXT" | "AUDIO";
  /** A conversation without any event for so long, in real time, is ended. */
  stallMs: number;
}

/** Ports of a conversation; none are needed for one in text by the scripted model. */
export interface ConversationPorts {
  model: LanguageModel | null;
  modelOf?: NonNullable<PreparedFlow["modelOf"]>;
  personaModel: LanguageModel | null;
  openAudioLine?: NonNullable<SuitePorts["openAudioLine"]>;
  /** Called with the transcript after each change. */
  onTurn?: (turns: Turn[]) => void;
}

/** A line of text at instant speed, or of audio in real time. */
interface SimulatedLine extends OpenedLine {
  persona: Persona;
  pass: PassTime;
}

/** Holds one conversation to its end, however it ends. Rejects only when no line could be opened. */
export async function holdConversation(
  job: ScenarioJob,
  seed: number,
  ports: ConversationPorts,
  signal: AbortSignal,
): Promise<ConversationRecord> {
  const watchdog = watchProgress(job.stallMs, signal);
  let opened: SimulatedLine | undefined;
  try {
    opened = await openLine(job, seed, ports, watchdog.signal);
    return await conversation(job, seed, ports, opened, watchdog);
  } finally {
    watchdog.stop();
    await opened?.close().catch(() => undefined);
  }
}

async function conversation(
  job: ScenarioJob,
  seed: number,
  { model, modelOf, onTurn }: ConversationPorts,
  opened: SimulatedLine,
  watchdog: Watchdog,
): Promise<ConversationRecord> {
  const { scenario, now } = job;
  const { line, persona } = opened;
  const plan = { ...withLimits(job.plan, scenario), sessionId: `${job.plan.sessionId}-${seed}` };
  const templates = new TemplateWatch();
  const mocks = new ToolMocks(scenario.tools, opened.pass, templates, plan);
  const expected = answeredBy(scenario.persona);
  let optOut = false;
  const ports: SessionPorts = {
    ...createGrantedPorts(job, mocks, templates),
    line,
    model: model ?? createScriptedModel(),
    ...(modelOf ? { modelOf } : {}),
    now: () => new Date(Date.parse(now) + line.elapsedMs()),
    validate: validateAgainst,
    answeredBy: expected,
    onTurn(turns) {
      watchdog.note(turns);
      onTurn?.(turns);
    },
    onStageText: (text) => templates.noteStage(text),
    addToDoNotCall: async () => void (optOut = true),
  };
  const session = await watchdog.settle(runSession(plan, ports, watchdog.signal), () => giveUp(watchdog.turns, line));
  templates.noteOpening(job.plan, expected === "MACHINE_VOICEMAIL", mocks.lookedUp);
  const record = await toRecord(job, session, mocks, persona, answererOf(expected, line.answers?.verdict ?? null));
  return { seed, ...record, optOut, missing: templates.missing, stalledMs: watchdog.stalledMs };
}

/** Returns the ports of the session: mocked tools, and services in memory. */
function createGrantedPorts(job: ScenarioJob, mocks: ToolMocks, templates: TemplateWatch): GrantedPorts {
  const { scenario, prices, otherPlans } = job;
  const ports: GrantedPorts = {
    tools: mocks,
    services: createMemoryServices(scenario.knowledge, scenario.records),
    costOf: (used) => costOfSession(prices, used),
    async openFlow(name) {
      const other = Object.hasOwn(otherPlans, name) ? otherPlans[name] : undefined;
      if (!other) throw new Error(`There is no flow ${name} in this simulation.`);
      templates.noteOpening(other, false);
      return { plan: withLimits(other, scenario), ports };
    },
  };
  return ports;
}

function withLimits(plan: SessionPlan, { limits }: Scenario): SessionPlan {
  const { flow } = plan;
  const maxTurns = Math.min(limits.turns, plan.limits?.maxTurns ?? Infinity);
  return {
    ...plan,
    flow: { ...flow, maxDurationSeconds: Math.min(limits.seconds, flow.maxDurationSeconds) },
    limits: { ...plan.limits, maxTurns },
  };
}

async function openLine(
  { scenario, mode, plan }: ScenarioJob,
  seed: number,
  ports: ConversationPorts,
  signal: AbortSignal,
): Promise<SimulatedLine> {
  const persona = openPersona(scenario.persona, seed, { model: ports.personaModel, channel: plan.channel });
  if (mode === "AUDIO") {
    if (!ports.openAudioLine) throw new Error("There is no audio path here; run the suite in mode TEXT.");
    const opened = await ports.openAudioLine({ persona, language: plan.flow.language, seed }, signal);
    return { ...opened, persona, pass: (ms, stop) => sleep(ms, stop).catch(() => undefined) };
  }
  const clock = new CallClock("instant");
  const line = new SandboxDialogue(persona, clock, undefined, () => undefined);
  return { line, persona, close: async () => undefined, pass: async (ms, stop) => void (await clock.pass(ms, stop)) };
}

/** Returns the outcome of a session that did not end even when it was aborted. */
function giveUp(turns: Turn[], line: Line): SessionOutcome {
  return {
    endReason: "ERROR_INTERRUPTED",
    turns: structuredClone(turns),
    outputs: {},
    extractedFields: {},
    pendingOutputs: [],
    durationMs: line.elapsedMs(),
    usage: { inputTokens: 0, outputTokens: 0 },
    modelMs: [],
    error: { code: "INTERRUPTED", message: "The session was stopped from outside." },
    humanRequested: false,
    stagePath: [],
    doubt: null,
  };
}

async function toRecord(
  { plan, prices }: ScenarioJob,
  session: SessionOutcome,
  { calls }: ToolMocks,
  { notes }: Persona,
  answeredBy: AnsweredBy,
): Promise<Omit<ConversationRecord, "seed" | "optOut" | "missing" | "stalledMs">> {
  const { endReason, turns: transcript, durationMs: callMs, usage } = session;
  const isUnanswered = endReason === "AGENT_HUNG_UP_ON_MACHINE";
  return {
    outcome: hasFailed(endReason) || isUnanswered ? "FAILED" : "COMPLETED",
    callOutcome: outcomeOfSession(endReason, answeredBy),
    endReason,
    answeredBy,
    turns: transcript.filter(({ role }) => role === "ASSISTANT").length,
    callMs,
    longestSilenceMs: measureSilence(transcript, callMs),
    fields: session.extractedFields,
    outputs: session.outputs,
    toolCalls: listCalls(transcript, calls),
    // Nobody pays a carrier for the time that a chat takes.
    cost: toDecimal(costOfSession(prices, { ...usage, elapsedMs: plan.channel === "CHAT" ? 0 : callMs })),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    transcript,
    error: session.error,
    stagePath: session.stagePath,
    mocked: calls,
    personaNotes: [...notes],
    optOutTurn: await findOptOut(transcript, plan.flow.language, notes),
  };
}

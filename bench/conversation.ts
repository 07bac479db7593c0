import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { isStepCount, jsonSchema, type ModelMessage, streamText, tool } from "ai";
import type { Line } from "#src/audio/line/line.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import type { GrantedTool } from "#src/engine/conversation/tool-port.ts";
import { createHostedModel } from "#src/engine/models/hosted/hosted-model.ts";
import { RefusalMemory } from "#src/engine/models/hosted/refusal-memory.ts";
import type { PlannedStage } from "#src/engine/stages/stage-plan.ts";

const SESSIONS = 400;
const ROUNDS = 5;
const SAID = ["Hello?", "Yes, that is me.", "What does it cost?", "And on Monday?", "Fine, book it.", "Thank you."];
const WORDS = Array.from({ length: 20 }, (_, i) => (i % 10 === 9 ? "word. " : "word "));
const USAGE = { inputTokens: { total: 100 }, outputTokens: { total: 20 } } as unknown as LanguageModelV4Usage;
const PROMPT = "You are the assistant of a clinic. ".repeat(40);
const SCHEMA = { type: "object" as const, properties: { day: { type: "string" as const } }, required: ["day"] };

/** A model that answers at once: twenty words, and in every second turn a call of a tool before them. */
function createInstantModel(): LanguageModelV4 {
  let calls = 0;
  const parts = (prompt: LanguageModelV4CallOptions["prompt"]): LanguageModelV4StreamPart[] => {
    const users = prompt.filter(({ role }) => role === "user").length;
    const wantsTool = users % 2 === 0 && prompt.at(-1)?.role === "user";
    const content: LanguageModelV4StreamPart[] = wantsTool
      ? [{ type: "tool-call", toolCallId: `c${++calls}`, toolName: "look_up", input: '{"day":"Monday"}' }]
      : [
          { type: "text-start", id: "t" },
          ...WORDS.map((delta) => ({ type: "text-delta" as const, id: "t", delta })),
          { type: "text-end", id: "t" },
        ];
    const finishReason = { unified: wantsTool ? ("tool-calls" as const) : ("stop" as const), raw: "stop" };
    return [{ type: "stream-start", warnings: [] }, ...content, { type: "finish", finishReason, usage: USAGE }];
  };
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "instant",
    supportedUrls: {},
    doGenerate: async () => Promise.reject(new Error("It only streams.")),
    doStream: async ({ prompt }) => ({ stream: ReadableStream.from(parts(prompt)) }),
  };
}

const TOOL: GrantedTool = {
  id: "look_up",
  offer: { name: "look_up", description: "Looks a day up.", inputSchema: SCHEMA },
  messages: { start: null, delayed: null, delayedAfterMs: 3_000, success: null, failure: null },
  prompts: [],
  confirmedTranscriptMs: null,
  timeoutMs: 30_000,
  isAsync: false,
  requiresFollowUp: true,
  isProactive: false,
  disclosure: "FULL",
};

const PLAN: SessionPlan = {
  sessionId: "bench",
  channel: "VOICE",
  flow: {
    name: "Bench",
    masterPrompt: PROMPT,
    firstMessage: "Hello, this is the clinic.",
    language: "en-US",
    maxDurationSeconds: 600,
    silenceTimeoutSeconds: 10,
    voicemail: { action: "HANG_UP", message: "" },
  },
  variables: { contactName: "Ada" },
  memory: {},
  outputs: [],
  grants: { tools: [TOOL], systemTools: [], transferTargets: [] },
};

/** A person who says the lines and hangs up; the time from each line to the first word of the answer is kept. */
function createLine(turnMs: number[]): Line {
  let next = 0;
  let heardAt = 0;
  return {
    async say(heard) {
      if (heardAt > 0) turnMs.push(performance.now() - heardAt);
      heardAt = 0;
      return { heard, startMs: 0, endMs: 0, interrupted: false, hungUp: false };
    },
    async listen() {
      const text = SAID[next++];
      heardAt = performance.now();
      return text === undefined ? { kind: "HUNG_UP", endMs: 0 } : { kind: "SPEECH", text, startMs: 0, endMs: 0 };
    },
    sendDigits: async () => undefined,
    hangUp: async () => undefined,
    elapsedMs: () => 0,
  };
}

const STAGE: PlannedStage = {
  id: "ask",
  name: "Ask",
  type: "TALK",
  prompt: "Ask {{ contactName }} for the day.",
  fields: ["day"],
  tools: null,
  onEntry: [],
  onExit: [],
  edges: [
    { id: "why", to: "ask", label: "", when: { type: "MEANING", description: "asks why", examples: ["why"] } },
    { id: "on", to: "end", label: "", when: { type: "COLLECTED" } },
    { id: "vip", to: "end", label: "", when: { type: "EXPRESSION", expression: "{{ vip }}" } },
  ],
  global: null,
  maxVisits: 5,
  onMaxVisits: null,
  modelId: null,
  transferTarget: null,
  opens: null,
  returnsTo: null,
};
const STAGES = { start: "ask", stages: [STAGE, { ...STAGE, id: "end", type: "END" as const, edges: [] }] };
const STAGED: SessionPlan = {
  ...PLAN,
  outputs: [{ name: "visit", description: "", schema: SCHEMA }],
  grants: { tools: [TOOL], systemTools: [], transferTargets: [], stages: STAGES },
};
/** The same without stages: one prompt that asks for the same field. */
const UNSTAGED: SessionPlan = { ...STAGED, grants: { tools: [TOOL], systemTools: [], transferTargets: [] } };

async function holdOurs(turnMs: number[], plan = PLAN): Promise<void> {
  const instant = createInstantModel();
  const model = createHostedModel(() => Promise.resolve(instant), {
    name: "bench",
    provider: "OPENAI_COMPATIBLE",
    model: "bench",
    server: "bench",
    extraBody: {},
    apiKey: null,
    temperature: null,
    reasoningEffort: null,
    maxTurnTokens: 500,
    maxOutputTokens: 500,
    traits: null,
    memory: new RefusalMemory(),
  });
  const { endReason, error } = await runSession(
    plan,
    {
      line: createLine(turnMs),
      model,
      now: () => new Date(),
      validate: () => [],
      answeredBy: "HUMAN",
      onTurn: () => undefined,
      addToDoNotCall: async () => undefined,
      tools: { run: async () => ({ kind: "VALUE", content: "It is free.", variables: {} }) },
    },
    new AbortController().signal,
  );
  if (endReason !== "CUSTOMER_HUNG_UP") throw new Error(`A session ended with ${endReason}: ${error?.message}`);
}

async function holdPeer(turnMs: number[]): Promise<void> {
  const model = createInstantModel();
  const messages: ModelMessage[] = [{ role: "assistant", content: PLAN.flow.firstMessage }];
  const lookUp = tool({
    description: TOOL.offer.description,
    inputSchema: jsonSchema<{ day: string }>(SCHEMA),
    execute: async () => "It is free.",
  });
  for (const content of SAID) {
    const heardAt = performance.now();
    messages.push({ role: "user", content });
    const result = streamText({
      model,
      instructions: PROMPT,
      messages,
      tools: { look_up: lookUp },
      stopWhen: isStepCount(5),
      onError: ({ error }) => {
        throw error;
      },
    });
    let isFirst = true;
    for await (const _delta of result.textStream) {
      if (isFirst) turnMs.push(performance.now() - heardAt);
      isFirst = false;
    }
    messages.push(...(await result.response).messages);
  }
}

interface Figures {
  perCpuSecond: number;
  p95Ms: number;
}

async function measure(hold: (turnMs: number[]) => Promise<void>): Promise<Figures> {
  const turnMs: number[] = [];
  const before = process.cpuUsage();
  for (let i = 0; i < SESSIONS; i++) await hold(turnMs);
  const { user, system } = process.cpuUsage(before);
  turnMs.sort((a, b) => a - b);
  return {
    perCpuSecond: SESSIONS / ((user + system) / 1e6),
    p95Ms: turnMs[Math.floor(turnMs.length * 0.95)] ?? Number.NaN,
  };
}

/** The engine's own cost of a turn and a session, beside the AI SDK's bare tool loop on the same instant model. */
export async function benchConversation(print: (line: string) => void): Promise<void> {
  print(
    `Conversation: ${SESSIONS} sessions of ${SAID.length} turns one after the other, a tool called in every second turn, a model that answers at once; best of ${ROUNDS} rounds each, taken in turns; CPU seconds of this process.`,
  );
  print(
    "Ours: prompt, history budget, streaming by sentences, tool calls, transcript, limits. Peer: streamText of the AI SDK with the same tool and stop condition, on the same model object.",
  );
  const none = (): Figures => ({ perCpuSecond: 0, p95Ms: Infinity });
  const best = { ours: none(), peer: none(), staged: none(), unstaged: none() };
  const keep = (of: Figures, found: Figures) => {
    of.perCpuSecond = Math.max(of.perCpuSecond, found.perCpuSecond);
    of.p95Ms = Math.min(of.p95Ms, found.p95Ms);
  };
  for (let round = 0; round < ROUNDS; round++) {
    keep(best.peer, await measure(holdPeer));
    keep(best.ours, await measure(holdOurs));
    keep(best.unstaged, await measure((turnMs) => holdOurs(turnMs, UNSTAGED)));
    keep(best.staged, await measure((turnMs) => holdOurs(turnMs, STAGED)));
  }
  const show = (name: string, { perCpuSecond, p95Ms }: Figures) =>
    print(
      `  ${name.padEnd(12)} ${perCpuSecond.toFixed(0).padStart(6)} sessions per CPU second   p95 from heard to first word ${p95Ms.toFixed(3)} ms`,
    );
  show("Parley", best.ours);
  show("AI SDK loop", best.peer);
  show("one field", best.unstaged);
  show("in stages", best.staged);
  const ratio = best.unstaged.perCpuSecond / best.staged.perCpuSecond;
  print(`  A session in stages that asks for one field needs ${ratio.toFixed(2)} of the CPU of one without stages.`);
  print(
    `  ratio ${(best.ours.perCpuSecond / best.peer.perCpuSecond).toFixed(2)} of its sessions, ${(best.ours.p95Ms / best.peer.p95Ms).toFixed(2)} of its p95`,
  );
}

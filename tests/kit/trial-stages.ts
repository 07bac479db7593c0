import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { ChatEntry } from "#src/engine/conversation/chat-history.ts";
import { type ChatPorts, type ChatTurn, takeChatTurn } from "#src/engine/conversation/chat-turn.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import type { PlannedCondition, PlannedStage } from "#src/engine/stages/stage-plan.ts";
import type { StageState } from "#src/engine/stages/stage-state.ts";
import { planWith, trialTool } from "./trial-session.ts";

/** Signal of sessions that nobody stops. */
export const signal = new AbortController().signal;
/** End of a chat that goes on, for the extraction. */
export const ENDED = { endReason: null, saidAt: portsWith().now() };

/** Returns a stage that talks and asks nothing, with `given`. */
export function stageOf(id: string, given: Partial<PlannedStage> = {}): PlannedStage {
  return {
    id,
    name: id,
    type: "TALK",
    prompt: "",
    fields: [],
    tools: null,
    onEntry: [],
    onExit: [],
    edges: [],
    global: null,
    maxVisits: 5,
    onMaxVisits: null,
    modelId: null,
    transferTarget: null,
    opens: null,
    returnsTo: null,
    ...given,
  };
}

/** Returns an action that says words. */
export const say = (words: string) => ({ type: "SAY" as const, text: words });
/** Returns an edge to a stage; always taken unless `when` says otherwise. */
export const edge = (id: string, to: string, when: PlannedCondition = { type: "ALWAYS" }) => ({
  id,
  to,
  label: "",
  when,
});
/** Returns a condition on what the person means. */
export const meaning = (...examples: string[]): PlannedCondition => ({
  type: "MEANING",
  description: "means it",
  examples,
});
let calls = 0;
/** Returns a tool call of a model. */
export const call = (name: string, input: Record<string, unknown>) => ({
  kind: "TOOL_CALL" as const,
  call: { id: `c${calls++}`, name, input },
});
/** Holds when each field of the stage has a value. */
export const COLLECTED: PlannedCondition = { type: "COLLECTED" };
/** Returns a condition on a field. */
export const isFalse = (field: string): PlannedCondition => ({
  type: "FIELD",
  field,
  operator: "EQUALS",
  value: false,
});

const SCHEMA = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come?" },
    people: { type: "integer", description: "How many people will come?", minimum: 1, maximum: 20 },
    day: { type: "string", format: "date", description: "On which day?" },
  },
};

/** A dialogue of two questions, a read-back and a side topic. */
export const STAGES = [
  stageOf("ask", {
    fields: ["coming"],
    edges: [edge("no", "sorry", isFalse("coming")), edge("yes", "details", COLLECTED)],
  }),
  stageOf("details", { fields: ["people", "day"], edges: [edge("on", "check", COLLECTED)] }),
  stageOf("check", { type: "CONFIRM", fields: ["people", "day"], edges: [edge("on", "bye")] }),
  stageOf("price", {
    onEntry: [say("It costs 40 euros.")],
    global: { when: meaning("how much is it"), returns: true },
  }),
  stageOf("sorry", { type: "END", onEntry: [say("What a pity. Goodbye.")] }),
  stageOf("bye", { type: "END", onEntry: [say("See you with {{ fields.people }}. Goodbye.")] }),
];

/** Returns a plan of a chat that walks through stages. */
export function planOf(stages: PlannedStage[], given: Partial<SessionPlan> = {}): SessionPlan {
  const outputs = [{ name: "visit", description: "", schema: SCHEMA }];
  const plan = planWith({}, { channel: "CHAT", outputs, ...given });
  const grants = { tools: [], systemTools: [], transferTargets: [], ...given.grants };
  return { ...plan, grants: { ...grants, stages: { start: (stages[0] as PlannedStage).id, stages } } };
}

/** Returns the ports of a chat with the scripted model. */
export function portsWith(more: Partial<ChatPorts> = {}): ChatPorts {
  return {
    model: createScriptedModel(),
    now: () => new Date("2026-11-21T10:00:00Z"),
    validate: validateAgainst,
    addToDoNotCall: async () => undefined,
    ...more,
  };
}

/** Result of a chat. */
export interface Held {
  lines: string[];
  last: ChatTurn;
  history: ChatEntry[];
  plan: SessionPlan;
}

/** Holds a chat whose state is stored as text between any two turns. */
export async function hold(plan: SessionPlan, says: string[], ports = portsWith()): Promise<Held> {
  const history: ChatEntry[] = [{ role: "ASSISTANT", content: "Hello Anna.", toolCallId: null, turn: 0 }];
  let last: ChatTurn | undefined;
  let stored = "null";
  for (const content of says) {
    const turn = history.length + 1;
    history.push({ role: "USER", content, toolCallId: null, turn });
    const stageState = JSON.parse(stored) as StageState | null;
    last = await takeChatTurn({ ...plan, stageState }, structuredClone(history), ports, signal);
    stored = JSON.stringify(last.stageState);
    history.push(...last.replies.map((reply) => ({ ...reply, turn }) as ChatEntry));
    if (last.ended) break;
  }
  const lines = history.filter(({ role }) => role === "ASSISTANT").map(({ content }) => content);
  return {
    lines: lines.slice(1),
    last: last as ChatTurn,
    history,
    plan: { ...plan, stageState: last?.stageState ?? null },
  };
}

/** Returns the stages that a chat walked through, each with the edge by which it was left. */
export const pathOf = ({ last }: Held) => (last.stageState?.path ?? []).map(({ stageId, edgeId }) => [stageId, edgeId]);

/** A tool that stages may call. */
export const TOOL = trialTool("look");

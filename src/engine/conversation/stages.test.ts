import { describe, expect, test } from "vitest";
import { modelOf, planWith, runTrial, text } from "#kit/trial-session.ts";
import type { TransferOrder } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { TurnRequest } from "#src/engine/models/models.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import type { PlannedCondition, PlannedStage } from "#src/engine/stages/stage-plan.ts";
import type { StageState, StageVisit } from "#src/engine/stages/stage-state.ts";
import type { ChatEntry } from "./chat-history.ts";
import { type ChatPorts, type ChatTurn, extractChat, takeChatTurn } from "./chat-turn.ts";
import type { SessionPlan } from "./plan.ts";
import type { GrantedTool, ToolRun } from "./tool-port.ts";

const signal = new AbortController().signal;
const ENDED = { endReason: null, saidAt: portsWith().now() };

function stageOf(id: string, given: Partial<PlannedStage> = {}): PlannedStage {
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

const say = (words: string) => ({ type: "SAY" as const, text: words });
const edge = (id: string, to: string, when: PlannedCondition = { type: "ALWAYS" }) => ({ id, to, label: "", when });
const meaning = (...examples: string[]): PlannedCondition => ({ type: "MEANING", description: "means it", examples });
let calls = 0;
const call = (name: string, input: Record<string, unknown>) => ({
  kind: "TOOL_CALL" as const,
  call: { id: `c${calls++}`, name, input },
});
const COLLECTED: PlannedCondition = { type: "COLLECTED" };
const isFalse = (field: string): PlannedCondition => ({ type: "FIELD", field, operator: "EQUALS", value: false });

const SCHEMA = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come?" },
    people: { type: "integer", description: "How many people will come?", minimum: 1, maximum: 20 },
    day: { type: "string", format: "date", description: "On which day?" },
  },
};

const STAGES = [
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

function planOf(stages: PlannedStage[], given: Partial<SessionPlan> = {}): SessionPlan {
  const outputs = [{ name: "visit", description: "", schema: SCHEMA }];
  const plan = planWith({}, { channel: "CHAT", outputs, ...given });
  const grants = { tools: [], systemTools: [], transferTargets: [], ...given.grants };
  return { ...plan, grants: { ...grants, stages: { start: (stages[0] as PlannedStage).id, stages } } };
}

function portsWith(more: Partial<ChatPorts> = {}): ChatPorts {
  return {
    model: createScriptedModel(),
    now: () => new Date("2026-11-21T10:00:00Z"),
    validate: validateAgainst,
    addToDoNotCall: async () => undefined,
    ...more,
  };
}

interface Held {
  lines: string[];
  last: ChatTurn;
  history: ChatEntry[];
  plan: SessionPlan;
}

/** Holds a chat whose state is stored as text between any two turns. */
async function hold(plan: SessionPlan, says: string[], ports = portsWith()): Promise<Held> {
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

const pathOf = ({ last }: Held) => (last.stageState?.path ?? []).map(({ stageId, edgeId }) => [stageId, edgeId]);

describe("the scripted model in stages", () => {
  test("asks the fields of one stage after the other, reads back and ends", async () => {
    const held = await hold(planOf(STAGES), ["Hello", "Yes", "two", "on 1 December 2026", "yes"]);
    expect(held.lines).toEqual([
      "Will you come?",
      "How many people will come?",
      "Got it. On which day?",
      "Let me check: people: 2, day: 2026-12-01. Is that right?",
      "See you with 2. Goodbye.",
    ]);
    expect(held.last.ended).toBe("AGENT_ENDED_CALL");
    expect(pathOf(held)).toEqual([
      ["ask", "yes"],
      ["details", "on"],
      ["check", "on"],
      ["bye", null],
    ]);
    const { outputs, extractedFields } = await extractChat(held.plan, held.history, portsWith(), ENDED, signal);
    expect(extractedFields).toEqual({ coming: true, people: 2, day: "2026-12-01" });
    expect(outputs.visit?.sources).toEqual({ coming: "ASKED", people: "ASKED", day: "ASKED" });
  });

  test("takes the edge of the value, and of what the person means", async () => {
    const declined = await hold(planOf(STAGES), ["Hello", "No"]);
    expect(declined.lines.at(-1)).toBe("What a pity. Goodbye.");
    const asks = await hold(planOf(STAGES), ["Hello", "Yes", "How much is it?", "two"]);
    expect(asks.lines.slice(1)).toEqual([
      "How many people will come?",
      "It costs 40 euros.",
      "How many people will come?",
      "Got it. On which day?",
    ]);
    expect(pathOf(asks).slice(1)).toEqual([
      ["details", null],
      ["price", null],
      ["details", null],
    ]);
  });

  test("passes over what it heard before it was asked", async () => {
    const held = await hold(planOf(STAGES), ["Hello", "Yes, two of us, on 1 December 2026"]);
    expect(held.lines.at(-1)).toBe("Let me check: people: 2, day: 2026-12-01. Is that right?");
  });

  test("takes a correction in a CONFIRM and reads back again", async () => {
    const says = ["Hello", "Yes", "two", "on 1 December 2026", "No, three people", "no", "2 December 2026", "yes"];
    const held = await hold(planOf(STAGES), says);
    expect(held.lines.slice(4)).toEqual([
      "Let me check: people: 3, day: 2026-12-01. Is that right?",
      "I am sorry. What should I change?",
      "Let me check: people: 3, day: 2026-12-02. Is that right?",
      "See you with 3. Goodbye.",
    ]);
  });

  test("a stage visited too often leads elsewhere, or ends the session", async () => {
    const again = [
      stageOf("ask", { onEntry: [say("Again?")], maxVisits: 2, edges: [edge("on", "ask")] }),
      stageOf("out", { type: "END", onEntry: [say("Enough.")] }),
    ];
    const ended = await hold(planOf(again), ["a", "b", "c", "d"]);
    expect([ended.last.ended, ended.last.stageState?.path.length]).toEqual(["LIMIT_TURNS", 2]);
    const led = await hold(planOf([{ ...(again[0] as PlannedStage), onMaxVisits: "out" }, ...again.slice(1)]), [
      "a",
      "b",
      "c",
      "d",
    ]);
    expect([led.lines.at(-1), led.last.ended]).toEqual(["Enough.", "AGENT_ENDED_CALL"]);
  });

  test("asks a field of a branch of the schema only where the branch holds", async () => {
    const schema = {
      type: "object",
      properties: {
        married: { type: "boolean", description: "Are you married?" },
        spouse: { type: "string", description: "What is your spouse's name?" },
      },
      if: { properties: { married: { const: true } }, required: ["married"] },
      then: { required: ["spouse"] },
    };
    const stages = [
      stageOf("ask", { fields: ["married", "spouse"], edges: [edge("on", "bye", COLLECTED)] }),
      stageOf("bye", { type: "END", onEntry: [say("Bye.")] }),
    ];
    const plan = planOf(stages, { outputs: [{ name: "family", description: "", schema }] });
    expect((await hold(plan, ["Hello", "No"])).lines).toEqual(["Are you married?", "Bye."]);
    const asked = await hold(plan, ["Hello", "Yes", "Peter"]);
    expect(asked.lines).toEqual(["Are you married?", "Got it. What is your spouse's name?", "Bye."]);
  });
});

const TOOL: GrantedTool = {
  id: "look",
  offer: { name: "look", description: "", inputSchema: { type: "object" } },
  messages: { start: null, delayed: null, delayedAfterMs: 3_000, success: null, failure: null },
  prompts: [],
  confirmedTranscriptMs: null,
  timeoutMs: 30_000,
  isAsync: false,
  requiresFollowUp: true,
  isProactive: false,
  disclosure: "FULL",
};

describe("actions and tools of stages", () => {
  const stages = [
    stageOf("look_up", {
      onEntry: [
        { type: "SET", name: "greeting", value: "Dear {{ contactName }}" },
        { type: "CALL_TOOL", tool: "look", input: { who: "{{ greeting }}", deep: ["{{ stage.id }}"] } },
      ],
      edges: [
        edge("bad", "bad", { type: "TOOL_RESULT", tools: ["look"], outcome: "FAILED" }),
        edge("good", "good", { type: "TOOL_RESULT", tools: ["look"], outcome: "SUCCEEDED" }),
      ],
    }),
    stageOf("bad", { type: "END", onEntry: [say("It failed.")] }),
    stageOf("good", { type: "END", onEntry: [say("It worked, {{ greeting }}.")] }),
  ];

  test("a tool on entry decides by its outcome", async () => {
    const runs: ToolRun[] = [];
    const tools = (isGood: boolean) => ({
      run: async (run: ToolRun) => {
        runs.push(run);
        return isGood
          ? { kind: "VALUE" as const, content: "ok", variables: {} }
          : { kind: "FAILED" as const, code: "X", message: "x" };
      },
    });
    const plan = planOf(stages, {
      grants: { tools: [TOOL], systemTools: [], transferTargets: [] },
      variables: { contactName: "Anna" },
    });
    const good = await hold(plan, ["Hello"], portsWith({ tools: tools(true) }));
    expect(good.lines).toEqual(["It worked, Dear Anna."]);
    expect((await hold(plan, ["Hello"], portsWith({ tools: tools(false) }))).lines).toEqual(["It failed."]);
    expect(runs[0]?.input).toEqual({ who: "Dear Anna", deep: ["look_up"] });
  });

  test("a hosted model gets the tools of its stage alone, and is refused any other", async () => {
    const asked: TurnRequest[] = [];
    const replies = [[call("look", {})], [text("Sorry.")]];
    const inner = modelOf(replies);
    const model = {
      ...inner,
      respond(request: TurnRequest) {
        asked.push(structuredClone({ ...request, signal: undefined }) as unknown as TurnRequest);
        return inner.respond(request);
      },
    };
    const only = [
      stageOf("ask", {
        fields: ["coming"],
        tools: [],
        prompt: "Ask {{ contactName }}.",
        edges: [edge("why", "ask", meaning("why"))],
      }),
    ];
    const plan = planOf(only, {
      grants: { tools: [TOOL], systemTools: [], transferTargets: [] },
      variables: { contactName: "Anna" },
    });
    let ran = 0;
    const tools = { run: async () => ({ kind: "VALUE" as const, content: String(++ran), variables: {} }) };
    const held = await hold(plan, ["Hello"], portsWith({ model, tools }));
    expect(ran).toBe(0);
    expect(held.lines).toEqual(["Sorry."]);
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual([
      "end_call",
      "add_to_do_not_call",
      "request_human",
      "record_fields",
      "choose_edge",
    ]);
    expect(asked[0]?.messages[0]?.content).toContain("Ask Anna.");
    expect(asked[1]?.messages.at(-1)?.content).toBe("failed: there is no tool named look");
  });

  test("a hosted model records, and cannot leave a CONFIRM before the values were read back", async () => {
    const model = modelOf([
      [call("record_fields", { values: { people: 99 } })],
      [call("record_fields", { values: { people: 2, other: 1, day: "2026-12-01" } })],
      [call("record_fields", { values: {}, isConfirmed: true })],
      [text("Two on 1 December?")],
      [call("record_fields", { values: {}, isConfirmed: true })],
    ]);
    const plan = planOf(STAGES.slice(1));
    const held = await hold(plan, ["We are two, on 1 December", "Yes"], portsWith({ model }));
    expect(held.lines).toEqual(["Two on 1 December?", "See you with 2. Goodbye."]);
    expect(held.last.stageState?.confirmed).toEqual(["people", "day"]);
  });
});

describe("stages in a call", () => {
  const order = { destination: "+12025550155" } as unknown as TransferOrder;
  const target = { name: "desk", description: "", wantsSummary: false, order };
  const stages = [
    stageOf("ask", { fields: ["coming"], edges: [edge("on", "over", COLLECTED)] }),
    stageOf("over", { type: "TRANSFER", transferTarget: "desk", edges: [edge("lost", "bye")] }),
    stageOf("bye", { type: "END", onEntry: [say("Nobody is there. Goodbye.")] }),
  ];
  const planWithDesk = planOf(stages, {
    channel: "VOICE",
    grants: { tools: [], systemTools: [], transferTargets: [target] },
  });

  test("a transfer that fails leads to its edges, and one that succeeds ends the session", async () => {
    const followed: string[] = [];
    const onStage = (path: readonly StageVisit[]) => void followed.push(path.at(-1)?.stageId ?? "");
    const { outcome, line } = await runTrial(["Hello", "Yes"], planWithDesk, { onStage });
    // Whoever follows the session sees the first stage from its beginning.
    expect(followed).toEqual(["ask", "over", "bye"]);
    expect(line.said.at(-1)).toBe("Nobody is there. Goodbye.");
    expect([outcome.endReason, outcome.stagePath.map(({ stageId }) => stageId)]).toEqual([
      "AGENT_ENDED_CALL",
      ["ask", "over", "bye"],
    ]);
    expect(outcome.stagePath.every(({ leftAt }) => leftAt !== null)).toBe(true);
    expect(outcome.extractedFields).toEqual({ coming: true });
  });

  test("two flows of a call whose stages have the same ids call their tools by ids of their own", async () => {
    const runs: ToolRun[] = [];
    const run = async (one: ToolRun) => (runs.push(one), { kind: "VALUE" as const, content: "ok", variables: {} });
    const look = { type: "CALL_TOOL" as const, tool: "look", input: {} };
    const toOther = { ...target, order: { destinationType: "FLOW", destination: "other" } as unknown as TransferOrder };
    const grants = { tools: [TOOL], systemTools: [], transferTargets: [toOther] };
    const first = stageOf("ask", { onEntry: [look], edges: [edge("on", "over")] });
    const plan = planOf([first, stageOf("over", { type: "TRANSFER", transferTarget: "desk" })], {
      channel: "VOICE",
      grants,
    });
    const other = planOf(
      [stageOf("ask", { onEntry: [look], edges: [edge("on", "bye")] }), stageOf("bye", { type: "END" })],
      {
        channel: "VOICE",
        grants,
      },
    );
    const openFlow = async () => ({ plan: other, ports: { tools: { run } } });
    const { outcome } = await runTrial(["Hello", "Yes"], plan, { tools: { run }, openFlow });
    expect(outcome.stagePath.map(({ stageId, isTransferred }) => [stageId, isTransferred])).toEqual([
      ["ask", undefined],
      ["over", undefined],
      ["ask", true],
      ["bye", true],
    ]);
    expect(new Set(runs.map(({ callId }) => callId)).size).toBe(2);
  });

  test("the model of a stage speaks in it, and the flow's in the others", async () => {
    const own = modelOf([[text("I am the stage's own.")]]);
    const staged = [
      stageOf("one", { modelId: "m", prompt: "x", edges: [edge("on", "two")] }),
      stageOf("two", { prompt: "y" }),
    ];
    const plan = planOf(staged, { channel: "VOICE" });
    const asked: string[] = [];
    const modelOfStage = (id: string) => {
      asked.push(id);
      return own;
    };
    const { line } = await runTrial(["Hello", "Go on"], plan, {
      model: modelOf([[text("I am the flow's.")]]),
      modelOf: modelOfStage,
    });
    expect(line.said).toEqual(["Hello Anna.", "I am the flow's.", "I am the flow's."]);
    const first = await runTrial(
      ["Hello"],
      { ...plan, flow: { ...plan.flow, firstMessage: "" } },
      {
        model: modelOf([[text("I am the flow's.")]]),
        modelOf: modelOfStage,
      },
    );
    expect(first.line.said).toEqual(["I am the stage's own.", "I am the flow's."]);
    expect(new Set(asked)).toEqual(new Set(["m"]));
  });

  test("an opt-out ends the session in any stage", async () => {
    const { outcome } = await runTrial(["Hello", "Please take me off your list"], planWithDesk);
    expect([outcome.endReason, outcome.stagePath.map(({ stageId }) => stageId)]).toEqual([
      "CUSTOMER_OPTED_OUT",
      ["ask"],
    ]);
  });

  test("a session without stages has neither path nor sources", async () => {
    const { outcome } = await runTrial(["Hello", "Yes", "two"]);
    expect([outcome.stagePath, outcome.outputs.visit?.sources]).toEqual([[], undefined]);
  });
});

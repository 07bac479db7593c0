import { describe, expect, test } from "vitest";
import { modelOf, runTrial, text } from "#kit/trial-session.ts";
import {
  ENDED,
  stageOf,
  say,
  edge,
  COLLECTED,
  STAGES,
  planOf,
  portsWith,
  hold,
  TOOL,
  pathOf,
  signal,
} from "#kit/trial-stages.ts";
import type { TransferOrder } from "#src/audio/line/line.ts";
import type { PlannedStage } from "#src/engine/stages/stage-plan.ts";
import type { StageVisit } from "#src/engine/stages/stage-state.ts";
import { extractChat } from "./chat-turn.ts";
import type { ToolRun } from "./tool-port.ts";

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

import { describe, expect, test } from "vitest";
import { modelOf, text } from "#kit/trial-session.ts";
import {
  stageOf,
  say,
  edge,
  meaning,
  call,
  COLLECTED,
  STAGES,
  planOf,
  portsWith,
  hold,
  TOOL,
} from "#kit/trial-stages.ts";
import type { TurnRequest } from "#src/engine/models/models.ts";

describe("a hosted model in stages", () => {
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

  test("a hosted model may record a correction of an earlier stage's value, and what is said unasked", async () => {
    const asked: TurnRequest[] = [];
    const given = modelOf([
      [call("record_fields", { values: { people: 2 } })],
      [text("And on which day?")],
      [text("Noted. "), call("record_fields", { values: { people: 3, coming: true } })],
      [text("So on which day?")],
      [call("record_fields", { values: { day: "2026-12-01" } })],
    ]);
    const model = {
      ...given,
      respond(request: TurnRequest) {
        asked.push(request);
        return given.respond(request);
      },
    };
    const stages = [
      stageOf("people", { fields: ["people"], edges: [edge("on", "day", COLLECTED)] }),
      stageOf("day", { fields: ["day"], edges: [edge("on", "bye", COLLECTED)] }),
      stageOf("bye", { type: "END", onEntry: [say("{{ fields.people }} on {{ fields.day }}.")] }),
    ];
    const held = await hold(
      planOf(stages),
      ["Two", "No, we are three, and we come", "1 December"],
      portsWith({ model }),
    );
    expect(held.lines.at(-1)).toBe("3 on 2026-12-01.");
    expect(held.last.stageState?.fields).toEqual({ people: 3, coming: true, day: "2026-12-01" });
    const record = asked[2]?.tools.find(({ name }) => name === "record_fields");
    const offered = record?.inputSchema as { properties: { values: { properties: object } } };
    expect(Object.keys(offered.properties.values.properties).toSorted()).toEqual(["coming", "day", "people"]);
    // The stage still asks for its own field alone.
    expect(asked[2]?.messages[0]?.content).toMatch(/missing, one at a time:\n- day: /);
    expect(asked[2]?.messages[0]?.content).not.toContain("- coming: ");
  });

  test("a hosted model is told to leave a stage in which the person refuses what it needs", async () => {
    const model = modelOf([[call("record_fields", { values: { people: null } })], [text("Goodbye.")]]);
    const stages = [
      stageOf("people", { fields: ["people"], edges: [edge("on", "bye", COLLECTED)] }),
      stageOf("bye", { type: "END" }),
    ];
    await hold(planOf(stages), ["I won't say"], portsWith({ model }));
    expect(model.seen[1]?.[0]?.content).toContain("does not want to say");
  });

  test("a time that a hosted model records as people say it has the offset of the person's zone", async () => {
    const model = modelOf([[call("record_fields", { values: { at: "15:00" } })]]);
    const schema = { type: "object", properties: { at: { type: "string", format: "time" } } };
    const stages = [
      stageOf("at", { fields: ["at"], edges: [edge("on", "bye", COLLECTED)] }),
      stageOf("bye", { type: "END", onEntry: [say("At {{ fields.at }}.")] }),
    ];
    const plan = planOf(stages, {
      outputs: [{ name: "visit", description: "", schema }],
      timeZone: { name: "America/New_York", isAssumed: false },
    });
    expect((await hold(plan, ["At three in the afternoon"], portsWith({ model }))).lines).toEqual([
      "At 15:00:00-05:00.",
    ]);
  });

  test("a yes to what was read back counts beside a correction of another value, and not beside one of its own", async () => {
    const stages = [
      stageOf("check", { type: "CONFIRM", fields: ["day"], edges: [edge("on", "bye")] }),
      stageOf("bye", { type: "END", onEntry: [say("{{ fields.people }} on {{ fields.day }}.")] }),
    ];
    const readBack = [[call("record_fields", { values: { day: "2026-12-01", people: 2 } })], [text("On 1 December?")]];
    const says = ["Two, on 1 December", "Yes, but"];
    const other = modelOf([...readBack, [call("record_fields", { values: { people: 3 }, isConfirmed: true })]]);
    const held = await hold(planOf(stages), says, portsWith({ model: other }));
    expect(held.lines.at(-1)).toBe("3 on 2026-12-01.");
    const own = modelOf([
      ...readBack,
      [call("record_fields", { values: { day: "2026-12-02" }, isConfirmed: true })],
      [text("On 2 December?")],
    ]);
    expect((await hold(planOf(stages), says, portsWith({ model: own }))).lines.at(-1)).toBe("On 2 December?");
    expect(own.seen[3]?.at(-1)?.content).toContain("read them back first");
  });
});

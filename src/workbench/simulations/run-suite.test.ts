import { describe, expect, test } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { call, modelOf, text, trialTool } from "#kit/trial-session.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { DEFAULT_PRICES } from "#src/tenancy/usage/prices.ts";
import type { PreparedFlow } from "./prepared-flow.ts";
import type { ConversationReport } from "./report.ts";
import type { SuiteProgress } from "./run-suite.ts";
import { runTrialConversation, runTrialSuite, trialFlow, trialSuite, VISIT } from "./trial-flow.ts";

const withTools = (...tools: ReturnType<typeof trialTool>[]): PreparedFlow =>
  trialFlow({}, { grants: { tools, systemTools: [], transferTargets: [] } });

const BOOKING = [call("book_slot"), { kind: "USAGE", inputTokens: 10, outputTokens: 5 } as const];

/** A model that calls book_slot first, then says goodbye. */
function bookingModel(): LanguageModel {
  return modelOf([BOOKING, [text("That is it. Goodbye."), call("end_call", "c2")]]);
}

describe("a suite that passes", () => {
  test("reports what came of each conversation", async () => {
    const seen: SuiteProgress[] = [];
    const report = await runTrialSuite(
      trialSuite({
        repeat: 3,
        seed: 4,
        scenarios: [
          {
            name: "agrees",
            persona: "agrees",
            expect: {
              outcome: "COMPLETED",
              fields: { coming: true, people: { atLeast: 1 } },
              says: ["Green Street"],
              turns: { atMost: 6 },
            },
          },
          {
            name: "mailbox",
            persona: "voicemail",
            repeat: 1,
            expect: {
              outcome: "VOICEMAIL",
              endReason: "AGENT_LEFT_VOICEMAIL",
              says: ["call Green Street Clinic back"],
            },
          },
        ],
      }),
      trialFlow(),
      { onProgress: (progress) => seen.push(progress) },
    );
    expect(report).toMatchObject({
      suite: "Trial",
      flow: { id: "flow-1", apiId: "reminder", name: "Reminder", version: 2 },
      model: "SCRIPTED",
      mode: "TEXT",
      passed: true,
      conversations: 4,
      passedConversations: 4,
      warnings: [],
      currency: "USD",
    });
    const [agrees, mailbox] = report.scenarios;
    expect(agrees).toMatchObject({
      persona: "agrees",
      repetitions: 3,
      passRate: 1,
      interval: { low: 0.4385, high: 1 },
    });
    expect(agrees?.conversations.map(({ seed }) => seed)).toEqual([4, 5, 6]);
    expect(agrees?.conversations[0]).toMatchObject({
      outcome: "COMPLETED",
      callOutcome: "ANSWERED",
      longestSilenceMs: 600,
      optOut: false,
    });
    expect(mailbox?.conversations[0]).toMatchObject({ seed: 4, answeredBy: "MACHINE_VOICEMAIL" });
    expect(Number(report.cost)).toBeGreaterThan(0);
    expect(seen.map(({ done, total, passed }) => [done, total, passed])).toEqual([
      [1, 4, 1],
      [2, 4, 2],
      [3, 4, 3],
      [4, 4, 4],
    ]);
  });

  test("mocks answer the flow's tools, in call time", async () => {
    const flow = {
      ...withTools(trialTool("book_slot", { day: { type: "string" } })),
      model: modelOf([
        [{ kind: "TOOL_CALL", call: { id: "c1", name: "book_slot", input: { day: "2026-12-01" } } }],
        [text("Booked. Goodbye."), call("end_call", "c2")],
      ]),
    };
    const conversation = await runTrialConversation(
      trialSuite({
        tools: {
          book_slot: [
            { when: { day: { matches: "^2025" } }, fails: "Too old." },
            { returns: { ok: true }, takesMs: 2_000 },
          ],
        },
        expect: {
          tools: [{ call: "book_slot", with: { day: "2026-12-01" }, times: 1 }],
          longestSilenceMs: { atLeast: 2_000 },
        },
      }),
      flow,
    );
    expect(conversation.failures).toEqual([]);
    expect(conversation.toolCalls[0]).toEqual({
      turn: 3,
      name: "book_slot",
      input: { day: "2026-12-01" },
      result: '{"ok":true}',
      failed: false,
    });
  });

  test("what the system tools do stays in memory", async () => {
    const offer = (name: string) => ({ name, description: "", inputSchema: { type: "object" } });
    const calls = [
      { id: "a", name: "read_record", input: { storeKey: "visits" } },
      { id: "b", name: "write_record", input: { storeKey: "visits", recordId: "visits-1", fields: { done: true } } },
      { id: "c", name: "read_record", input: { storeKey: "visits" } },
      { id: "d", name: "search_knowledge", input: { query: "When are you open?" } },
      { id: "e", name: "send_message", input: { text: "Hi" } },
      { id: "f", name: "schedule_callback", input: { at: "2026-01-06T10:00" } },
    ];
    const model = modelOf([
      calls.map((one) => ({ kind: "TOOL_CALL", call: one }) as const),
      [text("Goodbye."), call("end_call", "z")],
    ]);
    const systemTools = [...new Set(calls.map(({ name }) => name))].map(offer);
    const flow = trialFlow({}, { grants: { tools: [], systemTools, transferTargets: [] } }, { model });
    const suite = trialSuite({
      repeat: 1,
      records: { visits: [{ day: "Monday" }] },
      knowledge: [
        { title: "Hours", text: "Open from 8 to 6." },
        { title: "Parking", text: "Behind the house." },
      ],
    });
    const conversation = await runTrialConversation(suite, flow);
    expect(conversation.failures).toEqual([]);
    const results = conversation.toolCalls.map(({ result }) => result);
    expect(results[0]).toBe('[{"recordId":"visits-1","fields":{"day":"Monday"}}]');
    expect(results[2]).toBe('[{"recordId":"visits-1","fields":{"day":"Monday","done":true}}]');
    expect(results[3]).toContain("Open from 8 to 6.");
    expect(results[3]).not.toContain("Parking");
    expect(
      (
        await runTrialConversation(suite, {
          ...flow,
          model: modelOf([
            calls.map((one) => ({ kind: "TOOL_CALL", call: one }) as const),
            [text("Goodbye."), call("end_call", "z")],
          ]),
        })
      ).toolCalls[0]?.result,
    ).toBe(results[0]);
  });

  test("a call goes on by another flow, which is simulated too", async () => {
    const order = { ...COLD_ORDER, destinationType: "FLOW", destination: "sales" } as const;
    const transferTargets = [{ name: "sales", description: "", order, wantsSummary: false }];
    const systemTools = [
      {
        name: "transfer_call",
        description: "",
        inputSchema: { type: "object", properties: { target: { type: "string" } } },
      },
    ];
    const flow = trialFlow(
      {},
      { grants: { tools: [], systemTools, transferTargets } },
      { findFlow: (name) => (name === "sales" ? trialFlow({ firstMessage: "Sales here." }) : undefined) },
    );
    const conversation = await runTrialConversation(trialSuite({ scenarios: [{ persona: "wants-human" }] }), flow);
    expect(conversation.failures).toEqual([]);
    expect(conversation.transcript.map(({ content }) => content).join("\n")).toContain("Sales here.");
  });

  test("in a chat nobody is cut off, and only the model's tokens cost something", async () => {
    const { transcript, failures, cost, inputTokens, outputTokens } = await runTrialConversation(
      trialSuite({ channel: "CHAT", scenarios: [{ persona: "interrupts" }] }),
    );
    expect(failures).toEqual([]);
    const { MODEL_INPUT_TOKEN: input, MODEL_OUTPUT_TOKEN: output } = DEFAULT_PRICES;
    expect(Number(cost)).toBeCloseTo(inputTokens * Number(input) + outputTokens * Number(output), 5);
    expect(transcript.some(({ interrupted }) => interrupted)).toBe(false);
  });

  test("a pass rate below 1 lets some repetitions fail", async () => {
    const suite = (passRate: number) =>
      trialSuite({
        repeat: 4,
        passRate,
        scenarios: [{ persona: "agrees", expect: { fields: { people: { atLeast: 3 } } } }],
      });
    const report = await runTrialSuite(suite(0.1));
    const rate = report.scenarios[0]?.passRate ?? 0;
    expect(rate).toBeGreaterThan(0.1);
    expect(rate).toBeLessThan(1);
    expect(report.passed).toBe(true);
    expect((await runTrialSuite(suite(rate + 0.01))).passed).toBe(false);
  });
});

describe("what is always checked turns a suite red, and names the turn", () => {
  test.each<[string, Parameters<typeof trialFlow>[0], number | null, RegExp]>([
    [
      "MISSING_VARIABLE",
      { firstMessage: "Hello {{ name }}, a question." },
      1,
      /firstMessage uses \{\{ name \}\}, which has no value/,
    ],
    [
      "MISSING_VARIABLE",
      { masterPrompt: "You call for {{ firm | upcase }}." },
      null,
      /masterPrompt uses \{\{ firm \| upcase \}\}/,
    ],
    ["SESSION_ERROR", { masterPrompt: "You {% if x %} are." }, 1, /TEMPLATE_INVALID: masterPrompt/],
  ])("a broken prompt: %s of %j", async (code, flow, turn, message) => {
    const { failures, passed } = await runTrialConversation(trialSuite(), trialFlow(flow));
    expect(passed).toBe(false);
    expect(failures).toContainEqual(expect.objectContaining({ code, turn, message: expect.stringMatching(message) }));
  });

  test("a variable of a text that a mailbox does not hear, and of the one that it does", async () => {
    const suite = trialSuite({ scenarios: [{ persona: "voicemail" }] });
    const flow = trialFlow({
      firstMessage: "Hello {{ name }}.",
      voicemail: { action: "LEAVE_MESSAGE", message: "Call {{ firm }} back." },
    });
    const { failures, transcript } = await runTrialConversation(suite, flow);
    const said = transcript.find(({ role }) => role === "ASSISTANT");
    expect(said?.content).toBe("Call  back.");
    expect(failures.map(({ message, turn }) => [message.split(",")[0], turn])).toEqual([
      ["firstMessage uses {{ name }}", null],
      ["voicemail.message uses {{ firm }}", (said?.index ?? -2) + 1],
    ]);
  });

  test("a wrong schema", async () => {
    const schema = { ...VISIT, required: ["coming", "people", "shoeSize"] };
    const { failures } = await runTrialConversation(
      trialSuite(),
      trialFlow({}, { outputs: [{ name: "visit", description: "", schema }] }),
    );
    expect(failures).toEqual([
      expect.objectContaining({ code: "OUTPUT_INVALID", turn: 6, message: expect.stringContaining("shoeSize") }),
    ]);
  });

  test("a tool that is not mocked, and a mock that does not fit", async () => {
    const flow = () => ({ ...withTools(trialTool("book_slot")), model: bookingModel() });
    const bare = await runTrialConversation(trialSuite(), flow());
    expect(bare.failures).toEqual([
      expect.objectContaining({
        code: "TOOL_NOT_MOCKED",
        turn: 3,
        message: expect.stringContaining("the suite has no mock of it"),
      }),
    ]);
    const misfit = await runTrialConversation(
      trialSuite({ tools: { book_slot: { when: { day: "Monday" }, returns: 1 } } }),
      flow(),
    );
    expect(misfit.failures[0]?.message).toContain("no mock of it fits this input");
  });

  test("a tool that fails: by its schema, by its limit; not when its mock says so", async () => {
    const flow = (parameters = {}) => ({ ...withTools(trialTool("book_slot", parameters)), model: bookingModel() });
    const unfit = await runTrialConversation(
      trialSuite({ tools: { book_slot: { returns: 1 } } }),
      flow({ day: { type: "string" } }),
    );
    expect(unfit.failures).toEqual([
      expect.objectContaining({
        code: "TOOL_FAILED",
        turn: 3,
        message: expect.stringContaining("required property 'day'"),
      }),
    ]);
    const stuck = await runTrialConversation(
      trialSuite({ tools: { book_slot: { returns: 1, takesMs: 3_600_000 } } }),
      flow(),
    );
    expect(stuck.failures).toEqual([
      expect.objectContaining({
        code: "TOOL_FAILED",
        turn: 3,
        message: "book_slot failed: the tool took longer than its limit of 5000 ms",
      }),
    ]);
    expect(
      (await runTrialConversation(trialSuite({ tools: { book_slot: { fails: "Closed." } } }), flow())).failures,
    ).toEqual([]);
  });

  test("a model that ignores an opt-out", async () => {
    const suite = trialSuite({ scenarios: [{ persona: "opts-out" }] });
    expect(await runTrialConversation(suite)).toMatchObject({ passed: true, optOut: true, callOutcome: "OPTED_OUT" });
    // The engine follows its own understanding of the person's words, whatever the model does.
    const deaf = trialFlow(
      {},
      {},
      { model: modelOf([[text("Will you come?")], [text("Fine. Goodbye."), call("end_call")]], { coming: true }) },
    );
    expect(await runTrialConversation(suite, deaf)).toMatchObject({
      passed: true,
      optOut: true,
      callOutcome: "OPTED_OUT",
    });
    const oblique = {
      name: "Oblique",
      behaviours: [{ when: { turns: [1] }, do: { say: "Tear my page out.", optsOut: true } }],
    };
    const { failures, transcript } = await runTrialConversation(
      trialSuite({ scenarios: [{ persona: oblique }] }),
      deaf,
    );
    const asked = transcript.find(({ content }) => content === "Tear my page out.");
    expect(failures).toEqual([
      expect.objectContaining({ code: "OPT_OUT_IGNORED", turn: (asked?.index ?? -2) + 1, quote: asked?.content }),
    ]);
  });

  test("a model that fails", async () => {
    const { failures, outcome } = await runTrialConversation(
      trialSuite(),
      trialFlow({}, {}, { model: modelOf([new Error("no answer")]) }),
    );
    expect(outcome).toBe("FAILED");
    expect(failures).toEqual([
      expect.objectContaining({ code: "SESSION_ERROR", message: expect.stringContaining("no answer") }),
    ]);
  });
});

test("the same suite and seed give the same report, in this thread and on workers", async () => {
  const suite = trialSuite({
    repeat: 4,
    scenarios: ["agrees", "bad-data", "opts-out", "menu", "interrupts", "foreign", "chatty"].map((persona) => ({
      persona,
      expect: { turns: 4 },
    })),
  });
  const reports = [
    await runTrialSuite(suite),
    await runTrialSuite(suite),
    await runTrialSuite(suite, trialFlow(), { workers: 2 }),
  ];
  const texts = reports.map((report) => JSON.stringify({ ...report, durationMs: 0 }));
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).toBe(texts[0]);
  expect(JSON.stringify({ ...(await runTrialSuite({ ...suite, seed: 100 })), durationMs: 0 })).not.toBe(texts[0]);
});

test("the words of more talks than a process can hold are not kept, and their counts are", async () => {
  const suite = trialSuite({ repeat: 6, scenarios: [{ persona: "chatty" }] });
  const whole = await runTrialSuite(suite);
  const sizes = whole.scenarios.flatMap(({ conversations }) => conversations.map(sizeOfConversation));
  const report = await runTrialSuite(suite, trialFlow(), { maxKeptCharacters: 1 });
  expect(report.scenarios.flatMap(({ conversations }) => conversations.map(sizeOfConversation))).toEqual([
    sizes[0],
    0,
    0,
    0,
    0,
    0,
  ]);
  const counts = { passed: true, conversations: 6, passedConversations: 6, callMs: whole.callMs, cost: whole.cost };
  expect(report).toMatchObject(counts);
  expect(report.warnings).toEqual([expect.stringMatching(/^The words of 5 conversations were not kept/)]);
});

test("a conversation in which everything is wrong tells of fifty things", async () => {
  const neverSays = Array.from({ length: 60 }, () => ({ matches: "." }));
  const { failures, passed } = await runTrialConversation(trialSuite({ expect: { neverSays } }));
  expect([failures.length, passed]).toEqual([50, false]);
});

function sizeOfConversation({ transcript }: ConversationReport): number {
  return transcript.reduce((sum, { content }) => sum + content.length, 0);
}

test("what cannot have an effect is warned of", async () => {
  const suite = trialSuite({
    tools: { bok_slot: { returns: 1 }, end_call: { returns: 1 } },
    expect: { neverCalls: ["transfer_call"], fields: { comming: { exists: false } }, outputs: { vizit: "MISSING" } },
  });
  const { warnings } = await runTrialSuite(suite, withTools(trialTool("book_slot")));
  expect(warnings).toEqual([
    "tools: no scenario can call bok_slot. Did you mean book_slot?",
    "tools: no scenario can call end_call.",
    "expect: the flow has no tool transfer_call.",
    "expect: the flow has no output vizit. Did you mean visit?",
    "expect: no output of the flow has a field comming. Did you mean coming?",
  ]);
});

test("a variable that a tool looks up before the first word has a value", async () => {
  const tool = trialTool("find_customer", {}, { isProactive: true });
  const flow = trialFlow(
    { firstMessage: "Hello {{ nickname }}." },
    { grants: { tools: [tool], systemTools: [], transferTargets: [] } },
  );
  const mock = (variables: object) => trialSuite({ tools: { find_customer: { returns: "found", variables } } });
  const found = await runTrialConversation(mock({ nickname: "Addie" }), flow);
  expect(found.failures).toEqual([]);
  expect(found.transcript.map(({ content }) => content)).toContain("Hello Addie.");
  expect((await runTrialConversation(mock({}), flow)).failures).toEqual([
    expect.objectContaining({ code: "MISSING_VARIABLE" }),
  ]);
});

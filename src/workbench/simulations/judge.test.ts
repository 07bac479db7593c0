import { describe, expect, test } from "vitest";
import { COLLECTED, edge, stageOf } from "#kit/trial-stages.ts";
import type { Turn } from "#src/engine/conversation/plan.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import { judge } from "./judge.ts";
import { readSuite } from "./read-suite.ts";
import type { Failure } from "./report.ts";
import { runTrialConversation, trialFlow, trialSuite } from "./trial-flow.ts";

const say = (index: number, role: Turn["role"], content: string): Turn => ({
  index,
  role,
  content,
  startMs: index * 1_000,
  endMs: index * 1_000 + 500,
  interrupted: false,
  toolCallId: role === "TOOL" ? `c${index}` : null,
});

const INPUT = { day: "2026-12-01", party: 3 };
const TRANSCRIPT = [
  say(0, "ASSISTANT", "Hello Ada, this is Green Street Clinic."),
  say(1, "USER", "Hello, yes."),
  say(2, "ASSISTANT", "How many come?"),
  say(3, "USER", "We are 3."),
  say(4, "TOOL", JSON.stringify({ name: "book_slot", input: INPUT, result: "ok" })),
  say(5, "ASSISTANT", "Booked. Goodbye."),
];

const BOOKED = { callId: "c4", name: "book_slot", input: INPUT, result: "ok", fault: null, failed: false };

const RECORD: ConversationRecord = {
  seed: 1,
  outcome: "COMPLETED",
  callOutcome: "ANSWERED",
  endReason: "AGENT_ENDED_CALL",
  answeredBy: "HUMAN",
  turns: 3,
  callMs: 6_000,
  longestSilenceMs: 500,
  fields: { confirmed: true, party: 3, note: null },
  outputs: {
    visit: { value: {}, valid: true, errors: [], extractedAt: "2026-01-01T00:00:00Z" },
    extra: { value: {}, valid: false, errors: ["party is required"], extractedAt: "2026-01-01T00:00:00Z" },
  },
  toolCalls: [{ turn: 5, name: "book_slot", input: INPUT, result: "ok", failed: false }],
  optOut: false,
  cost: "0.0042",
  inputTokens: 100,
  outputTokens: 20,
  transcript: TRANSCRIPT,
  personaNotes: [],
  stagePath: [],
  error: null,
  mocked: [BOOKED],
  missing: [],
  optOutTurn: null,
  stalledMs: null,
};

function judged(expected: object, record: Partial<ConversationRecord> = {}, ignore: string[] = []): Failure[] {
  const base = { outputs: { extra: "INVALID" } };
  const suite = readSuite(
    trialSuite({ expect: base, ignore, scenarios: [{ persona: "agrees", expect: expected }] }),
    "s",
  );
  const [scenario] = suite.scenarios;
  if (!scenario) throw new Error("no scenario");
  return judge(scenario, { ...RECORD, ...record });
}

describe("what is as expected fails nothing", () => {
  test.each<[object]>([
    [{}],
    [{ outcome: "COMPLETED" }],
    [{ outcome: ["FAILED", "ANSWERED"] }],
    [{ endReason: "AGENT_ENDED_CALL" }],
    [{ fields: { confirmed: true, party: { atLeast: 1, atMost: 4 }, note: null, other: { exists: false } } }],
    [{ outputs: { visit: "VALID", extra: "INVALID", none: "MISSING" } }],
    [{ tools: ["book_slot", { call: "book_slot", with: { day: { matches: "^2026" } }, times: 1 }] }],
    [{ tools: [{ call: "find_slots", times: 0 }], neverCalls: "transfer_call" }],
    [{ tools: [{ call: "book_slot", times: "1" }] }],
    [{ says: ["green street", { matches: "^How many" }], neverSays: ["undefined", { matches: "sorry" }] }],
    [{ turns: 3, longestSilenceMs: { atMost: 500 }, durationSeconds: 6, cost: "0.0042", optOut: false }],
    [{ cost: { atMost: "0.05" } }],
    [{ cost: "0.00420" }],
  ])("%j", (expected) => expect(judged(expected)).toEqual([]));
});

describe("what is not names the expectation, the turn and its words", () => {
  const LAST = "Booked. Goodbye.";
  test.each<[object, Partial<Failure>]>([
    [
      { outcome: "FAILED" },
      {
        code: "OUTCOME",
        path: "outcome",
        turn: 6,
        quote: LAST,
        message: "The outcome should be FAILED, and is COMPLETED (ANSWERED, AGENT_ENDED_CALL).",
      },
    ],
    [{ endReason: "CUSTOMER_HUNG_UP" }, { code: "END_REASON", turn: 6, quote: LAST }],
    [
      { fields: { party: 4 } },
      { code: "FIELD", path: "fields.party", turn: 4, quote: "We are 3.", message: "party should be 4, and is 3." },
    ],
    [{ fields: { who: "Ada" } }, { path: "fields.who", turn: 4, message: 'who should be "Ada", and is nothing.' }],
    [{ outputs: { visit: "MISSING" } }, { code: "OUTPUT", path: "outputs.visit", turn: 4 }],
    [
      { outputs: { extra: "VALID" } },
      { message: "The output extra should be VALID, and is INVALID: party is required" },
    ],
    [
      { tools: [{ call: "book_slot", with: { day: "2026-12-02" } }] },
      {
        code: "TOOL_CALL",
        path: "tools[0]",
        turn: 5,
        message:
          'book_slot should be called with day "2026-12-02", and it was called with {"day":"2026-12-01","party":3}.',
      },
    ],
    [{ tools: ["find_slots"] }, { turn: 6, message: "find_slots should be called, and it was never called." }],
    [
      { tools: [{ call: "book_slot", times: { atLeast: 2 } }] },
      { turn: 5, message: "book_slot should be called at least 2 times, and it was called 1 times." },
    ],
    [{ neverCalls: ["book_slot"] }, { code: "TOOL_FORBIDDEN", path: "neverCalls", turn: 5 }],
    [
      { says: ["Monday"] },
      { code: "SAYS", path: "says[0]", turn: null, message: 'The agent should say "Monday", and never did.' },
    ],
    [{ neverSays: ["x", { matches: "(?i)clinic" }] }, { code: "NEVER_SAYS", path: "neverSays[1]", turn: 1 }],
    [{ turns: { atMost: 2 } }, { code: "TURNS", turn: 6, message: "The agent's turns should be at most 2, and is 3." }],
    [{ longestSilenceMs: { atMost: 100 } }, { code: "SILENCE", turn: 1 }],
    [{ durationSeconds: { atMost: 5 } }, { code: "DURATION", path: "durationSeconds" }],
    [{ cost: { atMost: "0.004" } }, { code: "COST", message: "The cost should be at most 0.004, and is 0.0042." }],
    [{ optOut: true }, { code: "OPT_OUT", path: "optOut", turn: 6 }],
  ])("%j", (expected, failure) => {
    const failures = judged(expected);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject(failure);
  });
});

describe("what is always checked", () => {
  const optOut = TRANSCRIPT.with(3, say(3, "USER", "Never call me again."));
  const failed = { ...BOOKED, fault: "FAILED", failed: true, result: "failed: too late" } as const;
  const cases: [string, Partial<ConversationRecord>, Partial<Failure>][] = [
    [
      "SESSION_ERROR",
      { error: { code: "MODEL_STALLED", message: "The model was silent." } },
      { turn: 6, message: "The session had an error, MODEL_STALLED: The model was silent." },
    ],
    [
      "SESSION_ERROR",
      { error: { code: "TEMPLATE_INVALID", message: "masterPrompt: tag not closed" } },
      { turn: 1, quote: "Hello Ada, this is Green Street Clinic." },
    ],
    [
      "MISSING_VARIABLE",
      {
        missing: [{ text: "firstMessage", output: "{{ company }}", words: "Hello Ada, this is Green Street Clinic." }],
      },
      {
        turn: 1,
        message: "firstMessage uses {{ company }}, which has no value. Give it in variables, or write a default.",
      },
    ],
    [
      "MISSING_VARIABLE",
      { missing: [{ text: "messages.success of book_slot", output: "{{ day }}", words: "Booked." }] },
      { turn: 6, quote: "Booked. Goodbye." },
    ],
    [
      "MISSING_VARIABLE",
      { missing: [{ text: "masterPrompt", output: "{{ company }}", words: "You call for ." }] },
      { turn: null, quote: null },
    ],
    [
      "MISSING_VARIABLE",
      { transcript: TRANSCRIPT.with(2, say(2, "ASSISTANT", "Hello {{ name }}.")) },
      { turn: 3, quote: "Hello {{ name }}.", message: "The agent said the markup of a template." },
    ],
    [
      "TOOL_NOT_MOCKED",
      {
        mocked: [
          { ...failed, fault: "NOT_MOCKED", result: "failed: The tool cannot be used: the suite has no mock of it." },
        ],
      },
      {
        turn: 5,
        message:
          'book_slot was called with {"day":"2026-12-01","party":3}. The tool cannot be used: the suite has no mock of it. Give book_slot an answer in tools.',
      },
    ],
    ["TOOL_FAILED", { mocked: [failed] }, { turn: 5, message: "book_slot failed: too late" }],
    [
      "TOOL_FAILED",
      {
        mocked: [],
        toolCalls: [
          { turn: 5, name: "read_record", input: {}, result: "failed: there is no such data store", failed: true },
        ],
      },
      { turn: 5, message: "read_record failed: there is no such data store" },
    ],
    [
      "OUTPUT_INVALID",
      {
        outputs: {
          ...RECORD.outputs,
          visit: { value: {}, valid: false, errors: ["people must be >= 1"], extractedAt: "" },
        },
      },
      { turn: 4, message: "The output visit does not fit its schema: people must be >= 1" },
    ],
    ["OPT_OUT_IGNORED", { transcript: optOut, optOutTurn: 4 }, { turn: 4, quote: "Never call me again." }],
    [
      "LIMIT_REACHED",
      { endReason: "LIMIT_TURNS" },
      { turn: 6, message: expect.stringContaining("its limit of turns after 3 turns") },
    ],
  ];

  test.each(cases)("%s: %j", (code, record, failure) => {
    expect(judged({}, record)).toEqual([expect.objectContaining({ code, path: code, ...failure })]);
    expect(judged({}, record, [code])).toEqual([]);
  });

  test("an opt-out that was heeded, a limit that was expected and a mock that is to fail are no failures", () => {
    expect(judged({}, { optOutTurn: 4, optOut: true })).toEqual([]);
    expect(judged({ endReason: "LIMIT_TURNS" }, { endReason: "LIMIT_TURNS" })).toEqual([]);
    expect(
      judged(
        {},
        {
          mocked: [{ ...failed, fault: null }],
          toolCalls: [{ turn: 5, name: "book_slot", input: INPUT, result: "failed: x", failed: true }],
        },
      ),
    ).toEqual([]);
  });

  test("a conversation that stalled fails with that alone", () => {
    const [failure, ...others] = judged(
      { turns: 99 },
      { stalledMs: 60_000, error: { code: "INTERRUPTED", message: "" } },
    );
    expect(others).toEqual([]);
    expect(failure).toMatchObject({
      code: "STALLED",
      turn: 6,
      message: "Nothing happened for 60 s after turn 6, so the conversation was ended.",
    });
  });

  test("an empty transcript has no turn to name", () => {
    expect(judged({ outcome: "FAILED", says: ["x"] }, { transcript: [], toolCalls: [], mocked: [] })).toEqual([
      expect.objectContaining({ code: "OUTCOME", turn: null, quote: null }),
      expect.objectContaining({ code: "SAYS", turn: null, quote: null }),
    ]);
  });
});

test("a variable of what a stage says, and of its prompt, but not a field that the prompt waits for", async () => {
  const stages = [
    stageOf("ask", {
      prompt: "{{ fields.coming }} {{ place }}",
      fields: ["coming"],
      edges: [edge("on", "bye", COLLECTED)],
    }),
    stageOf("bye", { type: "END", onEntry: [{ type: "SAY", text: "Goodbye from {{ compny }}, {{ stage.name }}." }] }),
  ];
  const grants = { tools: [], systemTools: [], transferTargets: [], stages: { start: "ask", stages } };
  const { failures, transcript } = await runTrialConversation(trialSuite(), trialFlow({}, { grants }));
  const said = transcript.find(({ content }) => content === "Goodbye from , bye.");
  expect(failures.map(({ code, message, turn }) => [code, message.split(",")[0], turn])).toEqual([
    ["MISSING_VARIABLE", "prompt of stage ask uses {{ place }}", null],
    ["MISSING_VARIABLE", "SAY of stage bye uses {{ compny }}", (said?.index ?? -2) + 1],
  ]);
});

import { describe, expect, it } from "vitest";
import type { Call, Turn } from "./call.ts";
import { toSuite } from "./to-suite.ts";

const turn = (index: number, role: Turn["role"], content: string): Turn => ({
  index,
  role,
  content,
  startMs: index,
  endMs: index,
  interrupted: false,
  toolCallId: null,
});

describe("a test made from a call", () => {
  it("says what the person said, mocks what the tools answered, and expects what came of it", () => {
    const call = {
      id: "0198c0de-0000-7000-8000-000000000001",
      createdAt: "2026-11-21T10:00:00.000Z",
      flowApiId: "reminder",
      customerNumber: "+12025550100",
      contactName: "Ada",
      contactEmail: null,
      rowData: { plan: "gold" },
      contextData: null,
      status: "COMPLETED",
      endReason: "AGENT_ENDED_CALL",
      extractedFields: { confirmed: true },
      transcript: [
        turn(0, "ASSISTANT", "Hello"),
        turn(1, "USER", "Yes: it's me"),
        turn(2, "TOOL", '{"name":"find_slots","input":{"day":"x"},"result":"{\\"slots\\":[\\"10:00\\"]}"}'),
        turn(3, "USER", "Bye"),
        turn(4, "TOOL", '{"name":"end_call","input":{},"result":"ok"}'),
        turn(5, "TOOL", "not JSON"),
      ],
    } as unknown as Call;
    expect(JSON.parse(toSuite(call))).toMatchObject({
      flow: "reminder",
      contact: { phone: "+12025550100", name: "Ada" },
      variables: { plan: "gold" },
      tools: { find_slots: { returns: { slots: ["10:00"] } } },
      scenarios: [
        {
          persona: {
            behaviours: [
              { when: { turns: [1] }, do: { say: "Yes: it's me" } },
              { when: { turns: [2] }, do: { say: "Bye" } },
            ],
          },
          expect: { outcome: "COMPLETED", endReason: "AGENT_ENDED_CALL", fields: { confirmed: true } },
        },
      ],
    });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Turn } from "#src/engine/conversation/plan.ts";
import { readSuite } from "#src/workbench/simulations/read-suite.ts";
import { cleanCall } from "./clean-call.ts";
import { makeMocks } from "./mocks-of-call.ts";
import { readToolCalls, type RecordedCall } from "./recorded-call.ts";
import { makeSuite } from "./suite-of-call.ts";

function turnsOf(...lines: [Turn["role"], string, Partial<Turn>?][]): Turn[] {
  return lines.map(([role, content, more], index) => ({
    index,
    role,
    content,
    startMs: index * 1_000,
    endMs: index * 1_000 + 900,
    interrupted: false,
    toolCallId: role === "TOOL" ? `c${index}` : null,
    ...more,
  }));
}

const tool = (name: string, input: object, result: string) => JSON.stringify({ name, input, result });

function callOf(transcript: Turn[], more: Partial<RecordedCall> = {}): RecordedCall {
  return {
    transcript,
    outcome: "ANSWERED",
    endReason: "AGENT_ENDED_CALL",
    answeredBy: "HUMAN",
    fields: {},
    outputs: {},
    contact: { name: null, phone: "+12125551234", email: null },
    rowData: {},
    contextData: {},
    at: "2026-01-05T09:00:00.000Z",
    ...more,
  };
}

describe("mocks", () => {
  it("answer as the tools did, by their input where that differed, and like the last for any other", () => {
    const calls = readToolCalls(
      turnsOf(
        ["TOOL", tool("find", { day: "MON" }, '{"slots":[]}')],
        ["TOOL", tool("find", { day: "TUE" }, '{"slots":["10:00"]}\n\nSaid to the person already: Found one.')],
        ["TOOL", tool("book", { slot: { at: "10:00" } }, "failed: closed")],
        ["TOOL", tool("slow", {}, "not done yet: the answer will come by itself; go on talking"), { toolCallId: "s" }],
        ["TOOL", tool("slow", {}, "done"), { toolCallId: "s-answer" }],
        ["TOOL", tool("secret", {}, "(hidden)")],
      ),
    );
    expect(makeMocks(calls, ["find", "book", "slow", "secret", "unused"])).toEqual({
      find: [
        { when: { day: "MON" }, returns: { slots: [] } },
        { when: { day: "TUE" }, returns: { slots: ["10:00"] } },
        { returns: { slots: ["10:00"] } },
      ],
      book: [{ fails: "closed" }],
      slow: [{ returns: "done", takesMs: 1_000 }],
      secret: [{ returns: {} }],
      unused: [{ returns: {} }],
    });
  });
});

describe("a suite of a call with tools", () => {
  const transcript = turnsOf(
    ["ASSISTANT", "Hello Ada, when shall we come?"],
    ["USER", "On Monday. My address is 12 Main Street, and I was born on 1980-03-12."],
    [
      "TOOL",
      tool("book_slot", { day: "MON", address: "12 Main Street", born: "1980-03-12" }, '{"ok":true,"for":"Ada"}'),
    ],
    ["TOOL", tool("search_knowledge", { query: "hours" }, "Open from 8 to 6.")],
    ["ASSISTANT", "Booked. Goodbye."],
    ["USER", "Thanks, bye."],
  );
  const call = callOf(transcript, {
    contact: { name: "Ada", phone: "+12125551234", email: null },
    fields: { address: "12 Main Street", born: "1980-03-12", visit: { day: "MON" } },
  });

  it("expects the calls with the stand-ins that the person says", () => {
    const { call: cleaned, removed } = cleanCall(call, "");
    const { suite, scenario, warnings } = makeSuite(cleaned, { flow: "f", name: "F", ownTools: ["book_slot"] });
    expect(scenario).toMatchObject({
      tools: { book_slot: [{ returns: { ok: true } }] },
      knowledge: [{ text: "Open from 8 to 6." }],
      expect: {
        fields: { address: "1 Example Street", born: "1970-01-01", visit: { is: { day: "MON" } } },
        tools: [{ call: "book_slot", with: { day: "MON", address: "1 Example Street", born: "1970-01-01" } }],
        optOut: false,
      },
    });
    expect(JSON.stringify(suite)).toContain("My address is 1 Example Street, and I was born on 1970-01-01.");
    expect(warnings).toEqual([]);
    expect(removed.map(({ kind }) => kind)).toEqual(["ADDRESS", "BIRTH_DATE", "NAME", "PHONE"]);
    expect(() => readSuite(suite, "test")).not.toThrow();
  });
});

it("is a suite that can be read, without anything of the contact, whatever was said", () => {
  const word = fc.constantFrom("yes", "no", "Monday", "3", "…", "{x}", "[a]", "né", "a".repeat(300), "\u0007", "|");
  const said = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
  const role = fc.constantFrom<Turn["role"]>("ASSISTANT", "USER", "SYSTEM");
  const line = fc.tuple(role, said, fc.boolean(), fc.boolean());
  const ends = fc.constantFrom("AGENT_ENDED_CALL", "CUSTOMER_HUNG_UP", "LIMIT_SILENCE", "LIMIT_DURATION");
  const who = fc.constantFrom<RecordedCall["answeredBy"]>(
    "HUMAN",
    "MACHINE_VOICEMAIL",
    "MACHINE_IVR",
    "FAX",
    "UNCERTAIN",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), ends, who, fc.jsonValue(), (lines, endReason, answeredBy, value) => {
      const transcript = turnsOf(
        ...lines.map(([of, text, interrupted, isNamed]): [Turn["role"], string, Partial<Turn>] => [
          of,
          isNamed ? `${text} Xenovik ${text} +31 6 1234 5678` : text,
          { interrupted },
        ]),
        ["TOOL", tool("t", { who: "Xenovik", value }, JSON.stringify({ phone: "0612345678", value }))],
      );
      const contact = { name: "Xenovik", phone: "+31612345678", email: "xenovik@quorl.net" };
      const call = callOf(transcript, { endReason, answeredBy, contact, fields: { mail: "Xenovik@Quorl.net" } });
      const { suite } = makeSuite(cleanCall(call, "").call, { flow: "f", name: "F", ownTools: ["t"] });
      expect(() => readSuite(suite, "test")).not.toThrow();
      const text = JSON.stringify(suite).toLowerCase();
      for (const lost of ["xenovik", "quorl", "612345678", "1234 5678"]) expect(text).not.toContain(lost);
    }),
    { numRuns: 200 },
  );
});

import { ask } from "./fields.ts";
import type { Script } from "./script.ts";

/** Everything that happens on a line besides questions and plain answers. */
export const ENGLISH_SMALL_TALK: Script[] = [
  ...["I would rather not say.", "I don't know.", "Go on."].map((said): Script => ({
    title: `"${said}" where there is nothing to ask is answered, and the talk ends well`,
    language: "en-US",
    asks: {},
    said: ["Okay.", said, "No, that was all."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, never: /went wrong/ },
  })),
  {
    title: "what was volunteered before it was asked is not asked",
    language: "en-US",
    asks: ask("coming", "people", "day"),
    said: ["Hello?", "Yes, two of us, on Tuesday."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 2, day: "2026-11-24" },
      asked: ["How many people", 0],
    },
  },
  {
    title: "several answers in the greeting are kept",
    language: "en-US",
    asks: ask("day", "time", "name"),
    said: ["Hi, I'd like to come next Friday at ten in the morning.", "Anna Berg."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-27", time: "10:00:00Z", name: "Anna Berg" },
      asked: ["Which day", 0],
    },
  },
  {
    title: "a name with a phone number in one breath",
    language: "en-US",
    asks: ask("name", "phone", "email"),
    said: ["Hi.", "Anna Berg, and my number is 202 555 0147.", "anna@example.com"],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { name: "Anna Berg", phoneNumber: "2025550147", email: "anna@example.com" },
      asked: ["phone number", 0],
    },
  },
  {
    title: "a day and a time answer both questions",
    language: "en-US",
    asks: ask("day", "time", "payment"),
    said: ["Hi.", "Thursday at noon, and I'll pay cash."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-26", time: "12:00:00Z", payment: "CASH" },
      asked: ["What time of day", 0],
    },
  },
  {
    title: "an off-topic remark does not answer, and the question comes again",
    language: "en-US",
    asks: ask("people"),
    said: ["Hi.", "The weather is awful, isn't it.", "Three."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 3 }, asked: ["How many people", 2] },
  },
  {
    title: "a story around the answer does not hide it",
    language: "en-US",
    asks: ask("coming", "people"),
    said: [
      "Hi.",
      "Oh yes, you know, my sister told me about you and she was very happy there.",
      "Well, my mother wants to come along as well, so that makes three of us in the end.",
    ],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: true, people: 3 } },
  },
  {
    title: "after two answers that do not fit, the talk goes on",
    language: "en-US",
    asks: ask("people", "coming"),
    said: ["Hi.", "Purple.", "Banana.", "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: true }, asked: ["How many people", 2] },
  },
  {
    title: "hold on is given time, and coming back is no answer",
    language: "en-US",
    asks: ask("coming"),
    said: ["Hi.", "Hold on a second.", "Okay, I'm back.", "No, I can't."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: false },
      inOrder: ["AGENT: Of course, take your time.", "PERSON: Okay, I'm back.", "AGENT: Will you come", "PERSON: No"],
    },
  },
  {
    title: "a silence is asked into once, and the answer after it counts",
    language: "en-US",
    asks: ask("people"),
    said: ["Hi.", { silence: true }, "Yes, I'm here.", "Two."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 2 }, inOrder: ["Are you still there?", "PERSON: Yes"] },
  },
  {
    title: "silence throughout ends the call",
    language: "en-US",
    asks: ask("people"),
    said: ["Hi.", { silence: true }, { silence: true }],
    expected: { end: "LIMIT_SILENCE", fields: {}, asked: ["Are you still there?", 1] },
  },
  {
    title: "hanging up in mid-sentence keeps what was told",
    language: "en-US",
    asks: ask("coming", "people", "name"),
    said: ["Hi.", "Yes.", "Two.", { goneAfterWords: 3 }],
    expected: { end: "CUSTOMER_HUNG_UP", fields: { coming: true, people: 2 } },
  },
  {
    title: "hanging up while being greeted gives nothing",
    language: "en-US",
    asks: ask("coming"),
    said: [{ goneAfterWords: 4 }],
    expected: { end: "CUSTOMER_HUNG_UP", fields: {}, asked: ["Will you come", 0] },
  },
  {
    title: "a yes said before the question was heard is no answer to it",
    language: "en-US",
    asks: ask("people", "coming"),
    said: ["Hi.", "Two.", { cutIn: "Yes yes.", afterWords: 2 }, "No, I won't come."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 2, coming: false } },
  },
  {
    title: "a number said over the question answers it",
    language: "en-US",
    asks: ask("coming", "people"),
    said: ["Hi.", "Yes.", { cutIn: "Four people.", afterWords: 4 }],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: true, people: 4 } },
  },
  {
    title: "a Spanish speaker is answered in Spanish from then on",
    language: "en-US",
    asks: ask("coming", "people"),
    said: ["¿Diga? No hablo inglés.", "Sí, claro que voy.", "Somos tres personas."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 3 },
      inOrder: ["Gracias por su tiempo y adiós."],
    },
  },
];

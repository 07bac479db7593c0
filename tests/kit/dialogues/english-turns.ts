import { ask } from "./fields.ts";
import type { Script } from "./script.ts";

/** Turns that a careless listener gets wrong. */
export const ENGLISH_TURNS: Script[] = [
  {
    title: "me plus two is three",
    language: "en-US",
    asks: ask("people"),
    said: ["Hi.", "It'll be me plus two kids."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 3 } },
  },
  {
    title: "a hesitant day is a day",
    language: "en-US",
    asks: ask("day"),
    said: ["Hi.", "Sometime next week, maybe Wednesday?"],
    expected: { end: "AGENT_ENDED_CALL", fields: { day: "2026-11-25" }, asked: ["Which day", 1] },
  },
  {
    title: "a refusal with another day in its place answers both questions",
    language: "en-US",
    asks: ask("coming", "day"),
    said: ["Hi.", "I can't make it tomorrow, could we do Thursday instead?"],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: false, day: "2026-11-26" }, asked: ["Which day", 0] },
  },
  {
    title: "a slip of the tongue is corrected in the same breath",
    language: "en-US",
    asks: ask("people", "day", "payment"),
    said: ["Hi.", "Let me think... five, no, six.", "Monday, sorry, Tuesday.", "Cash. Actually, card."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 6, day: "2026-11-24", payment: "CARD" } },
  },
  {
    title: "a question that no passage is about is not answered with another passage",
    language: "en-US",
    asks: ask("people", "coming"),
    knowledge: { Parking: "Parking is free for two hours." },
    said: ["Hi.", "There'll be 5 of us. Who won the football yesterday?", "No.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { people: 5, coming: true },
      calls: [["search_knowledge", { query: "Who won the football yesterday?" }]],
      inOrder: ["AGENT: I am sorry, I do not know that.", "Will you come"],
      never: /Parking/,
    },
  },
  ...(
    [
      ["it's a n n a at gmail dot com", "anna@gmail.com"],
      ["anna underscore berg 1980 at web.de", "anna_berg1980@web.de"],
      ["That's a dot berg at example dot co dot uk.", "a.berg@example.co.uk"],
    ] as const
  ).map(([said, email]): Script => ({
    title: `"${said}" is ${email}`,
    language: "en-US",
    asks: ask("email"),
    said: ["Hi.", said, "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { email } },
  })),
  ...(
    [
      ["The first Monday in December.", "2026-12-07"],
      ["The last Friday of January.", "2027-01-29"],
      ["Not this Friday, the Friday after.", "2026-12-04"],
    ] as const
  ).map(([said, day]): Script => ({
    title: `"${said}" is ${day}`,
    language: "en-US",
    asks: ask("day"),
    said: ["Hi.", said],
    expected: { end: "AGENT_ENDED_CALL", fields: { day } },
  })),
  {
    title: "the time first, then the day",
    language: "en-US",
    asks: ask("when"),
    said: ["Hi.", "At 3pm.", "Tomorrow."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { when: "2026-11-22T15:00:00Z" },
      inOrder: ["AGENT: And on which day?", "PERSON: Tomorrow"],
    },
  },
  {
    title: "asked for the choices, the agent names them again",
    language: "en-US",
    asks: ask("size"),
    knowledge: {},
    said: ["Hi.", "What sizes do you have?", "Large."],
    expected: { end: "AGENT_ENDED_CALL", fields: { size: "large" }, asked: ["small, medium or large", 2] },
  },
  {
    title: "try me after six is today at six",
    language: "en-US",
    asks: ask("coming"),
    callback: "ok",
    said: ["Hi.", "I'm at work, try me after six."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [["schedule_callback", { at: "2026-11-21T18:00", note: "I'm at work, try me after six." }]],
    },
  },
  {
    title: "is this a scam? is told who is calling",
    language: "en-US",
    asks: ask("coming"),
    said: ["Hi.", "Is this a scam?", "Okay then, yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["AGENT: This is the automated assistant of Green Street Clinic. Will you come"],
    },
  },
  {
    title: "more slowly, please has the question repeated",
    language: "en-US",
    asks: ask("coming"),
    said: ["Hi.", "Could you say that more slowly, please?", "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: true }, asked: ["Will you come", 2], never: /did not get/ },
  },
  {
    title: "asked for another language, the agent speaks it",
    language: "en-US",
    asks: { coming: { type: "boolean" } },
    said: ["Hi.", "Do you speak Spanish?", "Sí."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["PERSON: Do you speak Spanish?", "AGENT: Muy bien. Sí o no", "adiós"],
    },
  },
  {
    title: "a language that somebody does not speak is not spoken",
    language: "de-DE",
    asks: { coming: { type: "boolean", description: "Kommen Sie?" } },
    said: ["Hallo?", "Ich spreche kein Englisch.", "Ja."],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: true }, inOrder: ["auf Wiederhören"] },
  },
  {
    title: "a surname first, then the whole name",
    language: "en-US",
    asks: ask("name"),
    said: ["Hi.", "Berg. Anna Berg."],
    expected: { end: "AGENT_ENDED_CALL", fields: { name: "Anna Berg" } },
  },
  {
    title: "a complaint is no name",
    language: "en-US",
    asks: ask("name"),
    said: ["Hi.", "You already know my name!", "All right, Anna Berg."],
    expected: { end: "AGENT_ENDED_CALL", fields: { name: "Anna Berg" }, asked: ["What is your full name", 2] },
  },
  {
    title: "somebody else at the phone says when to call",
    language: "en-US",
    asks: ask("coming"),
    callback: "ok",
    said: ["I'm Anna's husband, she's not here.", "Tomorrow at noon."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [["schedule_callback", { at: "2026-11-22T12:00", note: "I'm Anna's husband, she's not here." }]],
      asked: ["Will you come", 0],
    },
  },
  {
    title: "I'll make it is a yes and no correction",
    language: "en-US",
    asks: ask("people", "coming"),
    said: ["Hi.", "Two.", "Sure, I'll make it."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 2, coming: true } },
  },
];

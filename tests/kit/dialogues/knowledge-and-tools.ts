import { ask } from "./fields.ts";
import type { Script, ScriptedTool } from "./script.ts";

const CLINIC = {
  "Opening hours and address":
    "Green Street Clinic is open Monday to Friday from 8 a.m. to 6 p.m. and on Saturday from 9 a.m. to noon. It is closed on Sunday.\n\nThe clinic is at 12 Green Street. Parking is free for two hours behind the building.",
  Prices: "A first visit costs 80 dollars. Insurance covers most of it.",
};

const BOOK: ScriptedTool = {
  name: "book_appointment",
  parameters: { day: { type: "string" }, time: { type: "string" } },
  answers: "Booked for Tuesday at three. Please bring your insurance card. Room 5 is on the second floor.",
};

/** Questions of the person that the knowledge base answers. */
export const KNOWLEDGE: Script[] = [
  {
    title: "a question is looked up, answered and followed by the open question",
    language: "en-US",
    asks: ask("coming", "people"),
    knowledge: CLINIC,
    said: ["Hello?", "Is there parking at your place?", "Great. Yes, I'll come.", "Two."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 2 },
      calls: [["search_knowledge", { query: "Is there parking at your place?" }]],
      inOrder: ["PERSON: Is there", "TOOL: search_knowledge", "AGENT: Parking is free for two hours", "Will you come"],
    },
  },
  {
    title: "an answer with a question after it: both are taken",
    language: "en-US",
    asks: ask("coming", "people"),
    knowledge: CLINIC,
    said: ["Hello?", "Yes, but what are your opening hours?", "Two."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 2 },
      calls: [["search_knowledge", { query: "but what are your opening hours?" }]],
      inOrder: ["AGENT: Green Street Clinic is open Monday to Friday", "How many people"],
      asked: ["Will you come", 1],
    },
  },
  {
    title: "a question without its mark is a question all the same",
    language: "en-US",
    asks: ask("people"),
    knowledge: CLINIC,
    said: ["Hello?", "how much does the first visit cost", "Two."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { people: 2 },
      calls: [["search_knowledge", { query: "how much does the first visit cost" }]],
      inOrder: ["AGENT: A first visit costs 80 dollars. Insurance covers most of it. How many people"],
    },
  },
  {
    title: "a question in place of a greeting is answered first",
    language: "en-US",
    asks: ask("coming"),
    knowledge: CLINIC,
    said: ["Hi, quick question, where is the clinic?", "Perfect, yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      calls: [["search_knowledge", { query: "quick question, where is the clinic?" }]],
      inOrder: ["AGENT: The clinic is at 12 Green Street", "Will you come"],
    },
  },
  {
    title: "a question with a day in it is a question and not the day",
    language: "en-US",
    asks: ask("day"),
    knowledge: CLINIC,
    said: ["Hello?", "Are you open on Sunday?", "Then Monday."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-23" },
      calls: [["search_knowledge", { query: "Are you open on Sunday?" }]],
      inOrder: ["AGENT: It is closed on Sunday.", "Which day"],
    },
  },
  {
    title: "two questions one after the other are both answered",
    language: "en-US",
    asks: ask("coming"),
    knowledge: CLINIC,
    said: ["Hello?", "What does it cost?", "And where do I park?", "Fine, yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      calls: [
        ["search_knowledge", { query: "What does it cost?" }],
        ["search_knowledge", { query: "And where do I park?" }],
      ],
      inOrder: ["80 dollars", "PERSON: And where", "Parking is free", "Will you come", "PERSON: Fine"],
    },
  },
  {
    title: "what is not in the knowledge base is said to be unknown, with an offer",
    language: "en-US",
    asks: ask("coming"),
    knowledge: {},
    said: ["Hello?", "Do you treat horses?", "No, thanks.", "Yes, I'll come."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      calls: [["search_knowledge", { query: "Do you treat horses?" }]],
      inOrder: ["I do not know that. Would you like a colleague to call you back", "PERSON: No", "Will you come"],
    },
  },
  {
    title: "the offered callback is arranged, and the talk goes on",
    language: "en-US",
    asks: ask("coming"),
    knowledge: {},
    callback: "ok: the call is planned",
    said: ["Hello?", "Do you treat horses?", "Yes, please.", "On Monday at ten.", "No, I can't come."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: false },
      calls: [
        ["search_knowledge", { query: "Do you treat horses?" }],
        ["schedule_callback", { at: "2026-11-23T10:00", note: "Do you treat horses?" }],
      ],
      inOrder: [
        "AGENT: On which day",
        "PERSON: On Monday",
        "we will call you then. Will you come",
        "PERSON: No, I can't",
      ],
    },
  },
  {
    title: "an answer instead of a yes or no to the offer answers the open question",
    language: "en-US",
    asks: ask("people"),
    knowledge: {},
    said: ["Hello?", "Do you treat horses?", "Four people, then."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { people: 4 },
      calls: [["search_knowledge", { query: "Do you treat horses?" }]],
    },
  },
  {
    title: "without a knowledge base a question is declined and nothing invented",
    language: "en-US",
    asks: ask("coming"),
    said: ["Hello?", "Is there parking?", "Yes, I will."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["AGENT: I am sorry, I cannot answer that. Will you come"],
    },
  },
  {
    title: "with nothing to ask, questions are answered until there are no more",
    language: "en-US",
    flow: { first: "Hello, this is {{ company }}. How can I help you?" },
    asks: {},
    knowledge: CLINIC,
    said: ["What are your opening hours?", "And is there parking?", "No, that's all, thank you."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [
        ["search_knowledge", { query: "What are your opening hours?" }],
        ["search_knowledge", { query: "And is there parking?" }],
      ],
      inOrder: [
        "8 a.m. to 6 p.m.",
        "Can I help you with anything else?",
        "Parking is free",
        "anything else?",
        "goodbye",
      ],
    },
  },
  {
    title: "a German question is answered from a German text",
    language: "de-DE",
    asks: { coming: { type: "boolean", description: "Kommen Sie zu Ihrem Termin?" } },
    knowledge: { Parken: "Parkplätze gibt es hinter dem Haus. Sie kosten nichts." },
    said: ["Hallo?", "Gibt es bei Ihnen Parkplätze?", "Gut, dann komme ich."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      calls: [["search_knowledge", { query: "Gibt es bei Ihnen Parkplätze?" }]],
      inOrder: ["AGENT: Parkplätze gibt es hinter dem Haus. Sie kosten nichts. Kommen Sie"],
    },
  },
  {
    title: "a French question is answered from a French text",
    language: "fr-FR",
    asks: { people: { type: "integer", description: "Combien de personnes viendront ?" } },
    knowledge: { Horaires: "Nous sommes ouverts du lundi au vendredi. Le samedi, nous fermons à midi." },
    said: ["Allô ?", "Quels sont vos horaires le samedi ?", "Nous serons trois."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { people: 3 },
      calls: [["search_knowledge", { query: "Quels sont vos horaires le samedi ?" }]],
      inOrder: ["AGENT: Le samedi, nous fermons à midi", "Combien de personnes"],
    },
  },
  {
    title: "a Spanish question is answered from a Spanish text",
    language: "es-ES",
    asks: { coming: { type: "boolean", description: "¿Vendrá a su cita?" } },
    knowledge: { Precios: "La primera visita cuesta ochenta euros." },
    said: ["¿Diga?", "¿Cuánto cuesta la visita?", "Vale, iré."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      calls: [["search_knowledge", { query: "¿Cuánto cuesta la visita?" }]],
      inOrder: ["AGENT: La primera visita cuesta ochenta euros. ¿Vendrá a su cita?"],
    },
  },
  {
    title: "a Swedish question is answered from a Swedish text",
    language: "sv-SE",
    asks: { coming: { type: "boolean", description: "Kommer du till din bokade tid?" } },
    knowledge: { Parkering: "Parkering finns bakom huset. Den är gratis." },
    said: ["Hallå?", "Finns det parkering?", "Bra, ja."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      calls: [["search_knowledge", { query: "Finns det parkering?" }]],
      inOrder: ["AGENT: Parkering finns bakom huset. Den är gratis. Kommer du"],
    },
  },
];

/** Tools of the flow, called once they can be. */
export const TOOLS: Script[] = [
  {
    title: "a tool is called once its parameters are answered, and its result is told briefly",
    language: "en-US",
    asks: ask("day", "time", "coming"),
    tools: [BOOK],
    said: ["Hi.", "Tuesday.", "At three.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", time: "15:00:00Z", coming: true },
      calls: [["book_appointment", { day: "2026-11-24", time: "15:00:00Z" }]],
      inOrder: [
        "PERSON: At three",
        "TOOL: book_appointment",
        "AGENT: All right. Booked for Tuesday at three. Please bring your insurance card.",
        "Will you come",
      ],
      never: /Room 5/,
    },
  },
  {
    title: "a tool whose last parameter is the last answer is called before the goodbye",
    language: "en-US",
    asks: ask("day", "time"),
    tools: [BOOK],
    said: ["Hi.", "Tuesday.", "At three."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", time: "15:00:00Z" },
      calls: [["book_appointment", { day: "2026-11-24", time: "15:00:00Z" }]],
      inOrder: ["TOOL: book_appointment", "AGENT: Booked for Tuesday at three.", "goodbye", "TOOL: end_call"],
    },
  },
  {
    title: "a tool with a parameter that was refused is not called",
    language: "en-US",
    asks: ask("day", "time"),
    tools: [BOOK],
    said: ["Hi.", "Tuesday.", "I don't know."],
    expected: { end: "AGENT_ENDED_CALL", fields: { day: "2026-11-24" } },
  },
  {
    title: "a tool is not called for somebody who ends the talk",
    language: "en-US",
    asks: ask("day", "time"),
    tools: [BOOK],
    said: ["Hi.", "Tuesday.", "I'm not interested, goodbye."],
    expected: { end: "AGENT_ENDED_CALL", fields: { day: "2026-11-24" } },
  },
  {
    title: "a corrected answer is told to the tool again",
    language: "en-US",
    asks: ask("day", "time", "coming"),
    tools: [BOOK],
    said: ["Hi.", "Monday.", "At three.", "No, I meant Tuesday.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", time: "15:00:00Z", coming: true },
      calls: [
        ["book_appointment", { day: "2026-11-23", time: "15:00:00Z" }],
        ["book_appointment", { day: "2026-11-24", time: "15:00:00Z" }],
      ],
    },
  },
  {
    title: "names in another style, optional parameters and known variables fill a tool",
    language: "en-US",
    flow: { variables: { contactEmail: "anna@example.com" } },
    asks: ask("day", "people", "coming"),
    tools: [
      {
        name: "reserve",
        parameters: {
          Day: { type: "string" },
          people: { type: "string" },
          contactEmail: { type: "string" },
          source: { type: "string", default: "phone" },
        },
        required: ["Day", "contactEmail"],
        answers: '{"status":"ok","message":"Your table is reserved."}',
      },
    ],
    said: ["Hi.", "Monday.", "Four.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-23", people: 4, coming: true },
      calls: [["reserve", { Day: "2026-11-23", people: "4", contactEmail: "anna@example.com", source: "phone" }]],
      inOrder: ["PERSON: Four", "TOOL: reserve", "AGENT: All right. Your table is reserved. ", "Will you come"],
    },
  },
  {
    title: "a tool that fails is said to have failed, without its message",
    language: "en-US",
    asks: ask("day", "coming"),
    tools: [
      { name: "check_day", parameters: { day: { type: "string" } }, answers: { failed: "HTTP 500 from upstream" } },
    ],
    said: ["Hi.", "Monday.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-23", coming: true },
      calls: [["check_day", { day: "2026-11-23" }]],
      inOrder: ["AGENT: Got it. I am sorry, that did not work.", "Will you come"],
      never: /500|upstream/,
    },
  },
  {
    title: "a tool with nothing to tell is not talked about",
    language: "en-US",
    asks: ask("day", "coming"),
    tools: [{ name: "check_day", parameters: { day: { type: "string" } }, answers: "ok" }],
    said: ["Hi.", "Monday.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-23", coming: true },
      calls: [["check_day", { day: "2026-11-23" }]],
      inOrder: ["TOOL: check_day", "AGENT: Got it. Will you come"],
    },
  },
  {
    title: "a list of objects is told as its first members",
    language: "en-US",
    asks: ask("day", "coming"),
    tools: [
      {
        name: "free_slots",
        parameters: { day: { type: "string" } },
        answers: '{"slots":["9:00","10:30"],"summary":"Two slots are free: nine and half past ten."}',
      },
    ],
    said: ["Hi.", "Monday.", "Yes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-23", coming: true },
      calls: [["free_slots", { day: "2026-11-23" }]],
      inOrder: ["AGENT: Got it. Two slots are free: nine and half past ten.", "Will you come"],
    },
  },
  {
    title: "a tool that needs nothing of the person is left alone",
    language: "en-US",
    asks: ask("coming"),
    tools: [{ name: "delete_account", parameters: {}, answers: "deleted" }],
    said: ["Hi.", "Yes."],
    expected: { end: "AGENT_ENDED_CALL", fields: { coming: true } },
  },
];

import { describe, expect, it } from "vitest";
import type { JsonSchema, ModelMessage, OutputDefinition, ToolCall, ToolOffer } from "#src/engine/models/models.ts";
import { createScriptedModel } from "./scripted-model.ts";

const END_CALL: ToolOffer = { name: "end_call", description: "", inputSchema: {} };
const DO_NOT_CALL: ToolOffer = { name: "add_to_do_not_call", description: "", inputSchema: {} };
const TRANSFER: ToolOffer = { name: "transfer_call", description: "", inputSchema: {} };
const PROMPT =
  "You are the assistant of Green Street Clinic. Be short.\n\nFlow: Appointment reminder\nLanguage: x\nDate: 2026-11-21";
const FIRST = "Hello, I am calling about your appointment.";

interface Options {
  language?: string;
  first?: string | null;
  tools?: ToolOffer[];
  toolAnswer?: string;
}

/** Holds a conversation with the model and returns its turns and the extracted values. */
async function dialogue(properties: Record<string, JsonSchema>, replies: string[], options: Options = {}) {
  const outputs: OutputDefinition[] = [{ name: "out", description: "", schema: { type: "object", properties } }];
  const messages: ModelMessage[] = [{ role: "SYSTEM", content: PROMPT }];
  if (options.first !== null) messages.push({ role: "ASSISTANT", content: options.first ?? FIRST });
  const model = createScriptedModel();
  const language = options.language ?? "en-US";
  const said: string[] = [];
  const calls: ToolCall[] = [];
  const awaited: (JsonSchema | null)[] = [];
  const signal = new AbortController().signal;
  const takeTurn = async (): Promise<void> => {
    const made: ToolCall[] = [];
    let text = "";
    const tools = options.tools ?? [END_CALL, DO_NOT_CALL];
    for await (const piece of model.respond({ messages, tools, outputs, language, signal })) {
      if (piece.kind === "EXPECTS") awaited.push(piece.schema);
      if (piece.kind === "TEXT") text += piece.text;
      if (piece.kind === "TOOL_CALL") made.push(piece.call);
    }
    said.push(text);
    calls.push(...made);
    messages.push({ role: "ASSISTANT", content: text, toolCalls: made });
    for (const call of made) messages.push({ role: "TOOL", content: options.toolAnswer ?? "ok", toolCallId: call.id });
    if (made.length > 0 && !made.some((call) => call.name === "end_call")) await takeTurn();
  };
  if (options.first === null) await takeTurn();
  for (const reply of replies) {
    messages.push({ role: "USER", content: reply });
    await takeTurn();
  }
  const extract = async (faults: string[] = []): Promise<unknown> =>
    (await model.extract({ messages, output: outputs[0] as OutputDefinition, outputs, language, faults, signal }))
      .value;
  return { said, calls, awaited, messages, outputs, model, value: await extract(), extract };
}

const COMING = { type: "boolean", description: "Will you come to your appointment?" };
const PEOPLE = { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" };
const DAY = { type: "string", format: "date", description: "Which day suits you?" };
const PAYMENT = { type: "string", enum: ["CARD", "BANK_TRANSFER", "CASH"], description: "How will you pay?" };
const NAME = { type: "string", description: "The customer's full name" };

describe("asking", () => {
  it("takes a choice for the question that was asked, and asks a later one with the same choices again", async () => {
    const cover = { type: "string", enum: ["basic", "premium"], description: "Which cover do you have?" };
    const wanted = { type: "string", enum: ["basic", "premium"], description: "Which cover would you like?" };
    const { said, value } = await dialogue({ cover, wanted }, ["Hello?", "Premium.", "Basic."]);
    expect(said[1]).toContain("Which cover would you like?");
    expect(value).toEqual({ cover: "premium", wanted: "basic" });
  });

  it("asks one question for each property in order, says goodbye and ends the call", async () => {
    const { said, calls, value } = await dialogue({ coming: COMING, people: PEOPLE, payment: PAYMENT, name: NAME }, [
      "Hello?",
      "Yes, I will.",
      "Two of us",
      "By bank transfer, please",
      "My name is Anna Berg.",
    ]);
    expect(said).toEqual([
      "Will you come to your appointment?",
      "Got it. How many people will come?",
      "All right. How will you pay? Which of these: card, bank transfer or cash?",
      "Thank you. Could you tell me your full name?",
      "That was all. Thank you for your time, and goodbye.",
    ]);
    expect(calls).toMatchObject([{ name: "end_call", input: { reason: "completed" } }]);
    expect(value).toEqual({ coming: true, people: 2, payment: "BANK_TRANSFER", name: "Anna Berg" });
  });

  it("tells what answers the question before its words, and that anything may be said where it asks none", async () => {
    const phone = { type: "string", description: "Your phone number" };
    const { awaited } = await dialogue({ coming: COMING, mobile: phone, day: { anyOf: [DAY, { type: "null" }] } }, [
      "Hello?",
      "Yes",
      "One moment please",
      "+12025550123",
      "Tomorrow",
    ]);
    expect(awaited).toMatchObject(
      [
        { type: "boolean" },
        { type: "string", format: "phone" },
        { type: "string", format: "phone" },
        { type: "string", format: "date" },
        null,
      ].map((schema) => schema as object),
    );
  });

  it("gives the same turn for the same messages, whether it has seen their beginning or not", async () => {
    const { messages, outputs, model, said } = await dialogue({ coming: COMING, day: DAY, name: NAME }, [
      "Hi",
      "yes",
      "tuesday",
    ]);
    const fresh = structuredClone(messages.slice(0, -1));
    let text = "";
    const request = {
      messages: fresh,
      tools: [END_CALL],
      outputs,
      language: "en-US",
      signal: new AbortController().signal,
    };
    for await (const piece of model.respond(request)) if (piece.kind === "TEXT") text += piece.text;
    expect(text).toBe(said.at(-1));
  });

  it("opens by itself when nobody has said anything yet", async () => {
    const { said } = await dialogue({ coming: COMING }, ["Hi"], { first: null });
    expect(said).toEqual([
      "Hello, this is the automated assistant of Green Street Clinic. The call is about: Appointment reminder.",
      "Will you come to your appointment?",
    ]);
  });

  it("takes the answer when the first message has asked the first question already", async () => {
    const { said, value } = await dialogue({ coming: COMING, people: PEOPLE }, ["Yes, of course"], {
      first: "Hi Anna! Will you come to your appointment on Tuesday?",
    });
    expect(said[0]).toContain("How many people");
    expect(value).toEqual({ coming: true });
  });

  it.each([
    ["Hello, am I speaking with Anna Berg?", "wrong_person"],
    ["Hello, do you have a minute?", "declined"],
  ])("takes a no to %s as it is meant", async (first, reason) => {
    const { calls, value } = await dialogue({ coming: COMING }, ["No."], { first });
    expect(calls).toMatchObject([{ name: "end_call", input: { reason } }]);
    expect(value).toEqual({});
  });

  it("chats briefly when there is nothing to ask", async () => {
    const { said, calls } = await dialogue({}, ["Hello", "No, that is all"]);
    expect(said).toEqual([
      "Thank you, I have noted that. Is there anything else you would like to say?",
      "Thank you for your time, and goodbye.",
    ]);
    expect(calls).toHaveLength(1);
  });

  it("asks in the flow's language and in the one the person evidently speaks", async () => {
    const german = await dialogue({ coming: { type: "boolean", title: "Kommen Sie" } }, ["Hallo?", "Nein, danke."], {
      language: "de-DE",
    });
    expect(german.said).toEqual([
      "Ja oder nein: Kommen Sie?",
      "Das war alles. Vielen Dank für Ihre Zeit und auf Wiederhören.",
    ]);
    expect(german.value).toEqual({ coming: false });
    const switched = await dialogue({ coming: COMING, people: PEOPLE }, [
      "De acuerdo.",
      "Sí, me parece bien.",
      "Somos tres",
    ]);
    expect(switched.said).toEqual([
      "Will you come to your appointment?",
      "Entendido. How many people will come?",
      "Eso era todo. Gracias por su tiempo y adiós.",
    ]);
    expect(switched.value).toEqual({ coming: true, people: 3 });
  });

  it.each([
    [
      { type: "integer", title: "Satisfaction rating", minimum: 1, maximum: 5 },
      "en",
      "Could you tell me the satisfaction rating, from 1 to 5?",
    ],
    [
      { type: "string", description: "Record the customer's home address." },
      "en",
      "Could you tell me your home address?",
    ],
    [{ type: "string", description: "How the person found us" }, "en", "Could you tell me how you found us?"],
    [{ type: "string", description: "The customer's full name" }, "es", "Could you tell me your full name?"],
    [{ type: "string", description: "nombre completo" }, "es", "¿Puede decirme nombre completo?"],
  ])("words the question of %j in %s", async (field, language, question) => {
    const { said } = await dialogue({ field }, ["2"], { language });
    expect(said).toEqual([question]);
  });

  it("asks at most fifty questions", async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`q${i}`, { type: "boolean" }]));
    const { calls } = await dialogue(many, ["Hello", ...Array.from({ length: 50 }, () => "yes")]);
    expect(calls).toMatchObject([{ name: "end_call" }]);
  });
});

describe("answers that do not come straight", () => {
  it("asks once more, then leaves the field empty", async () => {
    const { said, value } = await dialogue({ people: PEOPLE, coming: COMING }, ["Hi", "a lot", "many many", "yes"]);
    expect(said.slice(1, 3)).toEqual([
      "Sorry, I did not get that. How many people will come?",
      "Got it. Will you come to your appointment?",
    ]);
    expect(value).toEqual({ coming: true });
  });

  it("does not take a number out of range", async () => {
    const rating = { type: "integer", description: "How was it, from 1 to 5?" };
    expect((await dialogue({ people: PEOPLE }, ["Hi", "25", "five"])).value).toEqual({ people: 5 });
    expect((await dialogue({ rating }, ["Hi", "95", "4"])).value).toEqual({ rating: 4 });
    expect((await dialogue({ n: { type: "integer" } }, ["Hi", "-1", "-1"])).value).toEqual({});
  });

  it.each([
    "No, I meant Wednesday",
    "Sorry, I said that wrong. On Wednesday.",
    "Actually, Wednesday",
    "Wait, no, Wednesday!",
  ])("changes the last answer: %s", async (correction) => {
    const { said, value } = await dialogue({ day: DAY, people: PEOPLE }, ["Hi", "Tuesday", correction, "two"]);
    expect(said[2]).toBe("Thank you, I have changed that. How many people will come?");
    expect(value).toEqual({ day: "2026-11-25", people: 2 });
  });

  it("takes a correction and an answer in one breath", async () => {
    const { value } = await dialogue({ name: NAME, coming: COMING }, [
      "Hi",
      "Anna Bergen",
      "Sorry, I said that wrong. My name is Anna Berg. Yes, I will.",
    ]);
    expect(value).toEqual({ name: "Anna Berg", coming: true });
  });

  it("takes a correction even after its goodbye", async () => {
    const { said, value } = await dialogue({ day: DAY }, ["Hi", "Tuesday", "No wait, I meant Friday"]);
    expect(said[2]).toBe("Thank you, I have changed that. Thank you for your time, and goodbye.");
    expect(value).toEqual({ day: "2026-11-27" });
  });

  it.each(["Could you repeat that?", "Sorry?", "I didn't catch that"])("repeats the question: %s", async (text) => {
    const { said } = await dialogue({ people: PEOPLE }, ["Hi", text]);
    expect(said[1]).toBe("How many people will come?");
  });

  it.each(["I don't know", "I'd rather not say", "no idea"])("leaves the field empty: %s", async (text) => {
    const { value, said } = await dialogue({ name: NAME, coming: COMING }, ["Hi", text]);
    expect(said[1]).toContain("Will you come");
    expect(value).toEqual({});
  });

  it("does not take a bare yes for a name, and takes no as nothing to say", async () => {
    const { said, value } = await dialogue({ name: NAME, comments: { type: "string" } }, [
      "Hi",
      "Yes",
      "Anna Berg",
      "No",
    ]);
    expect(said[1]).toContain("Sorry");
    expect(value).toEqual({ name: "Anna Berg" });
  });

  it("does not dig a yes or no out of a long story", async () => {
    const story =
      "That reminds me of my neighbour, who had the very same thing last year, and you will not believe what came of it.";
    expect((await dialogue({ coming: COMING }, ["Hi", story])).value).toEqual({});
  });

  it("asks again when the person spoke before they could have heard the question", async () => {
    const { messages, model, outputs } = await dialogue({ coming: COMING, name: NAME }, ["Hi", "yes"]);
    // The person heard only the first word of the question.
    messages[messages.length - 1] = { role: "ASSISTANT", content: "Got" };
    messages.push({ role: "USER", content: "wait, my dog is barking" });
    const cut = structuredClone(messages);
    const request = { outputs, language: "en-US", signal: new AbortController().signal };
    let text = "";
    for await (const piece of model.respond({ ...request, messages: cut, tools: [] }))
      if (piece.kind === "TEXT") text += piece.text;
    expect(text).toBe("Could you tell me your full name?");
    const output = outputs[0] as OutputDefinition;
    expect((await model.extract({ ...request, messages: cut, output, faults: [] })).value).toEqual({ coming: true });
  });

  it("does not take the answer to whether somebody is there for the answer to its question", async () => {
    const { messages, model, outputs } = await dialogue({ coming: COMING }, ["Hi"]);
    messages.push({ role: "ASSISTANT", content: "Are you still there?" }, { role: "USER", content: "Yes." });
    const request = {
      messages: structuredClone(messages),
      outputs,
      language: "en-US",
      signal: new AbortController().signal,
    };
    const output = outputs[0] as OutputDefinition;
    expect((await model.extract({ ...request, output, faults: [] })).value).toEqual({});
  });
});

describe("what people want instead", () => {
  it("leaves everything empty for the wrong person", async () => {
    const { said, calls, value } = await dialogue({ coming: { ...COMING, type: ["boolean", "null"] }, name: NAME }, [
      "Hi",
      "You have the wrong number",
    ]);
    expect(said[1]).toContain("sorry for the mistake");
    expect(calls).toMatchObject([{ input: { reason: "wrong_person" } }]);
    expect(value).toEqual({ coming: null });
  });

  it.each([
    [{ type: "string", format: "date-time" }, "2026-11-22T17:00:00Z"],
    [{ type: "string", format: "date" }, "2026-11-22"],
    [{ type: "string" }, "2026-11-22 17:00"],
  ])("fills a callback field %j, which it does not ask for", async (field, time) => {
    const { said, calls, value } = await dialogue({ coming: COMING, callbackTime: field }, [
      "I cannot talk right now, please call me tomorrow at five.",
    ]);
    expect(said).toHaveLength(1);
    expect(calls).toMatchObject([{ input: { reason: "callback" } }]);
    expect(value).toEqual({ callbackTime: time });
  });

  it("passes on the wish for a human, or transfers where it can", async () => {
    const plain = await dialogue({ coming: COMING }, ["I want to speak to a human"]);
    expect(plain.calls.map((call) => call.name)).toEqual(["end_call"]);
    const tools = [END_CALL, TRANSFER];
    const moved = await dialogue({ coming: COMING }, ["I want to speak to a human"], { tools });
    expect(moved.calls.map((call) => call.name)).toEqual(["transfer_call", "end_call"]);
    const failed = await dialogue({ coming: COMING }, ["I want to speak to a human"], {
      tools,
      toolAnswer: "failed: nobody",
    });
    expect(failed.said.at(-1)).toContain("cannot reach anybody");
  });

  it("writes the do-not-call list before it says that it did", async () => {
    const { said, calls } = await dialogue({ coming: COMING }, ["Take me off your list"]);
    expect(calls.map((call) => call.name)).toEqual(["add_to_do_not_call", "end_call"]);
    expect(said).toEqual(["Of course.", "Your number is on our do-not-call list now. Goodbye."]);
    const failed = await dialogue({ coming: COMING }, ["Take me off your list"], { toolAnswer: "failed: no" });
    expect(failed.said[1]).toBe("I will pass on that you do not want to be called again. Goodbye.");
    const without = await dialogue({ coming: COMING }, ["Take me off your list"], { tools: [END_CALL] });
    expect(without.calls.map((call) => call.name)).toEqual(["end_call"]);
  });

  it("answers short questions and comes back to its own", async () => {
    const { said } = await dialogue({ coming: COMING, people: PEOPLE }, [
      "Who is this?",
      "Why are you calling?",
      "Are you a robot?",
      "How long will it take?",
      "Where did you get my number?",
    ]);
    expect(said[0]).toBe("This is the automated assistant of Green Street Clinic. Will you come to your appointment?");
    expect(said[1]).toBe("The call is about: Appointment reminder. Will you come to your appointment?");
    expect(said.every((text) => text.endsWith("Will you come to your appointment?"))).toBe(true);
  });

  it("tells a screening service who calls and why, and waits", async () => {
    const { said, value } = await dialogue({ coming: COMING }, [
      "Please state your name and why you are calling.",
      "Thank you. Please stay on the line.",
      "Hello?",
      "Yes",
    ]);
    expect(said.slice(0, 3)).toEqual([
      "This is the automated assistant of Green Street Clinic. The call is about: Appointment reminder.",
      "Of course, take your time.",
      "Will you come to your appointment?",
    ]);
    expect(value).toEqual({ coming: true });
  });

  it("says its question again to a hello in the middle of the call", async () => {
    const { said } = await dialogue({ coming: COMING, people: PEOPLE }, ["Hi", "yes", "Hello?"]);
    expect(said[2]).toBe("How many people will come?");
  });

  it("understands the answer that follows a pause", async () => {
    const { value } = await dialogue({ people: PEOPLE }, [
      "Hi",
      "One moment please, let me see. Thank you for waiting. Three.",
    ]);
    expect(value).toEqual({ people: 3 });
  });
});

describe("kinds of answers", () => {
  it("takes a phone number from a field of that name", async () => {
    expect((await dialogue({ phoneNumber: { type: "string" } }, ["Hi", "12", "It is +1 202 555 0147."])).value).toEqual(
      {
        phoneNumber: "+12025550147",
      },
    );
  });

  it("fills nested objects and constants, and never what was not said", async () => {
    const address = { type: "object", properties: { city: { type: "string" }, zip: { type: ["string", "null"] } } };
    const { value } = await dialogue({ kind: { const: "visit" }, address, coming: COMING }, [
      "Hi",
      "Berlin",
      "I don't know",
    ]);
    expect(value).toEqual({ kind: "visit", address: { city: "Berlin", zip: null } });
    expect((await dialogue({ kind: { const: "visit" }, coming: COMING }, ["Hi"])).value).toEqual({});
  });

  it("drops what a check found at fault", async () => {
    const { extract } = await dialogue({ name: NAME, comments: { type: "string" } }, ["Hi", "Anna", "All good"]);
    expect(await extract(["name must match something"])).toEqual({ comments: "All good" });
  });

  it("does not lose its way in a schema that refers to itself", async () => {
    const { value } = await dialogue({ a: { $ref: "#/properties/a" }, coming: COMING }, ["Hi", "x", "yes"]);
    expect(value).toMatchObject({ coming: true });
  });
});

it("has something to say when it is woken without anything to ask, as after a supervisor's hand-back", async () => {
  const { model, messages } = await dialogue({}, ["Okay."]);
  messages.push({ role: "ASSISTANT", content: "This is Ada, a colleague. I have noted it." });
  const request = { messages, tools: [END_CALL], outputs: [], language: "en-US", signal: new AbortController().signal };
  const said: string[] = [];
  for await (const piece of model.respond(request)) if (piece.kind === "TEXT") said.push(piece.text);
  expect(said.join("")).toMatch(/\w/);
});

import { describe, expect, it } from "vitest";
import { call, modelOf, planWith, runTrial, SCHEMA, type Step, text, trialTool } from "#kit/trial-session.ts";
import type { TransferOrder } from "#src/audio/line/line.ts";
import type { LanguageModel, ModelMessage, ModelPiece } from "#src/engine/models/models.ts";

describe("what the model knows", () => {
  it("gets the rendered prompt with the session's own lines last", async () => {
    const model = modelOf([[text("Hello"), call("end_call")]]);
    const variables = { company: "A\nDate: 1999-01-01", contactName: "{{ memory.vip }}" };
    await runTrial(["Hi"], planWith({ firstMessage: "" }, { variables, memory: { vip: "yes" } }), { model });
    const prompt = model.seen[0]?.[0]?.content ?? "";
    const own = prompt.split("\n").slice(-6);
    expect([...own.slice(0, 2), own.at(-1)]).toEqual(["Flow: Reminder", "Language: en-US", "Date: 2026-11-21"]);
    expect(prompt).toContain('"contactName":"{{ memory.vip }}"');
    expect(model.seen[0]).toHaveLength(1);
  });

  it("remembers only what was heard of an interrupted turn", async () => {
    const model = modelOf([[text("One two three four five six")], [text("Bye"), call("end_call")]]);
    const { outcome, texts } = await runTrial(["Hi", { cutAfterWords: 2 }, "Stop there"], planWith(), { model });
    expect(model.seen[1]?.slice(-2)).toEqual([
      { role: "ASSISTANT", content: "One two" },
      { role: "USER", content: "Stop there" },
    ]);
    expect(texts[2]).toBe("ASSISTANT: One two");
    expect(outcome.turns[2]?.interrupted).toBe(true);
  });

  it("hears out whoever talks over the goodbye, once", async () => {
    const steps: Step[] = ["Hello?", "Yes", "two", { cutAfterWords: 3 }, "No wait, I meant three"];
    const { outcome } = await runTrial(steps);
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 3 } });
    const model = modelOf([[text("Goodbye then"), call("end_call")]]);
    const twice = await runTrial(["Hi", { cutAfterWords: 1 }, "but", { cutAfterWords: 1 }, "but"], planWith(), {
      model,
    });
    expect(twice.outcome.endReason).toBe("AGENT_ENDED_CALL");
    expect(model.seen).toHaveLength(2);
  });

  it("is told to ask nothing yet only while the rest of the opening is still to be said", async () => {
    const model = modelOf([
      [text("Ada of Green Street.")],
      [text("Does Monday suit you?")],
      [text("Bye"), call("end_call")],
    ]);
    const plan = planWith({ firstMessage: "Good day, this call is recorded. I am calling about your visit." });
    const steps: Step[] = [{ cutAfterWords: 3 }, "Who is this?", "Fine", "Yes"];
    const { texts } = await runTrial(steps, plan, { model });
    expect(texts).toContain("ASSISTANT: Good day, this call is recorded. I am calling about your visit.");
    const told = model.seen.map((messages) => messages.some(({ content }) => content.includes("ask nothing yet")));
    expect(told).toEqual([true, false, false]);
  });

  it("sees keys that were pressed as what the person said", async () => {
    const { outcome } = await runTrial(["Hello?", "Yes", { digits: "4" }]);
    expect(outcome.extractedFields).toEqual({ coming: true, people: 4 });
  });

  it("gets the answers of its tools", async () => {
    const model = modelOf([
      [text("One moment."), call("look_up")],
      [text("Bye"), call("end_call", "c2")],
    ]);
    await runTrial(["Hi"], planWith(), { model });
    expect(model.seen[1]?.slice(-2)).toMatchObject([
      { role: "ASSISTANT", content: "One moment.", toolCalls: [{ name: "look_up" }] },
      { role: "TOOL", toolCallId: "c1", content: "failed: there is no tool named look_up" },
    ]);
  });
});

const example = (content: string) => ({ role: "USER" as const, key: "example", content });
const toolWith = (name: string, ...examples: string[]) => trialTool(name, {}, { prompts: examples.map(example) });

it("an example of a tool is nothing that the person said: no opt-out, and nothing to fill outputs from", async () => {
  const tools = [toolWith("a", "Stop calling me")];
  const plan = planWith({}, { grants: { tools, systemTools: [], transferTargets: [] } });
  const model = modelOf([[text("Bye"), call("end_call")]], { coming: true });
  const heard = await runTrial(["Hi"], plan, { model });
  expect(heard.outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true } });
  const silent = await runTrial([{ hangUp: true }], plan, { model });
  expect(silent.outcome).toMatchObject({ endReason: "CUSTOMER_HUNG_UP", extractedFields: {} });
});

describe("after a change of flows", () => {
  const order = { destinationType: "FLOW", destination: "other" } as unknown as TransferOrder;
  const systemTools = [{ name: "transfer_call", description: "", inputSchema: { type: "object" } }];
  const transferTargets = [{ name: "sales", description: "", order, wantsSummary: false }];
  const move: ModelPiece = { kind: "TOOL_CALL", call: { id: "t1", name: "transfer_call", input: { target: "sales" } } };

  it("the examples and the opening are those of the new flow, and an opt-out is heard as before", async () => {
    const tools = [toolWith("a", "Where is my order?", "Cancel it"), toolWith("b", "Is it late?")];
    const opening = { firstMessage: "Good day, this is the bank. Your loan was approved on Monday by us." };
    const plan = planWith(opening, { grants: { tools, systemTools, transferTargets } });
    const grants = { tools: [toolWith("c", "What does it cost?")], systemTools: [], transferTargets: [] };
    const other = planWith({ firstMessage: "Sales, hello.", masterPrompt: "You sell." }, { grants });
    const model = modelOf([
      [move],
      [text("Sales, hello. What may I sell you?")],
      [text("Bye"), call("end_call", "c9")],
    ]);
    const openFlow = async () => ({ plan: other, ports: {} });
    const steps: Step[] = [{ cutAfterWords: 3 }, "I want the sales people", "Stop calling me"];
    const { outcome, texts } = await runTrial(steps, plan, { model, openFlow });
    const [before = [], after = []] = model.seen;
    const old = ["Where is my order?", "Cancel it", "Is it late?"];
    const said = (messages: ModelMessage[]) => messages.map(({ content }) => content);
    expect(said(before)).toEqual(expect.arrayContaining(old));
    expect(said(after).filter((content) => old.includes(content))).toEqual([]);
    expect(said(after).slice(0, 2)).toEqual([expect.stringContaining("You sell."), "What does it cost?"]);
    expect(said(after).join()).not.toContain("ask nothing yet");
    expect(texts.join()).not.toContain("approved");
    expect(outcome.endReason).toBe("CUSTOMER_OPTED_OUT");
  });
});

describe("what the line listens for", () => {
  it("is any answer at the opening, then the answer to each question, then anything", async () => {
    const { line } = await runTrial(["Hello?", "Yes", "two"]);
    const { coming, people } = SCHEMA.properties;
    expect(line.expected).toMatchObject([SCHEMA, coming, people, null].map((one) => one as object));
  });

  it("is any answer after a turn of a model that does not plan its questions, and stays beside its tools", async () => {
    const more = { name: "more", description: "", schema: { type: "boolean" } };
    const plan = planWith({}, { outputs: [{ name: "visit", description: "", schema: SCHEMA }, more] });
    const reported: ModelPiece = { kind: "EXPECTS", schema: { type: "integer" } };
    const turns = [
      [reported, text("How many?")],
      [call("look_up")],
      [text("And more?")],
      [text("Bye"), call("end_call")],
    ];
    const { line } = await runTrial(["Hi", "two", "yes"], plan, { model: modelOf(turns) });
    const any = { anyOf: [SCHEMA, more.schema] };
    expect(line.expected).toEqual([any, { type: "integer" }, any, any]);
  });
});

describe("extraction", () => {
  const goodbye: ModelPiece[] = [text("Bye"), call("end_call"), { kind: "USAGE", inputTokens: 10, outputTokens: 5 }];

  it("hands the faults back once and keeps the repaired value", async () => {
    const faults: string[][] = [];
    const model: LanguageModel = {
      ...modelOf([goodbye]),
      extract: async (request) => {
        faults.push(request.faults);
        return {
          value: request.faults.length === 0 ? { people: "two" } : { people: 2 },
          inputTokens: 1,
          outputTokens: 1,
        };
      },
    };
    const { outcome } = await runTrial(["Hi"], planWith(), { model });
    expect(faults).toEqual([[], ["people must be integer"]]);
    expect(outcome.outputs.visit).toMatchObject({ value: { people: 2 }, valid: true, errors: [] });
    expect(outcome.usage).toEqual({ inputTokens: 12, outputTokens: 7 });
  });

  it("hands an answer that cannot be read back once, too", async () => {
    const faults: string[][] = [];
    const model: LanguageModel = {
      ...modelOf([[text("Hello"), call("end_call")]]),
      extract: async (request) => {
        faults.push(request.faults);
        const usage = { inputTokens: 7, outputTokens: 3 };
        if (faults.length === 1) throw Object.assign(new Error("no JSON"), { code: "MODEL_GARBLED", usage });
        return { value: { coming: true }, inputTokens: 1, outputTokens: 1 };
      },
    };
    const { outcome } = await runTrial(["Yes"], planWith(), { model });
    expect(faults).toEqual([[], ["no JSON"]]);
    expect(outcome).toMatchObject({ extractedFields: { coming: true }, pendingOutputs: [] });
    expect(outcome.outputs.visit).toMatchObject({ valid: true, errors: [] });
    expect(outcome.usage).toEqual({ inputTokens: 8, outputTokens: 4 });
  });

  it("hands over the latest part within the flow's limit once a model has no room for the whole", async () => {
    const seen: number[] = [];
    const model: LanguageModel = {
      ...modelOf([[text("And how many?")], [text("Bye"), call("end_call")]]),
      extract: async ({ messages }) => {
        seen.push(messages.filter(({ role }) => role !== "SYSTEM").length);
        if (JSON.stringify(messages).includes("Well, well"))
          throw Object.assign(new Error("This model's maximum context length is 2048 tokens."), {
            code: "MODEL_REFUSED",
          });
        return { value: { people: 2 }, inputTokens: 1, outputTokens: 1 };
      },
    };
    const plan = planWith({}, { limits: { maxHistoryTokens: 500 } });
    const { outcome } = await runTrial(["Well, well. ".repeat(400), "two"], plan, { model });
    expect(outcome).toMatchObject({ extractedFields: { people: 2 }, pendingOutputs: [] });
    // A conversation within the limit is not sent again: its length is not the reason.
    expect(seen).toHaveLength(2);
    seen.length = 0;
    const whole = modelOf([[text("And how many?")], [text("Bye"), call("end_call")]]);
    await runTrial(["Well, well.", "two"], plan, { model: { ...whole, extract: (request) => model.extract(request) } });
    expect(seen).toHaveLength(1);
  });

  it("shows what still does not fit, and keeps it out of the fields", async () => {
    const model = {
      ...modelOf([goodbye]),
      extract: async () => ({ value: { people: "two" }, inputTokens: 0, outputTokens: 0 }),
    };
    const { outcome } = await runTrial(["Hi"], planWith(), { model });
    expect(outcome.outputs.visit).toMatchObject({
      value: { people: "two" },
      valid: false,
      errors: ["people must be integer"],
    });
    expect(outcome.extractedFields).toEqual({});
  });

  it("keeps the value of one output when a later one found nothing for the field of that name", async () => {
    const found: Record<string, unknown> = { a: { people: null }, b: { people: 3, coming: true }, c: { people: null } };
    const extract: LanguageModel["extract"] = async ({ output }) => {
      return { value: found[output.name], inputTokens: 0, outputTokens: 0 };
    };
    const properties = { people: { type: ["integer", "null"] }, coming: { type: "boolean" } };
    const schema = { type: "object", properties };
    const outputs = ["a", "b", "c"].map((name) => ({ name, description: "", schema }));
    const model = { ...modelOf([goodbye]), extract };
    const { outcome } = await runTrial(["Hi"], planWith({}, { outputs }), { model });
    expect(outcome.extractedFields).toEqual({ people: 3, coming: true });
  });

  it("shows a model that fails, one output beside the other", async () => {
    const extract: LanguageModel["extract"] = async ({ output }) => {
      if (output.name === "bad") throw new Error("no such model");
      return {
        value: JSON.parse('{"people":3,"__proto__":{"admin":true}}') as unknown,
        inputTokens: 0,
        outputTokens: 0,
      };
    };
    const outputs = ["bad", "good"].map((name) => ({ name, description: "", schema: SCHEMA }));
    const { outcome } = await runTrial(["Hi"], planWith({}, { outputs }), {
      model: { ...modelOf([goodbye]), extract },
    });
    expect(outcome.outputs).toMatchObject({ bad: { valid: false, value: null }, good: { valid: true } });
    expect(outcome.outputs.bad?.errors).toEqual(["The model failed: no such model"]);
    expect(outcome.extractedFields.people).toBe(3);
    expect(outcome.extractedFields.admin).toBeUndefined();
  });
});

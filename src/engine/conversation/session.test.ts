import { describe, expect, it, vi } from "vitest";
import { call, FakeLine, modelOf, planWith, runTrial, text } from "#kit/trial-session.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { OperatorStop } from "./operator-stop.ts";
import type { SessionPlan, Turn } from "./plan.ts";
import type { SessionPorts } from "./ports.ts";
import { SupervisorNotes } from "./supervisor-notes.ts";

describe("how a conversation ends", () => {
  it("AGENT_ENDED_CALL: the whole way, with times, fields and usage", async () => {
    const { outcome, line, texts } = await runTrial(["Hello?", "Yes", "two"]);
    expect(outcome.endReason).toBe("AGENT_ENDED_CALL");
    expect(texts).toEqual([
      "ASSISTANT: Hello Anna.",
      "USER: Hello?",
      "ASSISTANT: Will you come?",
      "USER: Yes",
      "ASSISTANT: Got it. How many people will come?",
      "USER: two",
      "ASSISTANT: That was all. Thank you for your time, and goodbye.",
      'TOOL: {"name":"end_call","input":{"reason":"completed"},"result":"ok"}',
    ]);
    expect(outcome.turns.map((turn) => turn.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(outcome.turns[1]).toMatchObject({ startMs: 550, endMs: 1_550, interrupted: false, toolCallId: null });
    expect(outcome.turns[7]?.toolCallId).toMatch(/^call_/);
    expect(outcome.outputs.visit).toEqual({
      value: { coming: true, people: 2 },
      valid: true,
      errors: [],
      extractedAt: "2026-11-21T10:00:00.000Z",
    });
    expect(outcome.extractedFields).toEqual({ coming: true, people: 2 });
    // The scripted model takes no time that would count as a model's.
    expect(outcome.modelMs).toEqual([]);
    expect(outcome.usage.inputTokens).toBeGreaterThan(0);
    expect(outcome.durationMs).toBe(line.elapsedMs());
    expect(line.hangUps).toBe(1);
    expect(outcome.error).toBeNull();
  });

  it("in a language without spaces: the transcript has none, and an opening goes on at its sentence", async () => {
    const plan = planWith({ firstMessage: "您好。这里 是诊所。" });
    const { line, texts } = await runTrial([{ cutAfterWords: 1 }, "喂？", "好"], plan, {
      model: modelOf([[text("好的。"), text("请稍等。")]]),
    });
    expect(line.said.slice(0, 4)).toEqual(["您好。这里 是诊所。", "好的。", "请稍等。", "这里 是诊所。"]);
    expect(texts).toContain("ASSISTANT: 好的。请稍等。");
  });

  it("CUSTOMER_HUNG_UP while listening, with what was said until then", async () => {
    const { outcome } = await runTrial(["Hello?", "Yes", { hangUp: true }]);
    expect(outcome).toMatchObject({ endReason: "CUSTOMER_HUNG_UP", extractedFields: { coming: true } });
  });

  it("CUSTOMER_HUNG_UP while the agent speaks", async () => {
    const { outcome, texts } = await runTrial(["Hello?", { goneAfterWords: 2 }]);
    expect(outcome.endReason).toBe("CUSTOMER_HUNG_UP");
    expect(texts.at(-1)).toBe("ASSISTANT: Will you");
  });

  it("CARRIER_CONNECTION_LOST, with the partial transcript and outputs", async () => {
    const { outcome } = await runTrial(["Hello?", "No", { drop: true }]);
    expect(outcome).toMatchObject({ endReason: "CARRIER_CONNECTION_LOST", extractedFields: { coming: false } });
    expect(outcome.turns).toHaveLength(5);
  });

  it("CARRIER_CONNECTION_LOST when the line itself fails", async () => {
    const line = new FakeLine(["Hello?"]);
    line.listen = () => Promise.reject(new Error("socket closed"));
    const { outcome } = await runTrial([], planWith(), { line });
    expect(outcome).toMatchObject({
      endReason: "CARRIER_CONNECTION_LOST",
      error: { code: "LINE_FAILED", message: "socket closed" },
    });
    expect(outcome.turns).toHaveLength(1);
  });

  it("LIMIT_SILENCE after asking once whether somebody is there", async () => {
    const { outcome, texts, line } = await runTrial(
      [{ silence: true }, { silence: true }],
      planWith({ language: "de-DE" }),
    );
    expect(outcome).toMatchObject({ endReason: "LIMIT_SILENCE", outputs: {}, extractedFields: {} });
    expect(texts).toEqual(["ASSISTANT: Hello Anna.", "ASSISTANT: Sind Sie noch da?"]);
    expect(line.hangUps).toBe(1);
  });

  it("goes on when the person is still there", async () => {
    const { outcome } = await runTrial(["Hello?", { silence: true }, "Yes.", "Yes", { silence: true }, "two"]);
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 2 } });
  });

  it("LIMIT_DURATION by call time, with a goodbye", async () => {
    const { outcome, texts } = await runTrial(
      [{ silence: true }, "Hello?", "Yes"],
      planWith({ maxDurationSeconds: 10 }),
    );
    expect(outcome.endReason).toBe("LIMIT_DURATION");
    expect(texts.at(-1)).toContain("our time is up");
    expect(texts).not.toContain("ASSISTANT: Are you still there?");
  });

  it("LIMIT_TURNS after sixty turns of the agent", async () => {
    const model = modelOf([[text("And then?")]]);
    const { outcome } = await runTrial(
      Array.from({ length: 100 }, () => "more"),
      planWith({ maxDurationSeconds: 7_200 }),
      { model },
    );
    expect(outcome.endReason).toBe("LIMIT_TURNS");
    expect(model.seen).toHaveLength(60);
  });

  it("ERROR_MODEL after an apology when the model throws", async () => {
    const model = modelOf([Object.assign(new Error("overloaded"), { code: "HTTP_529" })]);
    const { outcome, texts } = await runTrial(["Hello?"], planWith({}, { outputs: [] }), { model });
    expect(outcome).toMatchObject({ endReason: "ERROR_MODEL", error: { code: "HTTP_529", message: "overloaded" } });
    expect(texts.at(-1)).toContain("something went wrong");
    expect(outcome.modelMs).toHaveLength(1);
  });

  it("ERROR_MODEL when the model stalls, though it ignores its signal", async () => {
    const model: LanguageModel = {
      name: "stalled",
      async *respond() {
        yield text("Well");
        await new Promise(() => undefined);
      },
      extract: () => new Promise(() => undefined),
    };
    const { outcome } = await runTrial(["Hello?"], planWith(), {
      model,
      modelStallMs: 20,
    });
    expect(outcome).toMatchObject({ endReason: "ERROR_MODEL", error: { code: "MODEL_STALLED" } });
    expect(outcome.outputs.visit).toMatchObject({ valid: false, value: null });
    expect(outcome.outputs.visit?.errors[0]).toMatch(/^The model failed: /);
  });

  it("ERROR_MODEL when the model says nothing at all, or calls tools without end", async () => {
    const empty = await runTrial(["Hello?"], planWith(), { model: modelOf([[]]) });
    expect(empty.outcome.error?.code).toBe("MODEL_EMPTY");
    const loop = await runTrial(["Hello?"], planWith(), { model: modelOf([[call("unknown_tool")]]) });
    expect(loop.outcome.error?.code).toBe("MODEL_LOOP");
    expect(loop.texts.find((line) => line.startsWith("TOOL"))).toContain("there is no tool named unknown_tool");
  });

  it("goes on when the model fails once", async () => {
    const model = modelOf([new Error("busy"), [text("Goodbye"), call("end_call")]]);
    const { outcome, line } = await runTrial(["Hello?"], planWith({}, { outputs: [] }), { model });
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", error: null });
    expect(line.said).toEqual(["Hello Anna.", "Goodbye"]);
  });

  it("says a template's plain words where it cannot be rendered, and tells so", async () => {
    const { outcome, line } = await runTrial(
      ["Hi", "Yes", "two"],
      planWith({ firstMessage: "Hello{% include 'x' %} there" }),
    );
    expect(line.said[0]).toBe("Hello there");
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", error: { code: "TEMPLATE_INVALID" } });
    expect(outcome.error?.message).toMatch(/^firstMessage: /);
  });

  it("ERROR_INTERRUPTED at once when it is stopped, with what there is", async () => {
    const stop = new AbortController();
    const turns: Turn[][] = [];
    const onTurn = (all: Turn[]): void => {
      turns.push([...all]);
      if (all.length === 2) stop.abort(new Error("shutting down"));
    };
    const { outcome, line } = await runTrial(["Hello?", "Yes"], planWith(), { onTurn }, stop.signal);
    expect(outcome).toMatchObject({ endReason: "ERROR_INTERRUPTED", outputs: {}, error: { code: "INTERRUPTED" } });
    expect(outcome.turns).toHaveLength(2);
    expect(turns.map((all) => all.length)).toEqual([1, 2]);
    expect(line.hangUps).toBe(1);
  });

  it("INTERRUPTED_BY_OPERATOR after a goodbye at the operator's deadline, with its outputs", async () => {
    const closing = new AbortController();
    const line = new FakeLine(["Hello?", "Yes"]);
    const listen = line.listen.bind(line);
    line.listen = (timeoutMs) => {
      if (line.said.length < 2) return listen(timeoutMs);
      closing.abort(new OperatorStop());
      return new Promise(() => undefined);
    };
    const { outcome, texts } = await runTrial([], planWith(), { line, closing: closing.signal });
    expect(outcome).toMatchObject({ endReason: "INTERRUPTED_BY_OPERATOR", error: { code: "INTERRUPTED" } });
    expect(texts.at(-1)).toBe("ASSISTANT: I am sorry, I have to end our call here for a technical reason. Goodbye.");
    expect(Object.keys(outcome.outputs)).not.toEqual([]);
    expect(line.hangUps).toBe(1);
  });

  it("INTERRUPTED_BY_OPERATOR at once when the operator cuts it off", async () => {
    const stop = new AbortController();
    const line = new FakeLine([]);
    line.listen = () => new Promise(() => stop.abort(new OperatorStop()));
    const { outcome, texts } = await runTrial([], planWith(), { line }, stop.signal);
    expect(outcome.endReason).toBe("INTERRUPTED_BY_OPERATOR");
    expect(texts.join()).not.toContain("technical reason");
  });

  it("ERROR_INTERRUPTED even when the line or the model does not react to the stop", async () => {
    const stop = new AbortController();
    const line = new FakeLine([]);
    line.listen = () => new Promise(() => stop.abort());
    expect((await runTrial([], planWith(), { line }, stop.signal)).outcome.endReason).toBe("ERROR_INTERRUPTED");
    const again = new AbortController();
    const model = {
      ...modelOf([[text("x")]]),
      respond: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => again.abort()) }) }),
    };
    expect((await runTrial(["Hi"], planWith(), { model }, again.signal)).outcome.endReason).toBe("ERROR_INTERRUPTED");
    const before = AbortSignal.abort();
    expect((await runTrial(["Hi"], planWith(), {}, before)).outcome).toMatchObject({
      endReason: "ERROR_INTERRUPTED",
      turns: [],
    });
  });

  it("CUSTOMER_OPTED_OUT once the number is on the list", async () => {
    const addToDoNotCall = vi.fn<() => Promise<void>>(async () => undefined);
    const { outcome, texts } = await runTrial(["Take me off your list"], planWith(), { addToDoNotCall });
    expect(outcome).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT", error: null });
    expect(addToDoNotCall).toHaveBeenCalledOnce();
    expect(texts.slice(2)).toEqual([
      'TOOL: {"name":"add_to_do_not_call","input":{},"result":"ok: the number is on the do-not-call list"}',
      "ASSISTANT: Your number is on our do-not-call list now. Goodbye.",
    ]);
  });

  it("CUSTOMER_OPTED_OUT also when the person hangs up over the answer, and when the list fails", async () => {
    const addToDoNotCall = vi.fn<() => Promise<void>>(async () => undefined);
    const gone = await runTrial(["Stop calling me", { goneAfterWords: 1 }], planWith(), { addToDoNotCall });
    expect(gone.outcome.endReason).toBe("CUSTOMER_OPTED_OUT");
    expect(addToDoNotCall).toHaveBeenCalledOnce();
    const failed = await runTrial(["Stop calling me"], planWith(), {
      addToDoNotCall: () => Promise.reject(new Error("no database")),
    });
    expect(failed.outcome).toMatchObject({
      endReason: "CUSTOMER_OPTED_OUT",
      error: { code: "DO_NOT_CALL_FAILED", message: "no database" },
    });
    expect(failed.line.said.at(-1)).toContain("I will pass on");
  });
});

describe("machines", () => {
  it("leaves the message after the greeting, and extracts nothing", async () => {
    const { outcome, texts } = await runTrial(["Leave a message after the beep."], planWith(), {
      answeredBy: "MACHINE_VOICEMAIL",
    });
    expect(outcome).toMatchObject({ endReason: "AGENT_LEFT_VOICEMAIL", outputs: {} });
    expect(texts).toEqual([
      "USER: Leave a message after the beep.",
      "ASSISTANT: Please call Green Street Clinic back.",
    ]);
  });

  it.each<[SessionPorts["answeredBy"], Partial<SessionPlan["flow"]>]>([
    ["MACHINE_VOICEMAIL", { voicemail: { action: "HANG_UP", message: "x" } }],
    ["MACHINE_VOICEMAIL", { voicemail: { action: "LEAVE_MESSAGE", message: "{{ nothing }}" } }],
    ["MACHINE_UNAVAILABLE", {}],
    ["FAX", {}],
  ])("hangs up on %s %j", async (answeredBy, flow) => {
    const { outcome, line } = await runTrial([], planWith(flow), { answeredBy });
    expect(outcome.endReason).toBe("AGENT_HUNG_UP_ON_MACHINE");
    expect(line).toMatchObject({ said: [], hangUps: 1 });
  });

  it("does not count a message that the mailbox cut off", async () => {
    const full = await runTrial(["The mailbox is full.", { goneAfterWords: 1 }], planWith(), {
      answeredBy: "MACHINE_VOICEMAIL",
    });
    expect(full.outcome.endReason).toBe("AGENT_HUNG_UP_ON_MACHINE");
  });

  it("presses its way through menus, then converses", async () => {
    const steps = ["Press 1 for us, press 2 for opening hours.", "For an agent press 3.", "Hello?", "Hi", "Yes", "two"];
    const { outcome, line, texts } = await runTrial(steps, planWith(), { answeredBy: "MACHINE_IVR" });
    expect(line.pressed).toEqual(["1", "3"]);
    expect(texts.slice(0, 6)).toEqual([
      "USER: Press 1 for us, press 2 for opening hours.",
      "SYSTEM: Pressed 1",
      "USER: For an agent press 3.",
      "SYSTEM: Pressed 3",
      "USER: Hello?",
      "ASSISTANT: Hello Anna.",
    ]);
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 2 } });
  });

  it("talks with whoever screens the call", async () => {
    const steps = ["Please say your name and why you are calling.", "Hello?", "Yes", "three"];
    const { outcome, line } = await runTrial(steps, planWith(), { answeredBy: "MACHINE_SCREENING" });
    expect(line.said[1]).toContain("Green Street Clinic");
    expect(outcome.extractedFields).toEqual({ coming: true, people: 3 });
  });
});

/** A line on which something happens when the person is listened to for the n-th time. */
function lineWhere(steps: ConstructorParameters<typeof FakeLine>[0], n: number, happens: () => void): FakeLine {
  const line = new FakeLine(steps);
  const listen = line.listen.bind(line);
  let heard = 0;
  line.listen = (timeoutMs) => {
    if (++heard === n) happens();
    return listen(timeoutMs);
  };
  return line;
}

describe("a talk with a supervisor", () => {
  it("who takes over: the agent hears the person and says nothing until it is released; then it knows of it", async () => {
    const notes = new SupervisorNotes();
    const release = notes.hold();
    const silence = { silence: true } as const;
    const line = lineWhere(["Hello?", silence, silence, silence, "Eight, then.", "Bye"], 6, release);
    const model = modelOf([[text("Goodbye."), call("end_call")]]);
    const { outcome, texts } = await runTrial([], planWith(), { line, model, notes });
    expect(outcome.endReason).toBe("AGENT_ENDED_CALL");
    expect(texts.filter((said) => said.startsWith("ASSISTANT"))).toEqual([
      "ASSISTANT: Hello Anna.",
      "ASSISTANT: Goodbye.",
    ]);
    expect(model.seen).toHaveLength(1);
    expect(JSON.stringify(model.seen)).toMatch(/Eight, then.*Bye.*A colleague of yours has spoken/);
    release();
    expect(notes.isHeld).toBe(false);
  });

  it("who hands back while the person says nothing: the agent goes on", async () => {
    const notes = new SupervisorNotes();
    const line = lineWhere(["Hello?", "Eight, then.", { silence: true }, "Bye"], 3, notes.hold());
    const model = modelOf([[text("Eight it is. Anything else?")], [text("Goodbye."), call("end_call")]]);
    const { outcome, texts } = await runTrial([], planWith(), { line, model, notes });
    expect(outcome.endReason).toBe("AGENT_ENDED_CALL");
    expect(texts.slice(2).filter((said) => /^(USER|ASSISTANT)/.test(said))).toEqual([
      "USER: Eight, then.",
      "ASSISTANT: Eight it is. Anything else?",
      "USER: Bye",
      "ASSISTANT: Goodbye.",
    ]);
  });

  it("who ends it: what was said is kept, and fills its outputs", async () => {
    const notes = new SupervisorNotes();
    const line = lineWhere(["Hello?", "Yes", "two"], 3, () => notes.end());
    const { outcome } = await runTrial([], planWith(), { line, notes });
    expect(outcome).toMatchObject({ endReason: "ENDED_BY_REQUEST", extractedFields: { coming: true }, error: null });
    expect(line.hangUps).toBe(1);
  });
});

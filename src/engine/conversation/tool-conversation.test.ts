import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, planWith, text } from "#kit/trial-session.ts";
import type { Heard, Line, Spoken } from "#src/audio/line/line.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { LanguageModel, ModelMessage, ModelPiece, TurnRequest } from "#src/engine/models/models.ts";
import type { SessionOutcome, SessionPlan } from "./plan.ts";
import { runSession } from "./session.ts";
import type { GrantedTool, ToolRunner, ToolRunResult } from "./tool-port.ts";

/** A line in real time on which the person speaks at set times, by the test's own clock. */
class TimedLine implements Line {
  readonly said: { text: string; atMs: number }[] = [];
  readonly #words: { text: string; atMs: number }[];
  readonly #startedAt = Date.now();
  final: string | null | undefined;

  constructor(words: { text: string; atMs: number }[]) {
    this.#words = words;
  }

  elapsedMs(): number {
    return Date.now() - this.#startedAt;
  }

  async say(words: string): Promise<Spoken> {
    const startMs = this.elapsedMs();
    this.said.push({ text: words, atMs: startMs });
    await this.#pass(words.length * 40);
    return { heard: words, startMs, endMs: this.elapsedMs(), interrupted: false, hungUp: false };
  }

  async listen(timeoutMs: number, _signal: AbortSignal, wake?: AbortSignal): Promise<Heard> {
    const startMs = this.elapsedMs();
    const next = this.#words[0];
    const untilMs = Math.min(startMs + timeoutMs, next?.atMs ?? Infinity);
    await this.#pass(untilMs - startMs, wake);
    const endMs = this.elapsedMs();
    if (!next || endMs < next.atMs) return { kind: "SILENCE", endMs };
    this.#words.shift();
    if (next.text === "") return { kind: "HUNG_UP", endMs };
    return { kind: "SPEECH", text: next.text, startMs, endMs };
  }

  async confirm(): Promise<string | null> {
    return this.final === undefined ? "it is final" : this.final;
  }

  async sendDigits(): Promise<void> {}

  async hangUp(): Promise<void> {}

  #pass(ms: number, wake?: AbortSignal): Promise<void> {
    if (wake?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms));
      wake?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function grant(name: string, more: Partial<GrantedTool> = {}): GrantedTool {
  return {
    id: name,
    offer: { name, description: "", inputSchema: { type: "object" } },
    messages: { start: null, delayed: null, delayedAfterMs: 3_000, success: null, failure: null },
    prompts: [],
    confirmedTranscriptMs: null,
    timeoutMs: 30_000,
    isAsync: false,
    requiresFollowUp: true,
    isProactive: false,
    disclosure: "FULL",
    ...more,
  };
}

/** A model that answers by the last message. */
function modelBy(think: (last: ModelMessage, request: TurnRequest) => ModelPiece[]): LanguageModel {
  return {
    name: "given",
    async *respond(request: TurnRequest) {
      yield* think(request.messages.at(-1) as ModelMessage, request);
    },
    extract: async () => ({ value: {}, inputTokens: 0, outputTokens: 0 }),
  };
}

const value = (content: string): ToolRunResult => ({ kind: "VALUE", content, variables: {} });
const after = (ms: number, result: ToolRunResult): ToolRunner => ({
  run: () => new Promise((resolve) => setTimeout(() => resolve(result), ms)),
});

interface Trial {
  plan?: SessionPlan;
  tools?: ToolRunner;
}

async function hold(line: TimedLine, model: LanguageModel, { plan, tools }: Trial): Promise<SessionOutcome> {
  const ports = {
    line,
    model,
    now: () => new Date(),
    validate: validateAgainst,
    answeredBy: "HUMAN" as const,
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
    ...(tools ? { tools } : {}),
  };
  const running = runSession(plan ?? planWith(), ports, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(120_000);
  return running;
}

const granting = (...tools: GrantedTool[]): SessionPlan =>
  planWith({}, { outputs: [], grants: { tools, systemTools: [], transferTargets: [] } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("no dead air", () => {
  it("while a tool takes 20 s the person hears the waiting message within 1.5 s, talks on, and is told the result", async () => {
    for (const start of [null, "I am looking that up."]) {
      const line = new TimedLine([
        { text: "What does it cost?", atMs: 2_000 },
        { text: "Are you quick?", atMs: 9_000 },
      ]);
      const tool = grant("price", {
        messages: { start, delayed: "Still on it.", delayedAfterMs: 12_000, success: null, failure: null },
      });
      const model = modelBy(({ role, content }) => {
        if (role === "USER" && content.startsWith("What")) return [call("price")];
        if (role === "USER") return [text("As quick as I can.")];
        return [text("It costs twelve."), call("end_call", "c2")];
      });
      const outcome = await hold(line, model, { plan: granting(tool), tools: after(20_000, value("12")) });
      const at = (words: string) => line.said.find((one) => one.text === words)?.atMs ?? Infinity;
      expect(at(start ?? "One moment, please.") - 2_000).toBeLessThanOrEqual(1_500);
      expect(at("As quick as I can.")).toBeLessThan(11_000);
      expect(at("Still on it.")).toBeGreaterThanOrEqual(14_000);
      expect(at("It costs twelve.")).toBeGreaterThanOrEqual(22_000);
      expect(at("It costs twelve.")).toBeLessThan(23_500);
      expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", error: null });
    }
  });

  it("a quick tool is waited for in silence", async () => {
    const line = new TimedLine([{ text: "Hi", atMs: 1_000 }]);
    const model = modelBy(({ role }) =>
      role === "USER" ? [call("price")] : [text("Twelve."), call("end_call", "c2")],
    );
    await hold(line, model, { plan: granting(grant("price")), tools: after(300, value("12")) });
    expect(line.said.map((one) => one.text)).toEqual(["Hello Anna.", "Twelve."]);
  });

  it("a tool that never answers ends by its limit, and the talk goes on", async () => {
    const line = new TimedLine([{ text: "Hi", atMs: 1_000 }]);
    const seen: string[] = [];
    const model = modelBy(({ role, content }) => {
      seen.push(content);
      return role === "USER" ? [call("price")] : [text("Sorry."), call("end_call", "c2")];
    });
    const tools: ToolRunner = { run: () => new Promise(() => undefined) };
    const plan = granting(grant("price", { timeoutMs: 5_000 }));
    expect(await hold(line, model, { plan, tools })).toMatchObject({ endReason: "AGENT_ENDED_CALL" });
    expect(seen.at(-1)).toBe("failed: the tool took too long");
  });
});

describe("confirmed words", () => {
  const plan = granting(grant("cancel", { confirmedTranscriptMs: 2_000 }));
  const model = modelBy(({ role, content }) => {
    if (role === "USER") return [call("cancel")];
    return [text(content), call("end_call", "c2")];
  });
  const trial = async (final: string | null) => {
    const line = new TimedLine([{ text: "Cancel it", atMs: 1_000 }]);
    line.final = final;
    let runs = 0;
    const tools: ToolRunner = {
      run: async () => {
        runs++;
        return value("cancelled");
      },
    };
    const outcome = await hold(line, model, { plan, tools });
    return { runs, outcome, said: line.said.map((one) => one.text) };
  };

  it("are waited for before the tool is called", async () => {
    expect(await trial("Cancel it")).toMatchObject({ runs: 1 });
  });

  it("that turn out different keep the tool from being called, and stand in the transcript", async () => {
    const { runs, outcome, said } = await trial("Can you sell it");
    expect(runs).toBe(0);
    expect(outcome.turns.find((turn) => turn.role === "USER")?.content).toBe("Can you sell it");
    expect(said.join(" ")).toContain("Can you sell it");
  });

  it("that stay open keep the tool from being called", async () => {
    const { runs, said } = await trial(null);
    expect(runs).toBe(0);
    expect(said.at(-1)).toContain("not final");
  });
});

describe("speech", () => {
  it("begins with the first sentence while the model still writes, and is one turn", async () => {
    const line = new TimedLine([{ text: "Hi", atMs: 1_000 }]);
    const words = ["It costs 3.", "5 euros. ", "Shall I ", "book it? "];
    let turns = 0;
    const model: LanguageModel = {
      name: "slow",
      async *respond() {
        if (turns++ > 0) return yield call("end_call");
        for (const word of words) {
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          yield text(word);
        }
      },
      extract: async () => ({ value: {}, inputTokens: 0, outputTokens: 0 }),
    };
    const outcome = await hold(line, model, { plan: granting() });
    expect(line.said.slice(1, 3)).toMatchObject([
      { text: "It costs 3.5 euros.", atMs: 3_000 },
      { text: "Shall I book it?", atMs: 5_000 },
    ]);
    expect(outcome.turns.find((turn) => turn.content.startsWith("It costs"))?.content).toBe(
      "It costs 3.5 euros. Shall I book it?",
    );
  });
});

describe("what the model is told", () => {
  it("is the latest of a long talk, an answer of a tool never without its call", async () => {
    const line = new TimedLine(
      Array.from({ length: 30 }, (_, i) => ({ text: `word ${i} `.repeat(40), atMs: i * 3_000 })),
    );
    const seen: ModelMessage[][] = [];
    let turn = 0;
    const model = modelBy(({ role }, { messages }) => {
      seen.push(structuredClone(messages));
      if (role === "TOOL") return [text("Noted.")];
      return ++turn % 3 === 0 ? [call("note", `c${turn}`)] : [text("Go on.")];
    });
    const plan = { ...granting(grant("note")), limits: { maxHistoryTokens: 500 } };
    await hold(line, model, { plan, tools: after(0, value("ok")) });
    const last = seen.at(-1) as ModelMessage[];
    expect(last[0]?.role).toBe("SYSTEM");
    expect(JSON.stringify(last.slice(1)).length).toBeLessThan(4_500);
    expect(seen.length).toBeGreaterThan(20);
    const orphans = seen.filter((messages) => {
      const called = new Set(messages.flatMap((one) => one.toolCalls ?? []).map(({ id }) => id));
      return messages.some(({ role, toolCallId = "" }) => role === "TOOL" && !called.has(toolCallId));
    });
    expect(orphans).toEqual([]);
  });

  it("an output that is wanted during the talk is filled during it; one whose condition fails is left out", async () => {
    const line = new TimedLine([
      { text: "I am Ada", atMs: 1_000 },
      { text: "Bye", atMs: 6_000 },
    ]);
    const schema = { type: "object", properties: { name: { type: "string" } } };
    const output = (name: string, more: object) => ({ name, description: "", schema, ...more });
    const plan = planWith(
      {},
      {
        outputs: [
          output("live", { fillDuring: true }),
          output("never", { condition: "{% if channel == 'CHAT' %}1{% endif %}" }),
          output("kept", { condition: "{% if endReason == 'AGENT_ENDED_CALL' %}1{% endif %}" }),
        ],
      },
    );
    const model: LanguageModel = {
      ...modelBy(({ content }) => (content === "Bye" ? [text("Bye."), call("end_call")] : [text("Hello.")])),
      extract: async ({ messages }) => ({
        value: { name: messages.some(({ content }) => content === "I am Ada") ? "Ada" : "?" },
        inputTokens: 1,
        outputTokens: 1,
      }),
    };
    const shown: unknown[] = [];
    const ports = {
      line,
      model,
      now: () => new Date(),
      validate: validateAgainst,
      answeredBy: "HUMAN" as const,
      onTurn: () => undefined,
      onOutputs: (outputs: unknown) => shown.push(outputs),
      addToDoNotCall: async () => undefined,
    };
    const running = runSession(plan, ports, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(shown).toMatchObject([{ live: { value: { name: "Ada" }, valid: true } }]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(Object.keys((await running).outputs)).toEqual(["live", "kept"]);
  });
});

import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionGrants, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { GrantedTool, ToolRun, ToolRunner, ToolRunResult } from "#src/engine/conversation/tool-port.ts";
import { matchesPart } from "./matcher.ts";
import type { ToolMock } from "./suite.ts";
import type { TemplateWatch } from "./template-watch.ts";

/** A call of one of the flow's own tools, with the mock's answer. */
export interface MockedCall {
  callId: string;
  name: string;
  input: Record<string, unknown>;
  result: string;
  /** A fault that the suite did not ask for; null when there was none. */
  fault: "NOT_MOCKED" | "FAILED" | null;
  /** True when the tool failed, intended or not. */
  failed: boolean;
}

/** Lets call time pass; stops when the signal aborts. */
export type PassTime = (ms: number, signal: AbortSignal) => Promise<void>;

/** Answers a session's tool calls from the mocks of a suite. */
export class ToolMocks implements ToolRunner {
  readonly calls: MockedCall[] = [];
  /** Variables added by tools that run before the first word. */
  readonly lookedUp: Record<string, unknown> = {};
  readonly #mocks: Record<string, ToolMock[]>;
  readonly #pass: PassTime;
  readonly #templates: TemplateWatch;
  readonly #plan: SessionPlan;

  constructor(mocks: Record<string, ToolMock[]>, pass: PassTime, templates: TemplateWatch, plan: SessionPlan) {
    this.#plan = plan;
    this.#mocks = mocks;
    this.#pass = pass;
    this.#templates = templates;
  }

  /** Runs one call; see `ToolRunner`. */
  async run({ callId, tool, input, variables }: ToolRun, signal: AbortSignal): Promise<ToolRunResult> {
    this.#templates.note(tool, "start", this.#plan, variables);
    const name = tool.offer.name;
    const call: MockedCall = { callId, name, input, result: "", fault: null, failed: false };
    this.calls.push(call);
    const answer = this.#answer(tool, call);
    if (!tool.isAsync) return answer(signal, variables);
    return { kind: "PENDING", taskId: callId, result: answer(signal, variables) };
  }

  #answer(tool: GrantedTool, call: MockedCall) {
    return async (signal: AbortSignal, variables: Record<string, unknown>): Promise<ToolRunResult> => {
      const result = await this.#runMock(tool, call, signal);
      call.failed = result.kind === "FAILED";
      call.result = result.kind === "FAILED" ? `failed: ${result.message}` : result.content;
      const after = result.kind === "FAILED" ? variables : { ...variables, ...result.variables };
      this.#templates.note(tool, call.failed ? "failure" : "success", this.#plan, after);
      if (tool.isProactive && result.kind === "VALUE") Object.assign(this.lookedUp, result.variables);
      return result;
    };
  }

  async #runMock(
    tool: GrantedTool,
    call: MockedCall,
    signal: AbortSignal,
  ): Promise<ToolRunResult & { kind: "VALUE" | "FAILED" }> {
    const misfits = validateAgainst(tool.offer.inputSchema, call.input);
    if (misfits.length > 0)
      return fail(call, "FAILED", "INPUT_INVALID", `The input does not fit: ${misfits.join("; ")}`);
    const mocks = Object.hasOwn(this.#mocks, call.name) ? (this.#mocks[call.name] ?? []) : [];
    const mock = mocks.find(({ when }) => when === null || matchesPart(when, call.input));
    if (!mock) {
      const why = mocks.length === 0 ? "the suite has no mock of it" : "no mock of it fits this input";
      return fail(call, "NOT_MOCKED", "NOT_MOCKED", `The tool cannot be used: ${why}.`);
    }
    // A tool that takes too long is aborted, as on a real call.
    await this.#pass(Math.min(mock.takesMs, tool.timeoutMs), signal);
    if (mock.takesMs > tool.timeoutMs)
      return fail(call, "FAILED", "TIMEOUT", `the tool took longer than its limit of ${tool.timeoutMs} ms`);
    if (mock.fails !== null) return fail(call, null, "TOOL_FAILED", mock.fails);
    const content = typeof mock.returns === "string" ? mock.returns : JSON.stringify(mock.returns);
    return { kind: "VALUE", content, variables: structuredClone(mock.variables) };
  }
}

function fail(
  call: MockedCall,
  fault: MockedCall["fault"],
  code: string,
  message: string,
): ToolRunResult & { kind: "FAILED" } {
  call.fault = fault;
  return { kind: "FAILED", code, message };
}

/** Returns the names of all tools that a session may call, including the system tools. */
export function namesOfTools(grants: SessionGrants | undefined): string[] {
  const own = grants?.tools.map(({ offer }) => offer.name) ?? [];
  return [...own, ...(grants?.systemTools.map(({ name }) => name) ?? [])];
}

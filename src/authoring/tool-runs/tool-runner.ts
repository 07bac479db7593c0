import type { ToolRun, ToolRunner, ToolRunResult } from "#src/engine/conversation/tool-port.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import { readAnswer, toContent } from "./answer.ts";
import { sendApiRequest } from "./api-request.ts";
import { startAsync } from "./async-tool.ts";
import { fillText } from "./fill-template.ts";
import { toTransferOrder } from "./forward-call.ts";
import { MAX_DEPTH } from "./grant-tools.ts";
import type { LoadedTool, ToolSession } from "./loaded-tool.ts";
import { findMock, playMock } from "./mock.ts";
import { isAsync } from "./offer.ts";
import type { Outcome } from "./outcome.ts";
import type { HeldPlace } from "./places.ts";
import { readParameters } from "./read-input.ts";
import type { ResultCache } from "./result-cache.ts";
import { runSteps } from "./run-steps.ts";
import { ToolFailure } from "./tool-failure.ts";
import type { ToolRunParts } from "./tool-run-parts.ts";
import type { ToolScope } from "./tool-scope.ts";
import { shorten } from "./values.ts";

/** Steps of one tool call, including those of the tools it calls. */
const MAX_STEPS = 100;
const MAX_MESSAGE_BYTES = 2_000;

/** An answer that comes later; `outcome` never rejects. */
export interface Pending {
  kind: "PENDING";
  taskId: string;
  outcome: Promise<Outcome>;
}

/** One run of one tool, called by the model or by a step. */
interface Work {
  tool: LoadedTool;
  callId: string;
  input: Record<string, unknown>;
  session: Record<string, unknown>;
  /** Places that the calls around this one hold. */
  held: readonly HeldPlace[];
  depth: number;
  /** Budget shared by the whole call. */
  budget: { steps: number };
  /** Header of its requests; undefined when the call is not traced. */
  traceparent: string | undefined;
  /** Signal of the session. */
  signal: AbortSignal;
}

/** Runs the tools that a session was granted. */
export function createToolRunner(parts: ToolRunParts, session: ToolSession, tools: readonly LoadedTool[]): ToolRunner {
  const runs = new SessionTools(parts, session, tools);
  return { run: (call, signal) => runs.run(call, signal) };
}

class SessionTools {
  readonly #parts: ToolRunParts;
  readonly #session: ToolSession;
  readonly #tools: Map<string, LoadedTool>;
  readonly #cache: ResultCache;

  constructor(parts: ToolRunParts, session: ToolSession, tools: readonly LoadedTool[]) {
    this.#parts = parts;
    this.#session = session;
    this.#tools = new Map(tools.map((tool) => [tool.grant.id, tool]));
    this.#cache = parts.caches.of(session);
  }

  async run(call: ToolRun, signal: AbortSignal): Promise<ToolRunResult> {
    signal.throwIfAborted();
    const tool = this.#tools.get(call.tool.id);
    if (!tool?.isOffered) return failed("TOOL_NOT_GRANTED", "There is no such tool here.");
    const { input, variables: session, traceparent } = call;
    const callId = /^[!-~]{1,200}$/.test(call.callId) ? call.callId : sha256(call.callId).toString("hex");
    const limits = { held: [], depth: 0, budget: { steps: MAX_STEPS } };
    const done = await this.#execute({ tool, callId, input, session, traceparent, ...limits, signal });
    if (done.kind !== "PENDING") return toResult(done);
    return { kind: "PENDING", taskId: done.taskId, result: done.outcome.then(toResult) };
  }

  /** Runs a tool within its time limit. Rejects only with the reason of the session's signal. */
  async #execute(work: Work): Promise<Outcome | Pending> {
    const stop = new AbortController();
    const timer = setTimeout(
      () => stop.abort(new ToolFailure("TIMEOUT", "The tool took too long.")),
      work.tool.grant.timeoutMs,
    );
    const signal = AbortSignal.any([work.signal, stop.signal]);
    const abort = Promise.withResolvers<never>();
    const onAbort = () => abort.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const dueAtMs = performance.now() + work.tool.grant.timeoutMs;
      return await Promise.race([this.#serve(work, dueAtMs, signal), abort.promise]);
    } catch (error) {
      if (work.signal.aborted) throw work.signal.reason;
      return this.#toFailed(stop.signal.aborted ? stop.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Answers from the mock, else from the cache, else with a real call as soon as a place for it is free. */
  async #serve(work: Work, dueAtMs: number, signal: AbortSignal): Promise<Outcome | Pending> {
    const { tool } = work;
    const parameters = readParameters(tool, work.input, work.session);
    const scope: ToolScope = { tool, session: work.session, parameters, results: {}, task: null };
    const mock = findMock(tool.definition, parameters);
    if (mock) return read(tool, await playMock(mock, signal));
    const kept = await this.#cache.find(tool, parameters).catch((error: unknown) => this.#forgive(error, null));
    if (kept) return kept;
    const place = await this.#parts.places.take(tool, this.#session, work.held, signal);
    if (place === null) return toLimited(scope);
    const held = place === "NOT_NEEDED" ? work.held : [...work.held, place];
    const finish = async (outcome: Outcome | null) => {
      if (place !== "NOT_NEEDED") await this.#parts.places.giveBack(place);
      if (outcome === null) return;
      await this.#cache.keep(tool, parameters, outcome).catch((error: unknown) => this.#forgive(error, undefined));
    };
    return this.#perform({ ...work, held }, scope, dueAtMs, signal, finish);
  }

  async #perform(
    work: Work,
    scope: ToolScope,
    dueAtMs: number,
    signal: AbortSignal,
    finish: (outcome: Outcome | null) => Promise<void>,
  ): Promise<Outcome | Pending> {
    let done: Outcome | Pending;
    try {
      done = isAsync(work.tool.definition)
        ? await startAsync(this.#parts, this.#session.workspaceId, scope, {
            waitMs: dueAtMs - performance.now(),
            signal: work.signal,
            start: (started) => this.#act(work, started, signal),
          })
        : await this.#act(work, scope, signal);
    } catch (error) {
      const isOver = signal.aborted || work.signal.aborted;
      const outcome = isOver ? null : this.#toFailed(error);
      await finish(outcome);
      if (outcome === null) throw error;
      return outcome;
    }
    if (done.kind !== "PENDING") {
      await finish(done);
      return done;
    }
    const outcome = done.outcome.then(async (settled) => {
      await finish(settled.kind === "FAILED" && settled.code === "CANCELLED" ? null : settled);
      return settled;
    });
    return { ...done, outcome };
  }

  /** Does the work of the tool by its type. */
  async #act(work: Work, scope: ToolScope, signal: AbortSignal): Promise<Outcome> {
    const { tool } = work;
    const steps = tool.definition.executionPlan ?? [];
    const request = (inner: ToolScope, stepId: string) => this.#request(work, inner, stepId, signal);
    const isTransfer = tool.definition.toolType === "FORWARD_CALL";
    if (steps.length === 0 && !isTransfer) return this.#readUnlessAsync(scope, await request(scope, ""), {});
    const planned = await runSteps(scope, steps, {
      request: (inner, stepId) => this.#count(work, () => request(inner, stepId)),
      code: (code, values) => {
        const { workspaceId } = this.#session;
        return this.#count(work, () => this.#parts.codeRunner.run(workspaceId, { code, scope: values }, signal));
      },
      tool: (toolId, input, session, stepId) =>
        this.#count(work, () => this.#callOther(work, { toolId, input, session, stepId }, signal)),
    });
    if (planned.kind !== "VALUE") return planned;
    if (isTransfer) {
      const wantsSummary = tool.definition.forwardCallConfig?.summaryToAgent ?? false;
      return { kind: "TRANSFER", order: toTransferOrder(this.#parts.guard, scope), wantsSummary };
    }
    return this.#readUnlessAsync(scope, planned.value, planned.variables);
  }

  /** Ignores the reply to the request that started an async tool: it is not the tool's answer. */
  #readUnlessAsync(scope: ToolScope, raw: unknown, variables: Record<string, unknown>): Outcome {
    if (scope.task !== null) return { kind: "VALUE", value: null, variables };
    const answer = read(scope.tool, raw);
    return { ...answer, variables: { ...variables, ...answer.variables } };
  }

  #request(work: Work, scope: ToolScope, stepId: string, signal: AbortSignal): Promise<unknown> {
    if (scope.tool.definition.toolType === "MCP") return this.#parts.mcp.call(scope, scope.parameters, signal);
    const idempotencyKey = [this.#session.sessionId, work.callId, stepId].filter(Boolean).join("/");
    const { traceparent } = work;
    const { safeFetch, connections } = this.#parts;
    const { workspaceId } = this.#session;
    const { connectionId } = scope.tool.definition;
    const openAccess = connectionId
      ? (url: URL, refused?: string) => connections.open({ workspaceId, connectionId, url, refused, signal })
      : null;
    return sendApiRequest(scope, { safeFetch, idempotencyKey, traceparent, signal, openAccess });
  }

  /** Bounds the steps of a call, so that tools that call each other, and nested plans, come to an end. */
  #count<T>({ budget }: Work, run: () => Promise<T>): Promise<T> {
    if (budget.steps-- > 0) return run();
    throw new ToolFailure("TOO_MANY_STEPS", "The tool takes too many steps.");
  }

  async #callOther(
    work: Work,
    step: { toolId: string; input: Record<string, unknown>; session: Record<string, unknown>; stepId: string },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const tool = this.#tools.get(step.toolId.toLowerCase());
    if (!tool) throw new ToolFailure("TOOL_MISSING", "The tool of this step does not exist.");
    if (work.depth >= MAX_DEPTH) throw new ToolFailure("TOO_MANY_STEPS", "Tools call each other too deeply.");
    const { input, session } = step;
    const callId = `${work.callId}/${step.stepId}`;
    const done = await this.#execute({ ...work, tool, callId, input, session, depth: work.depth + 1, signal });
    return done.kind === "PENDING" ? done.outcome : done;
  }

  #toFailed(error: unknown): Outcome {
    if (error instanceof ToolFailure) return { kind: "FAILED", code: error.code, message: error.message };
    // Without its message, which may hold what the tool sent.
    const { name, stack } = toError(error);
    const at = /\n\s+at [^\n]+/.exec(stack ?? "")?.[0]?.trim();
    this.#parts.log.error("A tool could not be run.", { error: name, code: codeOf(error), at });
    return { kind: "FAILED", code: "INTERNAL", message: "The tool could not be run." };
  }

  /** Logs that the cache cannot be used, and continues without it. */
  #forgive<T>(error: unknown, instead: T): T {
    this.#parts.log.warn("The kept answers of tools cannot be used.", { error: toError(error).name });
    return instead;
  }
}

function read(tool: LoadedTool, raw: unknown): Extract<Outcome, { kind: "VALUE" }> {
  return { kind: "VALUE", ...readAnswer(tool.definition.returnValue, raw) };
}

function toLimited({ tool, session, parameters }: ToolScope): Outcome {
  const { toolConcurrencyConfig: limit, concurrencyLimitFallbackMessage: message } = tool.definition;
  if (limit?.onLimit === "FALLBACK") {
    return { kind: "VALUE", value: fillText(message ?? "", { ...session, ...parameters }), variables: {} };
  }
  return { kind: "FAILED", code: "CONCURRENCY_LIMIT", message: message || "Too many calls of the tool are running." };
}

function failed(code: string, message: string): ToolRunResult {
  return { kind: "FAILED", code, message };
}

function toResult(outcome: Outcome): ToolRunResult {
  if (outcome.kind === "VALUE") {
    return { kind: "VALUE", content: toContent(outcome.value), variables: outcome.variables };
  }
  if (outcome.kind === "FAILED") return failed(outcome.code, shorten(outcome.message, MAX_MESSAGE_BYTES));
  return outcome;
}

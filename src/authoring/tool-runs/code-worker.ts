import { parentPort } from "node:worker_threads";
import releaseSync from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import type { CodeJob, CodeReply } from "./code-runner.ts";

const MAX_CPU_MS = 1_000;
const MAX_MEMORY_BYTES = 16 * 1024 * 1024;
const MAX_STACK_BYTES = 256 * 1024;
const JOBS_AT_ONCE = 1_000;
const MAX_MESSAGE_CHARACTERS = 300;
const MAX_RESULT_CHARACTERS = 1_048_576;

/** Typed as its CommonJS twin, where the default export lies one level deeper. */
const VARIANT = releaseSync as unknown as QuickJSSyncVariant;

type Fault = Extract<CodeReply, { kind: "FAILED" }>;
const failed = (code: Fault["code"], message: string): Fault => ({ kind: "FAILED", code, message });

parentPort?.on("message", async (job: CodeJob) => {
  let reply: CodeReply;
  try {
    reply = await run(job);
  } catch (error) {
    // The interpreter itself failed, for example without memory in its own allocator.
    reply = failed("CODE_FAILED", error instanceof Error ? error.name : "The code could not be run.");
  }
  parentPort?.postMessage(reply);
});

/** Runs a job in an interpreter with a memory of its own, so that nothing of one workspace is left for the next. */
async function run(job: CodeJob): Promise<CodeReply> {
  const quickJs = await newQuickJSWASMModuleFromVariant(VARIANT);
  const runtime = quickJs.newRuntime();
  runtime.setMemoryLimit(MAX_MEMORY_BYTES);
  runtime.setMaxStackSize(MAX_STACK_BYTES);
  const start = process.threadCpuUsage();
  const isOver = () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000 > MAX_CPU_MS;
  };
  runtime.setInterruptHandler(isOver);
  const reply = evaluate(runtime, runtime.newContext(), job, isOver);
  if (isOver()) return failed("CODE_TIMEOUT", "The code ran for too long.");
  // Nothing is freed: the whole memory goes when the instance is collected.
  return reply;
}

function evaluate(
  runtime: QuickJSRuntime,
  context: QuickJSContext,
  { code, scope }: CodeJob,
  isOver: () => boolean,
): CodeReply {
  const stringify = context.unwrapResult(context.evalCode("JSON.stringify"));
  const toArguments = context.unwrapResult(
    context.evalCode("((parse) => (text) => Object.values(parse(text)))(JSON.parse)"),
  );
  const names = Object.keys(scope).join(", ");
  // A function, so that `return` gives the result and `await` may be used.
  const wrapped = `((text, toArguments) => (async (${names}) => {"use strict";\n${code}\n})(...toArguments(text)))`;
  const made = context.evalCode(wrapped, "code.js");
  if (made.error) return explain(context, made.error);
  const text = context.newString(JSON.stringify(scope));
  const called = context.callFunction(made.value, context.undefined, text, toArguments);
  if (called.error) return explain(context, called.error);
  while (runtime.hasPendingJob()) {
    const jobs = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (jobs.error) return explain(context, jobs.error);
    if (isOver()) break;
  }
  const state = context.getPromiseState(called.value);
  if (state.type === "rejected") return explain(context, state.error);
  if (state.type === "pending") return failed("CODE_FAILED", "The code waits for something that never comes.");
  return read(context, stringify, state.value);
}

function read(context: QuickJSContext, stringify: QuickJSHandle, value: QuickJSHandle): CodeReply {
  const made = context.callFunction(stringify, context.undefined, value);
  if (made.error) return explain(context, made.error);
  if (context.typeof(made.value) !== "string") return { kind: "VALUE", json: "null" };
  const length = context.getProp(made.value, "length").consume((handle) => context.getNumber(handle));
  if (length > MAX_RESULT_CHARACTERS) return failed("CODE_FAILED", "The result of the code is too large.");
  return { kind: "VALUE", json: context.getString(made.value) };
}

/** Returns a message for a thrown value. Reading it runs the customer's code again, under the same limits. */
function explain(context: QuickJSContext, thrown: QuickJSHandle): Fault {
  const message = readText(context, thrown, "message") || readText(context, thrown, "name") || "Something was thrown.";
  if (/out of memory/.test(message)) return failed("CODE_MEMORY", "The code took too much memory.");
  return failed("CODE_FAILED", `The code failed: ${message}`);
}

function readText(context: QuickJSContext, thrown: QuickJSHandle, name: string): string {
  if (context.typeof(thrown) === "string") return context.getString(thrown).slice(0, MAX_MESSAGE_CHARACTERS);
  if (context.typeof(thrown) !== "object") return "";
  try {
    return context
      .getProp(thrown, name)
      .consume((handle) =>
        context.typeof(handle) === "string" ? context.getString(handle).slice(0, MAX_MESSAGE_CHARACTERS) : "",
      );
  } catch {
    return "";
  }
}

import { OutboundError, type OutboundFailure } from "#src/platform/http/safe-fetch.ts";
import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { openAiChunk, toEvents, wholeAnswer } from "./trial-server.ts";

/** End of an answer whose connection breaks. */
export const CUT = Symbol("CUT");
/** End of an answer after which nothing more comes. */
export const STALL = Symbol("STALL");

/** A piece of an answer, a pause in milliseconds, or an end other than the proper one. */
type Step = string | Uint8Array | number | typeof CUT | typeof STALL;

/** Behaviour of a model server, on the clock of the test. */
export interface Fault {
  /** No answer at all. */
  fails?: OutboundFailure;
  /** Milliseconds until the status; Infinity: never. */
  waitMs?: number;
  status?: number;
  headers?: Record<string, string>;
  steps: Step[];
  /** Answer to the turns after the first; the same unless it is set. */
  later?: Step[];
  /** Failure of a request for an output; the same failure unless it is set. */
  fills?: boolean;
}

/** Returns the events of words. */
export function say(...texts: string[]): string {
  return toEvents(texts.map((content) => openAiChunk({ content })));
}

/** Returns the event that ends an answer, and the end of the stream. */
export function finish(reason: string): string {
  return toEvents([openAiChunk({}, reason), "[DONE]"]);
}

/** Returns a fetch whose server behaves so; requests for outputs get `value` where the server fills them. */
export function faultyFetch(fault: Fault, value: unknown): WebFetch {
  let turns = 0;
  return async (_input, init) => {
    const signal = init?.signal ?? undefined;
    const isTurn = (JSON.parse(init?.body as string) as { stream?: boolean }).stream === true;
    if (!isTurn && fault.fills) return reply(200, wholeAnswer("OPENAI_COMPATIBLE", JSON.stringify(value)));
    if (fault.waitMs) await pause(fault.waitMs, signal);
    if (fault.fails) throw new OutboundError(fault.fails, false, "The host could not be reached.");
    const { status = 200, headers = { "content-type": "text/event-stream" } } = fault;
    const steps = (turns++ > 0 && fault.later) || fault.steps;
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const step of steps) {
          if (step === CUT) return controller.error(new OutboundError("PROTOCOL", true, "The connection was closed."));
          if (step === STALL) await pause(Infinity, signal).catch((error: unknown) => controller.error(error));
          else if (typeof step === "number")
            await pause(step, signal).catch((error: unknown) => controller.error(error));
          else controller.enqueue(typeof step === "string" ? Buffer.from(step) : step);
          if (signal?.aborted) return;
        }
        controller.close();
      },
    });
    return new Response(status === 204 ? null : body, { status, headers });
  };
}

function reply(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "application/json" } });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (ms !== Infinity) setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => reject(new OutboundError("ABORTED", true, "The request was given up.")));
  });
}

import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import type { Heard, Line, Spoken, TransferResult } from "#src/audio/line/line.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { Carrier, DialResult, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import { abortedBeforeDial, ERROR_AFTER_ACCEPT, NO_DIAL_ANSWER, SANDBOX_CAPABILITIES } from "./sandbox-carrier.ts";
import type { SandboxDial } from "./sandbox-dial.ts";
import { readJson } from "./sandbox-wire.ts";
import { LINE_LOST } from "./transfer-target.ts";

/** Result of a request: an answer, or a failure and whether any byte may have been sent. */
type Reply =
  | { kind: "ANSWER"; status: number; body: Record<string, unknown> }
  | { kind: "FAILED"; sent: boolean; timedOut: boolean; code: string; message: string };

type Ask = (
  method: string,
  path: string,
  body?: unknown,
  limits?: { signal?: AbortSignal; timeoutMs?: number; beforeSend?: (() => void) | undefined },
) => Promise<Reply>;

/** Closes an idle connection well before the exchange would (75 s). */
const IDLE_MS = 30_000;
const HANG_UP_TRIES = 3;
const HANG_UP_PAUSE_MS = 100;
const STOP_PAUSE_MS = 200;
/** JSON has no Infinity. */
const LONGEST_LISTEN_MS = 1e9;

/**
 * Returns the sandbox as a carrier in another process, at `url`. A dial that cannot connect is refused; any failure
 * after the first byte, or after `timeoutMs` of real time, is uncertain.
 */
export function createRemoteSandboxCarrier(options: { url: string; timeoutMs: number }): Carrier {
  const ask = createAsk(options.url, options.timeoutMs);
  const hangUp = (providerCallId: string): Promise<void> => hangUpCall(ask, providerCallId);
  return {
    name: "sandbox",
    capabilities: SANDBOX_CAPABILITIES,
    dial: async (request: SandboxDial, signal) =>
      signal.aborted
        ? abortedBeforeDial(signal)
        : toDialResult(await ask("POST", "/calls", request, { signal, beforeSend: request.assertMayLeave })),
    lookUp: async ({ attemptId }, signal) =>
      toLookUpResult(await ask("GET", `/attempts/${encodeURIComponent(attemptId)}`, undefined, { signal })),
    hangUp,
    openLine: (providerCallId) => openRemoteLine(ask, providerCallId, hangUp),
  };
}

function createAsk(url: string, defaultTimeoutMs: number): Ask {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  return (method, path, body, { signal, timeoutMs = defaultTimeoutMs, beforeSend } = {}) =>
    new Promise((resolve) => {
      let sent = false;
      let timedOut = false;
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const request = httpRequest(new URL(path, url), { method, agent, headers }, (response) => {
        void readReply(response).then(finish, fail);
      });
      const timer = timeoutMs === Infinity ? undefined : setTimeout(giveUp, timeoutMs);
      request.once("socket", (socket) => {
        if (socket.connecting) socket.once("connect", send);
        else send();
      });
      request.once("error", fail);
      signal?.addEventListener("abort", giveUp, { once: true });
      // Not before it is connected: the caller's check runs once more right before the bytes are sent.
      function send(): void {
        try {
          beforeSend?.();
        } catch (error) {
          request.destroy(toError(error));
          return;
        }
        sent = true;
        request.end(text);
      }
      function giveUp(): void {
        timedOut = true;
        request.destroy(new Error("No answer in time."));
      }
      function fail(error: unknown): void {
        const code = codeOf(error) ?? (timedOut ? "TIMEOUT" : "BROKEN_ANSWER");
        finish({ kind: "FAILED", sent, timedOut, code, message: toError(error).message });
      }
      function finish(reply: Reply): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        resolve(reply);
      }
    });
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  return { kind: "ANSWER", status: response.statusCode ?? 0, body: await readJson(response) };
}

function toDialResult(reply: Reply): DialResult {
  if (reply.kind === "FAILED") {
    const { code, message } = reply;
    if (!reply.sent) return { kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE", code, message };
    return reply.timedOut ? NO_DIAL_ANSWER : { kind: "UNCERTAIN", code, message };
  }
  if (reply.status >= 500) return { ...ERROR_AFTER_ACCEPT, code: `HTTP_${reply.status}` } as DialResult;
  if (reply.status === 200 && typeof reply.body.kind === "string") return reply.body as unknown as DialResult;
  const code = `HTTP_${reply.status}`;
  const message = `The exchange answered ${reply.status}: ${JSON.stringify(reply.body)}`;
  if (reply.status < 400) return { kind: "UNCERTAIN", code, message };
  return { kind: "REFUSED", then: "TERMINAL", outcome: "CARRIER_FAILURE", code, message };
}

function toLookUpResult(reply: Reply): LookUpResult {
  if (reply.kind === "ANSWER" && reply.status === 200) return reply.body as unknown as LookUpResult;
  const message = reply.kind === "FAILED" ? reply.message : `The exchange answered ${reply.status}.`;
  return { kind: "UNCERTAIN", message };
}

// An exchange that cannot be reached has no call to end; one that is only slow is asked again.
async function hangUpCall(ask: Ask, providerCallId: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    const reply = await ask("POST", `/calls/${encodeURIComponent(providerCallId)}/hang-up`);
    if (reply.kind === "ANSWER" || !reply.sent || tried === HANG_UP_TRIES) return;
    await sleep(HANG_UP_PAUSE_MS * tried);
  }
}

function openRemoteLine(ask: Ask, providerCallId: string, hangUp: (id: string) => Promise<void>): Line {
  let elapsedMs = 0;
  const path = `/calls/${encodeURIComponent(providerCallId)}`;
  // Speech takes as long as it takes, so the request has no time limit. The signal asks the exchange to stop, and the
  // answer then holds what had been said or heard by then.
  const work = async (action: string, body: unknown, signal: AbortSignal, wake?: AbortSignal): Promise<unknown> => {
    let done = false;
    const urge = async (what: "stop" | "wake"): Promise<void> => {
      // Repeated until it helps: it may overtake the request that it is meant for.
      for (; !done; await sleep(STOP_PAUSE_MS)) await ask("POST", `${path}/${what}`);
    };
    const stop = (): void => void urge("stop");
    const rouse = (): void => void urge("wake");
    signal.addEventListener("abort", stop, { once: true });
    wake?.addEventListener("abort", rouse, { once: true });
    if (wake?.aborted) rouse();
    const reply = await ask("POST", `${path}/${action}`, body, { timeoutMs: Infinity });
    done = true;
    signal.removeEventListener("abort", stop);
    wake?.removeEventListener("abort", rouse);
    if (reply.kind === "FAILED" || reply.status !== 200) return undefined;
    elapsedMs = Number(reply.body.elapsedMs);
    return reply.body.result;
  };
  const unsaid = (): Spoken => ({ heard: "", startMs: elapsedMs, endMs: elapsedMs, interrupted: true, hungUp: false });
  return {
    async say(text, signal) {
      if (signal.aborted) return unsaid();
      return ((await work("say", { text }, signal)) as Spoken | undefined) ?? unsaid();
    },
    async listen(timeoutMs, signal, wake) {
      if (signal.aborted) return { kind: "SILENCE", endMs: elapsedMs };
      const body = { timeoutMs: Math.min(timeoutMs, LONGEST_LISTEN_MS), wakes: wake !== undefined };
      return ((await work("listen", body, signal, wake)) as Heard | undefined) ?? { kind: "DROPPED", endMs: elapsedMs };
    },
    async transfer(order, signal) {
      if (signal.aborted) return LINE_LOST;
      return ((await work("transfer", { order }, signal)) as TransferResult | undefined) ?? LINE_LOST;
    },
    async sendDigits(digits, signal) {
      if (!signal.aborted) await work("digits", { digits }, signal);
    },
    hangUp: () => hangUp(providerCallId),
    elapsedMs: () => elapsedMs,
  };
}

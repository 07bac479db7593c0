import { toError } from "#src/platform/kernel/errors.ts";
import type { CallOutcome, DialResult } from "#src/telephony/carriers/carrier.ts";
import type { AttemptRegistry } from "./attempt-registry.ts";
import { type AcceptedBehaviour, answers, type Behaviour } from "./behaviour.ts";
import { nextTurn } from "./call-clock.ts";
import { type ChaosOptions, strikes } from "./chaos.ts";
import type { Ledger } from "./ledger.ts";
import { type CallHost, SandboxCall } from "./sandbox-call.ts";
import type { SandboxDial } from "./sandbox-dial.ts";
import { simulate } from "./sandbox-numbers.ts";

/** Answer to a dial over the wire: a reply, a 500, or nothing until the caller gives up. */
export type DialAnswer = { kind: "REPLY"; result: DialResult } | { kind: "ERROR" } | { kind: "NOTHING" };

/** Message about an attempt that may have been forgotten. */
export const FORGOTTEN = "The attempt is older than what the exchange remembers.";

const RETRY_AFTER_MS = 1_000;
const REFUSALS = {
  UNAVAILABLE: { then: "TERMINAL", code: "HTTP_503", message: "The carrier is unavailable." },
  THROTTLED: {
    then: "REQUEUE",
    code: "HTTP_429",
    message: "The carrier takes no more calls right now.",
    retryAfterMs: RETRY_AFTER_MS,
  },
  CREDENTIALS: { then: "TERMINAL", code: "CREDENTIALS", message: "The carrier does not accept the credentials." },
} as const;

interface DiallerOptions {
  chaos?: ChaosOptions | undefined;
  isUnforgiving?: boolean | undefined;
}

/** Accepts dials: rings each attempt at most once, and answers only after the ledger has recorded it. */
export class Dialler {
  readonly #registry: AttemptRegistry;
  readonly #ledger: Ledger;
  readonly #host: CallHost;
  readonly #chaos: ChaosOptions | undefined;
  readonly #isUnforgiving: boolean;
  readonly #running = new Map<string, Promise<DialAnswer>>();
  /** Dials refused once by code 41, by workspace, number and attempt number. */
  readonly #throttled = new Set<string>();

  constructor(registry: AttemptRegistry, ledger: Ledger, host: CallHost, options: DiallerOptions) {
    this.#registry = registry;
    this.#ledger = ledger;
    this.#host = host;
    this.#chaos = options.chaos;
    this.#isUnforgiving = options.isUnforgiving ?? false;
  }

  /** Dials an attempt, or returns the result of its first dial. Never rejects. */
  dial(request: SandboxDial): Promise<DialAnswer> {
    const running = this.#running.get(request.attemptId);
    if (running) return running.finally(() => this.#ringAgain(request));
    const answer = this.#dialOnce(request).finally(() => this.#running.delete(request.attemptId));
    this.#running.set(request.attemptId, answer);
    return answer;
  }

  async #dialOnce(request: SandboxDial): Promise<DialAnswer> {
    const known = this.#registry.find(request.attemptId);
    if (known?.kind === "BARRED") {
      return refused({
        then: "REQUEUE",
        code: "BARRED",
        message: "The attempt was reported absent before it was dialled.",
      });
    }
    if (known) this.#ringAgain(request);
    if (known?.kind === "LIVE") return accepted(known.call.providerCallId);
    if (known?.kind === "ENDED") return accepted(known.event.providerCallId);
    if (this.#registry.mayHaveForgotten(request.attemptId)) return uncertain("FORGOTTEN", FORGOTTEN);
    const behaviour = this.#behaviourOf(request);
    return behaviour.kind === "REFUSES" ? this.#refuse(request, behaviour.why) : this.#accept(request, behaviour);
  }

  /** Records the second ring in the ledger of an unforgiving exchange. */
  #ringAgain({ attemptId, from, to, attemptNumber }: SandboxDial): void {
    if (!this.#isUnforgiving) return;
    const at = new Date(this.#host.now()).toISOString();
    const line = { at, attemptId, providerCallId: "", from, to, attemptNumber, event: "RING" } as const;
    void this.#ledger.append(line).catch(() => undefined);
  }

  // A throttled number accepts the second dial of an attempt, and throttles the next attempt again.
  #behaviourOf(request: SandboxDial): Behaviour {
    const behaviour = simulate(request.to, request.attemptNumber);
    if (behaviour.kind !== "REFUSES" || behaviour.why !== "THROTTLED") return behaviour;
    const key = `${request.workspaceId} ${request.to} ${request.attemptNumber}`;
    if (this.#throttled.delete(key)) return { ...behaviour, ...answers("AGREES") };
    this.#throttled.add(key);
    return behaviour;
  }

  async #accept(request: SandboxDial, behaviour: AcceptedBehaviour): Promise<DialAnswer> {
    const call = new SandboxCall(request, behaviour, this.#host);
    this.#registry.add(call);
    const at = new Date(this.#host.now()).toISOString();
    try {
      // Both lines are written together, so the second one's promise is enough.
      void this.#ledger.append({ ...call.line("ACCEPTED"), at }).catch(() => undefined);
      await this.#ledger.append({ ...call.line("RING"), at });
    } catch (error) {
      const message = `The sandbox ledger cannot be written: ${toError(error).message}`;
      call.end({ outcome: "CARRIER_FAILURE", hungUpBy: "CARRIER", sipCode: 500, reason: message });
      return uncertain("LEDGER", message);
    }
    void nextTurn().then(() => call.run());
    return this.#answer(call, behaviour);
  }

  #answer(call: SandboxCall, behaviour: AcceptedBehaviour): DialAnswer {
    const fault = behaviour.kind === "ANSWERS" ? behaviour.fault : undefined;
    const { attemptId } = call.request;
    if (fault === "DIAL_TIMES_OUT" || strikes(this.#chaos, "acceptThenTimeout", attemptId)) return { kind: "NOTHING" };
    if (fault === "DIAL_ERRORS" || strikes(this.#chaos, "errorAfterAccept", attemptId)) return { kind: "ERROR" };
    return accepted(call.providerCallId);
  }

  async #refuse(request: SandboxDial, why: keyof typeof REFUSALS): Promise<DialAnswer> {
    const { attemptId, from, to, attemptNumber } = request;
    const at = new Date(this.#host.now()).toISOString();
    const line = { at, attemptId, providerCallId: "", from, to, attemptNumber, event: "REFUSED" } as const;
    // A refusal rang nobody, whether or not the ledger could record it.
    await this.#ledger.append({ ...line, outcome: "CARRIER_FAILURE" }).catch(() => undefined);
    return refused(REFUSALS[why]);
  }
}

/** Returns the reply to a dial that proves that nobody was rung. */
export function refused(refusal: {
  then: "REQUEUE" | "TERMINAL";
  code: string;
  message: string;
  retryAfterMs?: number;
}): DialAnswer {
  const outcome: CallOutcome = "CARRIER_FAILURE";
  return { kind: "REPLY", result: { kind: "REFUSED", outcome, ...refusal } };
}

function accepted(providerCallId: string): DialAnswer {
  return { kind: "REPLY", result: { kind: "ACCEPTED", providerCallId } };
}

function uncertain(code: string, message: string): DialAnswer {
  return { kind: "REPLY", result: { kind: "UNCERTAIN", code, message } };
}

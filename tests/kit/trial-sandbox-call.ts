import type { Heard, Spoken } from "#src/audio/line/line.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import type { AskedAttempt, Carrier, CarrierEvent, DialResult } from "#src/telephony/carriers/carrier.ts";
import type { SandboxDial } from "#src/telephony/carriers/sandbox/sandbox-dial.ts";

const NEVER = new AbortController().signal;
const PATIENCE_MS = 10_000;

/** Returns a dial request for tests; the attempt id must be new for every attempt. */
export function dialTo(to: string, attemptId: string, more: Partial<SandboxDial> = {}): SandboxDial {
  return {
    attemptId,
    workspaceId: "w1",
    from: "+12025550190",
    to,
    attemptNumber: 1,
    ringTimeoutSeconds: 30,
    eventsUrl: "http://127.0.0.1:9/events",
    sandboxSpeed: "instant",
    ...more,
  };
}

/** Returns a look-up of an attempt, for tests. */
export function asked(attemptId: string): AskedAttempt {
  const numbers = { from: "+12025550190", to: "+12025550100" };
  return { attemptId, workspaceId: "w1", providerCallId: null, ...numbers, dialledAt: new Date(0) };
}

/** The events received, with a way to wait for one. */
export class EventLog {
  readonly events: CarrierEvent[] = [];

  /** Records an event. */
  put(event: CarrierEvent): void {
    this.events.push(event);
  }

  /** Returns the types of an attempt's events, in order of arrival. */
  typesOf(attemptId: string): string[] {
    return this.events.filter((event) => event.attemptId === attemptId).map((event) => event.type);
  }

  /** Waits for the first of the given events; throws when it does not come. */
  async wait<Type extends CarrierEvent["type"]>(
    attemptId: string,
    ...types: Type[]
  ): Promise<Extract<CarrierEvent, { type: Type }>> {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 1) {
      const found = this.events.find((event) => event.attemptId === attemptId && types.includes(event.type as Type));
      if (found) return found as Extract<CarrierEvent, { type: Type }>;
      await sleep(1);
    }
    throw new Error(`No ${types.join(" or ")} of ${attemptId}; came: ${this.typesOf(attemptId).join(", ")}`);
  }
}

/** Result of a trial call, with the dialogue of both sides. */
export interface TrialCall {
  dial: DialResult;
  events: string[];
  dialogue: (Spoken | Heard)[];
  ended: { outcome: string; hungUpBy: string; sipCode: number | null } | null;
}

/**
 * Dials, says the lines one after the other with a listen of 20 s after each, and hangs up. Stops talking when the
 * other side is gone.
 */
export async function placeTrialCall(
  carrier: Carrier,
  log: EventLog,
  request: SandboxDial,
  lines: string[],
): Promise<TrialCall> {
  const dial = await carrier.dial(request, NEVER);
  if (dial.kind === "UNCERTAIN") await log.wait(request.attemptId, "ANSWERED", "ENDED");
  if (dial.kind !== "ACCEPTED") return { dial, events: log.typesOf(request.attemptId), dialogue: [], ended: null };
  const first = await log.wait(request.attemptId, "ANSWERED", "ENDED");
  const dialogue = first.type === "ANSWERED" ? await playDialogue(carrier, dial.providerCallId, lines) : [];
  await carrier.hangUp(dial.providerCallId);
  const { outcome, hungUpBy, sipCode } = await log.wait(request.attemptId, "ENDED");
  return { dial, events: log.typesOf(request.attemptId), dialogue, ended: { outcome, hungUpBy, sipCode } };
}

async function playDialogue(carrier: Carrier, providerCallId: string, lines: string[]): Promise<(Spoken | Heard)[]> {
  const line = carrier.openLine(providerCallId);
  const dialogue: (Spoken | Heard)[] = [];
  for (const text of lines) {
    const spoken = await line.say(text, NEVER);
    const heard = await line.listen(20_000, NEVER);
    dialogue.push(spoken, heard);
    if (heard.kind === "HUNG_UP" || heard.kind === "DROPPED") break;
  }
  return dialogue;
}

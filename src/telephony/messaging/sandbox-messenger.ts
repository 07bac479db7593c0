import { toError } from "#src/platform/kernel/errors.ts";
import type { SandboxSpeed } from "#src/telephony/carriers/sandbox/sandbox-dial.ts";
import { sandboxCode, simulate } from "#src/telephony/carriers/sandbox/sandbox-numbers.ts";
import type { MessageChannel, MessageLookUp, Messenger, OutgoingMessage, SendResult } from "./messenger.ts";

/** A message with the settings by which the sandbox simulates the person. Other messengers get and ignore them. */
export interface SimulatedMessage extends OutgoingMessage {
  /** The first message of its chat. */
  opens: boolean;
  sandboxSpeed: SandboxSpeed;
}

/** A message that the sandbox accepted. */
export interface SandboxMessage {
  providerMessageId: string;
  channel: MessageChannel;
  to: string;
  /** Null: instant. */
  speed: number | null;
  /** Milliseconds since it was accepted. */
  ageMs: number;
}

/** Reply of a simulated person and its delay. */
export interface SandboxReply {
  text: string;
  afterMs: number;
}

/** Stores the messages that the sandbox accepted, shared by all nodes. */
export interface SandboxLedger {
  /** Records a message and the person's future reply, unless its id is already recorded; returns the stored message. */
  record(message: SimulatedMessage, providerMessageId: string, reply: SandboxReply | null): Promise<SandboxMessage>;
  find(workspaceId: string, messageId: string): Promise<SandboxMessage | undefined>;
}

/** Sandbox time from acceptance to delivery, and to reading. */
const DELIVERED_MS = 1_000;
const READ_MS = 3_000;
const FAILED_MS = 2_000;

/** Replies of the numbers that answer the opening of a chat, by last two digits, in sandbox time. */
const REPLIES = new Map([
  [70, { text: "Yes, that suits me.", afterMs: 2_000 }],
  [72, { text: "STOP", afterMs: 2_000 }],
  [73, { text: "Sorry for the delay. Yes.", afterMs: 60_000 }],
]);
/** Last two digits of a number that accepts messages and never receives them. */
const UNDELIVERED = 71;

/** Returns the person's reply, only to the first message of a chat: otherwise two machines would write for ever. */
function planReply({ to, opens, sandboxSpeed }: SimulatedMessage): SandboxReply | null {
  const reply = REPLIES.get(sandboxCode(to) ?? -1);
  if (!reply || !opens) return null;
  return { ...reply, afterMs: sandboxSpeed === "instant" ? 0 : reply.afterMs / sandboxSpeed };
}

/**
 * The messenger of fictional numbers and SANDBOX workspaces: nothing leaves the machine. The behaviour depends only on
 * the number, by the table of sandbox numbers: 30 is refused as unallocated, 31 is never reached, 40 to 42 refuse, 44
 * reports nothing more, 45 and 46 accept the message and answer with a time-out or an error, 70 to 73 write back or are
 * not delivered to.
 */
export function createSandboxMessenger(ledger: SandboxLedger): Messenger {
  return {
    name: "SANDBOX",
    horizonMs: 30_000,
    absenceIsProof: true,
    assumesOpenWindow: true,
    isPolled: true,
    async send(message: SimulatedMessage) {
      try {
        return await take(ledger, message);
      } catch (error) {
        return { kind: "UNCERTAIN", code: "SANDBOX_UNREACHABLE", message: toError(error).message };
      }
    },
    async lookUp({ workspaceId, messageId }) {
      try {
        const found = await ledger.find(workspaceId, messageId);
        return found ? sendState(found) : { kind: "ABSENT" };
      } catch (error) {
        return { kind: "UNCERTAIN", message: toError(error).message };
      }
    },
  };
}

async function take(ledger: SandboxLedger, message: SimulatedMessage): Promise<SendResult> {
  const behaviour = simulate(message.to, message.attempt);
  const known = await ledger.find(message.workspaceId, message.messageId);
  if (known) return { kind: "ACCEPTED", providerMessageId: known.providerMessageId };
  const refused = refuse(message.to, message.attempt);
  if (refused) return refused;
  const { providerMessageId } = await ledger.record(message, `SM-${message.messageId}`, planReply(message));
  const fault = behaviour.kind === "ANSWERS" ? behaviour.fault : undefined;
  if (fault === "DIAL_TIMES_OUT") {
    return { kind: "UNCERTAIN", code: "TIMEOUT", message: "The sandbox took the message and did not answer." };
  }
  if (fault === "DIAL_ERRORS") {
    return { kind: "UNCERTAIN", code: "HTTP_500", message: "The sandbox took the message and answered with an error." };
  }
  return { kind: "ACCEPTED", providerMessageId };
}

function refuse(to: string, attempt: number): (SendResult & { kind: "REFUSED" }) | null {
  const behaviour = simulate(to, attempt);
  const refusal = (code: string, message: string, retryable: boolean) =>
    ({ kind: "REFUSED", code, message, retryable }) as const;
  if (behaviour.kind === "FAILS" && behaviour.outcome === "INVALID_NUMBER") {
    return refusal("INVALID_NUMBER", "The number is not allocated.", false);
  }
  if (behaviour.kind === "FAILS" && behaviour.outcome === "CARRIER_FAILURE") {
    return refusal("CARRIER_FAILURE", "The carrier failed.", true);
  }
  // Number 41 throttles the first message only.
  if (behaviour.kind !== "REFUSES" || (behaviour.why === "THROTTLED" && attempt > 1)) return null;
  if (behaviour.why === "CREDENTIALS") return refusal("CREDENTIALS", "The carrier knows no such account.", false);
  return behaviour.why === "THROTTLED"
    ? refusal("THROTTLED", "Too many messages at once.", true)
    : refusal("UNAVAILABLE", "The carrier is not available.", true);
}

function sendState(message: SandboxMessage): MessageLookUp {
  const { providerMessageId, speed, ageMs, channel, to } = message;
  const elapsedMs = speed === null ? Number.POSITIVE_INFINITY : ageMs * speed;
  const found = { kind: "FOUND", providerMessageId, error: null, isFinal: false } as const;
  const behaviour = simulate(to, 1);
  if (behaviour.kind === "NO_EVENTS") return { ...found, status: "SENT" };
  if (behaviour.kind === "FAILS" && behaviour.outcome === "UNREACHABLE") {
    if (elapsedMs < FAILED_MS) return { ...found, status: "SENT" };
    const error = { code: "UNREACHABLE", message: "The phone could not be reached." };
    return { ...found, status: "FAILED", error, isFinal: true };
  }
  if (sandboxCode(to) === UNDELIVERED && elapsedMs >= FAILED_MS) {
    const error = { code: "UNDELIVERED", message: "The message was not delivered." };
    return { ...found, status: "FAILED", error, isFinal: true };
  }
  if (sandboxCode(to) === UNDELIVERED || elapsedMs < DELIVERED_MS) return { ...found, status: "SENT" };
  if (channel === "SMS") return { ...found, status: "DELIVERED", isFinal: true };
  return elapsedMs < READ_MS ? { ...found, status: "DELIVERED" } : { ...found, status: "READ", isFinal: true };
}

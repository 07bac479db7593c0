import { toError } from "#src/platform/kernel/errors.ts";
import { dropNote } from "./opening.ts";
import { renderTexts } from "./prompt.ts";
import { placeTexts, switchPlan, type SystemAnswer, type SessionState } from "./session-state.ts";
import type { TransferOrder } from "./tool-port.ts";

const SUMMARY_TURNS = 12;
const MAX_SUMMARY_CHARACTERS = 1_000;

/** Transfers the call to a person or to another flow, by the plan's order. After a failure the conversation goes on. */
export async function handOver(
  session: SessionState,
  order: TransferOrder,
  wantsSummary: boolean,
): Promise<SystemAnswer> {
  if (order.destinationType === "FLOW") return openFlow(session, order);
  // A person who is asked to take a call hears what it is about.
  const isReported = wantsSummary || order.mode === "AGENTIC_WARM";
  const result = await session.transcribed.transfer({ ...order, summary: isReported ? summarise(session) : null });
  if (result.kind === "TRANSFERRED") return { content: "ok: the call was handed over", end: "AGENT_TRANSFERRED_CALL" };
  if (result.kind === "HUNG_UP") return { content: "the person has hung up", end: "CUSTOMER_HUNG_UP" };
  if (order.fallbackMessage) await session.transcribed.say(order.fallbackMessage);
  return { content: `failed: ${result.reason}: ${result.message}`, end: null };
}

/** Switches to the other flow's agent on the same line. */
async function openFlow(session: SessionState, order: TransferOrder): Promise<SystemAnswer> {
  try {
    const opened = await session.ports.openFlow?.(order.destination);
    if (!opened) return { content: "failed: flows cannot be changed here", end: null };
    switchPlan(session, opened.plan, opened.ports);
    const texts = renderTexts(session.plan, session.ports.now(), session.variables);
    session.opening = null;
    dropNote(session);
    placeTexts(session, texts);
    session.voicemailMessage = texts.voicemailMessage;
    const opening = texts.firstMessage === "" ? "" : ` Begin with: ${texts.firstMessage}`;
    return { content: `ok: you follow new instructions now.${opening}`, end: null };
  } catch (thrown) {
    session.notedError ??= { code: "FLOW_TRANSFER_FAILED", message: toError(thrown).message.slice(0, 500) };
    if (order.fallbackMessage) await session.transcribed.say(order.fallbackMessage);
    return { content: "failed: that flow cannot be reached", end: null };
  }
}

/** Summarises the last turns for the person who takes the call. */
function summarise(session: SessionState): string {
  const spoken = session.transcribed.turns
    .filter(({ role }) => role === "ASSISTANT" || role === "USER")
    .slice(-SUMMARY_TURNS);
  const lines = spoken.map(({ role, content }) => `${role === "USER" ? "Person" : "Agent"}: ${content}`);
  return lines.join("\n").slice(-MAX_SUMMARY_CHARACTERS);
}

import type { AmdWatch } from "#src/audio/line/line.ts";
import { chooseMenuKey } from "./menu.ts";
import type { SessionEndReason, SessionPlan } from "./plan.ts";
import type { TranscribedLine } from "./transcribed-line.ts";

/**
 * Milliseconds within which a machine's greeting begins. Where the carrier already waited for the beep, nothing comes,
 * so the wait is short.
 */
const GREETING_STARTS_WITHIN_MS = 2_000;
const MAX_MENUS = 3;
/** Milliseconds within which a greeting ends; a longer one is not a mailbox. */
const MAILBOX_MS = 90_000;
const QUIET_MS = 3_000;
/** Times that the message is said to a mailbox that talks over it. */
const MAX_TRIES = 3;

/**
 * Leaves the flow's message on a mailbox, unless the flow wants none or the mailbox hangs up. `answers` reports the
 * beep; without it the message follows the greeting.
 */
export async function answerVoicemail(
  transcribed: TranscribedLine,
  plan: SessionPlan,
  message: string,
  answers?: AmdWatch,
): Promise<SessionEndReason> {
  if (plan.flow.voicemail.action !== "LEAVE_MESSAGE" || message === "") return "AGENT_HUNG_UP_ON_MACHINE";
  if (answers) return leaveAfterBeep(transcribed, message, answers);
  const greeting = await transcribed.listen(GREETING_STARTS_WITHIN_MS, { ofMachine: true });
  if (greeting.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
  if (greeting.kind === "HUNG_UP") return "AGENT_HUNG_UP_ON_MACHINE";
  const spoken = await transcribed.say(message);
  return spoken.hungUp || spoken.heard === "" ? "AGENT_HUNG_UP_ON_MACHINE" : "AGENT_LEFT_VOICEMAIL";
}

/** Says the message when the mailbox records, and again when a beep shows that recording began only then. */
async function leaveAfterBeep(
  transcribed: TranscribedLine,
  message: string,
  answers: AmdWatch,
): Promise<SessionEndReason> {
  const startedMs = transcribed.elapsedMs();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    while (answers.messageDue === null || (tries > 0 && answers.messageDue !== "BEEP")) {
      if (transcribed.elapsedMs() - startedMs > MAILBOX_MS) return "AGENT_HUNG_UP_ON_MACHINE";
      const heard = await listenForBeep(transcribed, answers);
      if (heard.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
      if (heard.kind === "HUNG_UP") return "AGENT_HUNG_UP_ON_MACHINE";
      if (heard.kind === "SILENCE" && tries > 0) break;
    }
    const dueAfter = answers.messageDue;
    const spoken = await transcribed.say(message);
    if (spoken.hungUp) return spoken.heard === "" ? "AGENT_HUNG_UP_ON_MACHINE" : "AGENT_LEFT_VOICEMAIL";
    if (!spoken.interrupted && answers.messageDue === dueAfter) return "AGENT_LEFT_VOICEMAIL";
  }
  return "AGENT_LEFT_VOICEMAIL";
}

async function listenForBeep(transcribed: TranscribedLine, answers: AmdWatch): ReturnType<TranscribedLine["listen"]> {
  const due = new AbortController();
  const done = new AbortController();
  answers.onChange(() => answers.messageDue !== null && due.abort(), done.signal);
  try {
    return await transcribed.listen(QUIET_MS, { ofMachine: true, wake: due.signal });
  } finally {
    done.abort();
  }
}

/**
 * Presses keys through a menu to reach a person. Returns the reason when the call ends there; null when a person, or
 * nothing more, is on the line.
 */
export async function passMenu(transcribed: TranscribedLine, timeoutMs: number): Promise<SessionEndReason | null> {
  for (let menus = 0; menus < MAX_MENUS; menus++) {
    const heard = await transcribed.listen(timeoutMs, { ofMachine: true });
    if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
    if (heard.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
    // A menu that was not understood is repeated.
    if (heard.kind === "SPEECH" && heard.text === "") continue;
    const key = heard.kind === "SPEECH" ? chooseMenuKey(heard.text) : null;
    if (key === null) return null;
    await transcribed.press(key);
  }
  return null;
}

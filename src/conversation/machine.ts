import type { Floor } from "./floor.ts";
import { chooseMenuKey } from "./menu.ts";
import type { SessionEndReason, SessionPlan } from "./plan.ts";

/** A machine's greeting begins by then; where the carrier waited for the beep, nothing comes and nobody waits long. */
const GREETING_STARTS_WITHIN_MS = 2_000;
const MAX_MENUS = 3;

/** A mailbox: the flow's message is left where it wants one, unless the mailbox hangs up on it. */
export async function answerVoicemail(floor: Floor, plan: SessionPlan, message: string): Promise<SessionEndReason> {
  if (plan.flow.voicemail.action !== "LEAVE_MESSAGE" || message === "") return "AGENT_HUNG_UP_ON_MACHINE";
  const greeting = await floor.listen(GREETING_STARTS_WITHIN_MS, { ofMachine: true });
  if (greeting.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
  if (greeting.kind === "HUNG_UP") return "AGENT_HUNG_UP_ON_MACHINE";
  const spoken = await floor.say(message);
  return spoken.hungUp || spoken.heard === "" ? "AGENT_HUNG_UP_ON_MACHINE" : "AGENT_LEFT_VOICEMAIL";
}

/**
 * A menu: presses its way to a person. Gives the reason when the call ends there, null when somebody, or nothing
 * more, is on the line.
 */
export async function passMenu(floor: Floor, timeoutMs: number): Promise<SessionEndReason | null> {
  for (let menus = 0; menus < MAX_MENUS; menus++) {
    const heard = await floor.listen(timeoutMs, { ofMachine: true });
    if (heard.kind === "HUNG_UP") return "CUSTOMER_HUNG_UP";
    if (heard.kind === "DROPPED") return "CARRIER_CONNECTION_LOST";
    const key = heard.kind === "SPEECH" ? chooseMenuKey(heard.text) : null;
    if (key === null) return null;
    await floor.press(key);
  }
  return null;
}

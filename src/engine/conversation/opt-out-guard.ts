import type { ModelMessage } from "#src/engine/models/models.ts";
import { judgeOptOut, optOutPhrases, readOptOutAnswer } from "#src/engine/opt-out/judge.ts";
import { KEEPS_CONTACT } from "./opt-out-state.ts";
import type { SessionEndReason } from "./plan.ts";
import { runSystemTool } from "./system-tools.ts";
import { isHeld, type Talk } from "./talk.ts";

/**
 * Judges what the person said since the last call, before any model does. A certain opt-out is written to the ledger and
 * answered with a goodbye: the session ends CUSTOMER_OPTED_OUT whatever the model would say. An uncertain one is asked
 * back once ("ASKED"). Null: the conversation goes on. While a supervisor speaks in the agent's place, the ledger is
 * written and nothing is said.
 */
export async function heedOptOut(talk: Talk): Promise<SessionEndReason | "ASKED" | null> {
  const { messages } = talk.floor;
  const state = talk.optOut;
  const fresh = messages.slice(state.judged).filter(({ role }) => role === "USER");
  state.judged = messages.length;
  if (talk.optedOut || fresh.length === 0) return null;
  const usual = talk.plan.flow.language;
  if (state.question !== null) {
    const asked = state.question;
    state.question = null;
    const answer = readOptOutAnswer(fresh.map(({ content }) => content).join(". "), asked);
    if (answer === true) return endContact(talk, asked);
    if (answer === false) return keepContact(talk, fresh);
  }
  const judged = fresh.map(({ content }) => judgeOptOut(content, usual));
  const certain = judged.find(({ verdict }) => verdict === "CERTAIN");
  if (certain) return endContact(talk, certain.language ?? usual);
  const uncertain = judged.find(({ verdict }) => verdict === "UNCERTAIN");
  if (!uncertain || state.asked || isHeld(talk)) return null;
  return askBack(talk, uncertain.language ?? usual);
}

async function askBack(talk: Talk, language: string): Promise<SessionEndReason | "ASKED"> {
  Object.assign(talk.optOut, { asked: true, question: language });
  talk.floor.expect({ type: "boolean" });
  const spoken = await talk.floor.sayAside(optOutPhrases(language).ask);
  return spoken.hungUp ? "CUSTOMER_HUNG_UP" : "ASKED";
}

/** The model never sees the question, so that it does not take the answer for one to its own. */
function keepContact(talk: Talk, answers: ModelMessage[]): null {
  const { messages } = talk.floor;
  const kept = messages.filter((message) => !answers.includes(message));
  messages.splice(0, messages.length, ...kept, { ...KEEPS_CONTACT });
  talk.optOut.judged = messages.length;
  talk.optOut.denied = true;
  talk.optOut.settledTurns = talk.floor.turns.length;
  return null;
}

/** The ledger is written before the goodbye is said, and whether or not it is heard. */
async function endContact(talk: Talk, language: string): Promise<SessionEndReason | null> {
  const { floor } = talk;
  const call = { id: `opt_out_${floor.turns.length}`, name: "add_to_do_not_call", input: {} };
  const { content } = await runSystemTool(talk, call);
  floor.rememberCalls([call]);
  floor.recordTool(call, content);
  if (isHeld(talk)) return null;
  const phrases = optOutPhrases(language);
  await floor.say(content.startsWith("ok") ? phrases.done : phrases.noted);
  return "CUSTOMER_OPTED_OUT";
}

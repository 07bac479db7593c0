import type { ModelMessage } from "#src/engine/models/models.ts";
import { judgeOptOut, optOutPhrases, readOptOutAnswer } from "#src/engine/opt-out/judge.ts";
import { KEEPS_CONTACT } from "./opt-out-state.ts";
import type { SessionEndReason } from "./plan.ts";
import { isHeld, type SessionState } from "./session-state.ts";
import { runSystemTool } from "./system-tools.ts";

/**
 * Judges what the person said since the last check, before any model sees it. A certain opt-out is written to the
 * ledger and answered with a goodbye, and the session ends CUSTOMER_OPTED_OUT whatever the model would say. An
 * uncertain one is queried once ("ASKED"). Null: the conversation goes on. While a supervisor speaks in the agent's
 * place, the ledger is written and nothing is said.
 */
export async function heedOptOut(session: SessionState): Promise<SessionEndReason | "ASKED" | null> {
  const { messages } = session.transcribed;
  const state = session.optOut;
  const fresh = messages.slice(state.judged).filter(({ role }) => role === "USER");
  state.judged = messages.length;
  if (session.optedOut || fresh.length === 0) return null;
  const usual = session.plan.flow.language;
  if (state.question !== null) {
    const asked = state.question;
    state.question = null;
    const answer = readOptOutAnswer(fresh.map(({ content }) => content).join(". "), asked);
    if (answer === true) return endContact(session, asked);
    if (answer === false) return keepContact(session, fresh);
  }
  const judged = fresh.map(({ content }) => judgeOptOut(content, usual));
  const certain = judged.find(({ verdict }) => verdict === "CERTAIN");
  if (certain) return endContact(session, certain.language ?? usual);
  const uncertain = judged.find(({ verdict }) => verdict === "UNCERTAIN");
  if (!uncertain || state.asked || isHeld(session)) return null;
  return askBack(session, uncertain.language ?? usual);
}

/**
 * Hears what a person who has hung up said before, while nobody listened, and heeds a certain opt-out in it. Returns
 * `reason`, or CUSTOMER_OPTED_OUT.
 */
export async function heedLastWords(session: SessionState, reason: SessionEndReason): Promise<SessionEndReason> {
  let heard;
  do heard = await session.transcribed.listen(0);
  while (heard.kind === "SPEECH" || heard.kind === "DIGITS");
  return (await heedOptOut(session)) === "CUSTOMER_OPTED_OUT" ? "CUSTOMER_OPTED_OUT" : reason;
}

async function askBack(session: SessionState, language: string): Promise<SessionEndReason | "ASKED"> {
  Object.assign(session.optOut, { asked: true, question: language });
  session.transcribed.expect({ type: "boolean" });
  const spoken = await session.transcribed.sayAside(optOutPhrases(language).ask);
  return spoken.hungUp ? "CUSTOMER_HUNG_UP" : "ASKED";
}

/**
 * Removes the answer from the messages: the model never sees the guard's question, and would take the answer for one to
 * its own.
 */
function keepContact(session: SessionState, answers: ModelMessage[]): null {
  const { messages } = session.transcribed;
  const kept = messages.filter((message) => !answers.includes(message));
  messages.splice(0, messages.length, ...kept, { ...KEEPS_CONTACT });
  session.optOut.judged = messages.length;
  session.optOut.denied = true;
  session.optOut.settledTurns = session.transcribed.turns.length;
  return null;
}

/** Writes the ledger, then says goodbye, so that the entry stands whether or not the goodbye is heard. */
async function endContact(session: SessionState, language: string): Promise<SessionEndReason | null> {
  const { transcribed } = session;
  const call = { id: `opt_out_${transcribed.turns.length}`, name: "add_to_do_not_call", input: {} };
  const { content } = await runSystemTool(session, call);
  transcribed.rememberToolCalls([call]);
  transcribed.recordTool(call, content);
  if (isHeld(session)) return null;
  const phrases = optOutPhrases(language);
  await transcribed.say(content.startsWith("ok") ? phrases.done : phrases.noted);
  return "CUSTOMER_OPTED_OUT";
}

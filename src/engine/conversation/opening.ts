import type { SessionEndReason } from "./plan.ts";
import { SENTENCE_END } from "./sentence-ends.ts";
import type { SessionState } from "./session-state.ts";

/**
 * Times that the opening is said to a person who talks over it; after that they do not want to hear it. The transcript
 * shows how much they heard.
 */
const MAX_TRIES = 4;

const NOTE =
  "The person talked over your opening before they had heard this part of it. Answer what they said in one short sentence and ask nothing yet; the rest of your opening is then said for you, so do not say it yourself:";

/** Says the flow's first message. Returns the reason when the call ends, null when it goes on. */
export async function sayOpening(session: SessionState, text: string): Promise<SessionEndReason | null> {
  session.opening = { whole: text, from: 0, tries: 0 };
  return goOnOpening(session);
}

/**
 * Says the part of the opening that was not heard yet, from the beginning of its sentence. When it is interrupted
 * again, the rest is left for later. Returns the reason when the call ends, null when it goes on.
 */
export async function goOnOpening(session: SessionState): Promise<SessionEndReason | null> {
  const { opening, transcribed } = session;
  if (!opening) return null;
  const { whole, from } = opening;
  const spoken = await transcribed.sayOpening(whole, from);
  const heard = from + spoken.heard.length;
  opening.tries++;
  if (heard >= whole.length || opening.tries >= MAX_TRIES) session.opening = null;
  else opening.from = startOfSentence(whole, heard);
  return spoken.hungUp ? "CUSTOMER_HUNG_UP" : null;
}

/** True when the person only greeted or made a sound, so the rest of the opening is the answer. */
export function isOpeningAwaited({ opening, transcribed }: SessionState): boolean {
  return opening !== null && transcribed.lastHeard?.kind === "SPEECH" && transcribed.lastHeard.isGreeting === true;
}

/** Notes for the model that its opening was cut off, so that its answer leaves room for the rest. */
export function noteOpening({ opening, transcribed }: SessionState): void {
  if (opening) transcribed.messages.push({ role: "SYSTEM", content: `${NOTE} ${opening.whole.slice(opening.from)}` });
}

/**
 * Takes the note away after that answer, or when another flow's opening takes the place of this one: providers get every
 * note at the top, as a rule for the whole session.
 */
export function dropNote({ transcribed: { messages } }: SessionState): void {
  const at = messages.findLastIndex(({ role, content }) => role === "SYSTEM" && content.startsWith(NOTE));
  if (at >= 0) messages.splice(at, 1);
}

function startOfSentence(whole: string, at: number): number {
  let start = 0;
  for (const mark of whole.matchAll(SENTENCE_END)) {
    const next = whole.length - whole.slice(mark.index + mark[0].length).trimStart().length;
    if (next <= at) start = next;
  }
  return start;
}

import type { ModelMessage } from "#src/engine/models/models.ts";
import { describeResult } from "./describe-result.ts";
import { type Dialogue, finish, join, pause, resume } from "./dialogue.ts";
import { findAnswer } from "./knowledge.ts";
import { isTransfer, SYSTEM_TOOLS } from "./tool-names.ts";
import { addDays } from "./understand/shifted-date.ts";

const ASKED = /^ok: a colleague was asked/;
const NEW_INSTRUCTIONS = /^ok: you follow new instructions now\.(?: Begin with: ([^]*))?$/;

/** Processes a tool's result and decides what to say about it. */
export function hearResult(dialogue: Dialogue, { toolCallId, content }: ModelMessage): void {
  const call = dialogue.calls.get(toolCallId ?? "");
  // Results of calls before the first word are known, and nothing is said about them.
  if (!call || !dialogue.hasSpoken) return;
  if (call.name === "search_knowledge") hearPassages(dialogue, content, call.input.query);
  else if (call.name === "schedule_callback") hearArranged(dialogue, content);
  else if (isTransfer(call.name)) hearTransferred(dialogue, content);
  else if (call.name === "request_human" && ASKED.test(content)) hearAsked(dialogue);
  else if (call.name === "request_human") dialogue.isHumanNoted = true;
  else if (!SYSTEM_TOOLS.has(call.name)) hearUpdate(dialogue, call.id, content);
}

function hearPassages(dialogue: Dialogue, found: string, query: unknown): void {
  const { phrases } = dialogue.lexicon;
  const question = dialogue.question ?? (typeof query === "string" ? query : "");
  const answer = findAnswer(found, question);
  const isOver = dialogue.phase === "ENDED";
  dialogue.question = undefined;
  if (answer !== undefined && isOver) pause(dialogue, `${answer} ${phrases.chatGoodbye}`);
  else if (answer !== undefined) resume(dialogue, answer);
  else if (isOver) pause(dialogue, `${phrases.questionNoted} ${phrases.chatGoodbye}`);
  else {
    dialogue.wasOffered = true;
    pause(dialogue, phrases.offerCallback);
  }
}

function hearArranged(dialogue: Dialogue, content: string): void {
  const { callback, lexicon } = dialogue;
  if (!callback) return;
  const hasFailed = content.startsWith("failed");
  if (hasFailed && callback.isGuess && callback.date !== undefined) {
    // The time has already passed today, so the callback is for tomorrow.
    callback.date = addDays(callback.date, 1);
    callback.isGuess = false;
    return;
  }
  callback.isSettled = true;
  const said = hasFailed ? lexicon.phrases.callbackFailed : lexicon.phrases.callbackSet;
  if (dialogue.end === "CALLBACK") finish(dialogue, "CALLBACK", join(said, lexicon.phrases.goodbyeWord));
  else resume(dialogue, said);
}

/** The chat waits for an operator; when it comes back to the agent, it goes on where it was. */
function hearAsked(dialogue: Dialogue): void {
  const isOpen = dialogue.items.length > dialogue.at;
  Object.assign(dialogue, { phase: isOpen ? "ASKING" : "CHATTING", end: undefined });
  pause(dialogue, dialogue.lexicon.phrases.humanAsked);
}

/** Another flow's agent takes over, with its own questions. */
function hearTransferred(dialogue: Dialogue, content: string): void {
  const taken = NEW_INSTRUCTIONS.exec(content);
  if (!taken) return;
  dialogue.answers.clear();
  Object.assign(dialogue, { phase: "OPENING", at: 0, misses: 0, half: {}, lastAnswered: undefined, end: undefined });
  pause(dialogue, taken[1]?.trim() ?? "");
  if (dialogue.lead === "") resume(dialogue, "");
}

function hearUpdate(dialogue: Dialogue, callId: string, content: string): void {
  if (/^failed: what the person (?:said is not final|really said)/.test(content)) {
    // The call was not made, so it can be planned again.
    dialogue.calls.delete(callId);
    dialogue.isUnconfirmed = content.includes("not final");
    return;
  }
  const reported = describeResult(content, dialogue.lexicon);
  if (reported !== "") dialogue.updates.push(reported);
}

import type { ModelMessage, OutputDefinition } from "#src/engine/models/models.ts";
import { readBriefing } from "./briefing.ts";
import { createDialogue, type Dialogue } from "./dialogue.ts";
import { hearResult } from "./hear-result.ts";
import { hear } from "./hear.ts";

interface Replayed {
  outputs: OutputDefinition[];
  language: string;
  count: number;
  last: ModelMessage | undefined;
  /** Content of `last` at that time; the person's final words may replace it. */
  lastContent: string;
  dialogue: Dialogue;
}

/**
 * State of each growing list of messages at its last replay, so that a turn costs one utterance and not the whole
 * conversation. A cache only: a replay from the start gives the same state.
 */
const replayed = new WeakMap<ModelMessage[], Replayed>();

/** Derives the state of a conversation from its messages. */
export function replay(messages: ModelMessage[], outputs: OutputDefinition[], language: string): Dialogue {
  let known = replayed.get(messages);
  if (!known || !isContinuation(known, messages, outputs, language)) {
    const dialogue = createDialogue(readBriefing(messages), outputs, language);
    known = { outputs, language, count: 0, last: undefined, lastContent: "", dialogue };
    replayed.set(messages, known);
  }
  for (; known.count < messages.length; known.count++) {
    known.last = messages[known.count] as ModelMessage;
    known.lastContent = known.last.content;
    takeIn(known.dialogue, known.last);
  }
  return known.dialogue;
}

function isContinuation(
  known: Replayed,
  messages: ModelMessage[],
  outputs: OutputDefinition[],
  language: string,
): boolean {
  const sameConversation = isSameList(known.outputs, outputs) && known.language === language;
  const last = messages[known.count - 1];
  return sameConversation && (known.count === 0 || (last === known.last && last?.content === known.lastContent));
}

/** The outputs of a session are chosen anew at its end: another list of the same ones. */
function isSameList(a: OutputDefinition[], b: OutputDefinition[]): boolean {
  return a.length === b.length && a.every((output, i) => output === b[i]);
}

/** Takes one message into the state of a conversation. */
export function takeIn(dialogue: Dialogue, message: ModelMessage): void {
  if (message.role === "ASSISTANT") hearOwn(dialogue, message);
  else if (message.role === "TOOL") hearResult(dialogue, message);
  else if (message.role === "USER") {
    // Before the agent has said anything, "hello?" answers nothing.
    const isFirstWord = dialogue.heard === "" && dialogue.phase === "OPENING";
    if (!isFirstWord) hear(dialogue, message.content);
    dialogue.heard = "";
  }
}

const SURE_CHARACTERS = 12;

/** Processes the agent's own message: the words that the person heard, and the tool calls. */
function hearOwn(dialogue: Dialogue, { content, toolCalls }: ModelMessage): void {
  for (const call of toolCalls ?? []) dialogue.calls.set(call.id, call);
  if (content === "") return;
  dialogue.hasSpoken = true;
  dialogue.updates = [];
  dialogue.leadWasSaid ||= dialogue.lead !== "" && content.includes(dialogue.lead.slice(0, SURE_CHARACTERS));
  dialogue.heard = `${dialogue.heard} ${content}`.trim();
}

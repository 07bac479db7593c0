import type { ModelMessage, OutputDefinition } from "#src/models/models.ts";
import { readBriefing } from "./briefing.ts";
import { createDialogue, type Dialogue } from "./dialogue.ts";
import { hear } from "./hear.ts";

interface Replayed {
  outputs: OutputDefinition[];
  language: string;
  count: number;
  last: ModelMessage | undefined;
  dialogue: Dialogue;
}

/**
 * Where each growing list of messages stood when it was last looked at, so that a turn costs one utterance and
 * not the whole conversation again. Only a short cut: without it the same state comes of a replay from the start.
 */
const replayed = new WeakMap<ModelMessage[], Replayed>();

/** The state of a conversation, derived from what was said. */
export function replay(messages: ModelMessage[], outputs: OutputDefinition[], language: string): Dialogue {
  let known = replayed.get(messages);
  if (!known || !isContinuation(known, messages, outputs, language)) {
    const dialogue = createDialogue(readBriefing(messages), outputs, language);
    known = { outputs, language, count: 0, last: undefined, dialogue };
    replayed.set(messages, known);
  }
  for (; known.count < messages.length; known.count++) {
    known.last = messages[known.count] as ModelMessage;
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
  const sameConversation = known.outputs === outputs && known.language === language;
  return sameConversation && (known.count === 0 || messages[known.count - 1] === known.last);
}

function takeIn(dialogue: Dialogue, message: ModelMessage): void {
  if (message.role === "ASSISTANT") {
    dialogue.heard = `${dialogue.heard} ${message.content}`.trim();
  } else if (message.role === "USER") {
    // Before the agent has said anything, "hello?" answers nothing.
    const isFirstWord = dialogue.heard === "" && dialogue.phase === "OPENING";
    if (!isFirstWord) hear(dialogue, message.content);
    dialogue.heard = "";
  }
}

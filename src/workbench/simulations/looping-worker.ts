import { runConversation } from "./judged-conversation.ts";
import { serveConversations } from "./worker-protocol.ts";

/**
 * A worker for tests that hangs in the conversation of seed 3 once the person has spoken, and dies in that of seed 4.
 */
serveConversations((job, seed, ports, signal) => {
  if (seed === 4) throw new Error("broken");
  const onTurn: typeof ports.onTurn = (turns) => {
    ports.onTurn?.(turns);
    for (; seed === 3 && turns.length === 2;);
  };
  return runConversation(job, seed, { ...ports, onTurn }, signal);
});

import { addToDoNotCall } from "#src/compliance/do-not-call.ts";
import type { ChatPorts } from "#src/conversation/chat-turn.ts";
import type { Database } from "#src/db/database.ts";
import { toError } from "#src/kernel/errors.ts";
import type { OpenModel } from "#src/language-models/open-model.ts";
import type { FindMessenger } from "#src/messengers/messenger.ts";
import type { TaskHandler } from "#src/queue/queue.ts";
import { validateAgainst } from "#src/structured-outputs/schema-check.ts";
import type { ChatRow } from "./chat-row.ts";

/** What the tasks of chats work with. */
export interface ChatParts {
  database: Database;
  openModel: OpenModel;
  findMessenger: FindMessenger;
}

/** The engine's view of the world in one chat. */
export async function portsOf({ database, openModel }: ChatParts, chat: ChatRow): Promise<ChatPorts> {
  return {
    model: await openModel(database.db, chat.workspace_id, chat.plan.model),
    now: () => new Date(),
    validate: validateAgainst,
    async addToDoNotCall() {
      if (chat.contact_phone === null) throw new Error("The chat has no phone number to put on the list.");
      await addToDoNotCall(database.db, chat.workspace_id, [chat.contact_phone], "SPOKEN_REFUSAL");
    },
  };
}

const LONGEST_PAUSE_MS = 60_000;

/**
 * A task that is put back by what it throws, however often it ran before: the queue gives up a task after a few runs,
 * and these run again and again by design.
 */
export function keepTrying(handler: TaskHandler): TaskHandler {
  return async (task, signal) => {
    try {
      return await handler(task, signal);
    } catch (thrown) {
      const afterMs = signal.aborted ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** Math.min(task.attempt, 10));
      return { kind: "RETRY", afterMs, error: toError(thrown).message };
    }
  };
}

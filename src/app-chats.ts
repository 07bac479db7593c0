import { DELIVER_TASK, FINISH_TASK, IDLE_TASK, TURN_TASK } from "#src/chats/chat-log.ts";
import { createDeliverHandler } from "#src/chats/deliver.ts";
import { createFinishHandler, createIdleHandler } from "#src/chats/finish.ts";
import { createSandboxLedger } from "#src/chats/message-store.ts";
import { keepTrying } from "#src/chats/parts.ts";
import { createTurnHandler } from "#src/chats/turn.ts";
import type { Database } from "#src/db/database.ts";
import type { FindMessenger } from "#src/messengers/messenger.ts";
import { createSandboxMessenger } from "#src/messengers/sandbox-messenger.ts";
import type { TaskHandler } from "#src/queue/queue.ts";
import type { Context } from "./context.ts";

/** The messengers of a process: the sandbox for what is simulated, and nobody else until an account is configured. */
export function createMessengers({ db }: Database): FindMessenger {
  const sandbox = createSandboxMessenger(createSandboxLedger(db));
  return (isSimulated) => (isSimulated ? sandbox : undefined);
}

/** What the tasks of chats need of the process. */
type ChatTaskParts = Pick<Context, "database" | "openModel" | "reach">;

/** The tasks of chats, by kind. */
export function createChatTasks({ database, openModel, reach }: ChatTaskParts): [string, TaskHandler][] {
  const parts = { database, openModel, reach, findMessenger: createMessengers(database) };
  return [
    [TURN_TASK, keepTrying(createTurnHandler(parts))],
    [DELIVER_TASK, keepTrying(createDeliverHandler(parts))],
    [FINISH_TASK, keepTrying(createFinishHandler(parts))],
    [IDLE_TASK, keepTrying(createIdleHandler(parts))],
  ];
}

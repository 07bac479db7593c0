import { DELIVER_TASK, FINISH_TASK, IDLE_TASK, TOOL_ANSWER_TASK, TURN_TASK } from "#src/interactions/chats/chat-log.ts";
import { createDeliverHandler } from "#src/interactions/chats/deliver.ts";
import { readEvents } from "#src/interactions/chats/event-store.ts";
import { ChatStreams } from "#src/interactions/chats/event-streams.ts";
import { createFinishHandler, createIdleHandler } from "#src/interactions/chats/finish.ts";
import { type ChatParts, keepTrying } from "#src/interactions/chats/parts.ts";
import { createSandboxLedger, createSandboxReply, SANDBOX_REPLY_TASK } from "#src/interactions/chats/sandbox-mail.ts";
import { createToolAnswerHandler } from "#src/interactions/chats/tool-answer.ts";
import { createTurnHandler } from "#src/interactions/chats/turn.ts";
import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import { findAccountId } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { TaskHandler } from "#src/platform/queue/queue.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import { createSandboxMessenger } from "#src/telephony/messaging/sandbox-messenger.ts";

/**
 * Creates the function that finds a chat's messenger: the sandbox for a simulated chat, else the account of our number.
 */
export function createFindMessenger({ db }: Database, accounts: CarrierAccountCache): FindMessenger {
  const sandbox = createSandboxMessenger(createSandboxLedger(db));
  return async ({ workspaceId, isSimulated, phoneNumberId }) => {
    if (isSimulated) return sandbox;
    const accountId = phoneNumberId === null ? null : await findAccountId(db, workspaceId, phoneNumberId);
    return accountId === null ? undefined : (await accounts.open(workspaceId, accountId))?.messenger;
  };
}

/** Creates the event streams of a process. */
export function createChatStreams({ db }: Database, log: Log): ChatStreams {
  return new ChatStreams((places) => readEvents(db, places), log);
}

/** Dependencies of the chat tasks. */
export interface ChatTaskParts extends ChatParts {
  chatStreams: ChatStreams;
}

/** Creates the handlers of the chat tasks, by kind. */
export function createChatTasks(parts: ChatTaskParts): [string, TaskHandler][] {
  const reported = (handler: TaskHandler): TaskHandler => {
    const kept = keepTrying(handler);
    return (task, signal) => kept(task, signal).finally(() => parts.chatStreams.wake());
  };
  return [
    [TURN_TASK, reported(createTurnHandler(parts))],
    [TOOL_ANSWER_TASK, reported(createToolAnswerHandler(parts))],
    [DELIVER_TASK, reported(createDeliverHandler(parts))],
    [FINISH_TASK, reported(createFinishHandler(parts))],
    [IDLE_TASK, reported(createIdleHandler(parts))],
    [SANDBOX_REPLY_TASK, reported(createSandboxReply(parts.database))],
  ];
}

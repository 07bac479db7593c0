import { all, type Database, type Executor, first, sql } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import type { InboundMessage } from "#src/telephony/messaging/messenger.ts";
import type { SandboxLedger, SandboxMessage } from "#src/telephony/messaging/sandbox-messenger.ts";
import { receiveInbound } from "./inbound.ts";

/** Task that sends a simulated person's reply. */
export const SANDBOX_REPLY_TASK = "sandbox.reply";

/** Record of the sandbox messenger, in the database so that every node shares it. */
export function createSandboxLedger(db: Executor): SandboxLedger {
  const find = (tx: Executor, workspaceId: string, messageId: string): Promise<SandboxMessage | undefined> =>
    first(
      tx,
      sql`select provider_message_id as "providerMessageId", channel, to_number as "to", speed,
            (extract(epoch from clock_timestamp() - taken_at) * 1000)::float8 as "ageMs"
          from sandbox_messages where workspace_id = ${workspaceId} and message_id = ${messageId}`,
    );
  return {
    find: (workspaceId, messageId) => find(db, workspaceId, messageId),
    record: (message, providerMessageId, reply) =>
      db.transaction().execute(async (tx) => {
        const { workspaceId, messageId, channel, from, to, sandboxSpeed } = message;
        const speed = sandboxSpeed === "instant" ? null : sandboxSpeed;
        const taken = await all(
          tx,
          sql`insert into sandbox_messages (workspace_id, message_id, provider_message_id, channel, to_number, speed)
              values (${workspaceId}, ${messageId}, ${providerMessageId}, ${channel}, ${to}, ${speed})
              on conflict do nothing returning message_id`,
        );
        if (reply && taken.length > 0) {
          const payload = { channel, from: to, to: from, text: reply.text };
          const dueAt = new Date(nowMs() + reply.afterMs);
          await addTask(tx, workspaceId, { kind: SANDBOX_REPLY_TASK, subjectId: messageId, payload, dueAt });
        }
        return (await find(tx, workspaceId, messageId)) as SandboxMessage;
      }),
  };
}

/** Delivers the simulated person's reply as a provider would. */
export function createSandboxReply({ db }: Pick<Database, "db">): TaskHandler {
  return async ({ workspaceId, subjectId, payload }) => {
    const { channel, from, to, text } = payload as unknown as Pick<InboundMessage, "channel" | "from" | "to" | "text">;
    const inbound = { channel, from, to, text, provider: "SANDBOX", providerMessageId: `SI-${subjectId}` };
    try {
      await db.transaction().execute((tx) => receiveInbound(tx, workspaceId, inbound));
    } catch (error) {
      // The number was released in the meantime, so nobody receives the reply.
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { kind: "DEAD", error: error.message };
    }
    return { kind: "DONE" };
  };
}

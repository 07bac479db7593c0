import { selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Database } from "#src/platform/db/database.ts";
import { Reply, type Route, route, UNSETTLED } from "#src/platform/http/route.ts";
import { E164, nullable, oneOf, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { ChatReply } from "./chat-session.ts";
import { MAX_TEXT } from "./chats.ts";
import { receiveInbound } from "./inbound.ts";
import { awaitAnswer } from "./waiting.ts";

const InboundMessageInput = Type.Object(
  {
    channel: oneOf(["SMS", "WHATSAPP"]),
    from: { ...E164, description: "Who writes; E.164." },
    to: Type.Optional(nullable({ ...E164, description: "One of the workspace's numbers. Unset: its default number." })),
    content: Type.String({ minLength: 1, maxLength: MAX_TEXT, pattern: "\\S" }),
    providerMessageId: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: "^[^\\u0000]*$",
          description: "A repeat of the same id is the same message. Unset: one is made up.",
        }),
      ),
    ),
  },
  { $id: "InboundMessage" },
);

/** Route that lets a person of the sandbox write to one of the workspace's numbers (extension). */
export function inboundRoute({ db }: Database, context: { wake(): void }): Route {
  return route({
    audience: "external",
    access: ["OUTBOUND_CHATS_TRIGGER"],
    tag: "Chat sessions",
    method: "POST",
    path: "/api/external/v1/chat-sessions/inbound-messages",
    summary: "Let a simulated person write an SMS or WhatsApp message (extension, SANDBOX workspaces only)",
    description:
      "What a provider does when somebody writes to one of your numbers: the open chat of the two numbers goes on, or a new one begins with the number's inbound flow. Returns the message and what was answered, waiting up to 20 s.",
    idempotent: true,
    body: InboundMessageInput,
    replies: { 200: ChatReply },
    async run({ tx, caller: { workspaceId }, body }) {
      const { mode } = await getWorkspace(tx, workspaceId);
      if (mode !== "SANDBOX")
        throw new AppError("CONFLICT", "Only a SANDBOX workspace takes messages that nobody sent.");
      const to = body.to ?? (await selectNumbers(tx, workspaceId, [], "to"))[0]?.number ?? "";
      const { id } = await receiveInbound(tx, workspaceId, {
        channel: body.channel,
        from: body.from,
        to,
        text: body.content,
        provider: "SANDBOX",
        providerMessageId: body.providerMessageId ?? `SI-${randomText(24)}`,
      });
      return new Reply(UNSETTLED, { messageId: id });
    },
    afterCommit: () => context.wake(),
    settle: (pointer, { caller }) => awaitAnswer(db, caller.workspaceId, (pointer as { messageId: string }).messageId),
  });
}

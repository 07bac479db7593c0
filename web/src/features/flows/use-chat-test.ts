import type { Chat, ChatMessage, ChatSession, Page } from "@parley/sdk";
import { useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";

const WATCH_MS = 2_000;

/** Start of a test chat: the flow's fields and the contact's name. */
interface ChatStart {
  fields: FlowFields;
  contactName: string;
}

/** Test chat with the form's flow; a parent of the chat box holds it so that it outlives the box. */
export type ChatTrial = ReturnType<typeof useChatTest>;

/** Runs a test chat with the form's flow, which need not be saved. */
export function useChatTest() {
  const [sessionId, setSessionId] = useState<string | null>(null);
  const [session, setSession] = useState<ChatSession | null>(null);
  const messagesPath = `/chat-sessions/${sessionId}/messages`;
  const isOpen = sessionId !== null && session?.endedAt === null;
  const messages = useRead<Page<ChatMessage>>(
    messagesPath,
    { size: 200 },
    { enabled: sessionId !== null, ...(isOpen ? { refreshMs: WATCH_MS } : {}) },
  );
  const start = useWrite<Chat, ChatStart>({
    failed: t`The chat did not begin`,
    method: "POST",
    path: "/outbound/chats",
    body: ({ fields, contactName }) => ({
      channel: "CHAT",
      flow: fields,
      contactName: contactName || null,
      idleTimeoutSeconds: 3_600,
    }),
  });
  const post = useWrite<Chat, string>({
    failed: t`The message was not sent`,
    method: "POST",
    path: messagesPath,
    body: (content) => ({ content }),
    refreshes: [messagesPath],
  });
  const close = useWrite<ChatSession, void>({
    failed: t`The chat was not ended`,
    method: "POST",
    path: `/chat-sessions/${sessionId}/close`,
    body: () => ({}),
  });
  return {
    session,
    isOpen,
    isBusy: start.isPending || post.isPending || close.isPending,
    isAnswering: start.isPending || post.isPending,
    pending: post.isPending ? post.variables : null,
    messages: sessionId === null ? [] : (messages.data?.content ?? []),
    async begin(trial: ChatStart) {
      setSession(null);
      setSessionId(null);
      const made = await start.mutateAsync(trial);
      setSession(made.session);
      setSessionId(made.session.id);
    },
    async say(text: string) {
      setSession((await post.mutateAsync(text)).session);
    },
    async end() {
      setSession(await close.mutateAsync());
      await messages.refetch();
    },
  };
}

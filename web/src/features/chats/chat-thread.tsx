import { Button, Text } from "@mantine/core";
import type { ChatMessage, ChatSession, Page as ListPage } from "@parley/sdk";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { inSentence, t } from "#web/i18n/t.ts";
import { formatName } from "#web/ui/format/format.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatLine } from "./chat-line.tsx";

const MESSAGES_A_PAGE = 100;

/** Messages of a chat, newest last, and the composer. */
export function ChatThread({ chat }: { chat: ChatSession }) {
  const path = `/chat-sessions/${chat.id}/messages`;
  const first = useRead<ListPage<ChatMessage>>(path, { page: 0, size: MESSAGES_A_PAGE });
  const [earlier, setEarlier] = useState(0);
  const last = Math.max(0, (first.data?.totalPages ?? 1) - 1);
  const page = Math.max(0, last - earlier);
  const read = useRead<ListPage<ChatMessage>>(
    path,
    { page, size: MESSAGES_A_PAGE },
    { enabled: first.data !== undefined },
  );
  const [sending, setSending] = useState<string | null>(null);
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  const messages = read.data?.content;
  if (!messages) {
    return (
      <div className="inbox-waiting">
        <NotLoaded read={first} />
      </div>
    );
  }
  return (
    <>
      <Lines count={messages.length + Number(sending !== null)}>
        {page > 0 && (
          <Button variant="subtle" size="xs" onClick={() => setEarlier(earlier + 1)}>
            {t`Show earlier messages`}
          </Button>
        )}
        {messages.map((message) => (
          <ChatLine key={message.id} message={message} assignee={chat.handoff.assignee} />
        ))}
        {messages.length === 0 && (
          <Text fz="sm" c="dimmed" p="md">
            {t`Nothing has been written yet.`}
          </Text>
        )}
        {page < last && (
          <Button variant="subtle" size="xs" onClick={() => setEarlier(earlier - 1)}>
            {t`Show later messages`}
          </Button>
        )}
        {sending !== null && <div className="bubble bubble-waiting">{sending}</div>}
      </Lines>
      {mayChat && chat.actions.includes("write") && <ChatComposer chat={chat} onSending={setSending} />}
      {chat.endedAt !== null && (
        <Text className="inbox-foot" fz="sm" c="dimmed">
          {t`The chat is over${chat.endReason === null ? "" : `: ${inSentence(formatName(chat.endReason))}`}. Nobody can write in it any more.`}
        </Text>
      )}
    </>
  );
}

/** Keeps the newest message in sight. */
function Lines({ count, children }: { count: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [count]);
  return (
    <div ref={box} className="inbox-lines" role="log" aria-label={t`Messages`} tabIndex={0}>
      {children}
    </div>
  );
}

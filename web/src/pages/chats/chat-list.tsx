import { Group, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { formatAgo } from "#web/format/format.ts";
import { Pager, type PagerState } from "#web/table/pager.tsx";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { toneOf, TONE_COLOR } from "#web/ui/statuses.ts";
import { ChannelBadge } from "./channel-badge.tsx";
import { type Chat, isOpen, type ListedChat, personOf } from "./chat.ts";

/** The chats that the filters let through, the newest first. */
export function ChatList(props: {
  chats: ListedChat[] | undefined;
  opened: string | null;
  hrefOf: (id: string) => string;
  pager: PagerState;
}) {
  const { chats, opened, hrefOf, pager } = props;
  return (
    <section className="inbox-list" aria-label="Chats">
      {chats === undefined && <LoadingBars />}
      <ul className="chat-entries">
        {chats?.map((chat) => (
          <li key={chat.id}>
            <ChatEntry chat={chat} isHere={chat.id === opened} href={hrefOf(chat.id)} />
          </li>
        ))}
      </ul>
      {chats?.length === 0 && (
        <Text fz="sm" c="dimmed" p="md">
          No other chat fits these filters.
        </Text>
      )}
      {pager.total > pager.size && <Pager {...pager} />}
    </section>
  );
}

function ChatEntry({ chat, isHere, href }: { chat: ListedChat; isHere: boolean; href: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: "nearest" });
  }, [isHere]);
  return (
    <Link ref={link} href={href} className="chat-entry" aria-current={isHere ? "true" : undefined}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text component="bdi" fz="sm" fw={isOpen(chat) ? 600 : 450} truncate>
          {personOf(chat)}
        </Text>
        <Text component="span" fz="xs" c="dimmed" className="chat-when">
          {formatAgo(chat.lastMessageAt ?? chat.createdAt)}
        </Text>
      </Group>
      {chat.lastMessage !== null && (
        <Text component="bdi" dir="auto" display="block" fz="xs" c="dimmed" truncate mt={3}>
          {WHO[chat.lastMessage.role]}
          {chat.lastMessage.content}
        </Text>
      )}
      <Group justify="space-between" wrap="nowrap" gap="xs" mt={6}>
        <ChannelBadge channel={chat.channel} />
        <State chat={chat} />
      </Group>
    </Link>
  );
}

const WHO = { USER: "", ASSISTANT: "Agent: ", AGENT: "Operator: " } as const;

const STATES: Record<string, string> = {
  ACTIVE: "agent answers",
  HANDED_OFF: "operator answers",
  CLOSED: "closed",
  EXPIRED: "expired",
  FAILED: "failed",
};

function State({ chat }: { chat: Chat }) {
  return (
    <Group gap={6} wrap="nowrap" className="chat-when">
      <span className="dot" style={{ color: `var(--mantine-color-${TONE_COLOR[toneOf(chat.status)]}-6)` }} />
      <Text component="span" fz="xs" c="dimmed">
        {STATES[chat.status] ?? chat.status}
      </Text>
    </Group>
  );
}

import { Checkbox, Group, Text } from "@mantine/core";
import type { ChatSession } from "@parley/sdk";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { formatAgo } from "#web/ui/format/format.ts";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { markOf, toneOf } from "#web/ui/statuses.ts";
import type { BulkAction, BulkBar as BulkBarType } from "#web/ui/table/bulk-bar.tsx";
import { Pager, type PagerState } from "#web/ui/table/pager.tsx";
import { Words } from "#web/ui/words.tsx";
import { ChannelBadge } from "./channel-badge.tsx";
import { type ListedChat, personOf } from "./chat.ts";
import { UndeliveredBadge } from "./undelivered-badge.tsx";

const BulkBar = lazy(async () => ({
  default: (await import("#web/ui/table/bulk-bar.tsx")).BulkBar,
})) as typeof BulkBarType;

/** The chats that match the filters, newest first. */
export function ChatList(props: {
  chats: ListedChat[] | undefined;
  opened: string | null;
  hrefOf: (id: string) => string;
  pager: PagerState;
  /** Actions for several chats; when empty, chats cannot be selected. */
  bulkActions: BulkAction<ListedChat>[];
}) {
  const { chats, opened, hrefOf, pager, bulkActions } = props;
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const chosen = chats?.filter(({ id }) => selected.has(id)) ?? [];
  const toggle = (id: string) => select((before) => toggled(before, id));
  return (
    <section className="inbox-list" aria-label={t`Chats`}>
      {chats === undefined && <LoadingBars />}
      <Suspense fallback={null}>
        {chosen.length > 0 && (
          <BulkBar rows={chosen} actions={bulkActions} select={(rows) => select(new Set(rows.map(({ id }) => id)))} />
        )}
      </Suspense>
      <ul className="chat-entries">
        {chats?.map((chat) => (
          <li key={chat.id} className="chat-row">
            {bulkActions.length > 0 && (
              <Checkbox
                size="xs"
                className="chat-tick"
                aria-label={t`Select the chat with ${personOf(chat)}`}
                checked={selected.has(chat.id)}
                onChange={() => toggle(chat.id)}
              />
            )}
            <ChatEntry chat={chat} isHere={chat.id === opened} href={hrefOf(chat.id)} />
          </li>
        ))}
      </ul>
      {chats?.length === 0 && (
        <Text fz="sm" c="dimmed" p="md">
          {t`No other chat fits these filters.`}
        </Text>
      )}
      {(pager.totals?.totalElements ?? 0) > pager.size && <Pager {...pager} />}
    </section>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

function ChatEntry({ chat, isHere, href }: { chat: ListedChat; isHere: boolean; href: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: "nearest" });
  }, [isHere]);
  return (
    <Link ref={link} href={href} className="chat-entry" aria-current={isHere ? "true" : undefined}>
      <Group justify="space-between" gap="0 8px">
        <Text component="span" fz="sm" fw={chat.endedAt === null ? 600 : 450} truncate>
          <Phone number={personOf(chat)} />
        </Text>
        <Text component="span" fz="xs" c="dimmed" className="chat-when">
          {formatAgo(chat.lastMessageAt ?? chat.createdAt)}
        </Text>
      </Group>
      {chat.lastMessage !== null && (
        <Text component={Words} dir="auto" display="block" fz="xs" c="dimmed" truncate mt={3}>
          {WHO[chat.lastMessage.role]}
          {chat.lastMessage.content}
        </Text>
      )}
      {chat.lastMessage !== null && <UndeliveredBadge message={chat.lastMessage} />}
      <Group justify="space-between" gap="4px 8px" mt={6}>
        <ChannelBadge channel={chat.channel} />
        <State chat={chat} />
      </Group>
    </Link>
  );
}

const WHO = { USER: "", ASSISTANT: t`Agent: `, AGENT: t`Operator: ` } as const;

const STATES: Record<string, string> = {
  ACTIVE: t`agent answers`,
  HANDED_OFF: t`operator answers`,
  CLOSED: t`closed`,
  EXPIRED: t`expired`,
  FAILED: t`failed`,
};

/** Shown instead of the state while somebody who asked for a human has got none. */
const ASKED: Record<string, string> = { WAITING: t`waits for a human`, REQUESTED: t`asked for a human` };

function State({ chat }: { chat: ChatSession }) {
  return (
    <Group gap={6} wrap="nowrap" className="chat-when">
      <span className="dot" style={{ color: markOf(toneOf(chat.status)) }} />
      <Text component="span" fz="xs" c="dimmed">
        {(chat.endedAt === null ? ASKED[chat.handoff.state] : undefined) ?? STATES[chat.status] ?? chat.status}
      </Text>
    </Group>
  );
}

import { Box, Button, Paper } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import type { ChatSession, Page as ListPage } from "@parley/sdk";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useSearchParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { useLastPage } from "#web/ui/table/pager.tsx";
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { CHAT_COLUMNS } from "./chat-columns.ts";
import { ChatList } from "./chat-list.tsx";
import { ChatPane } from "./chat-pane.tsx";
import { CHAT_FILTERS, type ListedChat, toChatQuery } from "./chat.ts";
import "./chats.css";

const StartChatDrawer = lazy(async () => ({ default: (await import("./start-chat-drawer.tsx")).StartChatDrawer }));
const PATH = "/chat-sessions";
const CHATS_A_PAGE = 30;

/** The inbox: chats at the left, messages in the middle, contact and details at the right. */
export function ChatsPage() {
  const filters = useUrlFilters(CHAT_FILTERS.map(({ name }) => name));
  const query = toChatQuery(filters.values);
  const read = useRead<ListPage<ListedChat>>(PATH, { ...query, page: filters.page, size: CHATS_A_PAGE });
  const [params, setParams] = useSearchParams();
  const [isStarting, start] = useDisclosure(false);
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  const close = useCloseChats();
  const chats = read.data?.content;
  const opened = useShownChat(
    params.get("chat"),
    read.isPlaceholderData ? undefined : chats,
    JSON.stringify([query, filters.page]),
  );
  const isChosen = params.has("chat");
  const open = (id: string | null, isReplacing = false) =>
    setParams((before) => withChat(before, id), { replace: isReplacing });
  const move = (step: number) => {
    const next = neighbour(chats ?? [], opened, step);
    if (next !== null) open(next, true);
  };
  useInboxKeys(move, mayChat ? start.open : null);
  const startButton = mayChat && <StartButton start={start.open} isBesideList={isChosen} />;
  const { page, setPage } = filters;
  const pager = { page, size: CHATS_A_PAGE, totals: read.data, setPage };
  useLastPage(pager, chats?.length === 0);
  return (
    <Page title={t`Chats`} lead={t`What your agents write with people, on every channel.`} actions={startButton}>
      <Box {...(isChosen ? { visibleFrom: "sm" as const } : {})}>
        <FilterBar screen="chats" staysWhenEmpty filters={CHAT_FILTERS} {...filters}>
          <ExportButton path={PATH} query={query} columns={CHAT_COLUMNS} fileName="chats.csv" />
        </FilterBar>
      </Box>
      <ReadFault read={read} />
      {chats?.length === 0 && opened === null ? (
        <Paper withBorder>
          <NoChats isFiltered={Object.keys(filters.values).length > 0} action={startButton} />
        </Paper>
      ) : (
        <Paper withBorder className="inbox" data-open={opened !== null || undefined}>
          <ChatList
            chats={chats}
            opened={opened}
            hrefOf={(id) => `/chats?${withChat(params, id).toString()}`}
            pager={pager}
            bulkActions={mayChat ? [close] : []}
          />
          <ChatPane key={opened} chatId={opened} close={() => open(null)} />
        </Paper>
      )}
      <Suspense fallback={null}>
        {isStarting && <StartChatDrawer close={start.close} onStarted={(id) => open(id)} />}
      </Suspense>
    </Page>
  );
}

/** Starts a chat; on a phone it is hidden while a chat covers the list. */
function StartButton({ start, isBesideList }: { start: () => void; isBesideList: boolean }) {
  return (
    <Button
      leftSection={<Icon name="plus" />}
      onClick={start}
      {...(isBesideList ? { visibleFrom: "sm" as const } : {})}
    >
      {t`Start a chat`}
    </Button>
  );
}

/**
 * Returns the chat beside the list: the chosen one or, where both have room, the first. That one stays while newer chats
 * arrive, until the list is filtered anew.
 */
function useShownChat(chosen: string | null, chats: ListedChat[] | undefined, list: string): string | null {
  const hasRoom = useMediaQuery("(min-width: 48em)", undefined, { getInitialValueInEffect: false });
  const [first, setFirst] = useState<{ list: string; id: string } | null>(null);
  const found = chats?.[0]?.id;
  if (found !== undefined && first?.list !== list) setFirst({ list, id: found });
  if (chosen !== null || !hasRoom) return chosen;
  return first?.list === list ? first.id : null;
}

function useCloseChats(): BulkAction<ListedChat> {
  const make = useBulkWrites<ListedChat>();
  return make({
    label: t`Close`,
    icon: "stop",
    isDangerous: true,
    method: "POST",
    path: ({ id }) => `${PATH}/${id}/close`,
    refreshes: [PATH],
    only: ({ actions }) => actions.includes("close"),
    question: {
      title: (count) => t`Close ${count}?`,
      counted: (count) => plural(count, "{n} chat", "{n} chats"),
      action: t`Close chats`,
      body: t`Nobody can write in them any more, and their structured outputs are filled.`,
    },
  });
}

function useInboxKeys(move: (step: number) => void, start: (() => void) | null): void {
  useShortcutKeys([
    { keys: "j", label: t`Next chat`, group: t`Chats`, run: () => move(1) },
    { keys: "k", label: t`Chat before`, group: t`Chats`, run: () => move(-1) },
    ...(start ? [{ keys: "n", label: t`Start a chat`, group: t`Chats`, run: start }] : []),
  ]);
}

function NoChats({ isFiltered, action }: { isFiltered: boolean; action: ReactNode }) {
  return (
    <EmptyState
      icon="chat"
      title={isFiltered ? t`No chat fits these filters` : t`No open chats`}
      action={action}
      docs="/docs/guides/chats"
    >
      {isFiltered
        ? t`Take a filter away, or look at all chats.`
        : t`Chats appear here as they begin. Start one to write with your agent as a visitor would.`}
    </EmptyState>
  );
}

/** Query of the address that shows a chat beside the list. */
function withChat(params: URLSearchParams, id: string | null): URLSearchParams {
  const after = new URLSearchParams(params);
  after.delete("chat");
  if (id !== null) after.set("chat", id);
  return after;
}

function neighbour(chats: ChatSession[], opened: string | null, step: number): string | null {
  const at = chats.findIndex(({ id }) => id === opened);
  const next = at < 0 ? 0 : Math.max(0, Math.min(chats.length - 1, at + step));
  return chats[next]?.id ?? null;
}

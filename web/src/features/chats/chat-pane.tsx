import { ActionIcon, Drawer, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ChatSession } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { ChannelBadge } from "./channel-badge.tsx";
import { ChatActions } from "./chat-actions.tsx";
import { ChatDetails } from "./chat-details.tsx";
import { ChatThread } from "./chat-thread.tsx";
import { personOf } from "./chat.ts";

/** A chat: its messages, with the contact's details beside them. */
export function ChatPane({ chatId, close }: { chatId: string | null; close: () => void }) {
  if (chatId === null) {
    return (
      <section className="inbox-none" aria-label={t`Chat`}>
        <Stack align="center" gap={6}>
          <Icon name="chat" size={28} />
          <Text fz="sm" c="dimmed">
            {t`Choose a chat, or walk through them with J and K.`}
          </Text>
        </Stack>
      </section>
    );
  }
  return <OpenedChat chatId={chatId} close={close} />;
}

function OpenedChat({ chatId, close }: { chatId: string; close: () => void }) {
  const read = useRead<ChatSession>(`/chat-sessions/${chatId}`);
  const [isDetailed, details] = useDisclosure(false);
  const chat = read.data?.id === chatId ? read.data : undefined;
  if (!chat) {
    return (
      <section className="inbox-thread" aria-label={t`Chat`}>
        <div className="inbox-waiting">
          <NotLoaded read={read} />
        </div>
      </section>
    );
  }
  return (
    <>
      <section className="inbox-thread" aria-label={t`Chat with ${personOf(chat)}`}>
        <Group className="inbox-head" justify="space-between" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <ActionIcon variant="subtle" color="gray" hiddenFrom="sm" aria-label={t`Back to the list`} onClick={close}>
              <Icon name="left" />
            </ActionIcon>
            <Stack gap={2} miw={0}>
              <Text component="span" fw={600} fz="sm" truncate>
                <Phone number={personOf(chat)} />
              </Text>
              <Group gap={6}>
                <ChannelBadge channel={chat.channel} />
                <StatusBadge status={chat.status} />
              </Group>
            </Stack>
          </Group>
          <Group gap="xs">
            <ChatActions chat={chat} />
            <ActionIcon
              variant="default"
              size={30}
              className="inbox-info"
              aria-label={t`Details of the chat`}
              onClick={details.open}
            >
              <Icon name="info" />
            </ActionIcon>
          </Group>
        </Group>
        <ChatThread chat={chat} />
      </section>
      <aside className="inbox-details" aria-label={t`Details`}>
        <ChatDetails chat={chat} />
      </aside>
      <Drawer opened={isDetailed} onClose={details.close} position="right" size={360} title={t`Details`}>
        <ChatDetails chat={chat} />
      </Drawer>
    </>
  );
}

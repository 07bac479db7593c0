import { ActionIcon, Group, SegmentedControl, Text, Textarea } from "@mantine/core";
import type { ChatSession } from "@parley/sdk";
import { type KeyboardEvent, useRef, useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { keepUnsaved, readUnsaved } from "#web/ui/form/unsaved.ts";
import { Icon } from "#web/ui/icon.tsx";
import { isComposing } from "#web/ui/keyboard/composing.ts";
import { useListedKeys, useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";

const LONGEST = 4_000;
type Side = "AGENT" | "USER";

function useComposerKeys(write: () => void): void {
  useShortcutKeys([{ keys: "r", label: t`Write`, group: t`Chats`, run: write }]);
  useListedKeys([
    { keys: "Enter", label: t`Send what is written`, group: t`Chats` },
    { keys: "Shift Enter", label: t`New line`, group: t`Chats` },
  ]);
}

/** Text box of the operator; in a simulated chat also of the person. The text stays until it is sent. */
export function ChatComposer({ chat, onSending }: { chat: ChatSession; onSending: (text: string | null) => void }) {
  const canBePerson = chat.cost.simulated;
  const isManual = chat.mode === "MANUAL";
  const [side, setSide] = useState<Side>(canBePerson && !isManual ? "USER" : "AGENT");
  const box = useRef<HTMLTextAreaElement>(null);
  const { text, setText, send, isSending } = useSending(chat, side, onSending);
  useComposerKeys(() => box.current?.focus());
  const isReady = side === "USER" || isManual;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    if (isReady) send();
  };
  return (
    <div className="inbox-foot">
      {canBePerson && (
        <Group gap="xs" mb={8}>
          <Text component="span" fz="xs" c="dimmed">
            {t`Write as`}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t`Write as`}
            value={side}
            onChange={(value) => setSide(value as Side)}
            data={[
              { value: "USER", label: t`Person (simulated)` },
              { value: "AGENT", label: t`Operator` },
            ]}
          />
        </Group>
      )}
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <Textarea
          ref={box}
          className="inbox-write"
          aria-label={side === "USER" ? t`Message of the person` : t`Message`}
          placeholder={placeholderOf(side, isReady)}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={LONGEST}
          value={text}
          disabled={!isReady}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ActionIcon
          size={36}
          aria-label={t`Send`}
          loading={isSending}
          disabled={!isReady || text.trim() === ""}
          onClick={send}
        >
          <Icon name="send" />
        </ActionIcon>
      </Group>
    </div>
  );
}

function placeholderOf(side: Side, isReady: boolean): string {
  if (!isReady) return t`The agent answers. Take over to write yourself.`;
  return side === "USER" ? t`Write what the person would …` : t`Write as the operator …`;
}

function useSending(chat: ChatSession, side: Side, onSending: (text: string | null) => void) {
  const keptAs = `chat:${chat.id}`;
  const readKept = () => readUnsaved<string>(keptAs) ?? "";
  const [text, change] = useState(readKept);
  const setText = (next: string) => {
    keepUnsaved(keptAs, next);
    change(next);
  };
  const write = useWrite<unknown, { content: string; role: Side; clientMessageId: string }>({
    failed: t`The message was not sent`,
    method: "POST",
    path: `/chat-sessions/${chat.id}/messages`,
    refreshes: ["/chat-sessions"],
  });
  const send = () => {
    const content = text;
    if (content.trim() === "" || write.isPending) return;
    setText("");
    onSending(content);
    // The promise reports the result, even when another chat was opened meanwhile.
    write
      .mutateAsync({ content, role: side, clientMessageId: crypto.randomUUID() })
      .catch((error: unknown) => {
        // No text is lost, including text typed meanwhile.
        const later = readKept();
        setText(later === "" ? content : `${content}\n${later}`);
        showFault(error);
      })
      .finally(() => onSending(null));
  };
  return { text, setText, send, isSending: write.isPending };
}

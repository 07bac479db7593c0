import { Button } from "@mantine/core";
import type { ChatAction, ChatSession } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { useUser } from "#web/api/session.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";

/** Actions to take a chat over, return it to the agent, and close it. */
export function ChatActions({ chat }: { chat: ChatSession }) {
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  return mayChat && chat.actions.length > 0 ? <OpenActions chat={chat} /> : null;
}

/** Buttons that change who answers; the shortcut runs the first that is offered. */
const STEPS = [
  { action: "takeOver", label: t`Take over`, variant: "filled" },
  { action: "handBack", label: t`Hand back`, variant: "default" },
] as const;

function useChatWrites({ id }: ChatSession) {
  const { name } = useUser();
  const path = `/chat-sessions/${id}`;
  const refreshes = ["/chat-sessions"];
  const assignee = encodeURIComponent(name.slice(0, 200));
  const takeOver = useWrite({
    failed: t`The chat was not taken over`,
    method: "POST",
    path: `${path}/take-over?assignee=${assignee}`,
    refreshes,
  });
  const handBack = useWrite({
    failed: t`The chat was not handed back`,
    method: "POST",
    path: `${path}/hand-back`,
    refreshes,
  });
  const close = useWrite({ failed: t`The chat was not closed`, method: "POST", path: `${path}/close`, refreshes });
  return { takeOver, handBack, close };
}

function OpenActions({ chat }: { chat: ChatSession }) {
  const ask = useConfirm();
  const { actions } = chat;
  const { takeOver, handBack, close } = useChatWrites(chat);
  const change = (step: ChatAction) =>
    step === "takeOver"
      ? notifyResult(takeOver.mutateAsync(), t`You answer now; the agent is silent.`)
      : notifyResult(handBack.mutateAsync(), t`The agent answers again.`);
  const steps = STEPS.filter(({ action }) => actions.includes(action));
  const end = async () => {
    const isSure = await ask({
      title: t`Close this chat?`,
      body: t`Nobody can write in it any more, and its structured outputs are filled.`,
      action: t`Close chat`,
      isDangerous: true,
    });
    if (!isSure) return;
    notifyResult(close.mutateAsync(), t`The chat is closed.`);
  };
  const [first] = steps;
  useShortcutKeys([
    ...(first
      ? [{ keys: "t", label: t`Take over or hand back`, group: t`Chats`, run: () => change(first.action) }]
      : []),
    ...(actions.includes("close")
      ? [{ keys: "e", label: t`Close the chat`, group: t`Chats`, run: () => void end() }]
      : []),
  ]);
  return (
    <>
      {steps.map(({ action, label, variant }) => (
        <Button
          key={action}
          size="xs"
          variant={variant}
          loading={takeOver.isPending || handBack.isPending}
          onClick={() => change(action)}
        >
          {label}
        </Button>
      ))}
      {actions.includes("close") && (
        <Button size="xs" variant="default" loading={close.isPending} onClick={() => void end()}>
          {t`Close`}
        </Button>
      )}
    </>
  );
}

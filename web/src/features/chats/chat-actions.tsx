import { Button } from "@mantine/core";
import type { ChatSession } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { useUser } from "#web/api/session.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { isOpen } from "./chat.ts";

/** Actions to take a chat over, return it to the agent, and close it. */
export function ChatActions({ chat }: { chat: ChatSession }) {
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  return mayChat && isOpen(chat) ? <OpenActions chat={chat} /> : null;
}

function OpenActions({ chat }: { chat: ChatSession }) {
  const { name } = useUser();
  const ask = useConfirm();
  const path = `/chat-sessions/${chat.id}`;
  const refreshes = ["/chat-sessions"];
  const assignee = encodeURIComponent(name.slice(0, 200));
  const takeOver = useWrite({
    failed: "The chat was not taken over",
    method: "POST",
    path: `${path}/take-over?assignee=${assignee}`,
    refreshes,
  });
  const handBack = useWrite({
    failed: "The chat was not handed back",
    method: "POST",
    path: `${path}/hand-back`,
    refreshes,
  });
  const close = useWrite({ failed: "The chat was not closed", method: "POST", path: `${path}/close`, refreshes });
  const isManual = chat.mode === "MANUAL";
  const change = () => {
    const write = isManual ? handBack : takeOver;
    const done = isManual ? "The agent answers again." : "You answer now; the agent is silent.";
    notifyResult(write.mutateAsync(), done);
  };
  const end = async () => {
    const isSure = await ask({
      title: "Close this chat?",
      body: "Nobody can write in it any more, and its structured outputs are filled.",
      action: "Close chat",
      isDangerous: true,
    });
    if (!isSure) return;
    notifyResult(close.mutateAsync(), "The chat is closed.");
  };
  const label = isManual ? "Hand back" : "Take over";
  useShortcutKeys([
    { keys: "t", label: "Take over or hand back", group: "Chats", run: change },
    { keys: "e", label: "Close the chat", group: "Chats", run: () => void end() },
  ]);
  return (
    <>
      <Button
        size="xs"
        variant={isManual ? "default" : "filled"}
        loading={takeOver.isPending || handBack.isPending}
        onClick={change}
      >
        {label}
      </Button>
      <Button size="xs" variant="default" loading={close.isPending} onClick={() => void end()}>
        Close
      </Button>
    </>
  );
}

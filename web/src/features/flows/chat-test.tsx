import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { ChatMessage } from "@parley/sdk";
import { useEffect, useRef, useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import { TestLine } from "#web/domain/call/test-line.tsx";
import { FoundFields } from "#web/domain/flow/found-fields.tsx";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { RunTrail } from "./stages/run-trail.tsx";
import type { TestProps } from "./test-props.ts";
import type { ChatTrial } from "./use-chat-test.ts";

/** Test chat with its tool calls; after the end, it shows the extracted fields. */
export function ChatTest({ chat, fields, contactName, showRun }: TestProps & { chat: ChatTrial }) {
  const [fault, setFault] = useState<string | null>(null);
  const notify = useFaultNotice();
  const attempt = (work: Promise<void>) => {
    setFault(null);
    return work.catch((error: unknown) => notify(error, () => setFault(explainError(error))));
  };
  const begin = () => void attempt(chat.begin({ fields, contactName }));
  const hasEnded = chat.session !== null && !chat.isOpen;
  if (chat.session === null && !chat.isBusy) {
    return (
      <Stack align="flex-start" gap="sm">
        <FormFault fault={fault} />
        <Text fz="sm" c="dimmed">
          {t`Type with the flow as it stands in the form, saved or not. Tools do run, so use test data.`}
        </Text>
        <Button leftSection={<Icon name="chat" />} onClick={begin}>
          {t`Start a chat`}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <FormFault fault={fault} />
      <ChatLog messages={chat.messages} pending={chat.pending ?? null} isAnswering={chat.isAnswering} />
      {chat.session && <RunTrail path={chat.session.stagePath} isOver={hasEnded} showRun={showRun} />}
      {chat.isOpen && <SayForm isBusy={chat.isBusy} say={(text) => attempt(chat.say(text))} />}
      {hasEnded && <FoundFields outputs={chat.session?.structuredOutputs ?? null} />}
      <Group justify="space-between">
        <Button size="compact-sm" variant="default" leftSection={<Icon name="refresh" size={14} />} onClick={begin}>
          {t`Start over`}
        </Button>
        {chat.isOpen && (
          <Button size="compact-sm" variant="default" disabled={chat.isBusy} onClick={() => void attempt(chat.end())}>
            {t`End and extract`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function ChatLog(props: { messages: ChatMessage[]; pending: string | null; isAnswering: boolean }) {
  const { messages, pending, isAnswering } = props;
  const box = useRef<HTMLDivElement>(null);
  const isPendingShown =
    pending !== null && !messages.some(({ role, content }) => role === "USER" && content === pending);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [messages.length, isAnswering]);
  return (
    <div ref={box} className="test-log" role="log" aria-label={t`Chat with the flow`} tabIndex={0}>
      {messages.map(({ id, role, content }) => (
        <TestLine key={id} speaker={role} content={content} />
      ))}
      {isPendingShown && <TestLine speaker="USER" content={pending} />}
      {isAnswering && (
        <div className="typing" aria-label={t`The agent is writing`}>
          <span />
          <span />
          <span />
        </div>
      )}
    </div>
  );
}

function SayForm({ isBusy, say }: { isBusy: boolean; say: (text: string) => Promise<void> }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const send = async () => {
    if (text.trim() === "" || isBusy) return;
    setText("");
    await say(text);
    field.current?.focus();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextInput
        ref={field}
        aria-label={t`Message`}
        placeholder={t`Answer as the customer would …`}
        maxLength={4_000}
        autoComplete="off"
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={
          <ActionIcon type="submit" variant="subtle" aria-label={t`Send`} disabled={isBusy || text.trim() === ""}>
            <Icon name="up" />
          </ActionIcon>
        }
      />
    </form>
  );
}

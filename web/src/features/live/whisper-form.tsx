import { ActionIcon, Group, Text, TextInput } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { type FormEvent, useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showDone, notifyResult } from "#web/api/undo.tsx";
import { Icon } from "#web/ui/icon.tsx";

const LONGEST = 1_000;

/** Form for a note to the agent that the person on the line does not hear. */
export function WhisperForm({ call }: { call: CallRow }) {
  const { id: rowId, status, transcript } = call;
  const isTalking = status === "IN_PROGRESS";
  const [text, setText] = useState("");
  const [sent, setSent] = useState<string[]>([]);
  const write = useWrite<unknown, { text: string }>({
    failed: "The agent was not told",
    method: "POST",
    path: `/call-rows/${rowId}/whisper`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "" || write.isPending) return;
    notifyResult(write.mutateAsync({ text }), () => {
      // Text typed meanwhile stays.
      setText((now) => (now === text ? "" : now));
      setSent((before) => [...before, text.trim()]);
      showDone("The agent heeds it from its next turn on.");
    });
  };
  return (
    <form className="live-foot" onSubmit={submit}>
      <Unread sent={sent} read={transcript.flatMap(({ whisper, content }) => (whisper ? [content] : []))} />
      <Group gap="xs" wrap="nowrap">
        <TextInput
          className="live-whisper"
          aria-label="Whisper to the agent"
          placeholder={isTalking ? "Whisper to the agent …" : "Whisper to the agent once somebody answers"}
          leftSection={<Icon name="note" />}
          disabled={!isTalking}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
        />
        <ActionIcon
          type="submit"
          size={36}
          aria-label="Whisper"
          loading={write.isPending}
          disabled={!isTalking || text.trim() === ""}
        >
          <Icon name="send" />
        </ActionIcon>
      </Group>
    </form>
  );
}

/** Notes that the agent has not read yet; read ones are in the transcript. */
function Unread({ sent, read }: { sent: string[]; read: string[] }) {
  const waiting = sent.filter((note, index) => {
    const countBefore = sent.slice(0, index + 1).filter((other) => other === note).length;
    return read.filter((other) => other === note).length < countBefore;
  });
  return waiting.map((note, index) => (
    <Text key={index} fz="xs" c="dimmed" mb={6} lineClamp={2}>
      Waits for the agent's next turn: <bdi>{note}</bdi>
    </Text>
  ));
}

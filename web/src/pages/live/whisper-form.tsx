import { ActionIcon, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { Icon } from "#web/ui/icon.tsx";

const LONGEST = 1_000;

/** A note to the agent that the person on the line does not hear. */
export function WhisperForm({ rowId, isTalking }: { rowId: string; isTalking: boolean }) {
  const [text, setText] = useState("");
  const write = useWrite<unknown, { text: string }>({ method: "POST", path: `/call-rows/${rowId}/whisper` });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "" || write.isPending) return;
    write.mutate(
      { text },
      {
        onSuccess() {
          // What was typed meanwhile stays.
          setText((now) => (now === text ? "" : now));
          showDone("The agent heeds it from its next turn on.");
        },
        onError: (error) => showFault(error, "The agent was not told"),
      },
    );
  };
  return (
    <form className="live-foot" onSubmit={submit}>
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

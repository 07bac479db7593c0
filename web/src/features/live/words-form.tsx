import { ActionIcon, Group, SegmentedControl, Text, TextInput } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { type FormEvent, useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showDone, notifyResult } from "#web/api/undo.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { useDialogState } from "#web/ui/form/unsaved.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Words } from "#web/ui/words.tsx";

const LONGEST = 1_000;

/** Listeners of typed words: the agent alone, or the person. */
export type Kind = "WHISPER" | "SAY";

const KINDS: Record<Kind, { label: string; field: string; send: string; path: string; failed: string; done: string }> =
  {
    WHISPER: {
      label: t`Whisper`,
      field: t`Whisper to the agent`,
      send: t`Whisper`,
      path: "whisper",
      failed: t`The agent did not get the note`,
      done: t`The agent heeds it from its next turn on.`,
    },
    SAY: {
      label: t`Say aloud`,
      field: t`Say to the person`,
      send: t`Say`,
      path: "say",
      failed: t`The words are not said`,
      done: t`The agent's voice says it next.`,
    },
  };

/** Form for words to a live call: a note that only the agent gets, or words that the agent's voice says aloud. */
export function WordsForm({ call }: { call: CallRow }) {
  const [kind, setKind] = useState<Kind>("WHISPER");
  const [sent, setSent] = useState<string[]>([]);
  return (
    <div className="live-foot">
      <Unread sent={sent} read={call.transcript.flatMap(({ whisper, content }) => (whisper ? [content] : []))} />
      <WordsFields
        rowId={call.id}
        isTalking={call.status === "IN_PROGRESS"}
        kind={kind}
        setKind={setKind}
        onWhispered={(text) => setSent((before) => [...before, text])}
      />
    </div>
  );
}

/** The fields of the form, where somebody else holds the kind of the words. */
export function WordsFields(props: {
  rowId: string;
  isTalking: boolean;
  kind: Kind;
  setKind: (kind: Kind) => void;
  onWhispered?: (text: string) => void;
  /** Takes the field, for whoever moves the focus to it. */
  takeField?: (field: HTMLInputElement | null) => void;
  /** Called when Escape is pressed in the field. */
  leave?: () => void;
}) {
  const { rowId, isTalking, kind, takeField, leave } = props;
  const [text, setText, settle] = useDialogState(`words:${rowId}`, () => "");
  const { field, failed, path, send, done } = KINDS[kind];
  const write = useWrite<unknown, { text: string }>({ failed, method: "POST", path: `/call-rows/${rowId}/${path}` });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "" || write.isPending) return;
    notifyResult(write.mutateAsync({ text }), () => {
      settle();
      // Text typed meanwhile stays.
      setText((now) => (now === text ? "" : now));
      if (kind === "WHISPER") props.onWhispered?.(text.trim());
      showDone(done);
    });
  };
  return (
    <form onSubmit={submit}>
      <SegmentedControl
        size="xs"
        mb={8}
        aria-label={t`Who gets the words`}
        value={kind}
        onChange={(next) => props.setKind(next as Kind)}
        data={(["WHISPER", "SAY"] as const).map((value) => ({ value, label: KINDS[value].label }))}
      />
      <Group gap="xs" wrap="nowrap">
        <TextInput
          ref={takeField}
          onKeyDown={({ key }) => key === "Escape" && leave?.()}
          className="live-words"
          aria-label={field}
          placeholder={isTalking ? `${field} …` : t`${field} once somebody answers`}
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
          aria-label={t`${send} these words`}
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
      {rich`Waits for the agent's next turn: ${<Words>{note}</Words>}`}
    </Text>
  ));
}

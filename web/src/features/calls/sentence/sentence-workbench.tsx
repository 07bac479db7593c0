import { Button, Grid, Group, Stack, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import type { FlowEditing } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { mergeFields } from "#web/ui/form/merge-fields.ts";
import { StaleDialog } from "#web/ui/form/stale-dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { DraftCard } from "./draft-card.tsx";
import { type Changed, followStored, isSame, wordsOf } from "./draft-words.ts";
import { RunPair } from "./run-pair.tsx";
import { answerAt } from "./sentence.ts";
import { TestCard } from "./test-card.tsx";
import { type StoredWords, useTrial } from "./use-trial.ts";

interface WorkbenchProps {
  call: CallRow;
  /** Index of the line in the transcript. */
  index: number;
  editing: FlowEditing;
  reload: () => Promise<FlowEditing>;
}

/** A line, the test made of it, the change of the draft, and what both versions of the flow make of the test. */
export function SentenceWorkbench({ call, index, editing, reload }: WorkbenchProps) {
  const answer = answerAt(call.transcript, index);
  const stored = editing.draft ?? editing.flow;
  const [wished, setWished] = useState({ says: "", neverSays: answer?.content ?? "" });
  const [change, setChange] = useState<Changed<StoredWords>>({ words: wordsOf(stored), base: stored });
  const { words } = change;
  if (change.base !== stored) {
    const followed = followStored(change, stored);
    if (followed !== change) setChange(followed);
  }
  const [suite, setSuite] = useState<string | null>(null);
  const trial = useTrial({ call, editing, reload });
  const hasDraft = editing.draft !== null || !isSame(words, stored);
  const run = async (changed = change) => {
    setChange(changed);
    setSuite(await trial.run({ wished, change: changed, suite }));
  };
  return (
    <Stack>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <TestCard
            {...{ call, index, wished, suite, setSuite }}
            setWished={(next) => {
              setWished(next);
              // The test was made of other words.
              setSuite(null);
            }}
            propose={async () => setSuite(await trial.propose(wished))}
            isProposing={trial.isProposing}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <DraftCard {...{ editing, words }} setWords={(next) => setChange({ ...change, words: next })} />
        </Grid.Col>
      </Grid>
      <FormFault fault={trial.error ? explainError(trial.error) : null} />
      <Group>
        <Button leftSection={<Icon name="play" size={14} />} loading={trial.isStarting} onClick={() => void run()}>
          {hasDraft ? t`Run on both versions` : t`Run on the published version`}
        </Button>
        <Text fz="sm" c="dimmed">
          {hasDraft
            ? t`Saves the draft first. Nobody is called, and no call uses the draft before it is published.`
            : t`Change the first message or the prompt to compare a draft with it. Nobody is called.`}
        </Text>
      </Group>
      <OtherWords change={change} trial={trial} take={setChange} run={run} />
      {trial.runs && <RunPair runs={trial.runs} version={editing.flow.version} flowId={editing.flow.id} />}
    </Stack>
  );
}

/** Asks what becomes of words that somebody else changed meanwhile. */
function OtherWords(props: {
  change: Changed<StoredWords>;
  trial: ReturnType<typeof useTrial>;
  take: (change: Changed<StoredWords>) => void;
  run: (change: Changed<StoredWords>) => Promise<void>;
}) {
  const { change, trial, take, run } = props;
  const { theirs } = trial;
  if (theirs === null) return null;
  const { words, base } = change;
  return (
    <StaleDialog
      mine={words}
      stored={wordsOf(theirs)}
      close={trial.choose}
      overwrite={() => void run({ words, base: theirs })}
      keepBoth={(stored) => void run({ words: mergeFields(wordsOf(base), words, stored), base: theirs })}
      takeTheirs={(stored) => take({ words: stored, base: theirs })}
    />
  );
}

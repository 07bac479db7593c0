import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { BUILT_IN_VARIABLES, type FlowEditing } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import type { DraftWords } from "./draft-words.ts";

interface DraftCardProps {
  editing: FlowEditing;
  words: DraftWords;
  setWords: (words: DraftWords) => void;
}

/** First message and prompt of the draft. */
export function DraftCard({ editing: { flow, draft }, words, setWords }: DraftCardProps) {
  const { localVariables, stages } = draft ?? flow;
  const variables = [...(localVariables ?? []).map(({ variableName }) => variableName), ...BUILT_IN_VARIABLES];
  return (
    <Card title={t`2. The draft says it better`}>
      <Stack gap="sm">
        <TextEditor
          label={t`First message`}
          language="template"
          variables={variables}
          minHeight={76}
          value={words.firstMessage}
          onChange={(firstMessage) => setWords({ ...words, firstMessage })}
        />
        <TextEditor
          label={t`Prompt`}
          language="template"
          variables={variables}
          minHeight={200}
          value={words.masterPrompt}
          onChange={(masterPrompt) => setWords({ ...words, masterPrompt })}
        />
        <Text fz="sm" c="dimmed">
          {(stages ?? []).length > 0 && t`The words of its stages are changed on the flow's page. `}
          <Anchor component={Link} href={`/flows/${flow.id}${(stages ?? []).length > 0 ? "?tab=stages" : ""}`} inherit>
            {t`Open the flow`}
          </Anchor>
        </Text>
      </Stack>
    </Card>
  );
}

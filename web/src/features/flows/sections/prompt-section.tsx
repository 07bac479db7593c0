import { Stack, Textarea, TextInput } from "@mantine/core";
import { BUILT_IN_VARIABLES } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import type { FlowFormType } from "./flow-values.ts";

/** Fields for the agent's prompt and first message. */
export function PromptSection({ form }: { form: FlowFormType }) {
  const variables = [...form.getValues().localVariables.map(({ variableName }) => variableName), ...BUILT_IN_VARIABLES];
  const { error: promptFault, value: _, ...prompt } = form.getInputProps("masterPrompt");
  const { error: firstFault, value: __, ...first } = form.getInputProps("firstMessage");
  return (
    <Card title={t`What the agent says`}>
      <Stack>
        <TextInput label={t`Name`} required maxLength={200} {...form.getInputProps("name")} />
        <TextEditor
          label={t`Prompt`}
          description={t`Who the agent is, what it wants, what it must not do. {{variables}} and Liquid may stand anywhere.`}
          language="template"
          variables={variables}
          minHeight={280}
          value={form.getValues().masterPrompt}
          error={(promptFault as string | undefined) ?? null}
          onChange={prompt.onChange as (text: string) => void}
        />
        <TextEditor
          label={t`First message`}
          description={t`Said as soon as somebody answers. Leave it empty to let the model speak first.`}
          language="template"
          variables={variables}
          minHeight={76}
          value={form.getValues().firstMessage}
          error={(firstFault as string | undefined) ?? null}
          onChange={first.onChange as (text: string) => void}
        />
        <Textarea
          label={t`Description`}
          description={t`For your colleagues; the agent does not see it.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={10_000}
          {...form.getInputProps("description")}
        />
      </Stack>
    </Card>
  );
}

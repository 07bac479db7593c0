import { Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { AddField } from "./add-field.tsx";
import { type OutputForm, toSchemaText } from "./output-values.ts";
import { readSchema } from "./output.ts";

/** Name, question, schema and conditions of an output. */
export function OutputFields({ form }: { form: OutputForm }) {
  const { schema, condition } = form.getValues();
  const parsed = readSchema(schema);
  const fault = Object.entries(form.errors).find(([path]) => path.startsWith("schema"));
  return (
    <Stack>
      <TextInput label={t`Name`} required maxLength={200} {...form.getInputProps("name")} />
      <Textarea
        label={t`Description`}
        description={t`Tells the agent what this is about.`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={10_000}
        {...form.getInputProps("description")}
      />
      <TextEditor
        label={t`JSON Schema`}
        description={t`Each property is one field; its description is the question.`}
        language="json"
        minHeight={280}
        value={schema}
        error={fault ? `${fault[0]}: ${fault[1] as string}` : null}
        onChange={(text) => form.setFieldValue("schema", text)}
      />
      {parsed && <AddField schema={parsed} add={(next) => form.setFieldValue("schema", toSchemaText(next))} />}
      <TextEditor
        label={t`Only when`}
        description={t`A Liquid condition over the variables; it is left out when this renders empty, 0 or false.`}
        language="template"
        minHeight={44}
        value={condition}
        error={(form.errors.condition as string | undefined) ?? null}
        onChange={(text) => form.setFieldValue("condition", text)}
      />
      <Switch
        label={t`Fill it during the conversation`}
        description={t`After each thing the person says, not only at the end.`}
        {...form.getInputProps("fillDuring", { type: "checkbox" })}
      />
    </Stack>
  );
}

import { ActionIcon, Badge, Grid, Stack, Switch, Textarea, TextInput, Tooltip } from "@mantine/core";
import { type FormErrors, useForm, type UseFormReturnType } from "@mantine/form";
import { useLocation } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { TextEditor } from "#web/editor/text-editor.tsx";
import { FormPage } from "#web/form/form-page.tsx";
import { useSeen } from "#web/form/use-seen.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page } from "#web/ui/page.tsx";
import "#web/pages/flow/flow.css";
import { AddField } from "./add-field.tsx";
import { FIRST_SCHEMA, type Output, OUTPUTS_PATH, readSchema } from "./output.ts";
import { SchemaPreview } from "./schema-preview.tsx";
import { UsedBy } from "./used-by.tsx";

type Values = { name: string; description: string; schema: string; condition: string; fillDuring: boolean };

type OutputForm = UseFormReturnType<Values>;

interface EditorProps {
  /** Null: a new one. */
  output: Output | null;
  reload: () => Promise<Output | null>;
}

/** Name and schema at the left, the form that a schema stands for at the right. */
export function OutputEditor({ output, reload }: EditorProps) {
  const form: OutputForm = useForm<Values>({ initialValues: toValues(output), validate: findFaults });
  const save = useSave(form, output);
  const mayWrite = useMay("STRUCTURED_OUTPUTS_WRITE");
  const schema = readSchema(form.getValues().schema);
  return (
    <Page
      title={output?.name ?? "New structured output"}
      badge={
        output && (
          <Badge variant="light" color="gray" radius="sm" tt="none">
            v{output.version}
          </Badge>
        )
      }
      back={{ href: "/outputs", label: "Structured outputs" }}
      actions={output && mayWrite && <RemoveButton output={output} />}
    >
      <FormPage
        form={form}
        save={save}
        reload={async () => toValues(await reload())}
        canSave={mayWrite}
        saveLabel={output ? "Save" : "Create"}
      >
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Fields form={form} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack>
              <Card title="As a form">
                <SchemaPreview schema={schema} />
              </Card>
              {output && <UsedBy outputId={output.id} />}
            </Stack>
          </Grid.Col>
        </Grid>
      </FormPage>
    </Page>
  );
}

function findFaults({ schema }: Values): FormErrors {
  return readSchema(schema) === null ? { schema: "This must be a JSON object." } : {};
}

function Fields({ form }: { form: OutputForm }) {
  const { schema } = form.getValues();
  const parsed = readSchema(schema);
  const fault = Object.entries(form.errors).find(([path]) => path.startsWith("schema"));
  return (
    <Card title="What is to be found out">
      <Stack>
        <TextInput label="Name" required maxLength={200} {...form.getInputProps("name")} />
        <Textarea
          label="Description"
          description="Tells the agent what this is about."
          autosize
          minRows={2}
          maxRows={6}
          maxLength={10_000}
          {...form.getInputProps("description")}
        />
        <TextEditor
          label="JSON Schema"
          description="Each property is one field; its description is the question."
          language="json"
          minHeight={280}
          value={schema}
          error={fault ? `${fault[0]}: ${fault[1] as string}` : null}
          onChange={(text) => form.setFieldValue("schema", text)}
        />
        {parsed && <AddField schema={parsed} add={(next) => form.setFieldValue("schema", toText(next))} />}
        <TextEditor
          label="Only when"
          description="A Liquid condition over the variables; it is left out when this renders empty, 0 or false."
          language="template"
          minHeight={44}
          value={form.getValues().condition}
          error={(form.errors.condition as string | undefined) ?? null}
          onChange={(text) => form.setFieldValue("condition", text)}
        />
        <Switch
          label="Fill it during the conversation"
          description="After each thing the person says, not only at the end."
          {...form.getInputProps("fillDuring", { type: "checkbox" })}
        />
      </Stack>
    </Card>
  );
}

function RemoveButton({ output }: { output: Output }) {
  const ask = useConfirm();
  const [, navigate] = useLocation();
  const write = useWrite<void, string>({
    method: "DELETE",
    path: (id) => `${OUTPUTS_PATH}/${id}`,
    refreshes: [OUTPUTS_PATH],
  });
  const remove = async () => {
    const body = "Flows that name it do without it from their next session on. What calls have found stays.";
    if (!(await ask({ title: `Delete ${output.name}?`, body, action: "Delete output", isDangerous: true }))) return;
    navigate("/outputs");
    await write.mutateAsync(output.id);
    showDone(`${output.name} is deleted.`);
  };
  return (
    <Tooltip label="Delete">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`Delete ${output.name}`}
        onClick={() => void remove().catch(showFault)}
      >
        <Icon name="trash" />
      </ActionIcon>
    </Tooltip>
  );
}

function useSave(form: OutputForm, output: Output | null): (values: Values, isForced: boolean) => Promise<unknown> {
  const [, navigate] = useLocation();
  const seen = useSeen(form, {
    key: `output ${output?.id ?? "new"}`,
    updatedAt: output?.updatedAt ?? null,
    toValues: () => toValues(output),
  });
  const write = useWrite<Output, { values: Values; isForced: boolean }>({
    method: output ? "PUT" : "POST",
    path: ({ isForced }) => {
      const seenAt = seen.at();
      if (!output) return OUTPUTS_PATH;
      const path = `${OUTPUTS_PATH}/${output.id}`;
      return isForced || seenAt === null ? path : `${path}?ifUpdatedAt=${encodeURIComponent(seenAt)}`;
    },
    body: ({ values }) => toBody(values),
    refreshes: [OUTPUTS_PATH],
  });
  return async (values, isForced) => {
    const saved = await write.mutateAsync({ values, isForced });
    seen.note(saved.updatedAt);
    if (output) return;
    form.resetDirty(values);
    navigate(`/outputs/${saved.id}`, { replace: true });
  };
}

function toValues(output: Output | null): Values {
  return {
    name: output?.name ?? "",
    description: output?.description ?? "",
    schema: toText(output?.schema ?? FIRST_SCHEMA),
    condition: output?.condition ?? "",
    fillDuring: output?.fillDuring ?? false,
  };
}

function toBody({ name, description, schema, condition, fillDuring }: Values): object {
  return {
    name: name.trim(),
    description: description || null,
    schema: JSON.parse(schema) as unknown,
    condition: condition.trim() || null,
    fillDuring,
  };
}

function toText(schema: unknown): string {
  return JSON.stringify(schema, null, 2);
}

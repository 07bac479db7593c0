import { Modal, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { DialogForm } from "#web/ui/form/form-dialog.tsx";
import { checkJsonText, readJsonText, toJsonText } from "#web/ui/form/json-text.ts";
import { type Based, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import type { MetadataField } from "./transcription.ts";

const PATH = "/metadata/fields";

/** Dialog for the metadata keys of all jobs of the workspace. */
export function FieldsDialog({ close }: { close: () => void }) {
  const read = useRead<MetadataField[]>(PATH);
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>{t`Metadata fields of every job`}</Text>}>
      <Loaded read={read}>{(fields) => <FieldsForm fields={fields} close={close} />}</Loaded>
    </Modal>
  );
}

type Values = { fields: string };

function FieldsForm({ fields, close }: { fields: MetadataField[]; close: () => void }) {
  const write = useWrite<MetadataField[], Based<MetadataField[], unknown>>({
    failed: t`The metadata fields were not saved`,
    method: "PUT",
    path: PATH,
    body: ({ body, base }) => ({ fields: body, before: { fields: ownOf(base ?? []) } }),
    refreshes: [PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(fields), validate: { fields: checkJsonText } });
  const guard = { stored: fields, toValues, path: PATH };
  const sending = useGuardedSubmit<MetadataField[], Values>(form, guard, async (values, base) => {
    const saved = await write.mutateAsync({ body: readJsonText(values.fields) ?? [], base });
    showDone(t`Saved. Recordings that come from now on are checked by it.`);
    close();
    return saved;
  });
  return (
    <DialogForm form={form} sending={sending} close={close} action={t`Save`} canSend={form.isDirty()}>
      <TextEditor
        label={t`Fields`}
        description={t`JSON list: [{"key":"agent","type":"STRING","label":"Agent","required":true}]. Types: STRING, NUMBER, DATE, BOOLEAN, ENUM with allowedValues.`}
        language="json"
        minHeight={220}
        {...form.getInputProps("fields")}
      />
    </DialogForm>
  );
}

/** The workspace's fields, without those of its jobs. */
function ownOf(fields: MetadataField[]): Omit<MetadataField, "jobId">[] {
  return fields.filter(({ jobId }) => jobId === null).map(({ jobId: _, ...field }) => field);
}

function toValues(fields: MetadataField[]): Values {
  return { fields: toJsonText(ownOf(fields)) };
}

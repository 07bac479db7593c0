import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { TextEditor } from "#web/editor/text-editor.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { checkJsonText, readJsonText, toJsonText } from "#web/form/json-text.ts";
import { useSubmit } from "#web/form/use-submit.ts";
import { Loaded } from "#web/ui/load-state.tsx";
import type { MetadataField } from "./transcription.ts";

const PATH = "/metadata/fields";

/** The keys that metadata may have in every job of the workspace. */
export function FieldsDialog({ close }: { close: () => void }) {
  const read = useRead<MetadataField[]>(PATH);
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>Metadata fields of every job</Text>}>
      <Loaded read={read}>{(fields) => <FieldsForm fields={fields} close={close} />}</Loaded>
    </Modal>
  );
}

function FieldsForm({ fields, close }: { fields: MetadataField[]; close: () => void }) {
  const own = fields.filter(({ jobId }) => jobId === null).map(({ jobId: _, ...field }) => field);
  const write = useWrite<MetadataField[], object>({ method: "PUT", path: PATH, refreshes: [PATH] });
  const form = useForm({ initialValues: { fields: toJsonText(own) }, validate: { fields: checkJsonText } });
  const { isSending, fault, submit } = useSubmit(form, async ({ fields: text }) => {
    await write.mutateAsync({ fields: readJsonText(text) ?? [] });
    showDone("Saved. Recordings that come from now on are checked by it.");
    close();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        <TextEditor
          label="Fields"
          description='JSON list: [{"key":"agent","type":"STRING","label":"Agent","required":true}]. Types: STRING, NUMBER, DATE, BOOLEAN, ENUM with allowedValues.'
          language="json"
          minHeight={220}
          {...form.getInputProps("fields")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

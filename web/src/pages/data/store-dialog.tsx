import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { TextEditor } from "#web/editor/text-editor.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { checkJsonObject, readJsonText, toJsonText } from "#web/form/json-text.ts";
import { useSubmit } from "#web/form/use-submit.ts";
import { type DataStore, storesPath } from "./data.ts";

type Values = { key: string; name: string; schema: string };

/** Makes or changes a data store. */
export function StoreDialog({ appId, store, close }: { appId: string; store: DataStore | null; close: () => void }) {
  const path = storesPath(appId);
  const write = useWrite<DataStore, object>({
    method: store ? "PUT" : "POST",
    path: store ? `${path}/${store.key}` : path,
    refreshes: [path],
  });
  const form = useForm<Values>({
    initialValues: { key: store?.key ?? "", name: store?.name ?? "", schema: toJsonText(store?.schema) },
    validate: { schema: checkJsonObject },
  });
  const { isSending, fault, submit } = useSubmit(form, async ({ key, name, schema }) => {
    const shared = { schema: readJsonText(schema) ?? null, ...(name.trim() ? { name: name.trim() } : {}) };
    await write.mutateAsync(store ? shared : { ...shared, key });
    showDone(store ? "Saved." : "The store is added.");
    close();
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={<Text fw={600}>{store ? `Change ${store.name}` : "Add a data store"}</Text>}
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          {!store && (
            <TextInput
              label="Key"
              description="Names it in paths; fixed."
              placeholder="orders"
              required
              data-autofocus
              {...form.getInputProps("key")}
            />
          )}
          <TextInput label="Name" placeholder="Orders" maxLength={200} {...form.getInputProps("name")} />
          <TextEditor
            label="Schema"
            description="JSON Schema that records must fit. Empty: any fields. It holds for what is written from now on."
            language="json"
            minHeight={160}
            {...form.getInputProps("schema")}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              {store ? "Save" : "Add store"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

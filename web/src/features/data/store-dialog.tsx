import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Page } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { checkJsonObject, readJsonText, toJsonText } from "#web/ui/form/json-text.ts";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { type DataStore, storesPath } from "./data.ts";

type Values = { key: string; name: string; schema: string };

interface StoreProps {
  appId: string;
  /** Null: a new one. */
  store: DataStore | null;
  close: () => void;
}

/** Creates or changes a data store. */
export function StoreDialog({ appId, store, close }: StoreProps) {
  const { form, sending } = useStoreForm({ appId, store, close });
  return (
    <FormDialog
      title={store ? t`Change ${store.name}` : t`Add a data store`}
      form={form}
      sending={sending}
      close={close}
      action={store ? t`Save` : t`Add store`}
    >
      {!store && (
        <TextInput
          label={t`Key`}
          description={t`Names it in paths; fixed.`}
          placeholder="orders"
          required
          data-autofocus
          {...form.getInputProps("key")}
        />
      )}
      <TextInput label={t`Name`} placeholder={t`Orders`} maxLength={200} {...form.getInputProps("name")} />
      <TextEditor
        label={t`Schema`}
        description={t`JSON Schema that records must fit. Empty: any fields. It holds for what is written from now on.`}
        language="json"
        minHeight={160}
        {...form.getInputProps("schema")}
      />
    </FormDialog>
  );
}

function useStoreForm({ appId, store, close }: StoreProps) {
  const path = storesPath(appId);
  const write = useWrite<DataStore, Based<DataStore>>({
    failed: t`The data store was not saved`,
    method: store ? "PUT" : "POST",
    path: ({ base }) => (store ? `${path}/${store.key}${ifUnchanged(base)}` : path),
    body: ({ body }) => body,
    refreshes: [path],
  });
  const form = useForm<Values>({
    initialValues: toValues(store),
    validate: { schema: checkJsonObject },
  });
  const find = ({ content }: Page<DataStore>) => content.find(({ key }) => key === store?.key);
  const guard = { stored: store, toValues, path: `${path}?size=200`, find, keptAs: `${path}/${store?.key ?? ""}` };
  const sending = useGuardedSubmit<DataStore, Values>(form, guard, async (values, base) => {
    const { key, name, schema } = values;
    const shared = { schema: readJsonText(schema) ?? null, ...(name.trim() ? { name: name.trim() } : {}) };
    const saved = await write.mutateAsync({ body: store ? shared : { ...shared, key }, base });
    showDone(store ? t`Saved.` : t`The store is added.`);
    close();
    return saved;
  });
  return { form, sending };
}

function toValues(store: DataStore | null): Values {
  return { key: store?.key ?? "", name: store?.name ?? "", schema: toJsonText(store?.schema) };
}

import { Anchor, Button, Drawer, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { checkJsonObject, readJsonObject, readJsonText, toJsonText } from "#web/ui/form/json-text.ts";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import { CUSTOMERS, type Customer, customFields, type DataRecord } from "./data.ts";

interface RecordProps {
  appId: string;
  /** API path of the record's store. */
  storePath: string;
  mayWrite: boolean;
  close: () => void;
}

/** Drawer with a record as JSON and its customer; without an id, it adds a new record. */
export function RecordDrawer({ recordId, ...props }: RecordProps & { recordId: string | null }) {
  const read = useRead<DataRecord>(`${props.storePath}/${recordId ?? ""}`, undefined, {
    enabled: recordId !== null,
    isExact: true,
  });
  return (
    <Drawer
      opened
      onClose={props.close}
      position="right"
      size={560}
      title={<Text fw={600}>{recordId ? t`Record` : t`Add a record`}</Text>}
    >
      {recordId === null ? (
        <RecordForm record={null} {...props} />
      ) : (
        <Loaded read={read}>{(record) => <RecordView key={record.id} record={record} {...props} />}</Loaded>
      )}
    </Drawer>
  );
}

function RecordView(props: RecordProps & { record: DataRecord }) {
  const { record, appId, mayWrite } = props;
  return (
    <Stack>
      <Facts
        facts={[
          {
            label: t`Id`,
            value: (
              <Group gap={4} wrap="nowrap">
                <code>{record.id}</code>
                <CopyButton text={record.id} label={t`Copy id`} />
              </Group>
            ),
          },
          { label: t`Created (workspace time)`, value: record.createdAt.replace("T", " ") },
          { label: t`Changed (workspace time)`, value: record.updatedAt.replace("T", " ") },
        ]}
      />
      {record.customerId && <CustomerLine appId={appId} customerId={record.customerId} />}
      {mayWrite ? <RecordForm {...props} /> : <JsonView value={customFields(record)} label={t`Record`} />}
    </Stack>
  );
}

function CustomerLine({ appId, customerId }: { appId: string; customerId: string }) {
  const read = useRead<Customer>(`/applications/${appId}/customers/${customerId}`);
  const { name, phone, email } = read.data ?? {};
  return (
    <Group gap="xs">
      <Icon name="user" />
      <Text fz="sm" dir="auto">
        {[name, phone, email].filter(Boolean).join(" · ") || customerId}
      </Text>
      <Anchor fz="sm" component={Link} href={`/data/${appId}/${CUSTOMERS}?customer=${customerId}`}>
        {t`Open customer`}
      </Anchor>
    </Group>
  );
}

type Values = { fields: string; metadata: string; customerId: string };

function RecordForm({ record, storePath, close }: RecordProps & { record: DataRecord | null }) {
  const write = useWrite<DataRecord, Based<DataRecord>>({
    failed: t`The record was not saved`,
    method: record ? "PUT" : "POST",
    path: ({ base }) => (record ? `${storePath}/${record.id}${ifUnchanged(base)}` : storePath),
    body: ({ body }) => body,
    refreshes: [storePath],
  });
  const remove = useUndoableRemoval<DataRecord>({
    list: storePath,
    message: () => t`The record is deleted.`,
    failed: () => t`The record was not deleted`,
    after: close,
  });
  const form = useForm<Values>({
    initialValues: toValues(record),
    validate: { fields: checkJsonObject, metadata: checkJsonObject },
  });
  const guard = { stored: record, toValues, path: `${storePath}/${record?.id ?? ""}`, isExact: true };
  const { isSending, fault, submit, staleDialog } = useGuardedSubmit<DataRecord, Values>(
    form,
    guard,
    async (values, base) => {
      const { fields, metadata, customerId } = values;
      const filed = { metadata: readJsonText(metadata) ?? null, customerId: customerId.trim() || null };
      const saved = await write.mutateAsync({ body: { ...readJsonObject(fields), ...filed }, base });
      showDone(record ? t`Saved.` : t`The record is added.`);
      close();
      return saved;
    },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        {staleDialog}
        <TextEditor label={t`Fields`} language="json" minHeight={200} {...form.getInputProps("fields")} />
        <TextEditor label={t`Metadata`} language="json" minHeight={64} {...form.getInputProps("metadata")} />
        <TextInput label={t`Customer id`} placeholder={t`Not linked`} {...form.getInputProps("customerId")} />
        <Group justify="space-between">
          {record ? (
            <Button variant="light" color="red" leftSection={<Icon name="trash" />} onClick={() => remove(record)}>
              {t`Delete`}
            </Button>
          ) : (
            <span />
          )}
          <Button type="submit" loading={isSending} disabled={record !== null && !form.isDirty()}>
            {record ? t`Save` : t`Add record`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function toValues(record: DataRecord | null): Values {
  return {
    fields: record ? toJsonText(customFields(record)) : "{\n  \n}",
    metadata: toJsonText(record?.metadata),
    customerId: record?.customerId ?? "",
  };
}

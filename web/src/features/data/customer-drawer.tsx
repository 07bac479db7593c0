import { Button, Drawer, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { checkJsonObject, readJsonObject, toJsonText } from "#web/ui/form/json-text.ts";
import { PlainFieldset } from "#web/ui/form/plain-fieldset.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import type { Customer } from "./data.ts";

interface Shared {
  path: string;
  mayWrite: boolean;
  close: () => void;
}

type Values = { name: string; phone: string; email: string; externalId: string; fields: string };

/** Drawer with a customer; without an id, it adds a new one. */
export function CustomerDrawer({ customerId, ...shared }: Shared & { customerId: string | null }) {
  const read = useRead<Customer>(`${shared.path}/${customerId ?? ""}`, undefined, {
    enabled: customerId !== null,
    isExact: true,
  });
  return (
    <Drawer
      opened
      onClose={shared.close}
      position="right"
      size={480}
      title={<Text fw={600}>{customerId ? t`Customer` : t`Add a customer`}</Text>}
    >
      {customerId === null ? (
        <CustomerForm customer={null} {...shared} />
      ) : (
        <Loaded read={read}>{(customer) => <CustomerForm key={customer.id} customer={customer} {...shared} />}</Loaded>
      )}
    </Drawer>
  );
}

function CustomerForm({ customer, path, mayWrite, close }: Shared & { customer: Customer | null }) {
  const { form, isSending, fault, submit, staleDialog } = useCustomerForm(customer, path, close);
  const remove = useUndoableRemoval<Customer>({
    list: path,
    message: ({ name }) => t`${name ?? t`The customer`} is deleted. Records stay, without the link.`,
    failed: ({ name }) => t`${name ?? t`The customer`} was not deleted`,
    after: close,
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <PlainFieldset isReadOnly={!mayWrite}>
        <Stack>
          <FormFault fault={fault} />
          {staleDialog}
          <CustomerFields form={form} />
          {mayWrite && (
            <Group justify="space-between">
              {customer ? (
                <Button
                  variant="light"
                  color="red"
                  leftSection={<Icon name="trash" />}
                  onClick={() => remove(customer)}
                >
                  {t`Delete`}
                </Button>
              ) : (
                <span />
              )}
              <Button type="submit" loading={isSending} disabled={customer !== null && !form.isDirty()}>
                {customer ? t`Save` : t`Add customer`}
              </Button>
            </Group>
          )}
        </Stack>
      </PlainFieldset>
    </form>
  );
}

function useCustomerForm(customer: Customer | null, path: string, close: () => void) {
  const write = useWrite<Customer, Based<Customer>>({
    failed: t`The customer was not saved`,
    method: customer ? "PUT" : "POST",
    path: ({ base }) => (customer ? `${path}/${customer.id}${ifUnchanged(base)}` : path),
    body: ({ body }) => body,
    refreshes: [path],
  });
  const form = useForm<Values>({
    initialValues: toValues(customer),
    validate: { fields: checkJsonObject },
  });
  const guard = { stored: customer, toValues, path: `${path}/${customer?.id ?? ""}`, isExact: true };
  const sent = useGuardedSubmit<Customer, Values>(form, guard, async (values, base) => {
    const changed = Object.entries(toBody(values)).filter(([name]) => customer === null || form.isDirty(name));
    const saved = await write.mutateAsync({ body: Object.fromEntries(changed), base });
    showDone(customer ? t`Saved.` : t`The customer is added.`);
    close();
    return saved;
  });
  return { form, ...sent };
}

function CustomerFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <TextInput label={t`Name`} maxLength={500} dir="auto" {...form.getInputProps("name")} />
      <TextInput label={t`Phone`} placeholder="+12025550100" {...form.getInputProps("phone")} />
      <TextInput label={t`E-mail`} {...form.getInputProps("email")} />
      <TextInput
        label={t`External id`}
        description={t`Its id in a system of yours.`}
        {...form.getInputProps("externalId")}
      />
      <TextEditor label={t`Other fields`} language="json" minHeight={110} {...form.getInputProps("fields")} />
    </>
  );
}

function toValues(customer: Customer | null): Values {
  return {
    name: customer?.name ?? "",
    phone: customer?.phone ?? "",
    email: customer?.email ?? "",
    externalId: customer?.externalId ?? "",
    fields: toJsonText(customer?.fields ?? {}),
  };
}

function toBody({ fields, ...texts }: Values): Record<string, unknown> {
  const given = Object.entries(texts).map(([name, text]) => [name, text.trim() || null]);
  return { ...Object.fromEntries(given), fields: readJsonObject(fields) };
}

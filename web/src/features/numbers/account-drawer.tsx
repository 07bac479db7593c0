import {
  Button,
  Checkbox,
  Drawer,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { type CarrierField, type CarrierProvider, useCarrierProviders } from "#web/domain/number/carrier-providers.ts";
import { providerLabel } from "#web/domain/number/number.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { ACCOUNTS_PATH, type CarrierAccount, type CheckedAccount } from "./carrier.ts";

type Values = {
  provider: string;
  label: string;
  callsPerSecond: number | string;
  settings: Record<string, string>;
  secrets: Record<string, string>;
  unchecked: boolean;
};

/** Adds or changes a carrier account; the carrier checks it before anything is stored. */
export function AccountDrawer({ account, close }: { account: CarrierAccount | null; close: () => void }) {
  const read = useCarrierProviders();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={500}
      title={<Text fw={600}>{account ? t`Change the account` : t`Add an account`}</Text>}
    >
      <Loaded read={read}>{(carriers) => <AccountForm account={account} carriers={carriers} close={close} />}</Loaded>
    </Drawer>
  );
}

interface FormProps {
  account: CarrierAccount | null;
  carriers: CarrierProvider[];
  close: () => void;
}

function AccountForm(props: FormProps) {
  const { account, carriers } = props;
  const { form, isSending, fault, submit, staleDialog } = useAccountForm(props);
  const carrier = carriers.find(({ provider }) => provider === form.getValues().provider);
  return (
    <form onSubmit={form.onSubmit(submit)} autoComplete="off">
      <Stack>
        <FormFault fault={fault} />
        {staleDialog}
        <Select
          label={t`Carrier`}
          data={carriers.map(({ provider }) => ({ value: provider, label: providerLabel(provider) }))}
          allowDeselect={false}
          disabled={account !== null}
          {...form.getInputProps("provider")}
        />
        <TextInput label={t`Label`} maxLength={200} placeholder={t`Main account`} {...form.getInputProps("label")} />
        {carrier?.fields.map((field) => (
          <KeyField key={`${carrier.provider}.${field.name}`} form={form} field={field} isStored={account !== null} />
        ))}
        <NumberInput
          label={t`Calls a second`}
          description={t`What the carrier allows the account.`}
          placeholder={String(carrier?.callsPerSecond ?? "")}
          min={0.01}
          max={1_000}
          {...form.getInputProps("callsPerSecond")}
        />
        <Checkbox
          label={t`Store it even when the carrier cannot be reached now`}
          {...form.getInputProps("unchecked", { type: "checkbox" })}
        />
        <Button type="submit" loading={isSending}>
          {account ? t`Check and save` : t`Check and add`}
        </Button>
      </Stack>
    </form>
  );
}

function KeyField({
  form,
  field,
  isStored,
}: {
  form: UseFormReturnType<Values>;
  field: CarrierField;
  isStored: boolean;
}) {
  const path = `${field.isSecret ? "secrets" : "settings"}.${field.name}`;
  const values = field.isSecret ? form.getValues().secrets : form.getValues().settings;
  const shared = {
    label: field.name,
    description: field.label,
    required: field.isRequired && !(field.isSecret && isStored),
    ...form.getInputProps(path),
    value: values[field.name] ?? "",
  };
  if (!field.isSecret) return <TextInput {...shared} />;
  const placeholder = isStored ? t`As it was` : "";
  // A private key has lines, which a password box would lose.
  if (field.name.toLowerCase().includes("privatekey")) {
    return <Textarea {...shared} placeholder={placeholder} autosize minRows={3} maxRows={8} spellCheck={false} />;
  }
  return <PasswordInput {...shared} placeholder={placeholder} autoComplete="new-password" />;
}

function toValues(account: CarrierAccount | null, usualProvider: string): Values {
  return {
    provider: account?.provider ?? usualProvider,
    label: account?.label ?? "",
    callsPerSecond: account?.callsPerSecond ?? "",
    settings: { ...account?.settings },
    secrets: {},
    unchecked: false,
  };
}

/**
 * Request body. Empty secrets are not sent, so stored ones stay; a cleared setting is sent as null, which removes it.
 */
function toBody(values: Values, account: CarrierAccount | null): object {
  const { provider, label, callsPerSecond, settings, secrets, unchecked } = values;
  const given = Object.entries(settings).map(([name, value]) => [name, value.trim() || null] as const);
  return {
    ...(account ? {} : { provider }),
    label: label.trim(),
    ...(callsPerSecond === "" ? {} : { callsPerSecond }),
    settings: Object.fromEntries(given.filter(([name, value]) => value !== null || account?.settings[name])),
    secrets: Object.fromEntries(Object.entries(secrets).filter(([, value]) => value.trim() !== "")),
    unchecked,
  };
}

function useAccountForm({ account, carriers, close }: FormProps) {
  const write = useWrite<CheckedAccount, Based<CarrierAccount>>({
    failed: t`The carrier account was not saved`,
    method: account ? "PATCH" : "POST",
    path: ({ base }) => (account ? `${ACCOUNTS_PATH}/${account.id}${ifUnchanged(base)}` : ACCOUNTS_PATH),
    body: ({ body }) => body,
    refreshes: [ACCOUNTS_PATH],
  });
  const toStart = (from: CarrierAccount | null) => toValues(from, carriers[0]?.provider ?? "");
  const form = useForm<Values>({ initialValues: toStart(account) });
  const find = (all: CarrierAccount[]) => all.find(({ id }) => id === account?.id);
  const hidesChange = ({ secrets }: Values) => Object.values(secrets).some((secret) => secret !== "");
  const guard = {
    stored: account,
    toValues: toStart,
    hidesChange,
    path: ACCOUNTS_PATH,
    find,
    keptAs: `account ${account?.id ?? ""}`,
  };
  const sent = useGuardedSubmit<CarrierAccount, Values>(form, guard, async (values, base) => {
    const saved = await write.mutateAsync({ body: toBody(values, base), base });
    showDone(saved.check.message);
    close();
    return saved;
  });
  return { form, ...sent };
}

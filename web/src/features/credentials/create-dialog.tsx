import { SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { CREDENTIALS_PATH, type Minted, readNetworks } from "./credential.ts";
import { NetworksField } from "./networks-field.tsx";
import { PermissionBoxes } from "./permission-boxes.tsx";
import { type Preset, presetsOf } from "./presets.ts";

const DAY_SECONDS = 86_400;
const LIFETIMES = [
  { value: "0", label: t`Never` },
  { value: String(30 * DAY_SECONDS), label: t`In 30 days` },
  { value: String(90 * DAY_SECONDS), label: t`In 90 days` },
  { value: String(365 * DAY_SECONDS), label: t`In a year` },
];

const OWN = t`Custom`;

type Values = {
  kind: string;
  preset: string;
  name: string;
  permissions: string[];
  expiresInSeconds: string;
  allowedAddresses: string;
};

/** Creates an API key or OAuth client. */
export function CreateDialog({ close, onMinted }: { close: () => void; onMinted: (minted: Minted) => void }) {
  const { form, presets, chosen, choose } = usePresetForm();
  const hasOwn = chosen === OWN;
  const write = useWrite<Minted, Values>({
    failed: t`The credential was not created`,
    method: "POST",
    path: ({ kind }) => `${CREDENTIALS_PATH}/${kind}`,
    body: toBody,
    refreshes: [CREDENTIALS_PATH],
  });
  const sending = useSubmit(form, async (values) => onMinted(await write.mutateAsync(values)), { key: "credential" });
  const isKey = form.getValues().kind === "keys";
  return (
    <FormDialog
      title={t`Create a credential`}
      form={form}
      sending={sending}
      close={close}
      action={isKey ? t`Create key` : t`Create client`}
    >
      <SegmentedControl
        aria-label={t`Kind`}
        data={[
          { value: "keys", label: t`API key` },
          { value: "clients", label: t`OAuth client` },
        ]}
        {...form.getInputProps("kind")}
      />
      <TextInput
        label={t`Name`}
        description={t`What uses it, so that you know what stops when you revoke it.`}
        placeholder={t`Nightly import`}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <PresetField presets={presets} chosen={chosen} choose={choose} />
      {hasOwn && <PermissionBoxes {...form.getInputProps("permissions")} value={form.getValues().permissions} />}
      <Select label={t`Expires`} data={LIFETIMES} allowDeselect={false} {...form.getInputProps("expiresInSeconds")} />
      <NetworksField {...form.getInputProps("allowedAddresses")} />
    </FormDialog>
  );
}

function PresetField(props: { presets: Preset[]; chosen: string; choose: (name: string) => void }) {
  const { presets, chosen, choose } = props;
  return (
    <Stack gap={4}>
      <Text fz="sm" fw={500} id="preset">
        {t`Preset`}
      </Text>
      <SegmentedControl
        aria-labelledby="preset"
        data={[...presets.map(({ name }) => name), OWN]}
        value={chosen}
        onChange={choose}
      />
      <Text fz="xs" c="dimmed">
        {presets.find(({ name }) => name === chosen)?.hint ?? t`Tick what it may do.`}
      </Text>
    </Stack>
  );
}

/** Form of a credential, which begins with the workspace's first preset. A name that the person typed stays. */
function usePresetForm() {
  const presets = presetsOf(useWorkspace().mode);
  const form = useForm<Values>({
    initialValues: {
      kind: "keys",
      preset: presets[0]?.name ?? OWN,
      name: "",
      permissions: [],
      expiresInSeconds: "0",
      allowedAddresses: "",
      ...presets[0]?.values,
    },
  });
  const choose = (name: string) => {
    const values = presets.find((one) => one.name === name)?.values ?? {};
    const isOwnName = !presets.some((one) => ["", one.values.name].includes(form.getValues().name));
    form.setValues({ ...values, preset: name, ...(isOwnName ? { name: form.getValues().name } : {}) });
  };
  return { form, presets, chosen: form.getValues().preset, choose };
}

function toBody({ name, permissions, expiresInSeconds, allowedAddresses }: Values): object {
  const seconds = Number(expiresInSeconds);
  const expiresAt = seconds > 0 ? new Date(Date.now() + 1_000 * seconds).toISOString() : null;
  return { name, permissions, expiresAt, allowedAddresses: readNetworks(allowedAddresses) };
}

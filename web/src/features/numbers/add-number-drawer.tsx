import { Alert, Button, Drawer, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { PhoneNumber } from "@parley/sdk";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { useProviderOptions } from "#web/domain/number/carrier-providers.ts";
import { NUMBERS_PATH } from "#web/domain/number/number.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { ACCOUNTS_PATH, type CarrierAccount } from "./carrier.ts";
import { NumberSearch } from "./number-search.tsx";
import { toTrunk, toTrunkValues, TrunkFields, type TrunkValues } from "./trunk-fields.tsx";

/** Form values of a new number. */
export type AddValues = {
  provider: string;
  carrierAccountId: string | null;
  phoneNumber: string;
  label: string;
  maxConcurrentCalls: number | string;
  isDefault: boolean;
  sipTrunk: TrunkValues;
};

/** Adds a number: from the sandbox, from a carrier's stock or account, or over a trunk. */
export function AddNumberDrawer({ close }: { close: () => void }) {
  const { mode } = useWorkspace();
  const providers = useProviderOptions();
  const { form, isSending, fault, submit } = useAddForm(close);
  const { provider, phoneNumber } = form.getValues();
  return (
    <Drawer opened onClose={close} position="right" size={500} title={<Text fw={600}>{t`Add a number`}</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <Select label={t`From`} data={providers} allowDeselect={false} {...form.getInputProps("provider")} />
          {mode === "SANDBOX" && provider !== "SANDBOX" && (
            <Alert color="parley" variant="light">
              {t`This is a sandbox workspace: the number works, but its calls are simulated.`}
            </Alert>
          )}
          <SourceFields form={form} />
          <TextInput label={t`Label`} maxLength={200} placeholder={t`Reception`} {...form.getInputProps("label")} />
          <NumberInput
            label={t`Calls at once`}
            min={1}
            max={10_000}
            allowDecimal={false}
            {...form.getInputProps("maxConcurrentCalls")}
          />
          <Switch label={t`Make it the default number`} {...form.getInputProps("isDefault", { type: "checkbox" })} />
          <Button type="submit" loading={isSending}>
            {phoneNumber ? t`Add ${phoneNumber}` : t`Add a number`}
          </Button>
        </Stack>
      </form>
    </Drawer>
  );
}

function SourceFields({ form }: { form: UseFormReturnType<AddValues> }) {
  const { provider } = form.getValues();
  const isOwner = useMay("WORKSPACE_ADMIN");
  const { mode } = useWorkspace();
  const accounts = useRead<CarrierAccount[]>(ACCOUNTS_PATH, undefined, { enabled: isOwner && mode === "LIVE" });
  const own = accounts.data?.filter((account) => account.provider === provider) ?? [];
  if (provider === "BYO_SIP") {
    return (
      <>
        <TextInput label={t`Number`} placeholder="+12025550190" required {...form.getInputProps("phoneNumber")} />
        <TrunkFields form={form} />
      </>
    );
  }
  return (
    <>
      {own.length > 1 && (
        <Select
          label={t`Account`}
          required
          data={own.map(({ id, label }) => ({ value: id, label: label || id }))}
          {...form.getInputProps("carrierAccountId")}
        />
      )}
      <TextInput
        label={t`Number`}
        description={
          provider === "SANDBOX" ? t`Empty: one is picked.` : t`One that you hold or want; empty: one is picked.`
        }
        placeholder="+12025550190"
        {...form.getInputProps("phoneNumber")}
      />
      <NumberSearch
        provider={provider}
        carrierAccountId={form.getValues().carrierAccountId}
        chosen={form.getValues().phoneNumber}
        choose={(number) => form.setFieldValue("phoneNumber", number)}
      />
    </>
  );
}

/** Returns a check that asks for confirmation before a purchase. */
function usePurchaseCheck(): (values: AddValues) => Promise<boolean> {
  const ask = useConfirm();
  const { mode } = useWorkspace();
  return async ({ provider, phoneNumber }) => {
    if (mode === "SANDBOX" || provider === "SANDBOX" || provider === "BYO_SIP") return true;
    return ask({
      title: t`Order ${phoneNumber || t`a number`}?`,
      body: t`Unless the account holds it already, it is bought, and the carrier bills it every month.`,
      action: t`Order`,
    });
  };
}

function toBody({ provider, carrierAccountId, phoneNumber, label, sipTrunk, ...rest }: AddValues): object {
  return {
    ...rest,
    provider,
    label: label.trim() || null,
    ...(phoneNumber.trim() ? { phoneNumber: phoneNumber.trim() } : {}),
    ...(carrierAccountId ? { carrierAccountId } : {}),
    ...(provider === "BYO_SIP" ? { sipTrunk: toTrunk(sipTrunk) } : {}),
  };
}

function useAddForm(close: () => void) {
  const mayBuy = usePurchaseCheck();
  const write = useWrite<PhoneNumber, object>({
    failed: t`The number was not added`,
    method: "POST",
    path: NUMBERS_PATH,
    refreshes: [NUMBERS_PATH],
  });
  const form = useForm<AddValues>({
    initialValues: {
      provider: "SANDBOX",
      carrierAccountId: null,
      phoneNumber: "",
      label: "",
      maxConcurrentCalls: 10,
      isDefault: false,
      sipTrunk: toTrunkValues(null),
    },
  });
  const sent = useSubmit(
    form,
    async (values) => {
      if (!(await mayBuy(values))) return false;
      const added = await write.mutateAsync(toBody(values));
      showDone(added.status === "PENDING" ? t`${added.phoneNumber} is ordered.` : t`${added.phoneNumber} is ready.`);
      close();
      return true;
    },
    { key: "number" },
  );
  return { form, ...sent };
}

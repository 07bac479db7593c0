import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { checkAmount, toAmount } from "./balance.ts";

type Values = { amount: string; note: string; reference: string };

/** Adds to the balance. */
export function TopUpDialog({ currency, close }: { currency: string; close: () => void }) {
  const form = useForm<Values>({
    initialValues: { amount: "", note: "", reference: "" },
    validate: { amount: checkAmount },
  });
  const write = useWrite<{ repeated: boolean }, Values>({
    failed: t`The top-up was not booked`,
    method: "POST",
    path: "/billing/top-ups",
    body: ({ amount, note, reference }) => ({
      amount: toAmount(amount),
      note: note.trim() || null,
      reference: reference.trim() || null,
    }),
    refreshes: ["/balance", "/billing"],
  });
  const sending = useSubmit(
    form,
    async (values) => {
      const { repeated } = await write.mutateAsync(values);
      showDone(repeated ? t`This reference was booked before: nothing was added.` : t`The balance is topped up.`);
      close();
    },
    { key: "top-up" },
  );
  return (
    <FormDialog title={t`Top up`} size="md" form={form} sending={sending} close={close} action={t`Top up`}>
      <TextInput
        label={t`Amount in ${currency}`}
        description={t`Negative to correct an earlier one.`}
        placeholder="100.00"
        inputMode="decimal"
        required
        data-autofocus
        {...form.getInputProps("amount")}
      />
      <TextInput
        label={t`Reference`}
        description={t`Your invoice or payment; the same one twice adds nothing.`}
        maxLength={200}
        {...form.getInputProps("reference")}
      />
      <TextInput label={t`Note`} maxLength={1000} {...form.getInputProps("note")} />
    </FormDialog>
  );
}

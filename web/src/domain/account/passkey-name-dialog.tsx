import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";

interface PasskeyNameDialogProps {
  title: string;
  action: string;
  name: string;
  close: () => void;
  save: (name: string) => Promise<unknown>;
}

/** Asks for the name of a passkey. */
export function PasskeyNameDialog({ title, action, name, close, save }: PasskeyNameDialogProps) {
  const form = useForm({ initialValues: { name } });
  const sending = useSubmit(form, (values) => save(values.name));
  return (
    <FormDialog title={title} form={form} sending={sending} close={close} action={action} size="md">
      <TextInput
        label={t`Name`}
        description={t`So that you know which one to delete when you lose a device.`}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}

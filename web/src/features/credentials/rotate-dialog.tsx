import { Select, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { type Credential, CREDENTIALS_PATH, type Minted } from "./credential.ts";

const OVERLAPS = [
  { value: "0", label: t`Ends at once` },
  { value: "3600", label: t`An hour more` },
  { value: "86400", label: t`A day more` },
  { value: "604800", label: t`A week more` },
  { value: "2592000", label: t`30 days more` },
];

interface RotateDialogProps {
  credential: Credential;
  close: () => void;
  onMinted: (minted: Minted) => void;
}

/** Makes a credential in the place of another, which is accepted for a while longer. */
export function RotateDialog({ credential, close, onMinted }: RotateDialogProps) {
  const form = useForm({ initialValues: { overlap: "86400" } });
  const write = useWrite<Minted, { overlap: string }>({
    failed: t`${credential.name} was not rotated`,
    method: "POST",
    path: `${CREDENTIALS_PATH}/${credential.id}/rotate`,
    body: ({ overlap }) => ({ overlapSeconds: Number(overlap) }),
    refreshes: [CREDENTIALS_PATH],
  });
  const sending = useSubmit(form, async (values) => onMinted(await write.mutateAsync(values)));
  return (
    <FormDialog
      title={t`Rotate ${credential.name}`}
      form={form}
      sending={sending}
      close={close}
      action={t`Rotate`}
      size="md"
    >
      <Text fz="sm">{t`A new one with the same permissions, addresses and length of life is made and shown once.`}</Text>
      <Select
        label={t`The one in use now`}
        data={OVERLAPS}
        allowDeselect={false}
        data-autofocus
        {...form.getInputProps("overlap")}
      />
    </FormDialog>
  );
}

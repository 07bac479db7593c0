import { Radio, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { type GivenLink, INVITATIONS_PATH, ROLES } from "./people.ts";

type Values = { name: string; email: string; role: string };

/** Creates an invitation; its link is shown next. */
export function InviteDialog({ close, onMade }: { close: () => void; onMade: (link: GivenLink) => void }) {
  const form = useForm<Values>({ initialValues: { name: "", email: "", role: "OPERATOR" } });
  const write = useWrite<GivenLink, Values>({
    failed: t`The invitation was not made`,
    method: "POST",
    path: INVITATIONS_PATH,
    body: ({ name, email, role }) => ({
      role,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(email.trim() === "" ? {} : { email: email.trim() }),
    }),
    refreshes: [INVITATIONS_PATH],
  });
  const sending = useSubmit(form, async (values) => onMade(await write.mutateAsync(values)), { key: "invitation" });
  return (
    <FormDialog title={t`Invite somebody`} form={form} sending={sending} close={close} action={t`Make link`}>
      <TextInput label={t`Name`} maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label={t`E-mail`}
        type="email"
        description={t`Only this address can use the invitation; empty: whoever has the link. No mail is sent.`}
        {...form.getInputProps("email")}
      />
      <Radio.Group label={t`Role`} {...form.getInputProps("role")}>
        <Stack gap="sm" mt={6}>
          {ROLES.map(({ value, label, may }) => (
            <Radio key={value} value={value} label={label} description={may} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}

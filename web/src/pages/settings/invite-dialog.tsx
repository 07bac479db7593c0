import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { type GivenLink, INVITATIONS_PATH, ROLES } from "./people.ts";

type Values = { name: string; email: string; role: string };

/** Makes an invitation; its link is shown next. */
export function InviteDialog({ close, onMade }: { close: () => void; onMade: (link: GivenLink) => void }) {
  const form = useForm<Values>({ initialValues: { name: "", email: "", role: "OPERATOR" } });
  const write = useWrite<GivenLink, Values>({
    method: "POST",
    path: INVITATIONS_PATH,
    body: ({ name, email, role }) => ({
      role,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(email.trim() === "" ? {} : { email: email.trim() }),
    }),
    refreshes: [INVITATIONS_PATH],
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => onMade(await write.mutateAsync(values)));
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>Invite somebody</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps("name")} />
          <TextInput
            label="E-mail"
            type="email"
            description="Only this address can use the invitation; empty: whoever has the link. No mail is sent."
            {...form.getInputProps("email")}
          />
          <Radio.Group label="Role" {...form.getInputProps("role")}>
            <Stack gap="sm" mt={6}>
              {ROLES.map(({ value, label, may }) => (
                <Radio key={value} value={value} label={label} description={may} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              Make link
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { type Credential, CREDENTIALS_PATH } from "./credential.ts";
import { PermissionBoxes } from "./permission-boxes.tsx";

/** Changes what a credential may do, from its next request on. */
export function PermissionsDialog({ credential, close }: { credential: Credential; close: () => void }) {
  const form = useForm({ initialValues: { permissions: credential.permissions } });
  const write = useWrite<Credential, { permissions: string[] }>({
    method: "PUT",
    path: `${CREDENTIALS_PATH}/${credential.id}/permissions`,
    refreshes: [CREDENTIALS_PATH],
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    await write.mutateAsync(values);
    showDone("Saved. It holds from the next request on.");
    close();
  });
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>What {credential.name} may do</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <PermissionBoxes {...form.getInputProps("permissions")} value={form.getValues().permissions} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

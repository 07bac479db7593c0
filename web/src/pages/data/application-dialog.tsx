import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useLocation } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { type Application, APPLICATIONS_PATH } from "./data.ts";

type Values = { name: string; key: string; description: string };

/** Makes or changes an application. */
export function ApplicationDialog({ application, close }: { application: Application | null; close: () => void }) {
  const [, navigate] = useLocation();
  const write = useWrite<Application, object>({
    method: application ? "PUT" : "POST",
    path: application ? `${APPLICATIONS_PATH}/${application.id}` : APPLICATIONS_PATH,
    refreshes: [APPLICATIONS_PATH],
  });
  const form = useForm<Values>({
    initialValues: { name: application?.name ?? "", key: "", description: application?.description ?? "" },
  });
  const { isSending, fault, submit } = useSubmit(form, async ({ name, key, description }) => {
    const body = { name, description: description || null, ...(key && !application ? { key } : {}) };
    const saved = await write.mutateAsync(body);
    showDone(application ? "Saved." : `${saved.name} is created, with a store of its customers.`);
    close();
    if (!application) navigate(`/data/${saved.id}`);
  });
  return (
    <Modal
      opened
      onClose={close}
      title={<Text fw={600}>{application ? "Change the application" : "Create an application"}</Text>}
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps("name")} />
          {!application && (
            <TextInput
              label="Key"
              description="Names it in flows; fixed. Empty: made of the name."
              placeholder="clinic"
              {...form.getInputProps("key")}
            />
          )}
          <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.getInputProps("description")} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              {application ? "Save" : "Create"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

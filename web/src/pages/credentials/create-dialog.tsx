import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { ALL_PERMISSIONS, CREDENTIALS_PATH, type Minted } from "./credential.ts";
import { PermissionBoxes } from "./permission-boxes.tsx";

const DAY_SECONDS = 86_400;
const LIFETIMES = [
  { value: "0", label: "Never" },
  { value: String(30 * DAY_SECONDS), label: "In 30 days" },
  { value: String(90 * DAY_SECONDS), label: "In 90 days" },
  { value: String(365 * DAY_SECONDS), label: "In a year" },
];

type Values = { kind: string; name: string; permissions: string[]; expiresInSeconds: string };

/** Makes a key or a client. */
export function CreateDialog({ close, onMinted }: { close: () => void; onMinted: (minted: Minted) => void }) {
  const form = useForm<Values>({
    initialValues: { kind: "keys", name: "", permissions: ALL_PERMISSIONS, expiresInSeconds: "0" },
  });
  const write = useWrite<Minted, Values>({
    method: "POST",
    path: ({ kind }) => `${CREDENTIALS_PATH}/${kind}`,
    body: toBody,
    refreshes: [CREDENTIALS_PATH],
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => onMinted(await write.mutateAsync(values)));
  const isKey = form.getValues().kind === "keys";
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>Create a credential</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <SegmentedControl
            aria-label="Kind"
            data={[
              { value: "keys", label: "API key" },
              { value: "clients", label: "OAuth client" },
            ]}
            {...form.getInputProps("kind")}
          />
          <TextInput
            label="Name"
            description="What uses it, so that you know what stops when you revoke it."
            placeholder="Nightly import"
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps("name")}
          />
          <PermissionBoxes {...form.getInputProps("permissions")} value={form.getValues().permissions} />
          {isKey && (
            <Select
              label="Expires"
              data={LIFETIMES}
              allowDeselect={false}
              {...form.getInputProps("expiresInSeconds")}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              {isKey ? "Create key" : "Create client"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function toBody({ kind, name, permissions, expiresInSeconds }: Values): object {
  const seconds = Number(expiresInSeconds);
  return { name, permissions, ...(kind === "keys" && seconds > 0 ? { expiresInSeconds: seconds } : {}) };
}

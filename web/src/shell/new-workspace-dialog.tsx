import { Button, Checkbox, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useConsoleWrite } from "#web/api/console-queries.ts";
import { sessionQuery } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { ownZone } from "#web/ui/own-zone.ts";
import { useOpenMade } from "#web/ui/use-open-made.ts";

/** Creates a workspace and opens it. */
export function NewWorkspaceDialog({ close }: { close: () => void }) {
  const client = useQueryClient();
  const openMade = useOpenMade();
  const write = useConsoleWrite<{ id: string }, object>({
    failed: t`The workspace was not created`,
    method: "POST",
    path: "/workspaces",
    body: (workspace) => workspace,
  });
  const form = useForm({ initialValues: { name: "", mode: "SANDBOX", sample: true } });
  const { isSending, fault, submit } = useSubmit(
    form,
    async ({ name, mode, sample }) => {
      const body = { name, mode, timeZone: ownZone(), sample: mode === "SANDBOX" && sample };
      const { id } = await write.mutateAsync(body);
      await client.invalidateQueries(sessionQuery);
      openMade({ path: `~/w/${id}`, done: t`${name} is there.`, isQuiet: true, close });
    },
    { key: "workspace" },
  );
  return (
    <Modal opened onClose={close} title={<Text fw={600}>{t`New workspace`}</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <TextInput label={t`Name`} required maxLength={100} data-autofocus {...form.getInputProps("name")} />
          <Radio.Group label={t`Mode`} {...form.getInputProps("mode")}>
            <Stack gap="xs" mt={6}>
              <Radio value="SANDBOX" label={t`Sandbox`} description={t`Every call is simulated; nothing is billed.`} />
              <Radio value="LIVE" label={t`Live`} description={t`Phones ring, through a carrier that you connect.`} />
            </Stack>
          </Radio.Group>
          {form.getValues().mode === "SANDBOX" && (
            <Checkbox label={t`Fill it with a sample`} {...form.getInputProps("sample", { type: "checkbox" })} />
          )}
          <Button type="submit" loading={isSending}>
            {t`Create workspace`}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

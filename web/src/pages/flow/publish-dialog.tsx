import { Alert, Button, Group, Modal, NumberInput, Stack, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { DiffList } from "./diff-list.tsx";
import type { Flow, FlowDraft } from "./flow.ts";

/** Publishes the draft as it is shown here: what differs, why, and how many sessions take it. */
export function PublishDialog({ flow, draft, close }: { flow: Flow; draft: FlowDraft; close: () => void }) {
  const form = useForm({ initialValues: { note: "", percent: 100 } });
  const isOvertaken = draft.baseVersion !== flow.version;
  const write = useWrite<Flow, { note: string; percent: number }>({
    method: "POST",
    path: `/flows/${flow.id}/publish?ifUpdatedAt=${encodeURIComponent(draft.updatedAt)}`,
    body: ({ note, percent }) => ({ note: note.trim() || null, percent, overwrite: isOvertaken }),
    refreshes: ["/flows"],
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    const { version } = await write.mutateAsync(values);
    showDone(`Version ${version} is published.`);
    close();
  });
  return (
    <Modal opened onClose={close} size="xl" title={<Text fw={600}>Publish version {flow.version + 1}</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          {isOvertaken && (
            <Alert color="orange" variant="light" title={`Version ${flow.version} came in between`}>
              This draft began from version {draft.baseVersion}. What version {flow.version} changed is undone where the
              comparison below shows it; it stays in the list of versions.
            </Alert>
          )}
          <DiffList before={flow} after={draft} same="The draft says the same as what is published." />
          <Textarea
            label="What changed"
            description="Shown in the list of versions."
            autosize
            minRows={2}
            maxLength={1_000}
            data-autofocus
            {...form.getInputProps("note")}
          />
          <NumberInput
            label="Share of new sessions, in percent"
            description={`Below 100, the rest stays with version ${flow.version} until you change the shares.`}
            min={1}
            max={100}
            allowDecimal={false}
            maw={340}
            {...form.getInputProps("percent")}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color={isOvertaken ? "red.9" : "parley"} loading={isSending}>
              {isOvertaken ? "Publish all the same" : "Publish"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

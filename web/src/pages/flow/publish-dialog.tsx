import { Alert, NumberInput, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { FormDialog } from "#web/form/form-dialog.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { DiffList } from "./diff-list.tsx";
import type { Flow, FlowDraft } from "./flow.ts";

/** Publishes the draft as it is shown here: what differs, why, and how many sessions take it. */
export function PublishDialog({ flow, draft, close }: { flow: Flow; draft: FlowDraft; close: () => void }) {
  const form = useForm({ initialValues: { note: "", percent: 100 } });
  const isOvertaken = draft.baseVersion !== flow.version;
  const write = useWrite<Flow, { note: string; percent: number }>({
    failed: `Version ${flow.version + 1} was not published`,
    method: "POST",
    path: `/flows/${flow.id}/publish?ifUpdatedAt=${encodeURIComponent(draft.updatedAt)}`,
    body: ({ note, percent }) => ({ note: note.trim() || null, percent, overwrite: isOvertaken }),
    refreshes: ["/flows"],
  });
  const sending = useSubmit(form, async (values) => {
    const { version } = await write.mutateAsync(values);
    showDone(`Version ${version} is published.`);
    close();
  });
  return (
    <FormDialog
      title={`Publish version ${flow.version + 1}`}
      size="xl"
      form={form}
      sending={sending}
      close={close}
      action={isOvertaken ? "Publish all the same" : "Publish"}
      color={isOvertaken ? "red.9" : "parley"}
    >
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
    </FormDialog>
  );
}

import { Alert, List, NumberInput, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { ApiError, type Fault } from "#web/api/api-error.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import type { Flow, FlowDraft, Split } from "#web/domain/flow/flow.ts";
import { sayShares } from "#web/domain/flow/split-words.ts";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { DiffList } from "./diff-list.tsx";
import { PublishUses } from "./publish-uses.tsx";

interface PublishDialogProps {
  flow: Flow;
  draft: FlowDraft;
  splits: Split[] | null;
  close: () => void;
}

/** Publishes the draft as shown: its differences, a note, and its share of the sessions. */
export function PublishDialog({ flow, draft, splits, close }: PublishDialogProps) {
  const isOvertaken = draft.baseVersion !== flow.version;
  const { form, sending, unknown } = usePublication(flow, draft, { overwrite: isOvertaken, close });
  return (
    <FormDialog
      title={t`Publish version ${flow.version + 1}`}
      size="xl"
      form={form}
      sending={sending}
      close={close}
      action={isOvertaken || unknown.length > 0 ? t`Publish all the same` : t`Publish`}
      color={isOvertaken ? "red.9" : "parley"}
    >
      {unknown.length > 0 && <UnknownVariables faults={unknown} />}
      {isOvertaken && (
        <Alert color="orange" variant="light" title={t`Version ${flow.version} came in between`}>
          {t`This draft began from version ${draft.baseVersion}. What version ${flow.version} changed is undone where the comparison below shows it; it stays in the list of versions.`}
        </Alert>
      )}
      {splits && <SplitEnds splits={splits} version={flow.version} percent={form.getValues().percent} />}
      <PublishUses flowId={flow.id} percent={form.getValues().percent} />
      <DiffList before={flow} after={draft} same={t`The draft says the same as what is published.`} />
      <Textarea
        label={t`What changed`}
        description={t`Shown in the list of versions.`}
        autosize
        minRows={2}
        maxLength={1_000}
        data-autofocus
        {...form.getInputProps("note")}
      />
      <NumberInput
        label={t`Share of new sessions, in percent`}
        description={t`Below 100, the rest stays with version ${flow.version} until you change the shares.`}
        min={1}
        max={100}
        allowDecimal={false}
        maw={340}
        {...form.getInputProps("percent")}
      />
    </FormDialog>
  );
}

/** Says what becomes of a running split: a publication at 100 % ends it, and one below begins a new one. */
function SplitEnds({ splits, version, percent }: { splits: Split[]; version: number; percent: number }) {
  const shares = sayShares(splits);
  return percent < 100 ? (
    <Alert color="orange" variant="light" title={t`The running traffic split is replaced`}>
      {t`New sessions are split now: ${shares}. Afterwards ${percent} % of them take version ${version + 1}, and the rest version ${version}.`}
    </Alert>
  ) : (
    <Alert color="orange" variant="light" title={t`The running traffic split ends`}>
      {t`New sessions are split now: ${shares}. Afterwards all of them take version ${version + 1}. Choose a share below 100 % to begin a new split.`}
    </Alert>
  );
}

/** Sends the publication. When it is refused because of variables, it is sent again only after these were shown. */
function usePublication(flow: Flow, draft: FlowDraft, { overwrite, close }: { overwrite: boolean; close: () => void }) {
  const form = useForm({ initialValues: { note: "", percent: 100 } });
  const [unknown, setUnknown] = useState<Fault[]>([]);
  const write = useWrite<Flow, { note: string; percent: number }>({
    failed: t`Version ${flow.version + 1} was not published`,
    method: "POST",
    path: `/flows/${flow.id}/publish?ifUpdatedAt=${encodeURIComponent(draft.updatedAt)}`,
    body: ({ note, percent }) => ({
      note: note.trim() || null,
      percent,
      overwrite,
      ...(unknown.length > 0 ? { acceptUnknownVariables: true } : {}),
    }),
    refreshes: ["/flows"],
  });
  const sending = useSubmit(
    form,
    async (values) => {
      try {
        const { version } = await write.mutateAsync(values);
        showDone(t`Version ${version} is published.`);
        close();
        return true;
      } catch (error) {
        if (!isAboutVariables(error)) throw error;
        setUnknown(error.faults);
        return false;
      }
    },
    { key: `publish ${flow.id}` },
  );
  return { form, sending, unknown };
}

function isAboutVariables(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "UNKNOWN_VARIABLES" && error.faults.length > 0;
}

/** Lists the variables without a value; the draft is published only when the person confirms again. */
function UnknownVariables({ faults }: { faults: Fault[] }) {
  return (
    <Alert color="orange" variant="light" role="alert" title={t`Nothing fills these variables`}>
      <List size="sm" spacing={2}>
        {faults.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <b>{path}</b>: {message}
          </List.Item>
        ))}
      </List>
      {t`Correct them, declare them under Variables, or publish if the row data of every call brings them.`}
    </Alert>
  );
}

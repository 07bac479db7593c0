import { Group, Select, Switch, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { checkJsonText, readJsonText, toJsonText } from "#web/ui/form/json-text.ts";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { JOBS_PATH, PROVIDERS, type TranscriptionJob } from "./transcription.ts";

type Values = {
  name: string;
  provider: string;
  language: string;
  fileNamePattern: string;
  metadataFields: string;
  retainAudio: boolean;
};

/** Creates or changes a transcription job; for a stored one, only changed fields are sent. */
export function JobDialog({ job, close }: { job: TranscriptionJob | null; close: () => void }) {
  const openMade = useOpenMade();
  const write = useWrite<TranscriptionJob, Based<TranscriptionJob>>({
    failed: t`The transcription job was not saved`,
    method: job ? "PATCH" : "POST",
    path: ({ base }) => (job ? `${JOBS_PATH}/${job.id}${ifUnchanged(base)}` : JOBS_PATH),
    body: ({ body }) => body,
    refreshes: [JOBS_PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(job), validate: { metadataFields: checkJsonText } });
  const guard = { stored: job, toValues, path: `${JOBS_PATH}/${job?.id ?? ""}` };
  const sending = useGuardedSubmit<TranscriptionJob, Values>(form, guard, async (values, base) => {
    const changed = Object.entries(toBody(values)).filter(([name]) => job === null || form.isDirty(name));
    const saved = await write.mutateAsync({ body: Object.fromEntries(changed), base });
    if (!job) {
      openMade({ path: `/transcriptions/${saved.id}`, done: t`${saved.name} takes recordings now.`, close });
      return saved;
    }
    showDone(t`Saved. Recordings that are there stay as they are.`);
    close();
    return saved;
  });
  return (
    <FormDialog
      title={job ? t`Change the job` : t`Create a transcription job`}
      form={form}
      sending={sending}
      close={close}
      action={job ? t`Save` : t`Create`}
    >
      <JobFields form={form} />
    </FormDialog>
  );
}

function JobFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <TextInput label={t`Name`} required maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Select label={t`Provider`} data={PROVIDERS} allowDeselect={false} {...form.getInputProps("provider")} />
        <TextInput label={t`Language`} placeholder={t`Found out`} {...form.getInputProps("language")} />
      </Group>
      <TextInput
        label={t`File name pattern`}
        description={t`Named groups become metadata: (?<agent>[a-z]+)_(?<date>\\d{8})`}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("fileNamePattern")}
      />
      <TextEditor
        label={t`Metadata fields`}
        description={t`JSON list of the keys that recordings may have: [{"key":"agent","type":"STRING"}]`}
        language="json"
        minHeight={90}
        {...form.getInputProps("metadataFields")}
      />
      <Switch
        label={t`Keep uploaded audio`}
        description={t`Otherwise it is deleted once it is transcribed.`}
        {...form.getInputProps("retainAudio", { type: "checkbox" })}
      />
    </>
  );
}

function toValues(job: TranscriptionJob | null): Values {
  const fields = job?.metadataFields.map(({ jobId: _, ...field }) => field) ?? [];
  return {
    name: job?.name ?? "",
    provider: job?.provider ?? "SANDBOX",
    language: job?.language ?? "",
    fileNamePattern: job?.fileNamePattern ?? "",
    metadataFields: fields.length > 0 ? toJsonText(fields) : "",
    retainAudio: job?.retainAudio ?? false,
  };
}

function toBody({ language, fileNamePattern, metadataFields, ...rest }: Values): Record<string, unknown> {
  return {
    ...rest,
    language: language.trim() || null,
    fileNamePattern: fileNamePattern || null,
    metadataFields: readJsonText(metadataFields) ?? [],
  };
}

import { Button, Group, Modal, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useLocation } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { TextEditor } from "#web/editor/text-editor.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { checkJsonText, readJsonText, toJsonText } from "#web/form/json-text.ts";
import { useSubmit } from "#web/form/use-submit.ts";
import { JOBS_PATH, PROVIDERS, type TranscriptionJob } from "./transcription.ts";

type Values = {
  name: string;
  provider: string;
  language: string;
  fileNamePattern: string;
  metadataFields: string;
  retainAudio: boolean;
};

/** Makes or changes a transcription job; of a stored one only what was changed is sent. */
export function JobDialog({ job, close }: { job: TranscriptionJob | null; close: () => void }) {
  const [, navigate] = useLocation();
  const write = useWrite<TranscriptionJob, object>({
    method: job ? "PATCH" : "POST",
    path: job ? `${JOBS_PATH}/${job.id}` : JOBS_PATH,
    refreshes: [JOBS_PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(job), validate: { metadataFields: checkJsonText } });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    const changed = Object.entries(toBody(values)).filter(([name]) => job === null || form.isDirty(name));
    const saved = await write.mutateAsync(Object.fromEntries(changed));
    showDone(job ? "Saved. Recordings that are there stay as they are." : `${saved.name} takes recordings now.`);
    close();
    if (!job) navigate(`/transcriptions/${saved.id}`);
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={<Text fw={600}>{job ? "Change the job" : "Create a transcription job"}</Text>}
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <JobFields form={form} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              {job ? "Save" : "Create"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function JobFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Select label="Provider" data={PROVIDERS} allowDeselect={false} {...form.getInputProps("provider")} />
        <TextInput label="Language" placeholder="Found out" {...form.getInputProps("language")} />
      </Group>
      <TextInput
        label="File name pattern"
        description="Named groups become metadata: (?<agent>[a-z]+)_(?<date>\d{8})"
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("fileNamePattern")}
      />
      <TextEditor
        label="Metadata fields"
        description='JSON list of the keys that recordings may have: [{"key":"agent","type":"STRING"}]'
        language="json"
        minHeight={90}
        {...form.getInputProps("metadataFields")}
      />
      <Switch
        label="Keep uploaded audio"
        description="Otherwise it is deleted once it is transcribed."
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

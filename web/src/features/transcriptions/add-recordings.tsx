import { Alert, Anchor, Button, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { Link } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { DropBox } from "#web/ui/drop-box.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { checkJsonObject, readJsonText } from "#web/ui/form/json-text.ts";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { Icon } from "#web/ui/icon.tsx";
import { type Receipt, recordingsPath } from "./transcription.ts";
import { type FileUpload, useUploads } from "./use-uploads.ts";

/** Uploads recordings: files, each with its progress, or an address. */
export function AddRecordings({ jobId }: { jobId: string }) {
  const [metadata, setMetadata] = useState("");
  const fault = checkJsonObject(metadata);
  const { uploads, add, clear } = useUploads(jobId);
  // A recording is not sent without the metadata that somebody typed for it.
  const send = (files: File[]) =>
    fault === null ? add(files, readJsonText(metadata) as object | undefined) : showFault(new Error(fault));
  return (
    <Card title={t`Add recordings`}>
      <Stack>
        <DropBox
          label={t`Drop audio files, or choose them`}
          hint={t`WAV, MP3, M4A, OGG, FLAC …, at most 500 MB each`}
          accept="audio/*,video/mp4,video/webm"
          isMany
          onFiles={send}
        />
        {uploads.length > 0 && (
          <Stack gap="xs" aria-live="polite">
            {uploads.map((one) => (
              <UploadLine key={one.id} jobId={jobId} upload={one} />
            ))}
            {uploads.every(({ state }) => state !== "SENDING") && (
              <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
                {t`Clear the list`}
              </Button>
            )}
          </Stack>
        )}
        <TextEditor
          label={t`Metadata of what is sent`}
          description={t`JSON, such as an agent's name; wins over file names and the spreadsheet.`}
          language="json"
          minHeight={56}
          value={metadata}
          onChange={setMetadata}
          error={fault}
        />
        <AddressForm jobId={jobId} metadata={metadata} />
      </Stack>
    </Card>
  );
}

function UploadLine({ jobId, upload }: { jobId: string; upload: FileUpload }) {
  const { name, share, state, receipt, fault } = upload;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fz="sm" truncate>
          {name}
        </Text>
        <Text fz="xs" c={state === "FAILED" ? "red" : "dimmed"} style={{ whiteSpace: "nowrap" }}>
          {state === "SENDING" && `${Math.round(share * 100)} %`}
          {state === "FAILED" && t`Failed`}
          {state === "DONE" && (receipt?.duplicate ? t`Was there already` : t`Sent`)}
        </Text>
      </Group>
      {state === "SENDING" && <Progress size="sm" value={share * 100} aria-label={t`Upload of ${name}`} />}
      {fault && (
        <Text fz="xs" c="red">
          {fault}
        </Text>
      )}
      {receipt && <ReceiptNote jobId={jobId} receipt={receipt} />}
    </div>
  );
}

/** Shows the warnings about an accepted recording, such as undefined metadata keys. */
function ReceiptNote({ jobId, receipt: { rowId, unknownMetadataKeys, warning } }: { jobId: string; receipt: Receipt }) {
  if (unknownMetadataKeys.length === 0 && !warning) return null;
  return (
    <Alert color="orange" variant="light" icon={<Icon name="alert" />} mt={4} p="xs">
      <Text fz="xs">
        {warning ?? t`Unknown metadata keys: ${unknownMetadataKeys.join(", ")}.`}{" "}
        <Anchor component={Link} fz="xs" href={`/transcriptions/${jobId}?recording=${rowId}`}>
          {t`Show`}
        </Anchor>
      </Text>
    </Alert>
  );
}

function AddressForm({ jobId, metadata }: { jobId: string; metadata: string }) {
  const path = recordingsPath(jobId);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const write = useWrite<Receipt, object>({
    failed: t`The recording was not added`,
    method: "POST",
    path,
    refreshes: [path],
  });
  const form = useForm<{ url: string; externalId: string }>({ initialValues: { url: "", externalId: "" } });
  const { isSending, fault, submit } = useSubmit(
    form,
    async ({ url, externalId }) => {
      const wrong = checkJsonObject(metadata);
      if (wrong !== null) throw new Error(wrong);
      const body = { url: url.trim(), externalId: externalId.trim() || null, metadata: readJsonText(metadata) ?? null };
      const taken = await write.mutateAsync(body);
      setReceipt(taken);
      showDone(taken.duplicate ? t`It was there already.` : t`The recording is queued.`);
      form.reset();
    },
    { key: path },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="xs">
        <FormFault fault={fault} />
        <TextInput
          label={t`Or by URL`}
          placeholder="https://example.com/call.wav"
          required
          {...form.getInputProps("url")}
        />
        <TextInput
          label={t`External ID`}
          description={t`Sending the same ID again returns the existing recording.`}
          {...form.getInputProps("externalId")}
        />
        <Button type="submit" variant="default" loading={isSending}>
          {t`Add by address`}
        </Button>
        {receipt && <ReceiptNote jobId={jobId} receipt={receipt} />}
      </Stack>
    </form>
  );
}

import { Button, Grid, Stack } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useParams } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { AddRecordings } from "./add-recordings.tsx";
import { RecordingList } from "./recording-list.tsx";
import { SpreadsheetCard } from "./spreadsheet-card.tsx";
import { JOBS_PATH, PROVIDERS, type TranscriptionJob } from "./transcription.ts";

const JobDialog = lazy(async () => ({ default: (await import("./job-dialog.tsx")).JobDialog }));

/** Page of a transcription job with its recordings. */
export function TranscriptionJobPage() {
  const { jobId } = useParams<{ jobId: string }>();
  const read = useRead<TranscriptionJob>(`${JOBS_PATH}/${jobId}`);
  return <Loaded read={read}>{(job) => <JobView job={job} />}</Loaded>;
}

function JobView({ job }: { job: TranscriptionJob }) {
  const mayWrite = useMay("TRANSCRIPTIONS_WRITE");
  const [isEditing, setEditing] = useState(false);
  const close = useClose(job);
  const isOpen = job.status === "OPEN";
  return (
    <Page
      title={job.name}
      back={{ href: "/transcriptions", label: t`Transcriptions` }}
      badge={<StatusBadge status={job.status} />}
      actions={
        mayWrite && (
          <>
            <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setEditing(true)}>
              {t`Edit`}
            </Button>
            {isOpen && (
              <Button variant="default" leftSection={<Icon name="stop" />} onClick={close}>
                {t`Close job`}
              </Button>
            )}
          </>
        )
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <RecordingList jobId={job.id} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            {mayWrite && isOpen && <AddRecordings jobId={job.id} />}
            <SpreadsheetCard job={job} mayWrite={mayWrite && isOpen} />
            <JobFacts job={job} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Suspense fallback={null}>{isEditing && <JobDialog job={job} close={() => setEditing(false)} />}</Suspense>
    </Page>
  );
}

function useClose(job: TranscriptionJob): () => void {
  const ask = useConfirm();
  const write = useWrite<TranscriptionJob>({
    failed: t`${job.name} was not closed`,
    method: "POST",
    path: `${JOBS_PATH}/${job.id}/close`,
    refreshes: [JOBS_PATH],
  });
  const close = async () => {
    const isSure = await ask({
      title: t`Close ${job.name}?`,
      body: t`It takes no new recordings; those that wait are still transcribed. It cannot be opened again.`,
      action: t`Close job`,
    });
    if (!isSure) return;
    await write.mutateAsync();
    showDone(t`The job is closed.`);
  };
  return () => void close().catch(showFault);
}

function JobFacts({ job }: { job: TranscriptionJob }) {
  const fields = job.metadataFields.map(({ key, required }) => (required ? t`${key} (required)` : key));
  return (
    <Card title={t`Settings`}>
      <Facts
        facts={[
          { label: t`Provider`, value: PROVIDERS.find(({ value }) => value === job.provider)?.label ?? job.provider },
          { label: t`Language`, value: job.language ?? t`Detected automatically` },
          { label: t`Name pattern`, value: job.fileNamePattern === null ? "–" : <code>{job.fileNamePattern}</code> },
          { label: t`Metadata`, value: fields.length === 0 ? "–" : fields.join(", ") },
          { label: t`Audio`, value: job.retainAudio ? t`kept` : t`deleted when transcribed` },
          { label: t`Created`, value: <Time at={job.createdAt} /> },
          { label: t`Closed`, value: <Time at={job.closedAt} /> },
        ]}
      />
    </Card>
  );
}

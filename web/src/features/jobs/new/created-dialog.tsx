import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { SigningSecret } from "#web/features/jobs/signing-secret.tsx";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { LineFaults } from "./line-faults.tsx";
import type { CreatedJob } from "./new-job.ts";

/** Dialog to read before the job opens: the webhook's secret, shown once, and the rejected lines. */
export function CreatedDialog({ job, close }: { job: CreatedJob; close: () => void }) {
  const secret = job.completionWebhook?.signingSecret;
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      size="lg"
      title={<Text fw={600}>{t`The job is made: ${formatNumber(job.acceptedRows)} people`}</Text>}
    >
      <Stack>
        {secret && <SigningSecret secret={secret} />}
        <LineFaults
          title={t`Lines that were not taken`}
          faults={job.rowErrors}
          more={(job.rejectedRows ?? 0) - job.rowErrors.length}
        />
        <Group justify="flex-end">
          <Button component={Link} href={`/jobs/${job.id}`} onClick={close}>
            {t`Open the job`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

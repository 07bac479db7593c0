import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { CallJob, RowError } from "@parley/sdk";
import { useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showDone, notifyResult } from "#web/api/undo.tsx";
import { ContactsStep } from "#web/features/jobs/new/contacts-step.tsx";
import type { Contacts } from "#web/features/jobs/new/contacts.ts";
import { toBody } from "#web/features/jobs/new/job-body.ts";
import { LineFaults } from "#web/features/jobs/new/line-faults.tsx";
import { useContacts } from "#web/features/jobs/new/use-contacts.ts";
import { atLine } from "#web/features/jobs/new/use-create-job.ts";
import { t } from "#web/i18n/t.ts";
import { forgetUnsaved } from "#web/ui/form/unsaved.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { useIsShown } from "#web/ui/use-is-shown.ts";

type Added = CallJob & { acceptedRows: number; duplicateRows: number; rowErrors: RowError[] };

/** Adds people to a job that runs or is over; a finished job begins a new run. */
export function AddRowsDialog(props: { job: CallJob; close: () => void }) {
  const { job } = props;
  const keptAs = `add-rows:${job.id}`;
  const list = useContacts(keptAs);
  const isShown = useIsShown();
  const [added, setAdded] = useState<Added | null>(null);
  const [isMaking, setMaking] = useState(false);
  const append = useWrite<Added, Blob>({
    failed: t`The rows were not added`,
    method: "POST",
    path: `/call-jobs/${job.id}/rows`,
    headers: () => ({ "content-type": "application/json" }),
    refreshes: ["/call-jobs"],
  });
  const close = () => {
    forgetUnsaved(keptAs);
    props.close();
  };
  const run = async (contacts: Contacts) => {
    setMaking(true);
    const body = await toBody({}, contacts.rows);
    setMaking(false);
    notifyResult(append.mutateAsync(body), (reply) => {
      forgetUnsaved(keptAs);
      showDone(t`${formatNumber(reply.acceptedRows)} rows added.`);
      if (!isShown.current) return;
      if (reply.rowErrors.length === 0 && reply.duplicateRows === 0) close();
      else setAdded({ ...reply, rowErrors: reply.rowErrors.map((error) => atLine(error, contacts)) });
    });
  };
  const count = list.contacts?.rows.length ?? 0;
  return (
    <Modal opened onClose={close} size="xl" title={<Text fw={600}>{t`Add rows`}</Text>}>
      {added ? (
        <AddedNote added={added} close={close} />
      ) : (
        <Stack>
          {job.status === "COMPLETED" && (
            <Text fz="sm">
              {t`The job is complete. New rows begin run ${(job.run ?? 1) + 1}, which completes once more.`}
            </Text>
          )}
          <ContactsStep list={list} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t`Close`}
            </Button>
            <Button
              disabled={count === 0}
              loading={isMaking || append.isPending}
              onClick={() => list.contacts && void run(list.contacts)}
            >
              {t`Add ${formatNumber(count)} rows`}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function AddedNote({ added, close }: { added: Added; close: () => void }) {
  return (
    <Stack>
      <Alert color="green" variant="light" title={t`${formatNumber(added.acceptedRows)} rows added`}>
        {added.duplicateRows > 0 && (
          <Text fz="sm">{t`${formatNumber(added.duplicateRows)} were in the job already, by their external ID.`}</Text>
        )}
      </Alert>
      <LineFaults title={t`Lines that were not taken`} faults={added.rowErrors} />
      <Group justify="flex-end">
        <Button onClick={close}>{t`Done`}</Button>
      </Group>
    </Stack>
  );
}

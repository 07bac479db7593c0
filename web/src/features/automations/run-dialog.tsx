import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { withQuery } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone, notifyResult } from "#web/api/undo.tsx";
import { useJobChoices } from "#web/domain/job/use-job-choices.ts";
import { t } from "#web/i18n/t.ts";
import { useIsShown } from "#web/ui/use-is-shown.ts";
import type { Automation, AutomationRun } from "./automation.ts";

/** Dialog to pick the call job for one run of a report on all jobs. */
export function RunDialog({ automation, close }: { automation: Automation; close: () => void }) {
  const [jobId, setJobId] = useState<string | null>(null);
  const choices = useJobChoices(jobId);
  const isShown = useIsShown();
  const run = useWrite<AutomationRun, string>({
    failed: t`${automation.name} was not run`,
    method: "POST",
    path: (callJobId) => withQuery(`/automations/${automation.id}/run`, { callJobId }),
    body: () => undefined,
    refreshes: ["/automations"],
  });
  const start = (callJobId: string) =>
    notifyResult(run.mutateAsync(callJobId), () => {
      showDone(t`It runs. Its files appear here.`);
      if (isShown.current) close();
    });
  return (
    <Modal opened onClose={close} title={<Text fw={600}>{t`Report of which job?`}</Text>}>
      <Stack>
        <Select
          label={t`Call job`}
          placeholder={t`Choose one`}
          {...choices}
          value={jobId}
          onChange={setJobId}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t`Close`}
          </Button>
          <Button
            disabled={jobId === null}
            loading={run.isPending}
            onClick={() => {
              if (jobId !== null) start(jobId);
            }}
          >
            {t`Run now`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

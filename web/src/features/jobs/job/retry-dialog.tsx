import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import type { CallJob, RetriedRows } from "@parley/sdk";
import { useState } from "react";
import { withQuery } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone, notifyResult } from "#web/api/undo.tsx";
import { RETRYABLE } from "#web/domain/job/job-settings.ts";
import { t } from "#web/i18n/t.ts";
import { formatName, formatNumber } from "#web/ui/format/format.ts";
import { useIsShown } from "#web/ui/use-is-shown.ts";
import { useJobSummary } from "./use-job.ts";

/** Dialog to choose which unreached rows are dialled again. */
export function RetryDialog({ job, close }: { job: CallJob; close: () => void }) {
  const outcomes = useJobSummary(job).data?.outcomes ?? [];
  const offered = RETRYABLE.flatMap((name) => outcomes.filter(({ outcome, count }) => outcome === name && count > 0));
  const [left, setLeft] = useState<string[]>([]);
  const isShown = useIsShown();
  const chosen = offered.filter(({ outcome }) => !left.includes(outcome));
  const count = chosen.reduce((sum, group) => sum + group.count, 0);
  const retry = useWrite<RetriedRows, string[]>({
    failed: t`No row is dialled again`,
    method: "POST",
    path: (names) => withQuery(`/call-jobs/${job.id}/retry-failed`, { outcome: names }),
    body: () => undefined,
    refreshes: ["/call-jobs"],
  });
  const run = () =>
    notifyResult(retry.mutateAsync(chosen.map(({ outcome }) => outcome)), ({ retriedRows, moreFollow }) => {
      const count = formatNumber(retriedRows);
      showDone(
        moreFollow
          ? t`${count} rows went back into the queue. The others follow within minutes.`
          : t`${count} rows went back into the queue.`,
      );
      if (isShown.current) close();
    });
  return (
    <Modal opened onClose={close} title={<Text fw={600}>{t`Dial again`}</Text>}>
      <Stack>
        <Text fz="sm">
          {t`Rows go back into the queue with fresh attempts. Somebody who was on the line, opted out or was blocked is never dialled again.`}
        </Text>
        {offered.length === 0 && (
          <Text fz="sm" c="dimmed">
            {t`None of the rows that failed can be dialled again.`}
          </Text>
        )}
        {offered.map((group) => (
          <Checkbox
            key={group.outcome}
            label={`${formatName(group.outcome)} (${formatNumber(group.count)})`}
            checked={!left.includes(group.outcome)}
            onChange={({ currentTarget: { checked } }) =>
              setLeft((before) =>
                checked ? before.filter((name) => name !== group.outcome) : [...before, group.outcome],
              )
            }
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t`Close`}
          </Button>
          <Button disabled={count === 0} loading={retry.isPending} onClick={run}>
            {t`Dial ${formatNumber(count)} again`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Alert, Stack, Text } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";

/** True for a job that waits to be started. */
export function isPrepared({ status, pauseReason }: CallJob): boolean {
  return status === "PAUSED" && pauseReason === "NOT_STARTED";
}

/** Note that nobody was called yet, with the commands that run the same list from a terminal. */
export function PreparedNote({ job }: { job: CallJob }) {
  const webhook = job.completionWebhook ? ` --webhook-url '${job.completionWebhook.url}'` : "";
  const commands = [
    "npx parley sandbox contacts > demo.csv",
    `npx parley jobs create demo.csv --delays 30${webhook} --watch`,
  ];
  return (
    <Alert variant="light" icon={<Icon name="play" />} title={t`Ready: nobody was called yet`}>
      <Stack gap="xs">
        <Text fz="sm">
          {t`${formatNumber(job.totalRows)} simulated people: most answer, some are busy and are called again, some are voicemail, and one may not be called. Start it here, or run the same list from your terminal with the key that you made:`}
        </Text>
        <CodeBlock text={commands.join("\n")} label={t`commands`} />
      </Stack>
    </Alert>
  );
}

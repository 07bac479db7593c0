import { SimpleGrid } from "@mantine/core";
import type { CallJob } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";

/** The job as the API returns it, and the request for it. */
export function ApiTab({ job }: { job: CallJob }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card title={t`Ask for it`}>
        <SnippetTabs
          call={{
            method: "GET",
            path: `/call-jobs/${job.id}`,
            command: `jobs watch ${job.id}`,
            sdk: `client.jobs.wait("${job.id}")`,
          }}
        />
      </Card>
      <Card title={t`Answer`}>
        <JsonView value={job} label={t`The job as JSON`} maxHeight={420} />
      </Card>
    </SimpleGrid>
  );
}

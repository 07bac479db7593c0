import { Anchor, Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { Link } from "wouter";
import type { Query } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { CriterionNote } from "#web/domain/results/criterion-note.tsx";
import { toCallsOf, useResults } from "#web/domain/results/use-results.ts";
import { VerdictLine } from "#web/domain/results/verdict-line.tsx";
import { VersionsTable } from "#web/domain/results/versions-table.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Loaded } from "#web/ui/load-state.tsx";

/** Days that are counted. */
const DAYS = 30;

/** Card with the results of each version of a flow: the figures and the verdict of the results. */
export function VersionResults({ apiId }: { apiId: string }) {
  const { timeZone } = useWorkspace();
  const query = { flowApiId: apiId, lastDays: DAYS, timeZone };
  const read = useResults(query);
  const all = `/analytics?${new URLSearchParams({ flowApiId: apiId }).toString()}`;
  return (
    <Card
      title={t`What came of each version in the last ${DAYS} days`}
      actions={
        <Anchor component={Link} href={all} fz="sm">
          {t`Results of this flow`}
        </Anchor>
      }
    >
      <Loaded read={read}>{(results) => <Figures results={results} query={query} />}</Loaded>
    </Card>
  );
}

function Figures({ results, query }: { results: Results; query: Query }) {
  const { versions, verdicts } = results;
  if (versions.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`No call of this flow has ended in these days.`}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {verdicts.map((comparison) => (
        <VerdictLine key={comparison.flowApiId} comparison={comparison} results={results} />
      ))}
      <CriterionNote results={results} />
      <VersionsTable results={results} toCalls={toCallsOf(results, query)} isOfOneFlow />
    </Stack>
  );
}

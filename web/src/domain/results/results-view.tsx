import { Alert, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { Loaded } from "#web/ui/load-state.tsx";
import { FieldsCard } from "./fields-card.tsx";
import { FunnelCard } from "./funnel-card.tsx";
import { HoursCard } from "./hours-card.tsx";
import { NumbersCard, ReasonsCard } from "./numbers-card.tsx";
import { ResultFilterBar } from "./result-filters.tsx";
import { RESULT_FILTERS, toResultsQuery } from "./results-query.ts";
import { VersionsCard } from "./versions-card.tsx";
import "./results.css";

/** Milliseconds between reads while ended calls wait to be added. */
const WAITING_MS = 4_000;

/** Results of the workspace's calls, or of one job's; the filters are in the address. */
export function ResultsView({ jobId, refreshMs }: { jobId?: string; refreshMs?: number | undefined }) {
  const { values, setFilter } = useUrlFilters(RESULT_FILTERS);
  const query = toResultsQuery(values, jobId);
  const read = useRead<Results>("/results", query, {
    refreshMs: (data) => (data && data.waiting > 0 ? WAITING_MS : (refreshMs ?? false)),
  });
  return (
    <Stack>
      <ResultFilterBar values={values} setFilter={setFilter} results={read.data} query={query} />
      <Loaded read={read}>{(results) => <Cards results={results} values={values} jobId={jobId} />}</Loaded>
    </Stack>
  );
}

function Cards({
  results,
  values,
  jobId,
}: {
  results: Results;
  values: Record<string, string[]>;
  jobId?: string | undefined;
}) {
  const toCalls = (outcomes: string[]) => {
    const params = new URLSearchParams();
    for (const outcome of outcomes) params.append("outcome", outcome);
    if (jobId !== undefined) return `/jobs/${jobId}?${params.toString()}`;
    if (values.flowApiId?.[0]) params.set("flowApiId", values.flowApiId[0]);
    if (results.from !== null) params.set("from", results.from);
    params.set("until", results.to);
    return `/calls?${params.toString()}`;
  };
  return (
    <Stack>
      <WaitingNote results={results} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <FunnelCard results={results} toCalls={toCalls} />
        <ReasonsCard results={results} toCalls={toCalls} />
      </SimpleGrid>
      <HoursCard hours={results.hours} timeZone={results.timeZone} />
      <FieldsCard fields={results.fields} />
      <VersionsCard results={results} />
      <NumbersCard results={results} />
    </Stack>
  );
}

function WaitingNote({ results: { waiting, isFilling } }: { results: Results }) {
  if (isFilling) {
    return (
      <Alert variant="light" title="Older calls are still being added">
        <Text fz="sm">The figures grow until all calls of the version before are counted.</Text>
      </Alert>
    );
  }
  if (waiting === 0) return null;
  return (
    <Text fz="sm" c="dimmed" role="status">
      {formatNumber(waiting)} calls that just ended or changed are being added.
    </Text>
  );
}

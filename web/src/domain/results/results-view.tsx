import { Alert, Stack, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import type { ReactNode } from "react";
import type { Query } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { Loaded } from "#web/ui/load-state.tsx";
import { FieldsCard } from "./fields-card.tsx";
import { FunnelCard } from "./funnel-card.tsx";
import { HoursCard } from "./hours-card.tsx";
import { NumbersCard, ReasonsCard } from "./numbers-card.tsx";
import { ResultFilterBar } from "./result-filters.tsx";
import { RESULT_CARDS, RESULT_FILTERS, type ResultCard, toResultsQuery } from "./results-query.ts";
import { ToolsCard } from "./tools-card.tsx";
import { toCallsOf, useResults } from "./use-results.ts";
import { VersionsCard } from "./versions-card.tsx";
import "./results.css";

/** Results of the workspace's calls, or of one job's; filters and cards are in the address. */
export function ResultsView(props: { jobId?: string; refreshMs?: number | undefined; cards?: readonly ResultCard[] }) {
  const { jobId, refreshMs, cards = RESULT_CARDS } = props;
  const { values, setFilter, setAll } = useUrlFilters(RESULT_FILTERS);
  const query = toResultsQuery(values, useWorkspace().timeZone, jobId);
  const read = useResults(query, refreshMs);
  return (
    <Stack>
      <ResultFilterBar
        {...{ values, setFilter, setAll }}
        results={read.data}
        query={query}
        isOfJob={jobId !== undefined}
      />
      <Loaded read={read}>{(results) => <Cards results={results} query={query} cards={cards} />}</Loaded>
    </Stack>
  );
}

function Cards({ results, query, cards }: { results: Results; query: Query; cards: readonly ResultCard[] }) {
  const toCalls = toCallsOf(results, query);
  const shown: Record<ResultCard, ReactNode> = {
    FUNNEL: <FunnelCard results={results} isOfJob={query.jobId !== undefined} toCalls={toCalls} />,
    OUTCOMES: <ReasonsCard results={results} toCalls={toCalls} />,
    HOURS: <HoursCard hours={results.hours} timeZone={results.timeZone} toCalls={toCalls} />,
    FIELDS: <FieldsCard results={results} toCalls={toCalls} />,
    VERSIONS: <VersionsCard results={results} toCalls={toCalls} />,
    NUMBERS: <NumbersCard results={results} toCalls={toCalls} />,
    TOOLS: <ToolsCard results={results} toCalls={toCalls} />,
  };
  return (
    <Stack>
      <WaitingNote results={results} />
      <div className="result-cards">
        {cards.map((card) => (
          <div key={card} className="result-card">
            {shown[card]}
          </div>
        ))}
      </div>
    </Stack>
  );
}

function WaitingNote({ results: { waiting, isFilling } }: { results: Results }) {
  if (isFilling) {
    return (
      <Alert variant="light" title={t`Calls are being counted`}>
        <Text fz="sm">
          {t`Calls of an earlier version, or of a flow whose success was redefined, are still being added, so the figures will change.`}
        </Text>
      </Alert>
    );
  }
  if (waiting === 0) return null;
  return (
    <Text fz="sm" c="dimmed" role="status">
      {t`${formatNumber(waiting)} calls that just ended or changed are being added.`}
    </Text>
  );
}

import { ResultsView } from "#web/domain/results/results-view.tsx";
import { Page } from "#web/ui/page.tsx";

/** Page of the results of all calls, over the last 30 days unless others are chosen. */
export function AnalyticsPage() {
  return (
    <Page title="Analytics" lead="How calls went. Without days, the last 30 are shown.">
      <ResultsView />
    </Page>
  );
}

import { RESULT_FILTERS } from "#web/domain/results/results-query.ts";
import { ResultsView } from "#web/domain/results/results-view.tsx";
import { t } from "#web/i18n/t.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Page } from "#web/ui/page.tsx";
import { BoardBar } from "./board-bar.tsx";
import { readCards } from "./board.ts";

const NAMES = [...RESULT_FILTERS, "cards", "board"];

/** Page of the results of all calls, over the last 30 days unless others are chosen; filters and cards can be saved. */
export function AnalyticsPage() {
  const { values, setAll } = useUrlFilters(NAMES);
  const cards = readCards(values.cards);
  return (
    <Page
      title={t`Analytics`}
      lead={t`How your calls went: the last 30 days, unless you choose others.`}
      actions={<BoardBar values={values} setAll={setAll} cards={cards} />}
    >
      <ResultsView cards={cards} />
    </Page>
  );
}

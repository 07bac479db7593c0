import { Button, Group, Text } from "@mantine/core";
import type { CallRow, Page as ListPage } from "@parley/sdk";
import { Link, useSearchParams } from "wouter";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useCallActions } from "#web/domain/call/call-actions.ts";
import { CALL_COLUMNS, CALL_EXPORT } from "#web/domain/call/call-columns.tsx";
import { useFieldTitles } from "#web/domain/output/use-field-titles.ts";
import { describeDrill, describeScope, DRILL_PARAM, isOfDials, readDrill } from "#web/domain/results/drill.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { Page } from "#web/ui/page.tsx";
import { ColumnsButton } from "#web/ui/table/columns-button.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import type { Totals } from "#web/ui/table/pager.tsx";
import { useShownColumns } from "#web/ui/table/use-shown-columns.ts";

const ROWS_A_PAGE = 50;
const PATH = "/results/calls";

/** Returns the figure of the results whose calls the address asks for; null where it asks for none. */
export function useDrill(): Query | null {
  const [params] = useSearchParams();
  return readDrill(params.get(DRILL_PARAM));
}

/** The calls that a figure of the results counts, those dialled last first. */
export function ResultCallsPage({ drill }: { drill: Query }) {
  // Without an order: the service lists these by their last dial alone.
  const { page, setPage } = useUrlFilters([DRILL_PARAM]);
  const read = useRead<ListPage<CallRow>>(PATH, { ...drill, page, size: ROWS_A_PAGE });
  const actions = useCallActions();
  const { shown } = useShownColumns("calls", CALL_COLUMNS);
  const titleOf = useFieldTitles();
  const scope = describeScope(drill);
  return (
    <Page title={t`Calls`} lead={t`The calls behind a figure, those dialled last first.`} back={backTo(drill)}>
      <Group justify="space-between" gap="sm" mb="sm">
        <div>
          <Text fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
            <bdi>{describeDrill(drill, titleOf)}</bdi>
          </Text>
          {scope !== "" && (
            <Text fz="xs" c="dimmed">
              {scope}
            </Text>
          )}
          {read.data && (
            <Text fz="xs" c="dimmed">
              <Total totals={read.data} isOfDials={isOfDials(drill)} />
            </Text>
          )}
        </div>
        <Group gap="xs">
          <Button component={Link} href="/calls" variant="default" size="xs">
            {t`Show all calls`}
          </Button>
          <ColumnsButton screen="calls" columns={CALL_COLUMNS} />
          <ExportButton path={PATH} query={drill} columns={CALL_EXPORT} fileName="calls.csv" />
        </Group>
      </Group>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Calls`}
        rows={read.data?.content}
        columns={shown}
        href={(row) => `/calls/${row.id}`}
        bulkActions={actions}
        pages={{ page, setPage }}
        empty={
          <EmptyState icon="phone" title={t`No call is behind this figure any more`}>
            {t`Calls that were erased are gone from the results as well.`}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The number of rows; where the figure counts dials, why that is another number. */
function Total({ totals, isOfDials }: { totals: Totals; isOfDials: boolean }) {
  const { totalElements: total, totalIsExact: isExact = true } = totals;
  if (!isExact) return t`More than ${formatNumber(total)} calls`;
  return isOfDials
    ? plural(
        total,
        "{n} call, in one row however often it was dialled",
        "{n} calls, one row each however often dialled",
      )
    : plural(total, "{n} call", "{n} calls");
}

function backTo({ jobId }: Query): { href: string; label: string } {
  return typeof jobId === "string"
    ? { href: `/jobs/${jobId}?tab=results`, label: t`Results of the job` }
    : { href: "/analytics", label: t`Analytics` };
}

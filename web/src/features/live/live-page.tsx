import { Button, Group, Paper, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import { useLiveFrame } from "#web/api/live.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { useEndCalls } from "#web/domain/call/call-actions.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { type FilterValues, useUrlFilters } from "#web/ui/filters/url-state.ts";
import { discardOpen } from "#web/ui/form/unsaved.ts";
import { formatName, formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { filterLive, type LiveRow } from "./live-calls.ts";
import { LIVE_COLUMNS } from "./live-columns.tsx";
import { ALERT_NAMES } from "./room/room-order.ts";
import { Room } from "./room/room.tsx";
import "./room/room.css";

const PlaceCallDrawer = lazy(async () => ({
  default: (await import("#web/domain/call/place-call-drawer.tsx")).PlaceCallDrawer,
}));
const LiveCallDrawer = lazy(async () => ({ default: (await import("./live-call-drawer.tsx")).LiveCallDrawer }));

const STATUSES = ["DIALING", "RINGING", "IN_PROGRESS", "UNKNOWN"];
const FILTERS: Filter[] = [
  { name: "search", label: t`Name or number`, kind: "text" },
  {
    name: "status",
    label: t`Status`,
    kind: "many",
    options: STATUSES.map((value) => ({ value, label: formatName(value) })),
  },
];

const VIEWS = [
  { value: "tiles", label: t`Tiles` },
  { value: "list", label: t`List` },
];
const ALERTS: Filter = {
  name: "alert",
  label: t`Alert`,
  kind: "many",
  options: Object.entries(ALERT_NAMES).map(([value, label]) => ({ value, label })),
};

/** Page of the live calls, as tiles or as a list. A click opens a call to follow, whisper, listen, speak or end it. */
export function LivePage() {
  const filters = useUrlFilters([...FILTERS, ALERTS].map(({ name }) => name));
  const [params, setParams] = useSearchParams();
  const canCall = useMay("OUTBOUND_CALLS_TRIGGER");
  const [isPlacing, place] = useDisclosure(false);
  useShortcutKeys(canCall ? [{ keys: "n", label: t`Place a call`, group: t`Calls`, run: place.open }] : []);
  const { alertedCalls = 0 } = useLiveFrame("counters") ?? {};
  const close = () => {
    discardOpen();
    setParams((before) => withCall(before, null));
  };
  const query = params.toString();
  const hrefOf = useCallback(
    (rowId: string) => `/live?${withCall(new URLSearchParams(query), rowId).toString()}`,
    [query],
  );
  const callButton = canCall && (
    <Button leftSection={<Icon name="phone" />} onClick={place.open}>
      {t`Place a call`}
    </Button>
  );
  const empty = (isFiltered: boolean) => <NobodyThere isFiltered={isFiltered} action={callButton} />;
  const opened = params.get("call");
  const view = params.get("view") === "list" ? "list" : "tiles";
  const show = (next: string) => setParams((before) => withView(before, next), { replace: true });
  const shown = { filters: filters.values, hrefOf, empty };
  return (
    <Page
      title={t`Live calls`}
      mark={alertedCalls > 0 ? `(${alertedCalls}) ` : ""}
      lead={<Summary />}
      actions={callButton}
    >
      <FilterBar screen="live" filters={view === "tiles" ? [...FILTERS, ALERTS] : FILTERS} {...filters}>
        {view === "list" && <SaveList filters={filters.values} />}
        <SegmentedControl size="xs" aria-label={t`Shown as`} value={view} onChange={show} data={VIEWS} />
      </FilterBar>
      {view === "tiles" ? <Room {...shown} /> : <LiveList {...shown} />}
      <Suspense fallback={null}>
        {opened !== null && <LiveCallDrawer key={opened} rowId={opened} close={close} />}
        {isPlacing && <PlaceCallDrawer close={place.close} />}
      </Suspense>
    </Page>
  );
}

/** The live calls that match; the same rows while none changed, since a table that gets new ones draws them anew. */
function useLiveRows(filters: FilterValues): LiveRow[] | undefined {
  const live = useLiveFrame("calls.live");
  return useMemo(() => live && filterLive(live.calls, filters), [live, filters]);
}

function SaveList({ filters }: { filters: FilterValues }) {
  return <SaveRowsButton rows={useLiveRows(filters)} columns={LIVE_COLUMNS} fileName="live-calls.csv" />;
}

/** The live calls as a table, in which several are chosen and ended at once. */
function LiveList(props: {
  filters: FilterValues;
  hrefOf: (rowId: string) => string;
  empty: (isFiltered: boolean) => ReactNode;
}) {
  const live = useLiveFrame("calls.live");
  const mayEnd = useMay("CALL_JOBS_WRITE");
  const end = useEndCalls<LiveRow>();
  const rows = useLiveRows(props.filters);
  return (
    <>
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Live calls`}
          rows={rows}
          columns={LIVE_COLUMNS}
          {...(live && live.total > live.calls.length ? { total: live.total } : {})}
          href={({ id }) => props.hrefOf(id)}
          bulkActions={mayEnd ? [end] : []}
          empty={props.empty(live !== undefined && live.calls.length > 0)}
        />
      </Paper>
      {live && live.total > live.calls.length && (
        <Text fz="xs" c="dimmed" mt="xs">
          {t`The newest ${formatNumber(live.calls.length)} of ${formatNumber(live.total)} live calls.`}
        </Text>
      )}
    </>
  );
}

/** Query of the address that shows the calls in another way. */
function withView(params: URLSearchParams, view: string): URLSearchParams {
  const after = new URLSearchParams(params);
  after.delete("view");
  if (view !== "tiles") after.set("view", view);
  return after;
}

/** Query of the address that shows a call beside the list; null: none. */
function withCall(params: URLSearchParams, rowId: string | null): URLSearchParams {
  const after = new URLSearchParams(params);
  after.delete("call");
  if (rowId !== null) after.set("call", rowId);
  return after;
}

function Summary() {
  const { ringing = 0, inProgress = 0, queuedRows = 0 } = useLiveFrame("counters") ?? {};
  const parts = [
    [t`talking`, inProgress],
    [t`ringing`, ringing],
    [t`queued`, queuedRows],
  ] as const;
  return (
    <Group gap="md" aria-label={t`Now`} role="group">
      {parts.map(([name, count]) => (
        <Text key={name} component="span" fz="sm" c="dimmed" className="stat">
          <Text component="span" inherit fw={650} c="var(--mantine-color-text)">
            {formatNumber(count)}
          </Text>{" "}
          {name}
        </Text>
      ))}
    </Group>
  );
}

function NobodyThere({ isFiltered, action }: { isFiltered: boolean; action: ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState icon="filter" title={t`No live call fits these filters`}>
        {t`Calls that fit appear here by themselves.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="live" title={t`No calls in progress`} action={action} docs="/docs">
      {t`Calls appear here the moment they are dialled, and leave when they end. To see one, call a simulated person: +1 202 555 0102 asks three questions.`}
    </EmptyState>
  );
}

import { Anchor, Button, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { Link } from "wouter";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { DELIVERIES_PATH, type Delivery, describeAnswer } from "#web/domain/webhook/delivery.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { DevelopersFrame } from "./developers-frame.tsx";

const ROWS_A_PAGE = 50;

const FILTERS: Filter[] = [
  {
    name: "status",
    label: t`Status`,
    kind: "select",
    options: [
      { value: "WAITING", label: t`Waiting for its next attempt` },
      { value: "SENDING", label: t`Sending` },
      { value: "DELIVERED", label: t`Delivered` },
      { value: "DEAD", label: t`Given up` },
    ],
    width: 220,
  },
];

const COLUMNS: Column<Delivery>[] = [
  { id: "createdAt", header: t`Created`, cell: (row) => <Time at={row.createdAt} />, value: (row) => row.createdAt },
  { id: "event", header: t`Event`, cell: (row) => row.eventType, value: (row) => row.eventType },
  { id: "status", header: t`Status`, cell: (row) => <DeliveryStatus delivery={row} />, value: (row) => row.status },
  { id: "answer", header: t`Answer`, cell: describeShort, value: describeAnswer, isWide: true },
  {
    id: "attempts",
    header: t`Attempts`,
    align: "right",
    cell: (row) => row.attempts,
    value: (row) => row.attempts,
    isWide: true,
  },
  {
    id: "url",
    header: t`To`,
    cell: (row) => (
      <Text component="span" fz="sm" c="dimmed" className="clip">
        {row.url ?? "–"}
      </Text>
    ),
    value: (row) => row.url,
    isWide: true,
  },
];

/** Status of a delivery; DEAD is shown in words. */
export function DeliveryStatus({ delivery: { status } }: { delivery: Delivery }) {
  return <StatusBadge status={status} {...(status === "DEAD" ? { label: t`Given up` } : {})} />;
}

function describeShort(delivery: Delivery) {
  return (
    <Text component="span" fz="sm" className="clip clip-short" title={describeAnswer(delivery)}>
      {describeAnswer(delivery)}
    </Text>
  );
}

/** All webhook deliveries, sent or waiting, newest first. */
export function DeliveriesPage() {
  const filters = useUrlFilters(["status"]);
  const status = filters.values.status?.[0];
  const query: Query = { status };
  const read = useRead<Page<Delivery>>(DELIVERIES_PATH, { ...query, page: filters.page, size: ROWS_A_PAGE });
  const actions = useResendAll();
  return (
    <DevelopersFrame lead={t`What your servers were told, and what they answered.`}>
      <FilterBar screen="deliveries" filters={FILTERS} {...filters}>
        <ExportButton path={DELIVERIES_PATH} query={query} columns={COLUMNS} fileName="deliveries.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Deliveries`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={(row) => `/developers/deliveries/${row.id}`}
        bulkActions={actions}
        pages={filters}
        empty={
          status === undefined ? (
            <EmptyState
              icon="link"
              title={t`Nothing was sent yet`}
              action={
                <Button component={Link} href="/developers/inspector">
                  {t`See one arrive`}
                </Button>
              }
            >
              {rich`A webhook tells your server when a call or chat ends, or a job is done. The inspector shows what it would get; ${(
                <Anchor component={Link} href="/developers/webhooks" fz="sm" underline="always">
                  {t`add a webhook`}
                </Anchor>
              )} when your server is ready.`}
            </EmptyState>
          ) : (
            <EmptyState icon="filter" title={t`No delivery is in this state`}>
              {t`Take the filter away to see all of them.`}
            </EmptyState>
          )
        }
      />
    </DevelopersFrame>
  );
}

function useResendAll(): BulkAction<Delivery>[] {
  const make = useBulkWrites<Delivery>();
  const maySend = useMay("DELIVERIES_WRITE");
  const again = make({
    label: t`Send again`,
    icon: "refresh",
    method: "POST",
    path: ({ id }) => `${DELIVERIES_PATH}/${id}/redeliver`,
    body: {},
    refreshes: [DELIVERIES_PATH],
  });
  return maySend ? [again] : [];
}

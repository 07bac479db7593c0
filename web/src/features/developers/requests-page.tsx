import { Drawer, Stack, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useState } from "react";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatMilliseconds, formatNumber } from "#web/ui/format/format.ts";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { Time } from "#web/ui/time.tsx";
import { DevelopersFrame } from "./developers-frame.tsx";
import { RateLimits, useRateLimits } from "./rate-limits.tsx";

interface LoggedRequest {
  id: string;
  at: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  credentialId: string;
  credentialName: string | null;
  callerKind: "API_KEY" | "OAUTH_CLIENT";
  address: string;
  requestId: string;
  skipped: number;
}

const PATH = "/request-log";
const ROWS_A_PAGE = 50;
const LISTEN_MS = 5_000;
const API = "/api/external/v1";

const STATUSES = [
  { value: "OK", label: t`Worked (below 400)` },
  { value: "CLIENT_ERROR", label: t`Refused (4xx)` },
  { value: "SERVER_ERROR", label: t`Failed (5xx)` },
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((value) => ({ value, label: value }));

const COLUMNS: Column<LoggedRequest>[] = [
  { id: "at", header: t`When`, cell: (row) => <Time at={row.at} />, value: (row) => row.at },
  { id: "method", header: t`Method`, cell: (row) => row.method, value: (row) => row.method, isWide: true },
  {
    id: "path",
    header: t`Path`,
    cell: (row) => (
      <Text component="span" fz="xs" ff="monospace" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
        {row.path.startsWith(`${API}/`) ? row.path.slice(API.length) : row.path}
      </Text>
    ),
    value: (row) => row.path,
  },
  { id: "status", header: t`Status`, cell: (row) => <HttpStatus status={row.status} />, value: (row) => row.status },
  {
    id: "durationMs",
    header: t`Took`,
    align: "right",
    cell: (row) => formatMilliseconds(row.durationMs),
    value: (row) => row.durationMs,
    isWide: true,
  },
  {
    id: "credential",
    header: t`By`,
    cell: (row) => row.credentialName ?? "–",
    value: (row) => row.credentialName,
    isWide: true,
  },
];

function HttpStatus({ status }: { status: number }) {
  const tone = status >= 500 ? "FAILED" : status >= 400 ? "UNKNOWN" : "COMPLETED";
  return <StatusBadge status={tone} label={String(status)} />;
}

/** The latest requests of API keys and clients, and their rate limits. */
export function RequestsPage() {
  const limits = useRateLimits(useMay("WORKSPACE_READ"));
  const filters = useUrlFilters(["status", "method", "credentialId"]);
  const { status, method, credentialId } = filters.values;
  const query: Query = { status: status?.[0], method: method?.[0], credentialId: credentialId?.[0] };
  const read = useRead<Page<LoggedRequest>>(
    PATH,
    { ...query, page: filters.page, size: ROWS_A_PAGE },
    filters.page === 0 ? { refreshMs: LISTEN_MS } : {},
  );
  const [open, setOpen] = useState<LoggedRequest | null>(null);
  const callers = (limits.data ?? []).map((limit) => ({ value: limit.credentialId, label: limit.name }));
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <DevelopersFrame lead={t`What your programs asked of the API, MCP included. The dashboard itself is not listed.`}>
      <RateLimits read={limits} />
      <FilterBar screen="requests" filters={requestFilters(callers)} {...filters}>
        <ExportButton path={PATH} query={query} columns={COLUMNS} fileName="requests.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`API requests`}
        rows={read.data?.content}
        columns={COLUMNS}
        onOpen={setOpen}
        pages={filters}
        empty={
          <EmptyState icon={isFiltered ? "filter" : "code"} title={isFiltered ? t`No request fits` : t`No request yet`}>
            {isFiltered
              ? t`Take a filter away.`
              : t`The first request of a key or client appears here within a second.`}
          </EmptyState>
        }
      />
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        position="right"
        size="lg"
        title={<Text fw={600}>{t`API request`}</Text>}
      >
        {open && <RequestDetail request={open} />}
      </Drawer>
    </DevelopersFrame>
  );
}

function requestFilters(callers: { value: string; label: string }[]): Filter[] {
  return [
    { name: "status", label: t`Status`, kind: "select", options: STATUSES },
    { name: "method", label: t`Method`, kind: "select", options: METHODS, width: 120 },
    { name: "credentialId", label: t`Credential`, kind: "select", options: callers },
  ];
}

function RequestDetail({ request }: { request: LoggedRequest }) {
  const { method, path } = request;
  return (
    <Stack>
      <dl className="facts">
        <dt>{t`Request`}</dt>
        <dd>
          {method} {path}
        </dd>
        <dt>{t`Status`}</dt>
        <dd>{rich`${<HttpStatus status={request.status} />} in ${formatMilliseconds(request.durationMs)}`}</dd>
        <dt>{t`When`}</dt>
        <dd>
          <Time at={request.at} />
        </dd>
        <dt>{t`By`}</dt>
        <dd>{request.credentialName ?? request.credentialId}</dd>
        <dt>{t`From`}</dt>
        <dd>{request.address}</dd>
        <dt>{t`Request id`}</dt>
        <dd>{request.requestId}</dd>
      </dl>
      {request.skipped > 0 && (
        <Text fz="sm" c="dimmed">
          {t`${formatNumber(request.skipped)} more of the same flood are not listed.`}
        </Text>
      )}
      {path.startsWith(API) && <SnippetTabs call={{ method, path: path.slice(API.length) }} />}
      <Text fz="xs" c="dimmed">
        {t`Queries and bodies are not logged: they may hold what people said.`}
      </Text>
    </Stack>
  );
}

import { Code, Drawer, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { inWorkspace, type Query, send } from "#web/api/http.ts";
import { useUser } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { type FilterValues, useUrlFilters } from "#web/ui/filters/url-state.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { Time } from "#web/ui/time.tsx";
import { dayEnd, dayStart } from "./days.ts";
import { SettingsFrame } from "./settings-frame.tsx";

interface AuditEntry {
  id: string;
  at: string;
  actorKind: "USER" | "OPERATOR" | "SYSTEM";
  userId: string | null;
  actor: string;
  action: string;
  target: string | null;
  address: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
}

const ROWS_A_PAGE = 50;
const INSTALLATION_LOG = "/api/console/audit-log";

const ACTIONS = [
  { value: "POST", label: t`Made (POST)` },
  { value: "PUT", label: t`Changed (PUT)` },
  { value: "PATCH", label: t`Changed (PATCH)` },
  { value: "DELETE", label: t`Deleted` },
  { value: "credential", label: t`Credentials` },
  { value: "member", label: t`Members` },
  { value: "invitation", label: t`Invitations` },
  { value: "workspace", label: t`Workspace` },
  { value: "user", label: t`Accounts` },
];

const FILTERS: Filter[] = [
  { name: "actor", label: t`Who`, kind: "text" },
  { name: "action", label: t`What`, kind: "select", options: ACTIONS },
  { name: "from", label: t`From day`, kind: "day" },
  { name: "until", label: t`Until day`, kind: "day" },
];

const COLUMNS: Column<AuditEntry>[] = [
  { id: "at", header: t`When`, cell: (row) => <Time at={row.at} />, value: (row) => row.at },
  {
    id: "actor",
    header: t`Who`,
    cell: (row) => (
      <Text component="span" fz="sm" display="inline-block" miw={140} style={{ overflowWrap: "anywhere" }}>
        {row.actor}
      </Text>
    ),
    value: (row) => row.actor,
  },
  {
    id: "action",
    header: t`What`,
    cell: (row) => <Code style={{ overflowWrap: "anywhere", whiteSpace: "normal" }}>{row.action}</Code>,
    value: (row) => row.action,
  },
  {
    id: "target",
    header: t`To what`,
    cell: (row) => (
      <Text component="span" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {row.target ?? "–"}
      </Text>
    ),
    value: (row) => row.target,
    isWide: true,
  },
  { id: "address", header: t`From`, cell: (row) => row.address ?? "–", value: (row) => row.address, isWide: true },
];

/** Audit log of the workspace; owners of the installation can also see the log of the whole installation. */
export function AuditPage() {
  const filters = useUrlFilters([...FILTERS.map(({ name }) => name), "of"]);
  const { isInstallationOwner } = useUser();
  const isAll = isInstallationOwner && filters.values.of?.[0] === "installation";
  const query = toQuery(filters.values);
  const read = useAudit(isAll, { ...query, page: filters.page, size: ROWS_A_PAGE });
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const isFiltered = Object.keys(query).length > 0;
  return (
    <SettingsFrame
      title={t`Audit log`}
      lead={t`Every change that a person made, and the refused ones that matter. Nobody can alter it.`}
      actions={isInstallationOwner && <WhichLog isAll={isAll} set={(of) => filters.setFilter("of", of)} />}
    >
      <FilterBar screen="audit" filters={FILTERS} {...filters}>
        <ExportButton
          path={isAll ? INSTALLATION_LOG : "/audit-log"}
          query={query}
          columns={COLUMNS}
          fileName="audit-log.csv"
        />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Audit log`}
        rows={read.data?.content}
        columns={COLUMNS}
        onOpen={setOpen}
        pages={filters}
        empty={
          <EmptyState icon={isFiltered ? "filter" : "list"} title={isFiltered ? t`No entry fits` : t`Nothing yet`}>
            {isFiltered ? t`Take a filter away, or look at other days.` : t`What people change here is written down.`}
          </EmptyState>
        }
      />
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        position="right"
        size="lg"
        title={<Text fw={600}>{t`Entry of the audit log`}</Text>}
      >
        {open && <Entry entry={open} />}
      </Drawer>
    </SettingsFrame>
  );
}

function WhichLog({ isAll, set }: { isAll: boolean; set: (of: string[]) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={t`Which log`}
      data={[
        { value: "workspace", label: t`This workspace` },
        { value: "installation", label: t`Installation` },
      ]}
      value={isAll ? "installation" : "workspace"}
      onChange={(of) => set(of === "installation" ? [of] : [])}
    />
  );
}

function useAudit(isAll: boolean, query: Query) {
  const { id } = useWorkspace();
  const path = isAll ? INSTALLATION_LOG : inWorkspace(id, "/audit-log");
  return useQuery<Page<AuditEntry>>({
    queryKey: [isAll ? "console" : id, "audit-log", query],
    queryFn: ({ signal }) => send("GET", path, { query, signal }),
    placeholderData: (before) => before,
  });
}

function toQuery(values: FilterValues): Query {
  const [actor, action, from, until] = ["actor", "action", "from", "until"].map((name) => values[name]?.[0]);
  return {
    ...(actor ? { actor } : {}),
    ...(action ? { action } : {}),
    ...(from ? { from: dayStart(from) } : {}),
    ...(until ? { to: dayEnd(until) } : {}),
  };
}

function Entry({ entry }: { entry: AuditEntry }) {
  const facts: [string, string | null][] = [
    [t`Who`, entry.actor],
    [t`What`, entry.action],
    [t`To what`, entry.target],
    [t`From`, entry.address],
    [t`Request`, entry.requestId],
  ];
  return (
    <Stack>
      <dl className="facts">
        <dt>{t`When`}</dt>
        <dd>
          <Time at={entry.at} />
        </dd>
        {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}-value`}>{value ?? "–"}</dd>])}
      </dl>
      <JsonView value={entry.details} label={t`details`} />
    </Stack>
  );
}

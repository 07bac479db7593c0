import { Code, Drawer, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { inWorkspace, type Query, send } from "#web/api/http.ts";
import { useUser } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
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
  { value: "POST", label: "Made (POST)" },
  { value: "PUT", label: "Changed (PUT)" },
  { value: "PATCH", label: "Changed (PATCH)" },
  { value: "DELETE", label: "Deleted" },
  { value: "credential", label: "Credentials" },
  { value: "member", label: "Members" },
  { value: "invitation", label: "Invitations" },
  { value: "workspace", label: "Workspace" },
  { value: "user", label: "Accounts" },
];

const FILTERS: Filter[] = [
  { name: "actor", label: "Who", kind: "text" },
  { name: "action", label: "What", kind: "select", options: ACTIONS },
  { name: "from", label: "From day", kind: "day" },
  { name: "until", label: "Until day", kind: "day" },
];

const COLUMNS: Column<AuditEntry>[] = [
  { id: "at", header: "When", cell: (row) => <Time at={row.at} />, value: (row) => row.at },
  {
    id: "actor",
    header: "Who",
    cell: (row) => (
      <Text component="span" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {row.actor}
      </Text>
    ),
    value: (row) => row.actor,
  },
  {
    id: "action",
    header: "What",
    cell: (row) => <Code style={{ overflowWrap: "anywhere", whiteSpace: "normal" }}>{row.action}</Code>,
    value: (row) => row.action,
  },
  {
    id: "target",
    header: "To what",
    cell: (row) => (
      <Text component="span" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {row.target ?? "–"}
      </Text>
    ),
    value: (row) => row.target,
    isWide: true,
  },
  { id: "address", header: "From", cell: (row) => row.address ?? "–", value: (row) => row.address, isWide: true },
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
      title="Audit log"
      lead="Every change that a person made, and the refused ones that matter. Nobody can alter it."
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
        label="Audit log"
        rows={read.data?.content}
        columns={COLUMNS}
        onOpen={setOpen}
        pages={filters}
        empty={
          <EmptyState icon={isFiltered ? "filter" : "list"} title={isFiltered ? "No entry fits" : "Nothing yet"}>
            {isFiltered ? "Take a filter away, or look at other days." : "What people change here is written down."}
          </EmptyState>
        }
      />
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        position="right"
        size="lg"
        title={<Text fw={600}>Entry of the audit log</Text>}
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
      aria-label="Which log"
      data={[
        { value: "workspace", label: "This workspace" },
        { value: "installation", label: "Installation" },
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
    ["Who", entry.actor],
    ["What", entry.action],
    ["To what", entry.target],
    ["From", entry.address],
    ["Request", entry.requestId],
  ];
  return (
    <Stack>
      <dl className="facts">
        <dt>When</dt>
        <dd>
          <Time at={entry.at} />
        </dd>
        {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}-value`}>{value ?? "–"}</dd>])}
      </dl>
      <JsonView value={entry.details} label="details" />
    </Stack>
  );
}

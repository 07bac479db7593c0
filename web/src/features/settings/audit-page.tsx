import { Code, Drawer, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { inWorkspace, type Query, send } from "#web/api/http.ts";
import { useUser } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { type FilterValues, useUrlFilters } from "#web/ui/filters/url-state.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import { ColumnsButton } from "#web/ui/table/columns-button.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useShownColumns } from "#web/ui/table/use-shown-columns.ts";
import { Time } from "#web/ui/time.tsx";
import { AUDIT_COLUMNS, AuditTarget, sayAction } from "./audit/audit-columns.tsx";
import type { AuditEntry } from "./audit/audit-entry.ts";
import { dayEnd, dayStart } from "./days.ts";
import { SettingsFrame } from "./settings-frame.tsx";

const ROWS_A_PAGE = 50;
const INSTALLATION_LOG = "/api/console/audit-log";

/** Parts of the product by the beginnings of their actions and paths. */
const AREAS = [
  { value: "flows,models,structured-outputs,simulations,call-rows/{rowId}/simulation", label: t`Flows and tests` },
  { value: "outbound/calls,call-rows,call-jobs,web-calls,lead-sources,results", label: t`Calls and jobs` },
  { value: "outbound/chats,chat-sessions,widgets", label: t`Chats` },
  { value: "contacts,do-not-call,do_not_call.,opt-out-reviews,opt_out_review.", label: t`Contacts and opt-outs` },
  { value: "tools,connection,tool-packs,agents,applications,metadata", label: t`Tools, knowledge and data` },
  { value: "phone-numbers,carrier-accounts,carrier_account.", label: t`Numbers and carriers` },
  { value: "automations,session-webhooks,webhook-,transcriptions", label: t`Automations and webhooks` },
  { value: "credential,key.,client.,scim_token.,web-phones", label: t`Keys and clients` },
  { value: "member.,invitation.", label: t`Members` },
  { value: "user.,session.,group.,identity_provider.", label: t`Accounts and sign-in` },
  { value: "workspace.,billing,balance.,prices.,speech", label: t`Settings and balance` },
];

const FILTERS: Filter[] = [
  { name: "actor", label: t`Who`, kind: "text" },
  { name: "action", label: t`What`, kind: "select", options: AREAS },
  { name: "from", label: t`From day`, kind: "day" },
  { name: "until", label: t`Until day`, kind: "day" },
];

/** Audit log of the workspace; owners of the installation can also see the log of the whole installation. */
export function AuditPage() {
  const filters = useUrlFilters([...FILTERS.map(({ name }) => name), "of"]);
  const { isInstallationOwner } = useUser();
  const isAll = isInstallationOwner && filters.values.of?.[0] === "installation";
  const query = toQuery(filters.values);
  const read = useAudit(isAll, { ...query, page: filters.page, size: ROWS_A_PAGE });
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const { shown } = useShownColumns("audit", AUDIT_COLUMNS);
  const isFiltered = Object.keys(query).length > 0;
  return (
    <SettingsFrame
      title={t`Audit log`}
      lead={t`Every change that a person made, and the refused ones that matter. Nobody can alter it.`}
      actions={isInstallationOwner && <WhichLog isAll={isAll} set={(of) => filters.setFilter("of", of)} />}
    >
      <FilterBar screen="audit" filters={FILTERS} {...filters}>
        <ColumnsButton screen="audit" columns={AUDIT_COLUMNS} />
        <ExportButton
          path={isAll ? INSTALLATION_LOG : "/audit-log"}
          query={query}
          columns={AUDIT_COLUMNS}
          fileName="audit-log.csv"
        />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Audit log`}
        rows={read.data?.content}
        columns={shown}
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
  const facts: { label: string; value: ReactNode }[] = [
    { label: t`When`, value: <Time at={entry.at} /> },
    { label: t`Who`, value: entry.actor },
    { label: t`What`, value: sayAction(entry) },
    { label: t`To what`, value: <AuditTarget entry={entry} /> },
    { label: t`From`, value: entry.address ?? "–" },
    { label: t`Code`, value: <Code className="breaks">{entry.action}</Code> },
    { label: t`Id`, value: entry.target === null ? "–" : <Code className="breaks">{entry.target}</Code> },
    { label: t`Request`, value: entry.requestId ?? "–" },
  ];
  return (
    <Stack>
      <Facts facts={facts} />
      <JsonView value={entry.details} label={t`details`} />
    </Stack>
  );
}

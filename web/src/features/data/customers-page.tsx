import { Badge, Button } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { useOpened } from "#web/ui/filters/use-opened.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import { Page } from "#web/ui/page.tsx";
import { Phone } from "#web/ui/phone.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { type Application, APPLICATIONS_PATH, type Customer, CUSTOMERS } from "./data.ts";

const CustomerDrawer = lazy(async () => ({ default: (await import("./customer-drawer.tsx")).CustomerDrawer }));
const ROWS_A_PAGE = 50;
const FILTERS = [
  { name: "phone", label: t`Phone (E.164)`, kind: "text" as const },
  { name: "externalId", label: t`External id`, kind: "text" as const },
];

const COLUMNS: Column<Customer>[] = [
  {
    id: "name",
    header: t`Name`,
    cell: ({ name }) => <b dir="auto">{name ?? t`Unnamed`}</b>,
    value: ({ name }) => name,
  },
  {
    id: "phone",
    header: t`Phone`,
    cell: ({ phone }) => (phone === null ? "–" : <Phone number={phone} />),
    value: ({ phone }) => phone,
  },
  { id: "email", header: t`E-mail`, cell: ({ email }) => email ?? "–", value: ({ email }) => email, isWide: true },
  {
    id: "externalId",
    header: t`External id`,
    cell: ({ externalId }) => externalId ?? "–",
    value: ({ externalId }) => externalId,
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Added`,
    cell: ({ createdAt }) => <Time at={createdAt} ago />,
    value: ({ createdAt }) => createdAt,
    isWide: true,
  },
];

/** The customers of an application: its built-in store. */
export function CustomersPage() {
  const { appId } = useParams<{ appId: string }>();
  const { path, filters, query, read } = useCustomers(appId);
  const application = useRead<Application>(`${APPLICATIONS_PATH}/${appId}`);
  const mayWrite = useMay("DATA_STORES_WRITE");
  const opened = useOpened("customer");
  const bulk = useCustomerBulk(appId);
  const [isAdding, setAdding] = useState(false);
  const startAdding = () => setAdding(true);
  const isFiltered = Object.keys(filters.values).length > 0;
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Add a customer`, group: t`Data`, run: startAdding }] : []);
  const add = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={startAdding}>
      {t`Add customer`}
    </Button>
  );
  const shut = () => {
    setAdding(false);
    if (opened.id !== null) opened.close();
  };
  return (
    <Page
      title={t`Customers`}
      back={{ href: `/data/${appId}`, label: application.data?.name ?? t`Application` }}
      badge={<Badge variant="default">{t`Built in`}</Badge>}
      actions={add}
    >
      <FilterBar screen="customers" filters={FILTERS} {...filters}>
        <ExportButton path={path} query={query} columns={COLUMNS} fileName="customers.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Customers`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/data/${appId}/${CUSTOMERS}${opened.searchFor(id)}`}
        bulkActions={mayWrite ? bulk : []}
        pages={filters}
        empty={<NoCustomers isFiltered={isFiltered} action={add} clear={() => filters.setAll({})} />}
      />
      <Suspense fallback={null}>
        {(isAdding || opened.id !== null) && (
          <CustomerDrawer
            key={opened.id ?? "new"}
            path={path}
            customerId={isAdding ? null : opened.id}
            mayWrite={mayWrite}
            close={shut}
          />
        )}
      </Suspense>
    </Page>
  );
}

function useCustomers(appId: string) {
  const path = `${APPLICATIONS_PATH}/${appId}/customers`;
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const { values, page } = filters;
  const query = { phone: values.phone?.[0], externalId: values.externalId?.[0] };
  const read = useRead<ListPage<Customer>>(path, { ...query, page, size: ROWS_A_PAGE });
  return { path, filters, query, read };
}

function NoCustomers({ isFiltered, action, clear }: { isFiltered: boolean; action: ReactNode; clear: () => void }) {
  if (isFiltered) return <NoMatch title={t`No customer fits these filters`} clear={clear} />;
  return (
    <EmptyState icon="user" title={t`No customers yet`} action={action}>
      {t`Whoever calls from a customer's number is known to the agent by name.`}
    </EmptyState>
  );
}

function useCustomerBulk(appId: string): BulkAction<Customer>[] {
  const path = `${APPLICATIONS_PATH}/${appId}/customers`;
  return [
    useBulkDelete<Customer>({
      list: path,
      counted: (count) => plural(count, "{n} customer", "{n} customers"),
      body: t`Records that are linked to them stay, without the link. This cannot be taken back.`,
    }),
  ];
}

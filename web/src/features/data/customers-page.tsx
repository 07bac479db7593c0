import { Badge, Button } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { useOpened } from "#web/ui/filters/use-opened.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import { Page } from "#web/ui/page.tsx";
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
  { name: "phone", label: "Phone (E.164)", kind: "text" as const },
  { name: "externalId", label: "External id", kind: "text" as const },
];

const COLUMNS: Column<Customer>[] = [
  {
    id: "name",
    header: "Name",
    cell: ({ name }) => <b dir="auto">{name ?? "Unnamed"}</b>,
    value: ({ name }) => name,
  },
  { id: "phone", header: "Phone", cell: ({ phone }) => phone ?? "–", value: ({ phone }) => phone },
  { id: "email", header: "E-mail", cell: ({ email }) => email ?? "–", value: ({ email }) => email, isWide: true },
  {
    id: "externalId",
    header: "External id",
    cell: ({ externalId }) => externalId ?? "–",
    value: ({ externalId }) => externalId,
    isWide: true,
  },
  {
    id: "createdAt",
    header: "Added",
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
  useShortcutKeys(mayWrite ? [{ keys: "n", label: "Add a customer", group: "Data", run: () => setAdding(true) }] : []);
  const add = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      Add customer
    </Button>
  );
  const shut = () => {
    setAdding(false);
    if (opened.id !== null) opened.close();
  };
  return (
    <Page
      title="Customers"
      back={{ href: `/data/${appId}`, label: application.data?.name ?? "Application" }}
      badge={<Badge variant="default">Built in</Badge>}
      actions={add}
    >
      <FilterBar screen="customers" filters={FILTERS} {...filters}>
        <ExportButton path={path} query={query} columns={COLUMNS} fileName="customers.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label="Customers"
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/data/${appId}/${CUSTOMERS}${opened.searchFor(id)}`}
        bulkActions={mayWrite ? bulk : []}
        pages={filters}
        empty={
          <NoCustomers
            isFiltered={Object.keys(filters.values).length > 0}
            action={add}
            clear={() => filters.setAll({})}
          />
        }
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
  if (isFiltered) return <NoMatch what="customer" clear={clear} />;
  return (
    <EmptyState icon="user" title="No customers yet" action={action}>
      Whoever calls from a customer's number is known to the agent by name.
    </EmptyState>
  );
}

function useCustomerBulk(appId: string): BulkAction<Customer>[] {
  const path = `${APPLICATIONS_PATH}/${appId}/customers`;
  return [
    useBulkDelete<Customer>({
      list: path,
      one: "customer",
      many: "customers",
      body: "Records that are linked to them stay, without the link. This cannot be taken back.",
    }),
  ];
}

import { Badge, Text } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { type Contact, formatCount, nameOf } from "#web/domain/contact/contact.ts";
import { useJobOfContacts } from "#web/domain/contact/use-chosen-people.ts";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { type FilterValues, useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Page } from "#web/ui/page.tsx";
import { Phone } from "#web/ui/phone.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { ColumnsButton } from "#web/ui/table/columns-button.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { useShownColumns } from "#web/ui/table/use-shown-columns.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";

const PATH = "/contacts";
const ROWS_A_PAGE = 50;
const FILTERS: Filter[] = [
  { name: "name", label: t`Name begins with`, kind: "text" },
  { name: "phone", label: t`Number`, kind: "text", width: 160 },
  { name: "email", label: t`E-mail`, kind: "text" },
  { name: "identifier", label: t`Identifier`, kind: "text", width: 160 },
];

const COLUMNS: Column<Contact>[] = [
  {
    id: "name",
    header: t`Person`,
    cell: (row) => <Person row={row} />,
    value: (row) => row.name ?? row.phone,
    sortKey: "name",
  },
  {
    id: "phone",
    header: t`Number`,
    cell: (row) => (row.phone === null ? "–" : <Phone number={row.phone} />),
    value: (row) => row.phone,
    isWide: true,
  },
  {
    id: "email",
    header: t`E-mail`,
    cell: (row) => (
      <Text component={Words} fz="sm" truncate maw={220} display="block">
        {row.email ?? "–"}
      </Text>
    ),
    value: (row) => row.email,
    isWide: true,
  },
  {
    id: "optedOut",
    header: t`Contact`,
    cell: (row) => (row.optedOut ? <OptedOut /> : t`allowed`),
    value: (row) => (row.optedOut ? t`do not contact` : t`allowed`),
  },
  {
    id: "callCount",
    header: t`Calls`,
    cell: (row) => formatCount(row.callCount),
    value: (row) => row.callCount,
    align: "right",
  },
  {
    id: "chatCount",
    header: t`Chats`,
    cell: (row) => formatCount(row.chatCount),
    value: (row) => row.chatCount,
    align: "right",
    isWide: true,
  },
  {
    id: "lastSeenAt",
    header: t`Last seen`,
    cell: (row) => <Time at={row.lastSeenAt} ago />,
    value: (row) => row.lastSeenAt,
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Added`,
    cell: (row) => <Time at={row.createdAt} />,
    value: (row) => row.createdAt,
    sortKey: "createdAt",
    isOptional: true,
  },
];

/** List of the people whom the workspace called or chatted with. */
export function ContactsPage() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const query = toQuery(filters.values);
  const read = useRead<ListPage<Contact>>(PATH, {
    ...query,
    sort: filters.sort,
    page: filters.page,
    size: ROWS_A_PAGE,
  });
  const bulk = useContactActions();
  const { shown } = useShownColumns("contacts", COLUMNS);
  const isFiltered = Object.keys(filters.values).length > 0;
  return (
    <Page title={t`Contacts`} lead={t`The people behind the calls and chats.`}>
      <FilterBar screen="contacts" filters={FILTERS} {...filters}>
        <ColumnsButton screen="contacts" columns={COLUMNS} />
        <ExportButton path={PATH} query={{ ...query, sort: filters.sort }} columns={COLUMNS} fileName="contacts.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Contacts`}
        rows={read.data?.content}
        columns={shown}
        href={(row) => `/contacts/${row.id}`}
        bulkActions={bulk}
        pages={filters}
        empty={
          <EmptyState icon="user" title={isFiltered ? t`Nobody fits these filters` : t`No contacts yet`} docs="/docs">
            {isFiltered
              ? t`A name is found by how it begins; numbers, addresses and identifiers as a whole.`
              : t`Whoever is called or written with becomes a contact by itself.`}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useContactActions(): BulkAction<Contact>[] {
  const make = useBulkWrites<Contact>();
  const mayCall = useMay("CALL_JOBS_WRITE");
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  const optOut = make({
    label: t`Do not contact`,
    icon: "close",
    isDangerous: true,
    method: "POST",
    path: ({ id }) => `${PATH}/${id}/opt-out`,
    refreshes: [PATH],
    only: ({ optedOut }) => !optedOut,
    question: {
      title: (count) => t`No more contact with ${count}?`,
      counted: (count) => plural(count, "{n} person", "{n} people"),
      body: t`Their numbers go on the do-not-call list: calls are skipped, and no message is sent.`,
    },
  });
  return [...useJobOfContacts(), ...(mayCall || mayChat ? [optOut] : [])];
}

/** The filters as the API takes them; an incomplete number does not filter. */
function toQuery({ name, phone, email, identifier }: FilterValues): Query {
  const number = toPlainNumber(phone?.[0] ?? "");
  return {
    name: name?.[0],
    phone: /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined,
    email: email?.[0],
    identifier: identifier?.[0],
  };
}

function OptedOut() {
  return (
    <Badge size="sm" radius="sm" variant="light" color="red" tt="none" className="status">
      {t`do not contact`}
    </Badge>
  );
}

function Person({ row }: { row: Contact }) {
  return (
    <span className="contact-cell">
      <Text component="span" fz="sm" truncate maw={{ base: 120, sm: 260 }}>
        <Phone number={nameOf(row)} />
      </Text>
      {row.name !== null && row.phone !== null && (
        <Text component="span" fz="xs" c="dimmed" hiddenFrom="sm">
          <Phone number={row.phone} />
        </Text>
      )}
      {row.name !== null && row.phone === null && (
        <Text component={Words} fz="xs" c="dimmed" truncate maw={{ base: 120, sm: 260 }}>
          {row.identifier}
        </Text>
      )}
    </span>
  );
}

import { Anchor, Badge, Group, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { Link } from "wouter";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import type { Filter } from "#web/ui/filters/filter.ts";
import { type FilterValues, useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatName, formatNumber } from "#web/ui/format/format.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { KINDS, nameKind, readPrice, type UsageEntry } from "./balance.ts";
import { dayEnd, dayStart } from "./days.ts";

const ROWS_A_PAGE = 25;
const PATH = "/usage";

const FILTERS: Filter[] = [
  {
    name: "kind",
    label: t`Kind`,
    kind: "select",
    options: Object.entries(KINDS).map(([value, { label }]) => ({ value, label })),
  },
  { name: "from", label: t`From day`, kind: "day" },
  { name: "until", label: t`Until day`, kind: "day" },
];

const COLUMNS: Column<UsageEntry>[] = [
  { id: "at", header: t`When`, cell: (row) => <Time at={row.createdAt} />, value: (row) => row.createdAt },
  { id: "kind", header: t`Kind`, cell: (row) => <Kind entry={row} />, value: (row) => row.kind },
  {
    id: "quantity",
    header: t`Quantity`,
    align: "right",
    cell: (row) => formatNumber(row.quantity),
    value: (row) => row.quantity,
    isWide: true,
  },
  {
    id: "unitPrice",
    header: t`Unit price`,
    align: "right",
    cell: (row) => <UnitPrice {...readPrice(row.kind, row.unitPrice)} />,
    value: (row) => Number(row.unitPrice),
    isWide: true,
  },
  { id: "amount", header: t`Amount`, align: "right", cell: (row) => row.amount, value: (row) => Number(row.amount) },
  {
    id: "subject",
    header: t`For`,
    cell: (row) => <Subject entry={row} />,
    value: (row) => row.subjectId,
    isWide: true,
  },
];

function UnitPrice({ amount, unit }: { amount: string; unit: string }) {
  return (
    <>
      {amount}{" "}
      <Text component="span" fz="xs" c="dimmed">
        / {unit}
      </Text>
    </>
  );
}

/** All entries of the ledger, newest first. */
export function Ledger() {
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const query = toQuery(filters.values);
  const read = useRead<Page<UsageEntry>>(PATH, { ...query, page: filters.page, size: ROWS_A_PAGE });
  return (
    <Card title={t`Ledger`} padded={false}>
      <Group px="md" pt="sm" display="block">
        <FilterBar screen="ledger" filters={FILTERS} {...filters}>
          <ExportButton path={PATH} query={query} columns={COLUMNS} fileName="ledger.csv" />
        </FilterBar>
      </Group>
      <ReadFault read={read} />
      <DataTable
        label={t`Ledger`}
        rows={read.data?.content}
        columns={COLUMNS}
        pager={{
          page: filters.page,
          size: ROWS_A_PAGE,
          totals: read.data,
          setPage: filters.setPage,
        }}
        empty={
          <Text p="lg" fz="sm" c="dimmed">
            {Object.keys(filters.values).length > 0
              ? t`No entry fits these filters.`
              : t`The first call or chat writes the first entry.`}
          </Text>
        }
      />
    </Card>
  );
}

function toQuery(values: FilterValues): Query {
  const [kind, from, until] = ["kind", "from", "until"].map((name) => values[name]?.[0]);
  return { kind, from: from && dayStart(from), to: until && dayEnd(until) };
}

function Kind({ entry }: { entry: UsageEntry }) {
  return (
    <Group gap={6}>
      {nameKind(entry.kind)}
      {entry.simulated && (
        <Badge size="sm" variant="light" color="gray" tt="none" className="wide-only">
          {t`simulated`}
        </Badge>
      )}
    </Group>
  );
}

function Subject({ entry }: { entry: UsageEntry }) {
  const name = formatName(entry.subjectType);
  if (entry.subjectType !== "CALL") return <>{name}</>;
  return (
    <Anchor component={Link} href={`/calls/${entry.subjectId}`} fz="sm">
      {name}
    </Anchor>
  );
}

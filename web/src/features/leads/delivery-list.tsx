import { Anchor, Group, Modal, Paper, Stack, Text } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { useState } from "react";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlPage } from "#web/ui/filters/use-url-page.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { describeReason, type LeadDelivery, type LeadSource, SOURCES_PATH } from "./lead-source.ts";

const ROWS_A_PAGE = 25;
/** Milliseconds between reads of the list while it is open. */
const WATCH_MS = 5_000;

const COLUMNS: Column<LeadDelivery>[] = [
  { id: "createdAt", header: t`Arrived`, cell: (row) => <Time at={row.createdAt} />, value: (row) => row.createdAt },
  {
    id: "status",
    header: t`Status`,
    cell: ({ status }) => <StatusBadge status={status} />,
    value: (row) => row.status,
  },
  {
    id: "number",
    header: t`Number`,
    cell: ({ customerNumber }) => (customerNumber === null ? "–" : <Phone number={customerNumber} />),
    value: (row) => row.customerNumber,
  },
  {
    id: "reason",
    header: t`Why`,
    cell: (row) => <span className="clip">{describeReason(row)}</span>,
    value: describeReason,
    isWide: true,
  },
];

/** Lists the deliveries to a source, newest first. */
export function DeliveryList({ source }: { source: LeadSource }) {
  const [page, setPage] = useUrlPage("deliveries");
  const [opened, setOpened] = useState<LeadDelivery | null>(null);
  const path = `${SOURCES_PATH}/${source.id}/deliveries`;
  const read = useRead<ListPage<LeadDelivery>>(path, { page, size: ROWS_A_PAGE }, { refreshMs: WATCH_MS });
  if (read.error) return <ReadFault read={read} />;
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <Group justify="flex-end" p="xs">
        <ExportButton path={path} query={{}} columns={COLUMNS} fileName="leads.csv" />
      </Group>
      <DataTable
        label={t`Deliveries`}
        rows={read.data?.content}
        columns={COLUMNS}
        pager={{ page, size: ROWS_A_PAGE, totals: read.data, setPage }}
        onOpen={setOpened}
        empty={
          <EmptyState icon="incoming" title={t`Nothing arrived yet`} docs="/docs">
            {t`Send a lead to the source's address by POST. What is refused appears here as well, with the reason.`}
          </EmptyState>
        }
      />
      {opened && <DeliveryDialog delivery={opened} close={() => setOpened(null)} />}
    </Paper>
  );
}

function DeliveryDialog({ delivery, close }: { delivery: LeadDelivery; close: () => void }) {
  const { status, rowId, body, consent } = delivery;
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>{t`Delivery`}</Text>}>
      <Stack>
        <Group>
          <StatusBadge status={status} />
          <Text fz="sm">{describeReason(delivery)}</Text>
        </Group>
        {consent !== null && <Text fz="sm">{rich`Consent: ${<Words>{consent}</Words>}`}</Text>}
        {rowId !== null && (
          <Anchor component={Link} href={`/calls/${rowId}`} fz="sm">
            {t`Its call`}
          </Anchor>
        )}
        {body === null ? (
          <Text fz="sm" c="dimmed">
            {t`Its body was not kept, or was erased with its contact.`}
          </Text>
        ) : (
          <CodeBlock text={body} label={t`what was sent`} />
        )}
      </Stack>
    </Modal>
  );
}

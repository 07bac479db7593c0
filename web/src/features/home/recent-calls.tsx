import { Anchor } from "@mantine/core";
import type { CallRow, Page } from "@parley/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "wouter";
import { CALL_COLUMNS } from "#web/domain/call/call-columns.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";

const SHOWN = ["customerNumber", "outcome", "flow", "startedAt", "durationSeconds"];
const COLUMNS = CALL_COLUMNS.filter(({ id }) => SHOWN.includes(id));

/** The newest calls. */
export function RecentCalls({ read }: { read: UseQueryResult<Page<CallRow>> }) {
  return (
    <Card
      title={t`Newest calls`}
      padded={false}
      actions={
        <Anchor component={Link} href="/calls" fz="sm">
          {t`All calls`}
        </Anchor>
      }
    >
      <DataTable
        label={t`Newest calls`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={(row) => `/calls/${row.id}`}
        {...(read.data ? { total: read.data.totalElements } : {})}
      />
    </Card>
  );
}

import { Group, SegmentedControl, Stack, Table, Text, UnstyledButton } from "@mantine/core";
import type { CallJobSummary } from "@parley/sdk";
import { useState } from "react";
import { Donut } from "#web/features/jobs/donut.tsx";
import { type Slice, toSlices } from "#web/features/jobs/slices.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName, formatNumber, formatShare } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";

/** Outcomes of the rows that are over, as a ring or as a table. */
export function OutcomesCard({
  summary,
  show,
}: {
  summary: CallJobSummary | undefined;
  show: (outcome: string) => void;
}) {
  const [view, setView] = useState("ring");
  const slices = toSlices(summary?.outcomes ?? []);
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  const toggle = (
    <SegmentedControl
      size="xs"
      my={-5}
      aria-label={t`Outcomes as`}
      value={view}
      onChange={setView}
      data={[
        { value: "ring", label: t`Ring` },
        { value: "table", label: t`Table` },
      ]}
    />
  );
  return (
    <Card title={t`Outcomes`} actions={toggle}>
      {total === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`Nothing has finished yet.`}
        </Text>
      ) : view === "ring" ? (
        <Ring slices={slices} total={total} show={show} />
      ) : (
        <OutcomeTable slices={slices} total={total} show={show} errors={summary?.errors ?? []} />
      )}
    </Card>
  );
}

type SlicesProps = { slices: Slice[]; total: number; show: (outcome: string) => void };

function Ring({ slices, total, show }: SlicesProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Donut slices={slices} total={total} />
      <Stack gap={0} miw={0} flex={1}>
        {slices.slice(0, 6).map(({ name, count, color }) => (
          <UnstyledButton key={name} className="legend-entry" onClick={() => show(name)}>
            <span className="legend-mark" style={{ background: color }} />
            <Text component="span" fz="sm" style={{ overflowWrap: "anywhere" }}>
              {formatName(name)}
            </Text>
            <Text component="span" fz="sm" ml="auto" className="figures">
              {formatShare(count / total)}
            </Text>
          </UnstyledButton>
        ))}
        {slices.length > 6 && (
          <Text fz="xs" c="dimmed" px={8}>
            {t`and ${slices.length - 6} more in the table`}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

function OutcomeTable({ slices, total, show, errors }: SlicesProps & { errors: CallJobSummary["errors"] }) {
  return (
    <Stack gap="sm">
      <BoxedTable label={t`Rows by outcome`} withRowBorders={false} verticalSpacing={3}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Outcome`}</Table.Th>
            <Table.Th ta="right">{t`Rows`}</Table.Th>
            <Table.Th ta="right">{t`Share`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {slices.map(({ name, count }) => (
            <Table.Tr key={name}>
              <Table.Td h={30}>
                <UnstyledButton fz="sm" onClick={() => show(name)}>
                  {formatName(name)}
                </UnstyledButton>
              </Table.Td>
              <Table.Td ta="right">{formatNumber(count)}</Table.Td>
              <Table.Td ta="right">{formatShare(count / total)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </BoxedTable>
      {errors.length > 0 && (
        <Text fz="xs" c="dimmed">
          {t`Reasons: ${errors.map(({ code, count }) => `${formatName(code)} ${formatNumber(count)}`).join(", ")}`}
        </Text>
      )}
    </Stack>
  );
}

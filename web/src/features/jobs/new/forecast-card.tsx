import { Button, Group, List, Stack, Text } from "@mantine/core";
import type { Forecast, RehearseJob } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { Donut } from "#web/features/jobs/donut.tsx";
import { type Slice, toSlices } from "#web/features/jobs/slices.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatMoney, formatName, formatNumber, formatShare, formatTime } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { Facts } from "./facts.tsx";
import { formatRange, sumOutcomes } from "./forecast.ts";

/** Forecast of the job: its flow runs with simulated people, and the job runs on a simulated clock. */
export function ForecastCard({ body }: { body: () => RehearseJob }) {
  const forecast = useWrite<Forecast>({
    failed: t`The forecast was not made`,
    method: "POST",
    path: "/simulations/rehearsals",
    body,
  });
  const button = (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name="test" size={14} />}
      loading={forecast.isPending}
      onClick={() => forecast.mutate()}
    >
      {forecast.data ? t`Forecast again` : t`Forecast`}
    </Button>
  );
  return (
    <Card title={t`Forecast`} actions={button}>
      {forecast.error && <FaultNote error={forecast.error} retry={() => forecast.mutate()} />}
      {forecast.data ? (
        <Found found={forecast.data} />
      ) : (
        <Text fz="sm" c="dimmed">
          {t`How long it takes, what comes of it and what it costs: the flow is practised with simulated people, then the whole job is run on paper. Nobody is called.`}
        </Text>
      )}
    </Card>
  );
}

function Found({ found }: { found: Forecast }) {
  const { durationSeconds, cost, attempts, endsAt } = found;
  const { mode } = useWorkspace();
  const money = (amount: string) => formatMoney(amount, cost.currency);
  const slices = toSlices(sumOutcomes(found.outcomes));
  return (
    <Stack>
      <Facts
        facts={[
          {
            label: t`Takes`,
            value: formatRange(durationSeconds.p10, durationSeconds.p90),
            ...(endsAt ? { hint: t`Over around ${formatTime(endsAt)}` } : {}),
          },
          {
            label: mode === "SANDBOX" ? t`Would cost, if real` : t`Costs`,
            value: money(cost.p50),
            ...(cost.p10 === cost.p90 ? {} : { hint: t`${money(cost.p10)} to ${money(cost.p90)}` }),
          },
          { label: t`Calls that are placed`, value: formatNumber(attempts) },
        ]}
      />
      <Outcomes slices={slices} />
      {found.assumptions.length > 0 && (
        <List fz="xs" c="dimmed" spacing={2}>
          {found.assumptions.map((assumption) => (
            <List.Item key={assumption}>{assumption}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Outcomes({ slices }: { slices: Slice[] }) {
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  return (
    <Group gap="lg" align="center">
      <Donut slices={slices} total={total} word={plural(total, "person", "people")} />
      <Stack gap={4}>
        {slices.map(({ name, count, color }) => (
          <Group key={name} gap={8} wrap="nowrap">
            <span className="legend-mark" style={{ background: color }} />
            <Text fz="sm">
              {formatName(name)} <b>{formatNumber(count)}</b>{" "}
              <Text component="span" c="dimmed" fz="sm">
                {formatShare(count / total)}
              </Text>
            </Text>
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

import { Group, Paper, Progress, SimpleGrid, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";

interface RateLimit {
  credentialId: string;
  name: string;
  kind: "API_KEY" | "OAUTH_CLIENT";
  limit: number;
  remaining: number;
  resetSeconds: number;
}

const LISTEN_MS = 3_000;
const SHOWN = 8;
const NEARLY_EMPTY = 0.2;

/** Reads the remaining requests of each credential at an interval. */
export function useRateLimits(enabled: boolean): UseQueryResult<RateLimit[]> {
  return useRead<RateLimit[]>("/rate-limits", undefined, { enabled, refreshMs: LISTEN_MS });
}

/** Shows a gauge for each credential, emptiest first. */
export function RateLimits({ read }: { read: UseQueryResult<RateLimit[]> }) {
  const limits = (read.data ?? []).toSorted((a, b) => a.remaining / a.limit - b.remaining / b.limit);
  if (limits.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mb="md" component="section" aria-label={t`Rate limits`}>
      {limits.slice(0, SHOWN).map((limit) => (
        <Gauge key={limit.credentialId} limit={limit} />
      ))}
    </SimpleGrid>
  );
}

function Gauge({ limit: { name, limit, remaining } }: { limit: RateLimit }) {
  const share = limit === 0 ? 0 : remaining / limit;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
        <Text fz="sm" fw={550} truncate>
          {name}
        </Text>
        <Text fz="xs" c="dimmed" className="figures" style={{ whiteSpace: "nowrap" }}>
          {t`${formatNumber(remaining)} of ${formatNumber(limit)} left`}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        color={share < NEARLY_EMPTY ? "red" : "parley"}
        aria-label={t`Requests that ${name} has left`}
      />
    </Paper>
  );
}

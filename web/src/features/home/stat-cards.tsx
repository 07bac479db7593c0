import { Paper, SimpleGrid, Skeleton, Text } from "@mantine/core";
import { HOME_READS } from "#web/api/home-reads.ts";
import { useLiveFrame } from "#web/api/live.tsx";
import { useRead } from "#web/api/queries.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import {
  formatMilliseconds,
  formatMoney,
  formatNumber,
  formatShare,
  formatShortNumber,
} from "#web/ui/format/format.ts";
import { reachedShares, type Overview } from "./overview.ts";

interface Balance {
  balance: string;
  currency: string;
  unlimited: boolean;
  simulatedTotal: string;
}

/** The last day in five numbers. */
export function StatCards({ overview }: { overview: Overview | undefined }) {
  const counters = useLiveFrame("counters");
  // Calls in text have no audio latency, so the model's own latency is shown.
  const hasAudio = overview?.turnLatency.p50Ms != null;
  const shares = overview && reachedShares(overview);
  const latency = hasAudio ? overview.turnLatency : overview?.modelLatency;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      <Stat
        name="Calls, 24 h"
        value={overview && formatShortNumber(overview.calls.total)}
        note={`${formatShortNumber(counters?.queuedRows ?? 0)} queued`}
      />
      <Stat
        name="On the line"
        value={formatNumber(counters?.liveCalls ?? 0)}
        note={`${counters?.ringing ?? 0} ringing`}
        isLive
      />
      <Stat
        name="Reached"
        value={overview && formatShare(shares?.person ?? null)}
        note={shares ? `people · machines ${formatShare(shares.machine)}` : "people, of calls that ended"}
      />
      <Stat
        name={hasAudio ? "Answer latency" : "Model latency"}
        value={latency && formatMilliseconds(latency.p50Ms)}
        note={
          latency?.p50Ms === null
            ? "no model has answered yet"
            : `p50 · p95 ${formatMilliseconds(latency?.p95Ms ?? null)}`
        }
      />
      <BalanceStat />
    </SimpleGrid>
  );
}

function BalanceStat() {
  const { mode } = useWorkspace();
  const { path, permission } = HOME_READS.balance;
  const { data } = useRead<Balance>(path, undefined, { enabled: useMay(permission), refreshMs: 30_000 });
  if (mode === "SANDBOX") {
    return (
      <Stat
        name="Would have cost"
        value={data && formatMoney(data.simulatedTotal, data.currency)}
        note="simulated, nothing is billed"
      />
    );
  }
  return (
    <Stat
      name="Balance"
      value={data && formatMoney(data.balance, data.currency)}
      note={data?.unlimited ? "no limit is set" : "top-ups less calls"}
    />
  );
}

function Stat(props: { name: string; value: string | undefined; note: string; isLive?: boolean }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={props.name}>
      <Text fz="xs" c="dimmed" fw={550}>
        {props.name}
      </Text>
      {props.value === undefined ? (
        <Skeleton height={28} width={80} my={6} />
      ) : (
        <Text fz={26} fw={650} lh={1.4} className="stat" aria-live={props.isLive ? "polite" : "off"}>
          {props.value}
        </Text>
      )}
      <Text fz="xs" c="dimmed">
        {props.note}
      </Text>
    </Paper>
  );
}

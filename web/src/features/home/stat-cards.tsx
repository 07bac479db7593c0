import { Paper, SimpleGrid, Skeleton, Text } from "@mantine/core";
import { HOME_READS } from "#web/api/home-reads.ts";
import { useLiveFrame } from "#web/api/live.tsx";
import { useRead } from "#web/api/queries.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
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
        name={t`Calls ended, 24 h`}
        value={overview && formatShortNumber(overview.calls.total)}
        note={t`${formatShortNumber(counters?.queuedRows ?? 0)} queued, callbacks included`}
      />
      <Stat
        name={t`On the line`}
        value={formatNumber(counters?.liveCalls ?? 0)}
        note={t`${counters?.ringing ?? 0} ringing`}
        isLive
      />
      <Stat
        name={t`A person answered`}
        value={overview && formatShare(shares?.person ?? null)}
        note={shares ? t`of the calls ended · machines ${formatShare(shares.machine)}` : t`of the calls ended`}
      />
      <Stat
        name={hasAudio ? t`Answer latency` : t`Model latency`}
        value={latency && formatMilliseconds(latency.p50Ms)}
        note={
          latency?.p50Ms === null ? sayUntimed(overview) : `p50 · p95 ${formatMilliseconds(latency?.p95Ms ?? null)}`
        }
      />
      <BalanceStat />
    </SimpleGrid>
  );
}

/** Says why there is no latency: the scripted model's turns take no time and are not measured. */
function sayUntimed(overview: Overview | undefined): string {
  return (overview?.calls.ended.person ?? 0) > 0 ? t`the built-in model needs no time` : t`no model was timed yet`;
}

function BalanceStat() {
  const { mode } = useWorkspace();
  const { path, permission } = HOME_READS.balance;
  const { data } = useRead<Balance>(path, undefined, { enabled: useMay(permission), refreshMs: 30_000 });
  if (mode === "SANDBOX") {
    return (
      <Stat
        name={t`Would have cost`}
        value={data && formatMoney(data.simulatedTotal, data.currency)}
        note={t`since the workspace began; simulated, nothing is billed`}
      />
    );
  }
  return (
    <Stat
      name={t`Balance`}
      value={data && formatMoney(data.balance, data.currency)}
      note={data?.unlimited ? t`no limit is set` : t`top-ups less calls`}
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

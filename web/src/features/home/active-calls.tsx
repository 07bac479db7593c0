import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import type { LiveCall } from "#web/api/live-shapes.ts";
import { useLiveFrame } from "#web/api/live.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useClock } from "#web/ui/clock.ts";
import { formatDuration } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Words } from "#web/ui/words.tsx";

const MOST = 8;
const SECOND_MS = 1_000;

/** Calls under way now. */
export function ActiveCalls() {
  const live = useLiveFrame("calls.live");
  const calls = live?.calls ?? [];
  const nowMs = useClock(calls.length > 0);
  return (
    <Card
      title={t`Active calls${live && live.total > 0 ? ` (${live.total})` : ""}`}
      actions={
        <Anchor component={Link} href="/live" fz="sm">
          {t`Live calls`}
        </Anchor>
      }
    >
      {calls.length === 0 && (
        <Text fz="sm" c="dimmed" py="lg">
          {t`Nobody is on the line. Calls appear here the moment they are dialled.`}
        </Text>
      )}
      <Stack gap={2}>
        {calls.slice(0, MOST).map((call) => (
          <ActiveCall key={call.rowId} call={call} nowMs={nowMs} />
        ))}
      </Stack>
      {live && live.total > MOST && (
        <Text fz="xs" c="dimmed" mt="xs">
          {t`and ${live.total - MOST} more`}
        </Text>
      )}
    </Card>
  );
}

function ActiveCall({ call, nowMs }: { call: LiveCall; nowMs: number }) {
  const since = Date.parse(call.answeredAt ?? call.startedAt);
  return (
    <Anchor component={Link} href={`/calls/${call.rowId}`} className="active-call" underline="never" c="inherit">
      <Group justify="space-between" wrap="nowrap">
        <Text component={Words} fz="sm" truncate>
          <Phone number={call.contactName ?? call.customerNumber} />
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Text component="span" fz="sm" ff="monospace" c="dimmed">
            {formatDuration((nowMs - since) / SECOND_MS)}
          </Text>
          <StatusBadge status={call.status} />
        </Group>
      </Group>
    </Anchor>
  );
}

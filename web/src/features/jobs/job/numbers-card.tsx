import { Group, Progress, Stack, Text } from "@mantine/core";
import type { CallJobSummary } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";

/** Load of each of the job's numbers: the job's calls against its share, and the number's other calls. */
export function NumbersCard({ summary }: { summary: CallJobSummary | undefined }) {
  const numbers = summary?.numbers ?? [];
  return (
    <Card title={t`Numbers`}>
      <Stack
        gap="sm"
        mah={260}
        style={{ overflow: "auto" }}
        tabIndex={0}
        role="region"
        aria-label={t`Numbers of the job`}
      >
        {numbers.map((number) => (
          <NumberGauge key={number.phoneNumberId} number={number} />
        ))}
        {numbers.length === 0 && (
          <Text fz="sm" c="dimmed">
            {summary ? t`The job's numbers were deleted.` : t`Loading`}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function NumberGauge({ number }: { number: CallJobSummary["numbers"][number] }) {
  const { activeCalls, numberActiveCalls, numberMaxCalls } = number;
  const most = Math.min(number.maxCalls ?? numberMaxCalls, numberMaxCalls);
  const others = Math.max(0, numberActiveCalls - activeCalls);
  const words = t`${activeCalls} of ${most} calls of this job, ${others} others, on ${number.phoneNumber}`;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap={6}>
          <Text fz="sm" className="figures">
            <Phone number={number.phoneNumber} />
          </Text>
          {number.status !== "ACTIVE" && <StatusBadge status={number.status} />}
        </Group>
        <Text fz="sm" c="dimmed" className="figures">
          {activeCalls} / {most}
          {others > 0 && ` + ${others}`}
        </Text>
      </Group>
      <Progress.Root size="sm" radius="xl" role="img" aria-label={words} className="job-bar">
        <Progress.Section value={(100 * activeCalls) / numberMaxCalls} color="parley.5" withAria={false} />
        <Progress.Section value={(100 * others) / numberMaxCalls} color="gray.5" withAria={false} />
      </Progress.Root>
    </div>
  );
}

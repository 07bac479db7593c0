import { Group, List, Stack, Text } from "@mantine/core";
import type { CallJob, CallJobSummary } from "@parley/sdk";
import { formatWait } from "#web/domain/job/wait.ts";
import { LOCALE } from "#web/i18n/language.ts";
import { rich } from "#web/i18n/rich.ts";
import { inSentence, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName, formatNumber, formatTime } from "#web/ui/format/format.ts";

/** Rows waiting for a retry with their times, and the retry rules. */
export function RetriesCard({ job, summary }: { job: CallJob; summary: CallJobSummary | undefined }) {
  const waiting = summary?.retries ?? [];
  return (
    <Card title={t`Retries`}>
      <Stack gap="sm">
        {waiting.length === 0 ? (
          <Text fz="sm" c="dimmed">
            {t`Nobody waits for another attempt.`}
          </Text>
        ) : (
          waiting.map(({ attempt, count, firstAt, lastAt }) => (
            <Group key={attempt} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
              <Text fz="sm">{rich`${<b className="figures">{formatNumber(count)}</b>} for attempt ${attempt}`}</Text>
              <Text fz="sm" c="dimmed" ta="right">
                {describeDue(firstAt, lastAt)}
              </Text>
            </Group>
          ))
        )}
        <Rules job={job} />
      </Stack>
    </Card>
  );
}

function describeDue(firstAt: string, lastAt: string): string {
  const now = Date.now();
  if (Date.parse(lastAt) <= now) return t`due now`;
  const [first, last] = [Date.parse(firstAt) <= now ? t`now` : formatTime(firstAt), formatTime(lastAt)];
  if (first === last) return first;
  const isSameDay = new Date(firstAt).toDateString() === new Date(lastAt).toDateString();
  const end = new Date(lastAt).toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" });
  return t`${first} to ${isSameDay ? end : last}`;
}

function Rules({ job }: { job: CallJob }) {
  const { maxAttempts, retryOn, delaysSeconds } = job.retryConfig;
  if (maxAttempts <= 1 || retryOn.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`Each person is dialled once.`}
      </Text>
    );
  }
  const waits = Array.from({ length: Math.min(maxAttempts - 1, 4) }, (_, i) =>
    formatWait(delaysSeconds[Math.min(i, delaysSeconds.length - 1)] ?? 0),
  );
  return (
    <List fz="sm" c="dimmed" spacing={2}>
      <List.Item>{t`Up to ${maxAttempts} attempts`}</List.Item>
      <List.Item>{t`After ${retryOn.map((outcome) => inSentence(formatName(outcome))).join(", ")}`}</List.Item>
      <List.Item>
        {t`Wait ${waits.join(t`, then `)}`}
        {maxAttempts - 1 > waits.length ? " …" : ""}
      </List.Item>
    </List>
  );
}

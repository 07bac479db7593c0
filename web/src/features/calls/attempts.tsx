import { Text, Timeline } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { sayReason } from "#web/api/server-texts.ts";
import { rich } from "#web/i18n/rich.ts";
import { inSentence, t } from "#web/i18n/t.ts";
import { formatName, formatTimeFully } from "#web/ui/format/format.ts";
import { StatusBadge } from "#web/ui/status-badge.tsx";

type Attempt = CallRow["attempts"][number];

/** The dial attempts of a call, with the carrier's result. */
export function Attempts({ call }: { call: CallRow }) {
  if (call.attempts.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`Not dialled yet.`}
      </Text>
    );
  }
  return call.attempts.map((attempt) => (
    <section key={attempt.number} className="attempt" aria-label={t`Attempt ${attempt.number}`}>
      <Text fz="sm" fw={600} mb="xs" component="div">
        {rich`Attempt ${attempt.number} of ${call.maxAttempts} ${<StatusBadge status={attempt.outcome ?? attempt.state} />}`}
      </Text>
      <Text fz="xs" c="dimmed" mb="sm">
        {formatName(attempt.provider)} · {attempt.providerCallId ?? t`no id from the carrier`}
        {attempt.sipCode !== null && t` · SIP ${attempt.sipCode}`}
      </Text>
      <Timeline bulletSize={12} lineWidth={2} active={9}>
        {stepsOf(attempt).map(({ title, at }) => (
          <Timeline.Item key={title} title={<Text fz="sm">{title}</Text>}>
            <Text fz="xs" c="dimmed">
              {formatTimeFully(at)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {attempt.error && (
        <Text fz="sm" c="red" mt="xs">
          {attempt.error.code}: {sayReason(attempt.error)}
        </Text>
      )}
    </section>
  ));
}

function stepsOf(attempt: Attempt): { title: string; at: string }[] {
  const by = attempt.answeredBy === null ? "" : t` by ${inSentence(formatName(attempt.answeredBy))}`;
  const why = attempt.endReason === null ? "" : `: ${inSentence(formatName(attempt.endReason))}`;
  const steps = [
    { title: t`Dialled`, at: attempt.startedAt },
    { title: t`Ringing`, at: attempt.ringingAt },
    { title: t`Answered${by}`, at: attempt.answeredAt },
    { title: t`Ended${why}`, at: attempt.endedAt },
  ];
  return steps.filter((step): step is { title: string; at: string } => step.at !== null);
}

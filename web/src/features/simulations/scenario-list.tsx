import { Badge, Group, SegmentedControl, Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { FoundFields } from "#web/domain/flow/found-fields.tsx";
import { ConversationView } from "#web/domain/simulation/conversation-view.tsx";
import type { Comparison, Conversation, Report, Scenario } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatDuration, formatName, formatShare } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Words } from "#web/ui/words.tsx";

const CONVERSATIONS_AT_ONCE = 50;

/** The scenarios of a run; failed ones are open, each with its first failed conversation. */
export function ScenarioList({ report, comparison }: { report: Report; comparison: Comparison | null }) {
  const { values, setFilter } = useUrlFilters(["scenarios"]);
  const kind = values.scenarios?.[0] ?? "all";
  const failed = report.scenarios.filter(({ passed }) => !passed);
  const shown = kind === "failed" ? failed : report.scenarios;
  const firstFailed = failed[0];
  return (
    <Card
      title={t`Scenarios (${report.scenarios.length})`}
      padded={false}
      actions={
        failed.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label={t`Which scenarios`}
            data={[
              { value: "all", label: t`All` },
              { value: "failed", label: t`Failed (${failed.length})` },
            ]}
            value={kind}
            onChange={(next) => setFilter("scenarios", next === "all" ? [] : [next])}
          />
        )
      }
    >
      <ul className="versions">
        {shown.map((scenario) => (
          <li key={scenario.name}>
            <ScenarioRow
              scenario={scenario}
              change={comparison?.scenarios.find(({ name }) => name === scenario.name)?.change ?? null}
              startsOpen={scenario === firstFailed || report.scenarios.length === 1}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ScenarioRow(props: { scenario: Scenario; change: string | null; startsOpen: boolean }) {
  const { scenario, change } = props;
  const [isOpen, setOpen] = useState(props.startsOpen);
  return (
    <>
      <UnstyledButton className="scenario-head" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <StatusBadge status={scenario.passed ? "PASSED" : "FAILED"} />
        <span className="shrink">
          <Text component="span" fz="sm" fw={600} className="break">
            <Words>{scenario.name}</Words>
          </Text>
          <Text component="span" fz="xs" c="dimmed">
            {" "}
            {scenario.persona}
          </Text>
        </span>
        <Group gap="xs" ml="auto" wrap="nowrap">
          {change !== null && !change.startsWith("STILL") && (
            <Badge
              size="sm"
              radius="sm"
              variant="light"
              color={COLORS[change] ?? "gray"}
              tt="none"
              className="wide-only"
            >
              {formatName(change)}
            </Badge>
          )}
          {scenario.repetitions > 1 && <PassRate scenario={scenario} />}
          <Icon name={isOpen ? "up" : "down"} size={14} />
        </Group>
      </UnstyledButton>
      {isOpen && <ScenarioBody scenario={scenario} />}
    </>
  );
}

const COLORS: Record<string, string> = { NEWLY_FAILING: "red", NEWLY_PASSING: "green" };

function PassRate({ scenario }: { scenario: Scenario }) {
  const { passedRepetitions, repetitions, interval } = scenario;
  const range = t`${formatShare(interval.low)} to ${formatShare(interval.high)} with 95 % confidence`;
  return (
    <Text component="span" fz="xs" c="dimmed" title={range} className="stat">
      {passedRepetitions}/{repetitions}
    </Text>
  );
}

function ScenarioBody({ scenario }: { scenario: Scenario }) {
  const { conversations } = scenario;
  const [index, setIndex] = useState(
    Math.max(
      0,
      conversations.findIndex(({ passed }) => !passed),
    ),
  );
  const conversation = conversations[index];
  return (
    <Stack gap="sm" pt="sm">
      {conversations.length > 1 && (
        <Group gap={4} role="group" aria-label={t`Conversations`}>
          {conversations.slice(0, CONVERSATIONS_AT_ONCE).map(({ seed, passed }, at) => (
            <UnstyledButton
              key={seed}
              className="seed"
              data-failed={!passed || undefined}
              aria-pressed={at === index}
              aria-label={t`Conversation with seed ${seed}, ${passed ? t`passed` : t`failed`}`}
              onClick={() => setIndex(at)}
            >
              {seed}
            </UnstyledButton>
          ))}
        </Group>
      )}
      {conversation && <ConversationBody key={conversation.seed} conversation={conversation} />}
    </Stack>
  );
}

function ConversationBody({ conversation }: { conversation: Conversation }) {
  const { outcome, endReason, turns, callMs, longestSilenceMs, outputs } = conversation;
  const facts = [
    formatName(outcome),
    formatName(endReason),
    t`${turns} turns`,
    formatDuration(callMs / 1_000),
    t`longest silence ${formatDuration(longestSilenceMs / 1_000)}`,
  ];
  return (
    <div className="conversation">
      <Stack gap="xs" className="shrink">
        <Text fz="xs" c="dimmed">
          {facts.join(" · ")}
        </Text>
        <ConversationView conversation={conversation} />
      </Stack>
      <div className="shrink">
        <FoundFields outputs={outputs} />
      </div>
    </div>
  );
}

import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Comparison, ConversationChange } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatName, formatShare } from "#web/ui/format/format.ts";
import { Words } from "#web/ui/words.tsx";

const COLORS: Record<string, string> = { NEWLY_FAILING: "red", NEWLY_PASSING: "green", REMOVED: "orange" };
const MOST_CONVERSATIONS = 5;

/** Shows the differences from the previous run. */
export function ComparisonCard({ comparison, comparedWith }: { comparison: Comparison; comparedWith: string | null }) {
  const changed = comparison.scenarios.filter(
    ({ change, passRate, conversations }) =>
      !change.startsWith("STILL") || passRate?.before !== passRate?.after || conversations.length > 0,
  );
  return (
    <Card
      title={t`Against the run before`}
      actions={
        comparedWith !== null && (
          <Anchor component={Link} href={`/simulations/${comparedWith}`} fz="sm">
            {t`Open that run`}
          </Anchor>
        )
      }
    >
      {comparison.isSame ? (
        <Text fz="sm" c="dimmed">
          {t`Nothing that anybody would notice differs.`}
        </Text>
      ) : (
        <Stack gap="sm">
          <Text fz="sm">
            {t`${comparison.passedConversations.after} of ${comparison.conversations.after} conversations passed; before, ${comparison.passedConversations.before} of ${comparison.conversations.before}.`}
          </Text>
          {changed.map(({ name, change, passRate, conversations }) => (
            <div key={name}>
              <Group gap="xs">
                <Text component="span" fz="sm" fw={600}>
                  <Words>{name}</Words>
                </Text>
                <Badge size="sm" radius="sm" variant="light" color={COLORS[change] ?? "gray"} tt="none">
                  {formatName(change)}
                </Badge>
                {passRate && passRate.before !== passRate.after && (
                  <Text component="span" fz="xs" c="dimmed">
                    {formatShare(passRate.before)} → {formatShare(passRate.after)}
                    {passRate.isApart ? t`, more than chance` : ""}
                  </Text>
                )}
              </Group>
              <ul className="change-list">
                {conversations.slice(0, MOST_CONVERSATIONS).map((one) => (
                  <li key={one.seed}>
                    <Words>{describe(one)}</Words>
                  </li>
                ))}
                {conversations.length > MOST_CONVERSATIONS && (
                  <li>{t`and ${conversations.length - MOST_CONVERSATIONS} conversations more`}</li>
                )}
              </ul>
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function describe(change: ConversationChange): string {
  const { outcome, endReason, turns, fields, firstDifference } = change;
  const parts = [
    outcome && t`outcome ${outcome.before} → ${outcome.after}`,
    endReason && t`end ${endReason.before} → ${endReason.after}`,
    turns && t`turns ${turns.before} → ${turns.after}`,
    ...fields.map(({ name, before, after }) => `${name} ${toText(before)} → ${toText(after)}`),
    firstDifference &&
      t`line ${firstDifference.turn}: “${short(firstDifference.before)}” → “${short(firstDifference.after)}”`,
  ].filter((part) => typeof part === "string");
  return t`Seed ${change.seed}: ${parts.join("; ")}`;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return t`nothing`;
  return short(typeof value === "string" ? value : JSON.stringify(value));
}

function short(text: string | null): string {
  if (text === null) return t`nothing`;
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

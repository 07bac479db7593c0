import { Alert, Anchor, Text } from "@mantine/core";
import type { FirstCall, Results } from "@parley/sdk";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { type HourJudgement, judgeHours } from "#web/domain/results/answer-hours.ts";
import { sayVerdict } from "#web/domain/results/verdict.ts";
import { t } from "#web/i18n/t.ts";
import { formatShare } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";

/** Days of earlier calls that are considered: the most that one read of results takes. */
const LAST_DAYS = 92;

/** Objections to the settings of a job from the results of earlier calls. Hints alone: the job can start anyway. */
export function JobHints({ first }: { first: FirstCall }) {
  if (!useMay("CALL_HISTORY_READ")) return null;
  return (
    <>
      <HoursHint first={first} />
      {first.flowApiId !== null && <VersionHint first={first} flowApiId={first.flowApiId} />}
    </>
  );
}

function HoursHint({ first }: { first: FirstCall }) {
  const { timeZone: ownZone } = useWorkspace();
  // By each person's clock, the hours are compared with those of the workspace's zone, where most people are.
  const timeZone = first.callingWindow?.timeZone ?? ownZone;
  const query = { lastDays: LAST_DAYS, timeZone, channel: "OUTBOUND" };
  const { data } = useRead<Results>("/results", query);
  const found = data && judgeHours(data.hours, first.callingWindow, hourIn(first.opensAt, timeZone));
  if (!found) return null;
  return (
    <Hint
      title={found.kind === "POOR" ? t`Few people answer in these hours` : t`Nobody was called in these hours yet`}
      href={`/analytics?${new URLSearchParams({ ...query, lastDays: String(LAST_DAYS), cards: "HOURS" }).toString()}`}
    >
      {sayHours(found)}
    </Hint>
  );
}

function sayHours({ rate, usualRate, best }: HourJudgement): string {
  const hours = best.map((hour) => `${String(hour).padStart(2, "0")}:00`).join(", ");
  return rate === null
    ? t`In other hours, people answered ${formatShare(usualRate)} of the dials, most of them in the hours from ${hours}.`
    : t`So far, people answered ${formatShare(rate)} of the dials in them, ${formatShare(usualRate)} over all. Most answered in the hours from ${hours}.`;
}

function VersionHint({ first, flowApiId }: { first: FirstCall; flowApiId: string }) {
  const { timeZone } = useWorkspace();
  const query = { lastDays: LAST_DAYS, timeZone, flowApiId };
  const { data } = useRead<Results>("/results", query);
  const percentOf = (wanted: number) => first.openings.find(({ version }) => version === wanted)?.percent;
  const worse = data?.verdicts.find(({ verdict, comparedWith }) => verdict === "BETTER" && percentOf(comparedWith));
  if (!data || !worse) return null;
  const share = formatShare((percentOf(worse.comparedWith) ?? 0) / 100);
  return (
    <Hint
      title={t`${share} of the calls would use version ${worse.comparedWith}, which does worse`}
      href={`/analytics?${new URLSearchParams({ ...query, lastDays: String(LAST_DAYS), cards: "VERSIONS" }).toString()}`}
    >
      {sayVerdict(worse, data)}
    </Hint>
  );
}

function Hint({ title, href, children }: { title: string; href: string; children: string }) {
  return (
    <Alert color="orange" variant="light" icon={<Icon name="alert" />} title={title}>
      <Text fz="sm">
        {children}{" "}
        <Anchor component={Link} href={href} fz="sm" underline="always">
          {t`See the results`}
        </Anchor>
      </Text>
    </Alert>
  );
}

/** Hour of the day at an instant in a zone; null without an instant. */
function hourIn(at: string | null, timeZone: string): number | null {
  if (at === null) return null;
  return Number(new Date(at).toLocaleString("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }));
}

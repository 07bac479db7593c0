import { Anchor, List, Skeleton, Text } from "@mantine/core";
import type { Results } from "@parley/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { HOME_READS, inZoneOf } from "#web/api/home-reads.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { useFlow } from "#web/domain/flow/use-flow-names.ts";
import { takesAll, useShares } from "#web/domain/flow/use-shares.ts";
import type { Drill } from "#web/domain/results/drill.ts";
import { toCallsOf, useResults } from "#web/domain/results/use-results.ts";
import { sayVerdict } from "#web/domain/results/verdict.ts";
import { rich } from "#web/i18n/rich.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatNumber, formatShare } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { Words } from "#web/ui/words.tsx";
import { type Finding, listFindings, type WeakNumber } from "./worth.ts";

const DAYS = HOME_READS.results.query.lastDays;
const REFRESH_MS = 300_000;

/** Lists what stands out in the results of the last days, each with the screen that proves it; nothing if nothing does. */
export function WorthALook() {
  return useMay("CALL_HISTORY_READ") ? <Findings /> : null;
}

function Findings() {
  const { query = {} } = inZoneOf(HOME_READS.results, useWorkspace());
  const { data } = useResults(query, REFRESH_MS);
  const findings = data ? listFindings(data) : [];
  if (!data || findings.length === 0) return null;
  return (
    // A finding that is settled by now is an empty item, and a list without items is not shown.
    <div className="worth">
      <Card title={t`Worth a look, last ${DAYS} days`}>
        <List fz="sm" spacing={6}>
          {findings.map((finding) => (
            <FindingLine
              key={JSON.stringify(finding)}
              finding={finding}
              results={data}
              toCalls={toCallsOf(data, query)}
            />
          ))}
        </List>
      </Card>
    </div>
  );
}

interface LineProps<Kind extends Finding["kind"] = Finding["kind"]> {
  finding: Extract<Finding, { kind: Kind }>;
  results: Results;
  toCalls: (drill: Drill) => string;
}

function FindingLine({ finding, results, toCalls }: LineProps) {
  if (finding.kind === "LOSING_VERSION") return <LosingVersion finding={finding} results={results} toCalls={toCalls} />;
  if (finding.kind === "FAILING_TOOL") {
    const { tool, calls, failed } = finding;
    return (
      <List.Item>
        {rich`The tool ${<Words>{tool}</Words>} failed in ${formatNumber(failed)} of ${formatNumber(calls)} calls.`}{" "}
        <Proof href={toCalls({ tool })} label={t`Show the calls`} />
      </List.Item>
    );
  }
  if (finding.kind === "WISHES") {
    return (
      <List.Item>
        {plural(finding.count, "{n} person asked for a human in vain.", "{n} people asked for a human in vain.")}{" "}
        <Proof href={toCalls({ step: "ASKED_FOR_HUMAN" })} label={t`Show the calls`} />
      </List.Item>
    );
  }
  if (finding.kind === "WEAK_NUMBER") {
    return (
      <List.Item>
        {sayWeak(finding)} <Proof href={`/analytics?lastDays=${DAYS}&cards=NUMBERS`} label={t`Show the numbers`} />
      </List.Item>
    );
  }
  const { hour, dials, persons } = finding;
  return (
    <List.Item>
      {persons === 0
        ? t`Nobody answers from ${hour}:00 to ${hour + 1}:00: not one of ${formatNumber(dials)} dials.`
        : t`Hardly anybody answers from ${hour}:00 to ${hour + 1}:00: ${formatNumber(persons)} of ${formatNumber(dials)} dials.`}{" "}
      <Proof href={`/analytics?lastDays=${DAYS}&cards=HOURS`} label={t`Show the hours`} />
    </List.Item>
  );
}

function sayWeak({ phoneNumber, dials, rate, othersRate }: WeakNumber): ReactNode {
  const number = <Phone number={phoneNumber} />;
  return rich`People answer ${formatShare(rate)} of ${formatNumber(dials)} dials from ${number}, and ${formatShare(othersRate)} from the other numbers.`;
}

/** A version that does worse; settled once every new session takes the better one. */
function LosingVersion({ finding: { verdict }, results }: LineProps<"LOSING_VERSION">) {
  const flow = useFlow(verdict.flowApiId);
  const shares = useShares(flow);
  if (flow === null || shares === null || (shares && takesAll(shares, verdict.version))) return null;
  // The line has its room while the flow is read, so that the page does not jump.
  const isKnown = flow !== undefined && shares !== undefined;
  return (
    <List.Item>
      <Skeleton visible={!isKnown} inert={!isKnown}>
        <Words>{flow?.name ?? verdict.flowApiId}</Words>
        {": "}
        {sayVerdict(verdict, results)}{" "}
        <Proof href={isKnown ? `/flows/${flow.id}?tab=shares` : "/flows"} label={t`Show the versions`} />
      </Skeleton>
    </List.Item>
  );
}

function Proof({ href, label }: { href: string; label: string }) {
  return (
    <Anchor component={Link} href={href} fz="sm" underline="always">
      <Text component="span" inherit style={{ whiteSpace: "nowrap" }}>
        {label}
      </Text>
    </Anchor>
  );
}

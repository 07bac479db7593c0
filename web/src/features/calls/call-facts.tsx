import { Anchor, Group, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { sayReason } from "#web/api/server-texts.ts";
import { type WaitKind, waitOf } from "#web/domain/call/call-wait.ts";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { formatDuration, formatMilliseconds, formatMoney, formatName, formatTimeFully } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { Time } from "#web/ui/time.tsx";

const NEXT: Record<WaitKind, string> = {
  CALLBACK: t`Callback due`,
  RETRY: t`Retry due`,
  WINDOW: t`Calling hours from`,
  START: t`Due`,
};

/** Shows the main facts of a call. */
export function CallFacts({ call }: { call: CallRow }) {
  const { cost, latency } = call;
  const nameOf = useFlowNames();
  const isInbound = call.direction === "INBOUND";
  return (
    <Card title={t`Call`}>
      <dl className="facts">
        <NumberFact name={t`From`} number={isInbound ? call.customerNumber : call.fromPhoneNumber} />
        <NumberFact name={t`To`} number={isInbound ? call.fromPhoneNumber : call.customerNumber} />
        {call.contactEmail !== null && <Fact name={t`E-mail`}>{call.contactEmail}</Fact>}
        <Fact name={t`Flow`}>
          {call.flowApiId === null ? (call.inlineFlow ? t`inline` : "–") : nameOf(call.flowApiId)}
          {call.flowVersion !== null && t` · version ${call.flowVersion}`}
        </Fact>
        {call.jobId !== null && (
          <Fact name={t`Call job`}>
            <Anchor component={Link} href={`/jobs/${call.jobId}`} fz="sm">
              {t`Open the job`}
            </Anchor>
          </Fact>
        )}
        <Fact name={t`Queued`}>
          <Time at={call.queuedAt} />
        </Fact>
        <Fact name={t`Answered`}>
          <Time at={call.answeredAt} />
        </Fact>
        <Fact name={t`Duration`}>{formatDuration(call.durationSeconds)}</Fact>
        {call.endReason !== null && <Fact name={t`Ended`}>{formatName(call.endReason)}</Fact>}
        {call.answeredBy !== null && <Fact name={t`Answered by`}>{formatName(call.answeredBy)}</Fact>}
        {latency.p50Ms !== null && (
          <Fact name={t`Latency`}>
            {t`${formatMilliseconds(latency.p50Ms)} p50 · ${formatMilliseconds(latency.p95Ms)} p95`}
          </Fact>
        )}
        <Fact name={t`Cost`}>
          {formatMoney(cost.amount, cost.currency)}
          {cost.simulated && (
            <Text component="span" fz="xs" c="dimmed">
              {t` simulated, not billed`}
            </Text>
          )}
        </Fact>
        {call.nextAttemptAt !== null && (
          <Fact name={NEXT[waitOf(call)?.kind ?? "START"]}>{formatTimeFully(call.nextAttemptAt)}</Fact>
        )}
        {call.error && <Fact name={t`Error`}>{sayReason(call.error)}</Fact>}
        <IdFact id={call.id} />
      </dl>
    </Card>
  );
}

function IdFact({ id }: { id: string }) {
  return (
    <Fact name={t`Id`}>
      <Group gap={2} wrap="nowrap">
        <Text component="span" ff="monospace" fz="xs" style={{ overflowWrap: "anywhere" }}>
          {id}
        </Text>
        <CopyButton text={id} label={t`Copy id`} />
      </Group>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function NumberFact({ name, number }: { name: string; number: string }) {
  return (
    <Fact name={name}>
      <Phone number={number} />
    </Fact>
  );
}

import { Anchor, Group, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { formatDuration, formatMilliseconds, formatMoney, formatName } from "#web/ui/format/format.ts";
import { Phone } from "#web/ui/phone.tsx";
import { Time } from "#web/ui/time.tsx";

/** Shows the main facts of a call. */
export function CallFacts({ call }: { call: CallRow }) {
  const { cost, latency } = call;
  const isInbound = call.direction === "INBOUND";
  return (
    <Card title="Call">
      <dl className="facts">
        <NumberFact name="From" number={isInbound ? call.customerNumber : call.fromPhoneNumber} />
        <NumberFact name="To" number={isInbound ? call.fromPhoneNumber : call.customerNumber} />
        {call.contactEmail !== null && <Fact name="E-mail">{call.contactEmail}</Fact>}
        <Fact name="Flow">
          {call.flowApiId ?? (call.inlineFlow ? "inline" : "–")}
          {call.flowVersion !== null && ` · version ${call.flowVersion}`}
        </Fact>
        {call.jobId !== null && (
          <Fact name="Call job">
            <Anchor component={Link} href={`/jobs/${call.jobId}`} fz="sm">
              Open the job
            </Anchor>
          </Fact>
        )}
        <Fact name="Queued">
          <Time at={call.queuedAt} />
        </Fact>
        <Fact name="Answered">
          <Time at={call.answeredAt} />
        </Fact>
        <Fact name="Duration">{formatDuration(call.durationSeconds)}</Fact>
        {call.endReason !== null && <Fact name="Ended">{formatName(call.endReason)}</Fact>}
        {call.answeredBy !== null && <Fact name="Answered by">{formatName(call.answeredBy)}</Fact>}
        {latency.p50Ms !== null && (
          <Fact name="Latency">
            {formatMilliseconds(latency.p50Ms)} p50 · {formatMilliseconds(latency.p95Ms)} p95
          </Fact>
        )}
        <Fact name="Cost">
          {formatMoney(cost.amount, cost.currency)}
          {cost.simulated && (
            <Text component="span" fz="xs" c="dimmed">
              {" "}
              simulated, not billed
            </Text>
          )}
        </Fact>
        {call.nextAttemptAt !== null && (
          <Fact name="Next attempt">
            <Time at={call.nextAttemptAt} />
          </Fact>
        )}
        {call.error && <Fact name="Error">{call.error.message}</Fact>}
        <IdFact id={call.id} />
      </dl>
    </Card>
  );
}

function IdFact({ id }: { id: string }) {
  return (
    <Fact name="Id">
      <Group gap={2} wrap="nowrap">
        <Text component="span" ff="monospace" fz="xs" style={{ overflowWrap: "anywhere" }}>
          {id}
        </Text>
        <CopyButton text={id} label="Copy id" />
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

import { Stack } from "@mantine/core";
import type { FirstCall } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { type Fact, Facts } from "#web/ui/facts.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { describeDial, describeFlow, describeHours } from "./first-call.ts";
import { OpeningWords } from "./opening-words.tsx";

/** A call as its person will get it: who, when, from which number, and the agent's first words. */
export function FirstCallCard(props: { call: FirstCall; title?: string; more?: Fact[] }) {
  const { call, title = t`The first call, as it will be heard`, more = [] } = props;
  const { customerNumber, contactName, line } = call;
  const facts: Fact[] = [
    {
      label: t`Calls`,
      value: (
        <>
          {contactName !== null && (
            <>
              <bdi>{contactName}</bdi>,{" "}
            </>
          )}
          <Phone number={customerNumber} />
          {line !== null && t`, line ${line}`}
        </>
      ),
    },
    { label: t`From`, value: <Phone number={call.fromPhoneNumber} /> },
    { label: t`Flow`, value: <bdi>{describeFlow(call)}</bdi> },
    { label: t`Dialled`, value: describeDial(call) },
    { label: t`Hours`, value: describeHours(call.callingWindow) },
    ...more,
  ];
  return (
    <div role="region" aria-label={t`First call`}>
      <Card title={title}>
        <Stack gap="sm">
          <OpeningWords openings={call.openings} />
          <Facts facts={facts} />
        </Stack>
      </Card>
    </div>
  );
}

import { Anchor } from "@mantine/core";
import type { PhoneNumber } from "@parley/sdk";
import { Link } from "wouter";
import { capabilityLabel, formatQueued, providerLabel } from "#web/domain/number/number.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { Time } from "#web/ui/time.tsx";
import { Gauge, sayRates } from "./number-columns.tsx";

/** Filters of the results that count what a number's rates count. */
const RATES_OF = "lastDays=7&channel=OUTBOUND";

/** Shows the health of a number. */
export function NumberFacts({ number }: { number: PhoneNumber }) {
  const { providerInfo, activeInboundCalls, activeOutboundCalls } = number;
  const origin = providerInfo.simulated
    ? t`${providerLabel(number.provider)}; calls stay in the sandbox`
    : providerLabel(number.provider);
  return (
    <Card title={t`Health`}>
      <Facts
        facts={[
          { label: t`Calls now`, value: <Gauge number={number} /> },
          {
            label: t`In and out`,
            value: t`${activeInboundCalls} in, ${activeOutboundCalls} out, ${formatQueued(number)} queued`,
          },
          {
            label: t`Answered dials, 7 days`,
            value: (
              <Anchor component={Link} href={`/analytics?${RATES_OF}&phoneNumberId=${number.id}`} fz="sm">
                {sayRates(number)}
              </Anchor>
            ),
          },
          { label: t`Provider`, value: origin },
          { label: t`Country`, value: providerInfo.region ?? "–" },
          { label: t`Can do`, value: number.capabilities.map(capabilityLabel).join(", ") || "–" },
          { label: t`Carrier's id`, value: providerInfo.externalId ?? "–" },
          { label: t`Added`, value: <Time at={number.createdAt} /> },
        ]}
      />
    </Card>
  );
}

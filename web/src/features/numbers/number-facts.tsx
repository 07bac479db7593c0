import type { PhoneNumber } from "@parley/sdk";
import { capabilityLabel, formatQueued, providerLabel } from "#web/domain/number/number.ts";
import { Card } from "#web/ui/card.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { formatShare } from "#web/ui/format/format.ts";
import { Time } from "#web/ui/time.tsx";
import { Gauge } from "./number-columns.tsx";

/** Shows the health of a number. */
export function NumberFacts({ number }: { number: PhoneNumber }) {
  const { providerInfo, activeInboundCalls, activeOutboundCalls } = number;
  const origin = providerInfo.simulated
    ? `${providerLabel(number.provider)}; calls stay in the sandbox`
    : providerLabel(number.provider);
  return (
    <Card title="Health">
      <Facts
        facts={[
          { label: "Calls now", value: <Gauge number={number} /> },
          {
            label: "In and out",
            value: `${activeInboundCalls} in, ${activeOutboundCalls} out, ${formatQueued(number)} queued`,
          },
          { label: "Answered, 7 days", value: formatShare(number.answerRate7d) },
          { label: "Provider", value: origin },
          { label: "Country", value: providerInfo.region ?? "–" },
          { label: "Can do", value: number.capabilities.map(capabilityLabel).join(", ") || "–" },
          { label: "Carrier's id", value: providerInfo.externalId ?? "–" },
          { label: "Added", value: <Time at={number.createdAt} /> },
        ]}
      />
    </Card>
  );
}

import { Stack } from "@mantine/core";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { type LeadSource, SIGNATURES, SOURCES_PATH } from "./lead-source.ts";
import { SourceActions } from "./source-actions.tsx";
import { TryCard } from "./try-card.tsx";

const BACK = { href: "/leads", label: t`Leads` };

/** Page of a lead source: what arrived, and a place to try a lead. */
export function LeadPage() {
  const { sourceId = "" } = useParams();
  const read = useRead<LeadSource>(`${SOURCES_PATH}/${sourceId}`);
  const source = read.data?.id === sourceId ? read.data : undefined;
  if (!source) {
    return (
      <Page title={t`Lead source`} back={BACK}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  return (
    <Page
      title={source.name}
      back={BACK}
      badge={<StatusBadge status={source.active ? "ACTIVE" : "DISABLED"} />}
      lead={SIGNATURES[source.signature]}
      actions={<SourceActions source={source} />}
    >
      <Stack>
        <TryCard source={source} />
        <DeliveryList source={source} />
      </Stack>
    </Page>
  );
}
